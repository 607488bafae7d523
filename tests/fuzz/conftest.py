"""The fixtures of the fuzz tests."""

from tests.witness import document, keys, witness

__all__ = ["document", "keys", "witness"]
