"""The catalogue of garment types and services, and lines that use its labels."""

import pytest

from tests import builders
from tests.conftest import ok, refusal, refused

LINE = {"type_vetement": "Boubou", "quantite": "2", "prestation": "Teinture", "tarif": "1750", "hors_catalogue": False}
PARTS = {
    "types-vetement": ("type_vetement", "types_vetement", "TYPE_VETEMENT_EXISTANT"),
    "prestations": ("prestation", "prestations", "PRESTATION_PRESSING_EXISTANTE"),
}


def add(client, part, label):
    return ok(client.post(f"/pressing/catalogue/{part}", json={"libelle": label}), 201)


def order(db, *lines):
    return {"id_client": str(builders.client(db)), "lignes": [*lines]}


@pytest.mark.parametrize("part", PARTS)
def test_labels_are_added_renamed_and_deactivated_but_never_deleted(http, part):
    admin = http.as_admin()
    name, key, exists = PARTS[part]
    second, first = add(admin, part, "Nappe"), add(admin, part, "Couette")
    tax = {"code_taxe": None} if part == "prestations" else {}
    assert first == {f"id_{name}": first[f"id_{name}"], "libelle": "Couette", "actif": True} | tax
    assert admin.get("/pressing/catalogue").json()[key] == [first, second]
    assert refusal(admin.post(f"/pressing/catalogue/{part}", json={"libelle": "Nappe"})) == (409, exists)
    path = f"/pressing/catalogue/{part}/{first[f'id_{name}']}"
    assert admin.patch(path, json={"libelle": "Nappe"}).json()["code"] == exists
    changed = admin.patch(path, json={"libelle": "Couverture", "actif": False})
    assert changed.json() == {**first, "libelle": "Couverture", "actif": False}
    assert admin.get("/pressing/catalogue").json()[key] == [changed.json(), second]
    assert admin.patch(path, json={"actif": True}).json()["actif"] is True
    assert admin.request("DELETE", path).status_code == 405
    assert admin.patch(f"/pressing/catalogue/{part}/987654", json={"actif": False}).status_code == 404


def test_a_line_of_the_catalogue_has_both_labels_in_it(http, db):
    admin = http.as_admin()
    garment, service = add(admin, "types-vetement", "Boubou"), add(admin, "prestations", "Teinture")
    made = ok(
        admin.post(
            "/pressing/commandes", json=order(db, LINE, {**LINE, "prestation": "Ourlet", "hors_catalogue": True})
        ),
        201,
    )
    assert [row["hors_catalogue"] for row in made["commande"]["lignes"]] == [False, True]
    for wrong in ({"type_vetement": "boubou"}, {"prestation": "Ourlet"}):
        answer = admin.post("/pressing/commandes", json=order(db, {**LINE, **wrong}))
        assert refusal(answer) == (400, "LIBELLE_HORS_CATALOGUE")
        assert answer.json()["details"] == {"libelle": next(iter(wrong.values()))}
    for part, key in (("types-vetement", garment["id_type_vetement"]), ("prestations", service["id_prestation"])):
        admin.patch(f"/pressing/catalogue/{part}/{key}", json={"actif": False})
        assert refusal(admin.post("/pressing/commandes", json=order(db, LINE))) == (400, "LIBELLE_HORS_CATALOGUE")
        admin.patch(f"/pressing/catalogue/{part}/{key}", json={"actif": True})


def test_an_order_keeps_its_labels_when_the_catalogue_changes(http, db):
    admin = http.as_admin()
    garment = add(admin, "types-vetement", "Boubou")
    add(admin, "prestations", "Teinture")
    made = admin.post("/pressing/commandes", json=order(db, LINE)).json()["commande"]
    path = f"/pressing/commandes/{made['id_commande']}"
    admin.patch(f"/pressing/catalogue/types-vetement/{garment['id_type_vetement']}", json={"libelle": "Grand boubou"})
    assert admin.get(path).json()["lignes"] == made["lignes"]
    # A form sends the lines back. They are unchanged, so the catalogue is not asked again.
    assert admin.patch(path, json={"lignes": [LINE], "date_retrait_prevue": "2031-03-04"}).status_code == 200
    older = {name: LINE[name] for name in LINE if name != "hors_catalogue"}
    assert admin.patch(path, json={"lignes": [older]}).json()["lignes"] == made["lignes"]
    answer = admin.patch(path, json={"lignes": [{**LINE, "quantite": "3"}]})
    assert answer.json()["code"] == "LIBELLE_HORS_CATALOGUE"
    free = admin.patch(path, json={"lignes": [{**LINE, "quantite": "3", "hors_catalogue": True}]})
    assert (free.status_code, free.json()["montant_total"]) == (200, "5250.00")


def test_direct_sql_cannot_write_a_line_outside_the_catalogue(db):
    db.call("pressing.commande_creer", **order(db, {**LINE, "hors_catalogue": True}))
    with refused("LIBELLE_HORS_CATALOGUE", 400):
        db.execute("update pressing.commande_ligne set hors_catalogue = false")
