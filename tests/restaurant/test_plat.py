"""The menu: categories and dishes."""

from tests import builders
from tests.conftest import ok, refusal, refused


def test_categories_are_created_and_listed_by_name(http):
    admin = http.as_admin()
    for name in ("Plats", "Boissons"):
        answer = ok(admin.post("/restaurant/categories", json={"libelle": name}), 201)
        assert answer == {"id_categorie_plat": answer["id_categorie_plat"], "libelle": name}
    assert [row["libelle"] for row in admin.get("/restaurant/categories").json()] == ["Boissons", "Plats"]
    assert refusal(admin.post("/restaurant/categories", json={"libelle": "Plats"})) == (409, "CATEGORIE_PLAT_EXISTANTE")


def test_a_dish_is_created_read_and_changed(http):
    admin = http.as_admin()
    category = admin.post("/restaurant/categories", json={"libelle": "Plats"}).json()["id_categorie_plat"]
    body = {
        "nom": "Poulet braisé", "id_categorie_plat": category, "prix": "3500", "description": "Avec attiéké",
        "image_url": "plat-photo/1-abc.webp",
    }  # fmt: skip
    created = ok(admin.post("/restaurant/plats", json=body), 201)
    key = created["id_plat"]
    assert created == body | {
        "id_plat": key, "prix": "3500.00", "disponible": True, "categorie_libelle": "Plats", "code_taxe": None,
    }  # fmt: skip
    assert admin.get(f"/restaurant/plats/{key}").json() == created
    changed = admin.patch(f"/restaurant/plats/{key}", json={"disponible": False, "description": None}).json()
    assert (changed["disponible"], changed["description"], changed["prix"]) == (False, None, "3500.00")


def test_an_invalid_dish_is_refused_on_creation_and_on_change(db):
    dish = builders.plat(db)
    for fields, rule, status in (
        ({"prix": "-1"}, "montant_positif", 400),
        ({"nom": " "}, "libelle_rempli", 400),
        ({"id_categorie_plat": 987654}, "plat_categorie_inconnue", 422),
    ):
        with refused(rule, status):
            db.call("restaurant.plat_creer", **{"nom": "Essai", "prix": "1"} | fields)
        with refused(rule, status):
            db.call("restaurant.plat_modifier", id_plat=dish, champs=fields)


def test_the_list_of_dishes_filters_and_sorts(db):
    category = db.call("restaurant.categorie_plat_creer", libelle="Plats")["id_categorie_plat"]
    a = builders.plat(db, "10", nom="Aloco", id_categorie_plat=category)
    b = builders.plat(db, "20", nom="Bœuf", disponible=False)
    c = builders.plat(db, "30", nom="Crêpe", description="Au miel")
    for expected, filters in [
        ([a, b, c], {}),
        ([a], {"id_categorie_plat": category}),
        ([b], {"disponible": False}),
        ([a, c], {"disponible": True}),
        ([c], {"nom": "crepe"}),
        ([b], {"prix": "20.00"}),
        ([c], {"recherche": "MIEL"}),
    ]:
        assert [row["id_plat"] for row in db.rows("restaurant.plat_lister", **filters)] == expected, filters
    with refused("TRI_INCONNU", 400):
        db.rows("restaurant.plat_lister", sort="secret")
