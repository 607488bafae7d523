"""An import needs the permission to create what it imports, and stays within the limits of the account."""

from dataclasses import replace

import pytest

from app.http.turns import Turns
from tests import builders
from tests.conftest import ok, refusal
from tests.sheets import counts, send, text, tried

ENTITIES = {
    "CLIENT": ["clients"],
    "MARCHANDISE": ["produits", "stock", "fournisseurs"],
    "RESIDENCE": ["batiments", "logements", "contrats"],
    "RH": ["employes"],
    "RESTAURANT": ["plats"],
    "FACTURATION": ["prestations", "factures"],
}
PERMISSIONS = {entity: f"{domain}.CREER" for domain, entities in ENTITIES.items() for entity in entities}


@pytest.mark.parametrize("entite", PERMISSIONS)
def test_an_entity_needs_the_permission_to_create_it(http, db, entite):
    others = sorted({*PERMISSIONS.values(), f"{PERMISSIONS[entite].split('.')[0]}.VOIR"} - {PERMISSIONS[entite]})
    user = http.as_user(builders.porteur(db, *others))
    for answer in (send(user, b"a;b\n1;2\n", entite), user.get(f"/imports/modeles/{entite}")):
        assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")
        assert PERMISSIONS[entite] in answer.json()["message"]


def test_a_role_without_any_of_them_is_refused_before_the_file_is_read(http, db):
    user = http.as_user(builders.porteur(db, "CLIENT.VOIR"))
    assert send(user, b"").status_code == 403
    assert user.get("/imports").status_code == 403


def test_a_permission_taken_since_the_trial_refuses_the_import(http, db):
    user = http.as_user(builders.porteur(db, "CLIENT.CREER", "RH.CREER"))
    number = tried(user, text(("Nom", "Prénoms", "Tel"), ("Koffi", "Ama", "0701020304")))["id_import"]
    db.execute(
        "delete from auth.role_permission rp using auth.permission p"
        " where p.id_permission = rp.id_permission and p.code = 'CLIENT.CREER'"
    )
    assert refusal(user.post(f"/imports/{number}/valider")) == (403, "FORBIDDEN")


def test_a_key_reads_only_the_imports_that_it_could_make(http):
    admin = http.as_admin()
    number = tried(admin, text(("Nom", "Prénoms", "Tel"), ("Koffi", "Ama", "0701020304")))["id_import"]
    menu, desk = (
        replace(http, token=ok(admin.post("/auth/cles", json={"libelle": "Site", "permissions": [permission]}))["cle"])
        for permission in ("RESTAURANT.CREER", "CLIENT.CREER")
    )
    for path in (f"/imports/{number}", f"/imports/{number}/rapport"):
        assert (menu.get(path).status_code, desk.get(path).status_code) == (404, 200)
    assert ok(menu.get("/imports")) == [] and [row["id_import"] for row in ok(desk.get("/imports"))] == [number]


def test_a_report_takes_its_turn(http, monkeypatch):
    admin, taken, take = http.as_admin(), [], Turns.take
    number = tried(admin, text(("Nom", "Prénoms", "Tel"), ("Koffi", "Ama", "0701020304")))["id_import"]

    def counted(turns, *arguments, **options):
        taken.append(options)
        return take(turns, *arguments, **options)

    monkeypatch.setattr(Turns, "take", counted)
    assert admin.get(f"/imports/{number}/rapport").status_code == 200
    assert taken == [{"long": True}]


def test_an_account_bound_to_an_activity_imports_only_there(http, db):
    shop = builders.activite(db, "VENTE_MARCHANDISES")
    user = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR", activite=shop))
    products = text(("reference", "nom", "prix_vente"), ("A1", "Savon", "500"))
    assert counts(tried(user, products, "produits")) == (1, 0, 0)
    assert counts(tried(user, text(("code", "nom"), ("Z", "Zénith")), "batiments")) == (0, 0, 1)
    services = text(("libelle", "prix", "activite"), ("Coupe", "1500", "PRESSING"), ("Emballage", "100", ""))
    assert counts(tried(user, services, "prestations")) == (1, 0, 1)
