"""The rows of the examples of this slice, for the house tests."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness


def make(db: Db, witness: Witness, keys: dict[str, str]) -> None:
    db.execute(
        "select notification._emettre('core.essai.emis', 'LOW', 'Essai', 'Pour tous', '{}', null, null, null, null)"
    )
    newest = witness.request("GET", "/api/v1/notifications").json()[0]
    keys["id_notification"] = newest["id_notification"]  # every account sees it
