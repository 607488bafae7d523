"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from tests import builders

BODIES = {
    "CreerParametreDto": "cle valeur | description",
    "MajParametreDto": "valeur | description",
    "CreerTaxeDto": "code libelle taux nature du | au",
    "MajTaxeDto": "| libelle",
    "CreerRegimeDto": "regime du |",
}


def make(db, witness, keys):
    keys["id_activite"] = str(builders.activite(db))
    keys["code"] = "PRESSING"
    db.execute("insert into core.code_taxe (code) values ('TVA') on conflict do nothing")
