"""The objects that the API's document is tried on."""

from tests.witness import document, known, witness

__all__ = ["document", "known", "witness"]
