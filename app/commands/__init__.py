"""The commands that the command line knows, a module for each subject."""
