"""Categories of expenses, and the hint taken from the last expense of a category."""

from tests import builders
from tests.conftest import refused


def create(db, libelle):
    return db.call("finances.categorie_depense_creer", libelle=libelle)["id_categorie_depense"]


def test_a_category_is_created_changed_listed_and_deleted(db):
    categorie = create(db, "Carburant")
    with refused("CATEGORIE_DEPENSE_EXISTANTE", status=409):
        create(db, "Carburant")
    edited = db.call(
        "finances.categorie_depense_modifier", id_categorie_depense=categorie, champs={"libelle": "Essence"}
    )
    assert edited == {"id_categorie_depense": categorie, "libelle": "Essence"}
    assert edited in db.rows("finances.categorie_depense_lister")
    db.call("finances.categorie_depense_supprimer", id_categorie_depense=categorie)
    assert edited not in db.rows("finances.categorie_depense_lister")


def test_an_unknown_category_is_not_found(db):
    for name in ("categorie_depense_supprimer", "categorie_depense_hint"):
        with refused("NOT_FOUND", status=404):
            db.call(f"finances.{name}", id_categorie_depense=987654321)
    with refused("NOT_FOUND", status=404):
        db.call("finances.categorie_depense_modifier", id_categorie_depense=987654321, champs={})


def test_a_category_whose_only_expense_is_void_cannot_be_deleted(db):
    categorie = create(db, "Carburant")
    depense = db.call("finances.depense_creer", montant="10", libelle="Plein", id_categorie_depense=categorie)
    db.call("finances.depense_supprimer", id_depense=depense["id_depense"])
    with refused("CATEGORIE_UTILISEE", status=409) as refusal:
        db.call("finances.categorie_depense_supprimer", id_categorie_depense=categorie)
    assert "« Carburant » a des dépenses, toutes annulées," in refusal["message"]


def test_the_hint_is_the_last_expense_that_the_user_may_see(db):
    categorie = create(db, "Carburant")
    with refused("NOT_FOUND", status=404):
        db.call("finances.categorie_depense_hint", id_categorie_depense=categorie)
    caisse = builders.caisse(db)
    user = builders.utilisateur(db, role="CAISSIER", caisse=caisse)
    for montant, libelle, till, date in (
        ("10", "Bidon", caisse, "2026-08-01"),
        ("20", "Plein", None, "2026-08-03"),
        ("30", "Ancien plein", None, "2026-08-02"),
    ):
        db.call(
            "finances.depense_creer",
            montant=montant,
            libelle=libelle,
            id_categorie_depense=categorie,
            id_caisse=till,
            date=date,
        )
    hint = db.call("finances.categorie_depense_hint", id_categorie_depense=categorie)
    assert (float(hint["montant"]), hint["libelle"]) == (20, "Plein")
    db.acting(user)
    hint = db.call("finances.categorie_depense_hint", id_categorie_depense=categorie)
    assert (float(hint["montant"]), hint["libelle"]) == (10, "Bidon")
