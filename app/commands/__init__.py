"""The commands that the command line knows, a module for each subject.

It may import: every room.
It offers: one function for each command.
"""
