"""With OUVERTURE_AUTOMATIQUE set to oui, the first collection of a cashier opens the cashier's till."""

import pytest

from tests import builders
from tests.conftest import refused
from tests.together import together


@pytest.fixture
def automatic(db):
    db.call("core.parametre_modifier", cle="OUVERTURE_AUTOMATIQUE", valeur="oui")


def pay(db, **fields):
    return builders.paiement(db, "12.50", **fields)


def periods(db, till):
    return db.all("select * from finances.periode_caisse where id_caisse = %s order by id_periode", [till])


def test_the_first_collection_of_a_cashier_opens_the_till(db, automatic):
    till = builders.caisse(db, ouverte=False)
    cashier = builders.utilisateur(db, caisse=till)
    db.acting(cashier)
    first, second = pay(db), pay(db)
    (period,) = periods(db, till)
    assert (period["fermeture"], period["fond_initial"], period["id_utilisateur_ouverture"]) == (None, 0, cashier)
    assert (first["id_caisse"], second["id_caisse"]) == (till, till)
    db.call("finances.caisse_fermer", id_caisse=till)
    pay(db)
    assert len(periods(db, till)) == 2


@pytest.mark.parametrize("setting", ["oui", "non"])
def test_an_inactive_till_and_without_the_setting_every_closed_till_refuses_a_collection(db, setting):
    db.call("core.parametre_modifier", cle="OUVERTURE_AUTOMATIQUE", valeur=setting)
    rule = {"oui": "CAISSE_INACTIVE", "non": "PERIODE_CAISSE_FERMEE"}[setting]
    db.acting(builders.utilisateur(db, caisse=builders.caisse(db, ouverte=False, actif=setting == "non")))
    with refused(rule, 409):
        pay(db)


def test_only_a_collection_by_its_own_cashier_opens_a_till(db, automatic):
    till = builders.caisse(db, ouverte=False)
    db.acting(builders.utilisateur(db, role="DIRIGEANT"))
    with refused("PERIODE_CAISSE_FERMEE", 409):
        pay(db, id_caisse=till)
    db.acting(builders.utilisateur(db, caisse=till))
    with refused("PERIODE_CAISSE_FERMEE", 409):
        builders.depense(db)


def test_the_setting_accepts_only_oui_or_non(db):
    for value in ("Oui", "1", ""):
        with refused("OUVERTURE_AUTOMATIQUE_INVALIDE", 400):
            db.call("core.parametre_modifier", cle="OUVERTURE_AUTOMATIQUE", valeur=value)


def test_concurrent_first_collections_open_one_period(committed, database_url):
    committed.call("core.parametre_modifier", cle="OUVERTURE_AUTOMATIQUE", valeur="oui")
    till = builders.caisse(committed, ouverte=False)
    cashier = builders.utilisateur(committed, caisse=till)

    def act(db, n):
        with db.connection.transaction():
            db.acting(cashier)
            return pay(db)["id_caisse"]

    assert together(database_url, 8, act) == [till] * 8
    assert len(periods(committed, till)) == 1
