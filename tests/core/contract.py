"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from __future__ import annotations

from tests import builders
from tests.conftest import Db
from tests.witness import Witness

BODIES = {
    "CreerParametreDto": "cle valeur | description",
    "MajParametreDto": "valeur | description",
    "CreerTaxeDto": "code libelle taux nature du | au",
    "MajTaxeDto": "| libelle",
    "CreerRegimeDto": "regime du |",
}


def make(db: Db, witness: Witness, keys: dict[str, str]) -> None:
    keys["id_activite"] = str(builders.activite(db))
    keys["code"] = "PRESSING"
    db.execute("insert into core.code_taxe (code) values ('TVA') on conflict do nothing")
