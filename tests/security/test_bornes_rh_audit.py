"""Staff, its report, the journal and files, as somebody sees them who is bound to an activity or to a till."""

from __future__ import annotations

from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, Http
from tests.witness import JPEG


def employee(db: Db, account: int | None) -> int:
    """An employee whose account is this one."""
    found = builders.employe(db)
    db.execute("update rh.employe set id_utilisateur = %s where id_employe = %s", [account, found])
    return found


@pytest.fixture
def house(db: Db) -> dict[str, Any]:
    """Somebody of the laundry, two of its tills, one of the restaurant, one of the whole house, one without account."""
    laundry, restaurant = builders.activite(db, "PRESSING"), builders.activite(db, "RESTAURATION")
    accounts = {
        "laundry": builders.utilisateur(db, role="ADMINISTRATEUR", activite=laundry),
        "till": builders.utilisateur(db, role="ADMINISTRATEUR", caisse=builders.caisse(db)),
        "other till": builders.utilisateur(db, role="ADMINISTRATEUR", caisse=builders.caisse(db)),
        "restaurant": builders.utilisateur(db, role="ADMINISTRATEUR", activite=restaurant),
        "free": builders.utilisateur(db, role="ADMINISTRATEUR"),
    }
    employees = {name: employee(db, account) for name, account in accounts.items()} | {"none": employee(db, None)}
    for name, found in employees.items():
        db.call("rh.pointage_arriver", id_employe=found, date=db.one("select core.aujourdhui()"))
        db.call("rh.paie_creer", id_employe=found, periode="2026-08", salaire_base=f"{len(name)}00000.50")
    return {"accounts": accounts, "employees": employees}


SEEN = {
    "laundry": {"laundry", "till", "other till"},
    "till": {"till"},
    "restaurant": {"restaurant"},
    "free": {"laundry", "till", "other till", "restaurant", "free", "none"},
}


@pytest.mark.parametrize("who", SEEN)
def test_staff_is_that_of_the_own_bounds(http: Http, house: Any, who: str) -> None:
    user = http.as_user(house["accounts"][who])
    names = {str(found): name for name, found in house["employees"].items()}
    for path in ("employes", "pointages", "paies"):
        rows = user.get(f"/rh/{path}?limit=1000").json()
        assert {names[row["id_employe"]] for row in rows if row["id_employe"] in names} == SEEN[who], path
        hidden = [row for row in http.as_user(house["accounts"]["free"]).get(f"/rh/{path}?limit=1000").json()]
        key = {"employes": "id_employe", "pointages": "id_pointage", "paies": "id_paie"}[path]
        for row in hidden:
            expected = 200 if names.get(row["id_employe"]) in SEEN[who] else 404
            assert user.get(f"/rh/{path}/{row[key]}").status_code == expected, (path, row)


@pytest.mark.parametrize("who", SEEN)
def test_report_counts_the_staff_of_the_own_bounds(http: Http, house: Any, db: Db, who: str) -> None:
    report = http.as_user(house["accounts"][who]).get("/rapports/rh").json()
    assert report["pointage"]["total_pointes"] == len(SEEN[who])
    total = sum(len(name) * 100000 + 0.5 for name in SEEN[who])
    assert float(report["paie"]["par_statut"]["CALCULEE"]) == total
    assert sum(service["pointage"]["total_pointes"] for service in report["services"]) == len(SEEN[who])
    csv = http.as_user(house["accounts"][who]).get("/rapports/rh?format=csv")
    assert csv.status_code == 200 and f"{total:.2f}" in csv.text


def test_bound_account_writes_nothing_of_another_s_staff(http: Http, db: Db, house: Any) -> None:
    user, other = http.as_user(house["accounts"]["till"]), house["employees"]["restaurant"]
    slip = db.one("select id_paie from rh.paie where id_employe = %s", [other])
    clock = db.one("select id_pointage from rh.pointage where id_employe = %s", [other])
    before = db.one("select count(*) from audit.journal")
    calls = [
        ("PATCH", f"/rh/employes/{other}", {"salaire_base": "1.00"}),
        ("POST", "/rh/pointages", {"id_employe": str(other), "date": "2026-08-03"}),
        ("PATCH", f"/rh/pointages/{clock}", {"note": "x"}),
        ("POST", f"/rh/pointages/{clock}/depart", {}),
        ("POST", "/rh/paies", {"id_employe": str(other), "periode": "2026-07", "salaire_base": "1"}),
        ("POST", f"/rh/paies/{slip}/elements", {"type": "PRIME", "libelle": "x", "montant": "5"}),
        ("POST", f"/rh/paies/{slip}/recalculer", {}),
        ("PATCH", f"/rh/paies/{slip}/valider", {}),
        ("POST", f"/rh/paies/{slip}/annuler", {}),
        ("POST", f"/rh/paies/{slip}/payer", {"id_moyen": str(builders.moyen(db))}),
        ("GET", f"/rh/paies/{slip}/pdf", None),
    ]
    for method, path, body in calls:
        assert user.request(method, path, json=body).status_code == 404, (method, path)
    hired = {
        "nom": "N",
        "prenom": "P",
        "fonction": "VENDEUR",
        "date_embauche": "2026-03-17",
        "type_contrat": "CDI",
        "salaire_base": "90000.50",
    }
    refused = user.post("/rh/employes", json=hired)
    assert (refused.status_code, refused.json()["code"]) == (403, "PERSONNEL_DE_L_ENTREPRISE")
    assert db.one("select count(*) from audit.journal") == before
    own = house["employees"]["till"]
    assert user.patch(f"/rh/employes/{own}", json={"telephone": "+2250700000009"}).status_code == 200


# ---- the journal


def test_journal_of_a_bound_account_is_what_accounts_of_the_same_bounds_wrote(http: Http, house: Any) -> None:
    for name, account in house["accounts"].items():
        made = http.as_user(account).post("/admin/roles", json={"code": f"R_{account}", "libelle": name})
        assert made.status_code == 201, made.text
    for who, seen in SEEN.items():
        rows = http.as_user(house["accounts"][who]).get("/audit/journal?entite=role&limit=1000").json()
        authors = {row["id_utilisateur"] for row in rows if row["operation"] == "INSERT"}
        assert authors & {str(one) for one in house["accounts"].values()} == {
            str(house["accounts"][name]) for name in seen - {"none"}
        }, who


def test_journal_hides_what_names_another_activity_or_till(http: Http, db: Db, house: Any) -> None:
    """Somebody of the laundry came from the restaurant, and wrote there."""
    mover = builders.utilisateur(db, role="ADMINISTRATEUR", activite=builders.activite(db, "RESTAURATION"))
    body = {"libelle": "Caisse d'avant", "id_activite": str(builders.activite(db, "RESTAURATION"))}
    made = http.as_user(mover).post("/finances/caisses", json=body)
    assert made.status_code == 201, made.text
    db.execute(
        "update auth.utilisateur set id_activite_scope = %s where id_utilisateur = %s", [builders.activite(db), mover]
    )
    for who in ("laundry", "till"):
        assert "Caisse d'avant" not in http.as_user(house["accounts"][who]).get("/audit/journal?limit=1000").text
    assert "Caisse d'avant" not in http.as_user(mover).get("/audit/journal?limit=1000").text
    assert "Caisse d'avant" in http.as_user(house["accounts"]["free"]).get("/audit/journal?limit=1000").text


# ---- files


def upload(http: Http, category: str) -> Any:
    return http.post("/uploads", data={"categorie": category}, files={"file": ("a.jpg", JPEG, "image/jpeg")})


CATEGORIES = {
    "client-photo": None,
    "piece-identite": None,
    "plat-photo": "RESTAURATION",
    "etat-lieux": "LOCATION_RESIDENTIEL",
    "produit-photo": "VENTE_MARCHANDISES",
}


@pytest.mark.parametrize("category", CATEGORIES)
def test_files_are_those_of_the_own_activity(http: Http, db: Db, category: str) -> None:
    key = upload(http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR")), category).json()["key"]
    for activity in ("RESTAURATION", "LOCATION_RESIDENTIEL", "VENTE_MARCHANDISES", "PRESSING"):
        user = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR", activite=builders.activite(db, activity)))
        mine = CATEGORIES[category] in (None, activity)
        assert upload(user, category).status_code == (201 if mine else 404), activity
        assert user.get("/uploads", params={"key": key}).status_code == (200 if mine else 404), activity


def test_account_of_a_client_has_the_files_of_the_own_record(http: Http, db: Db) -> None:
    admin = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR"))
    keys = {name: upload(admin, "piece-identite").json()["key"] for name in ("own", "other", "loose")}
    mine, theirs = builders.client(db), builders.client(db)
    for client, name in ((mine, "own"), (theirs, "other")):
        db.call(
            "client.piece_identite_creer",
            id_client=client,
            type_piece="CNI",
            numero=f"C-{client}",
            copie_num=keys[name],
        )
    user = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR", id_client=mine))
    found = {name: user.get("/uploads", params={"key": key}).status_code for name, key in keys.items()}
    assert found == {"own": 200, "other": 404, "loose": 404}
    sent = upload(user, "client-photo")
    assert user.get("/uploads", params={"key": sent.json()["key"]}).status_code == 200
    assert upload(user, "etat-lieux").status_code == 404
