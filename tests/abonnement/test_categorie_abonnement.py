"""Subscription categories: create, modify, list and delete."""

from tests import builders
from tests.conftest import reachable, refusal, refused


def test_a_category_is_created_modified_listed_and_deleted(http):
    admin, path = http.as_admin(), "/abonnement/categories"
    created = admin.post(path, json={"libelle": "Internet", "description": "Fibre et 4G"})
    assert (created.status_code, created.json()["actif"]) == (201, True), created.text
    row, one = created.json(), f"{path}/{created.json()['id_categorie_abonnement']}"
    assert refusal(admin.post(path, json={"libelle": "Internet"})) == (409, "CATEGORIE_ABONNEMENT_EXISTANTE")
    edited = admin.patch(one, json={"description": None, "actif": False}).json()
    assert edited == row | {"description": None, "actif": False}
    other = admin.post(path, json={"libelle": "Ménage"}).json()
    for query, expected in [
        ("", [edited, other]), ("?actif=true", [other]), ("?recherche=menage", [other]), ("?libelle=inter", [edited]),
    ]:  # fmt: skip
        assert admin.get(f"{path}{query}").json() == expected, query
    assert admin.delete(one).status_code == 204
    assert admin.get(path).json() == [other]
    for method in ("DELETE", "PATCH"):
        assert refusal(admin.request(method, one, json={})) == (404, "NOT_FOUND"), method


def test_a_category_has_a_label(db):
    with refused("LIBELLE_REMPLI", status=400):
        db.call("abonnement.categorie_abonnement_creer", libelle=" ")


def test_a_user_of_another_activity_and_a_resident_see_no_category(db):
    row = db.call("abonnement.categorie_abonnement_creer", libelle="Internet")
    category = {"id_categorie_abonnement": row["id_categorie_abonnement"]}
    resident = builders.utilisateur(db, role="RESIDENT", id_client=builders.client(db))
    for user in (builders.utilisateur(db, activite=builders.activite(db)), resident):
        db.acting(user)
        assert db.rows("abonnement.categorie_abonnement_lister") == []
        assert reachable(db, {
            "abonnement.categorie_abonnement_creer": {"libelle": "Ménage"},
            "abonnement.categorie_abonnement_modifier": category | {"champs": {}},
            "abonnement.categorie_abonnement_supprimer": category,
        }) == []  # fmt: skip
