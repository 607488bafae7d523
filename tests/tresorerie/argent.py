"""Builders of this slice: accounts, tills with money, transfers, and what each holds."""

from tests import builders


def compte(db, moyen="Mobile Money", **fields):
    """The key of an account that takes the payments of this method."""
    fields = {"libelle": f"Compte {moyen}", "genre": "MOBILE", "id_moyen": builders.moyen(db, moyen)} | fields
    return db.call("tresorerie.compte_creer", **fields)["id_compte"]


def caisse(db, montant="100", **fields):
    """The key of an open till that holds this amount."""
    till = builders.caisse(db, **fields)
    if float(montant):
        builders.payer(db, montant, id_caisse=till)
    return till


def virer(db, de, vers, montant="40", **fields):
    """The answer to a transfer between two places, such as {"id_caisse": 3}."""
    return db.call("tresorerie.virement_creer", de=de, vers=vers, montant=montant, **fields)


def solde(db, compte, au=None):
    return float(db.call("tresorerie.compte_detail", id_compte=compte, au=au)["solde"])


def en_caisse(db, caisse):
    return float(db.one("select tresorerie._caisse_solde(%s, 'infinity')", [caisse]))
