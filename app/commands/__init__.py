"""The commands of the command line, one module for each subject.

It offers: the commands (syntax: app/commands/command.py), which `app/__main__.py` names; the application that joins all
rooms (application.py).
"""
