"""The rows that the examples of this slice need, for the house tests."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness


def make(db: Db, witness: Witness, known: dict[str, str]) -> None:
    """Add one row for each key in paths and bodies."""
    known["id_notification"] = witness.request("GET", "/api/v1/notifications").json()[0]["id_notification"]
