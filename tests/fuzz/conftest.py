"""The fixtures of the fuzz tests."""

from tests.witness import document, known, witness

__all__ = ["document", "known", "witness"]
