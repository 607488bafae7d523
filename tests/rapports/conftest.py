"""Fixtures: one row for each key of the API, and a client that checks answers against the API's document."""

from tests.witness import document, known, witness

__all__ = ["document", "known", "witness"]
