"""The steps of an upgrade: locks, tables, code, and the fingerprints of the result."""
