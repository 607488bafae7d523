"""The values of query parameters that the house tests send."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness


def make(db: Db, witness: Witness, keys: dict[str, str]) -> None:
    keys["types"] = "client.cree,facture.emise"
