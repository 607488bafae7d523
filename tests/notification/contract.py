"""What the house tests need of this slice and an example alone does not make."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness


def make(db: Db, witness: Witness, known: dict[str, str]) -> None:
    """Add one real thing for keys of paths and bodies."""
    known["id_notification"] = witness.request("GET", "/api/v1/notifications").json()[0]["id_notification"]
