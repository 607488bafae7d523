"""One real thing for each key, and a client that holds answers against the API's document."""

from tests.witness import document, known, witness

__all__ = ["document", "known", "witness"]
