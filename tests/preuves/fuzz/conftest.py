"""The fixtures of tests/fuzz."""

from tests.fuzz.conftest import document, keys, witness

__all__ = ["document", "keys", "witness"]
