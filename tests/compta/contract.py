"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness

BODIES = {"MajCompteDto": "| compte libelle"}


def make(db: Db, witness: Witness, keys: dict[str, str]) -> None:
    """A case, and a closed month that comes before everything else of the tests."""
    keys["cas"] = "CLIENTS"
    keys["periode"] = witness.http.post("/compta/periodes/1999-01/cloturer").json()["periode"]
