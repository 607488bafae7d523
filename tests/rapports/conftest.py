"""Fixtures: one row for each key of the API, and a client that checks answers against the API's document."""

from tests.witness import document, keys, witness

__all__ = ["document", "keys", "witness"]
