"""Subscription categories: create, modify, list and delete."""

from tests import builders
from tests.conftest import refused


def creer(db, libelle, **fields):
    return db.call("abonnement.categorie_abonnement_creer", libelle=libelle, **fields)


def test_a_category_is_created_modified_listed_and_deleted(db):
    row = creer(db, "Internet", description="Fibre et 4G")
    assert row["actif"] is True
    with refused("CATEGORIE_ABONNEMENT_EXISTANTE", status=409):
        creer(db, "Internet")
    edited = db.call(
        "abonnement.categorie_abonnement_modifier",
        id_categorie_abonnement=row["id_categorie_abonnement"],
        champs={"description": None, "actif": False},
    )
    assert edited == row | {"description": None, "actif": False}
    other = creer(db, "Ménage")
    assert db.rows("abonnement.categorie_abonnement_lister") == [edited, other]
    assert db.rows("abonnement.categorie_abonnement_lister", actif=True) == [other]
    assert db.rows("abonnement.categorie_abonnement_lister", recherche="menage") == [other]
    assert db.rows("abonnement.categorie_abonnement_lister", libelle="inter") == [edited]
    db.call("abonnement.categorie_abonnement_supprimer", id_categorie_abonnement=row["id_categorie_abonnement"])
    assert db.rows("abonnement.categorie_abonnement_lister") == [other]


def test_an_empty_label_and_an_unknown_category_are_refused(db):
    with refused("LIBELLE_REMPLI", status=400):
        creer(db, " ")
    with refused("NOT_FOUND", status=404):
        db.call("abonnement.categorie_abonnement_supprimer", id_categorie_abonnement=987654321)
    with refused("NOT_FOUND", status=404):
        db.call("abonnement.categorie_abonnement_modifier", id_categorie_abonnement=987654321, champs={})


def test_the_category_routes_create_modify_list_and_delete(http):
    admin = http.as_admin()
    answer = admin.post("/abonnement/categories", json={"libelle": "Internet"})
    assert answer.status_code == 201, answer.text
    path = f"/abonnement/categories/{answer.json()['id_categorie_abonnement']}"
    assert admin.patch(path, json={"libelle": "Fibre"}).json()["libelle"] == "Fibre"
    assert [row["libelle"] for row in admin.get("/abonnement/categories").json()] == ["Fibre"]
    assert admin.delete(path).status_code == 204
    assert admin.delete(path).status_code == 404


def test_a_user_of_another_activity_and_a_resident_see_no_category(db):
    row = creer(db, "Internet")
    category = row["id_categorie_abonnement"]
    resident = builders.utilisateur(db, role="RESIDENT", id_client=builders.client(db))
    for user in (builders.utilisateur(db, activite=builders.activite(db)), resident):
        db.acting(user)
        assert db.rows("abonnement.categorie_abonnement_lister") == []
        with refused("NOT_FOUND", status=404):
            creer(db, "Ménage")
        with refused("NOT_FOUND", status=404):
            db.call("abonnement.categorie_abonnement_modifier", id_categorie_abonnement=category, champs={})
        with refused("NOT_FOUND", status=404):
            db.call("abonnement.categorie_abonnement_supprimer", id_categorie_abonnement=category)
    db.acting(None)
    assert db.rows("abonnement.categorie_abonnement_lister") == [row]
