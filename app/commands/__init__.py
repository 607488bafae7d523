"""The commands of the command line, one module for each subject; the generated documents.

It may import: every room.
It offers: a function for each command, which `app/__main__.py` names.
"""
