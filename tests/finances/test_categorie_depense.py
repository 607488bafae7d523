"""Categories of expenses, and the hint taken from the last expense of a category."""

import pytest

from tests import builders
from tests.conftest import refused


def call(db, verb, categorie, **fields):
    return db.call(f"finances.categorie_depense_{verb}", id_categorie_depense=categorie, **fields)


@pytest.fixture
def categorie(db):
    return builders.categorie_depense(db, "Carburant")


def test_a_category_is_created_changed_listed_and_deleted(db, categorie):
    with refused("CATEGORIE_DEPENSE_EXISTANTE", status=409):
        builders.categorie_depense(db, "Carburant")
    edited = call(db, "modifier", categorie, champs={"libelle": "Essence"})
    assert edited == {"id_categorie_depense": categorie, "libelle": "Essence"}
    assert edited in db.rows("finances.categorie_depense_lister")
    call(db, "supprimer", categorie)
    assert edited not in db.rows("finances.categorie_depense_lister")


def test_a_category_whose_only_expense_is_void_cannot_be_deleted(db, categorie):
    db.call("finances.depense_supprimer", id_depense=builders.depense(db)["id_depense"])
    with refused("CATEGORIE_UTILISEE", status=409) as refusal:
        call(db, "supprimer", categorie)
    assert "« Carburant » a des dépenses, toutes supprimées," in refusal["message"]


def test_the_hint_is_the_last_expense_that_the_user_may_see(db, categorie):
    with refused("NOT_FOUND", status=404):
        call(db, "hint", categorie)
    caisse = builders.caisse(db)
    builders.depense(db, "10", libelle="Bidon", id_caisse=caisse, date="2026-08-01")
    builders.depense(db, "20", libelle="Plein", date="2026-08-03")
    builders.depense(db, "30", libelle="Ancien plein", date="2026-08-02")
    cashier = builders.utilisateur(db, role="CAISSIER", caisse=caisse)
    for user, amount, label in ((None, 20, "Plein"), (cashier, 10, "Bidon")):
        db.acting(user)
        hint = call(db, "hint", categorie)
        assert (float(hint["montant"]), hint["libelle"]) == (amount, label)
