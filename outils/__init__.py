"""Tools for contributors, beside the service: the generated files, and the static check of sql/."""
