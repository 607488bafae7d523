"""What stops a command for a reason that is known."""

from __future__ import annotations


class Failure(RuntimeError):
    """The message is French and says what to do; the command line shows it without a trace."""
