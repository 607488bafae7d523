"""The exception for an expected failure of a command, and the short text of any error."""


class Failure(RuntimeError):
    """Its message is French and says what to do. The command line prints it without a traceback."""


def first_line(error: BaseException) -> str:
    """The first line of the text of an error, or its type where it has no text."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
