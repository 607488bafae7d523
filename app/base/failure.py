"""The exception for an expected failure of a command."""

from __future__ import annotations


class Failure(RuntimeError):
    """Its message is French and says what to do. The command line prints it without a traceback."""
