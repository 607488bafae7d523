"""The objects that the API's document is tried on are those of its own tests."""

from tests.house.test_openapi import document, known, witness

__all__ = ["document", "known", "witness"]
