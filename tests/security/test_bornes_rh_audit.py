"""Staff, the staff report, the journal and files, for accounts of one activity or one till."""

from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, Http, ok
from tests.witness import JPEG


@pytest.fixture
def staff(db: Db) -> dict[str, Any]:
    """Employees of the laundry, of two of its tills, of the restaurant, of no activity, and one without account."""
    scopes = {
        "laundry": {"activite": builders.activite(db, "PRESSING")},
        "till": {"caisse": builders.caisse(db)},
        "other till": {"caisse": builders.caisse(db)},
        "restaurant": {"activite": builders.activite(db, "RESTAURATION")},
        "free": {},
    }
    accounts = {name: builders.utilisateur(db, role="ADMINISTRATEUR", **scope) for name, scope in scopes.items()}
    employees = {name: builders.employe(db, id_utilisateur=accounts.get(name)) for name in [*scopes, "none"]}
    for name, id_employe in employees.items():
        db.call("rh.pointage_arriver", id_employe=id_employe, date=db.one("select core.aujourdhui()"))
        db.call("rh.paie_creer", id_employe=id_employe, periode="2026-08", salaire_base=f"{len(name)}00000.50")
    return {"accounts": accounts, "employees": employees}


VISIBLE = {
    "laundry": {"laundry", "till", "other till"},
    "till": {"till"},
    "restaurant": {"restaurant"},
    "free": {"laundry", "till", "other till", "restaurant", "free", "none"},
}


@pytest.mark.parametrize("account", VISIBLE)
def test_an_account_sees_only_the_staff_of_its_activity_or_till(http: Http, staff: Any, account: str) -> None:
    user = http.as_user(staff["accounts"][account])
    names = {str(id_employe): name for name, id_employe in staff["employees"].items()}
    for path, key in (("employes", "id_employe"), ("pointages", "id_pointage"), ("paies", "id_paie")):
        rows = user.get(f"/rh/{path}?limit=1000").json()
        assert {names[row["id_employe"]] for row in rows if row["id_employe"] in names} == VISIBLE[account], path
        for row in http.as_user(staff["accounts"]["free"]).get(f"/rh/{path}?limit=1000").json():
            expected = 200 if names.get(row["id_employe"]) in VISIBLE[account] else 404
            assert user.get(f"/rh/{path}/{row[key]}").status_code == expected, (path, row)


@pytest.mark.parametrize("account", VISIBLE)
def test_the_staff_report_counts_only_the_staff_that_the_account_sees(
    http: Http, staff: Any, db: Db, account: str
) -> None:
    report = http.as_user(staff["accounts"][account]).get("/rapports/rh").json()
    assert report["pointage"]["total_pointes"] == len(VISIBLE[account])
    total = sum(len(name) * 100000 + 0.5 for name in VISIBLE[account])
    assert float(report["paie"]["par_statut"]["CALCULEE"]) == total
    assert sum(service["pointage"]["total_pointes"] for service in report["services"]) == len(VISIBLE[account])
    csv = http.as_user(staff["accounts"][account]).get("/rapports/rh?format=csv")
    assert csv.status_code == 200 and f"{total:.2f}" in csv.text


def test_an_account_of_a_till_cannot_write_rows_of_other_staff(http: Http, db: Db, staff: Any) -> None:
    user, other = http.as_user(staff["accounts"]["till"]), str(staff["employees"]["restaurant"])
    before = db.one("select count(*) from audit.journal")
    for path, body in (
        ("/rh/pointages", {"id_employe": other, "date": "2026-08-03"}),
        ("/rh/paies", {"id_employe": other, "periode": "2026-07", "salaire_base": "1"}),
    ):
        assert user.post(path, json=body).status_code == 404, path
    hired = {"nom": "N", "prenom": "P", "fonction": "VENDEUR", "date_embauche": "2026-03-17"}
    refused = user.post("/rh/employes", json={**hired, "type_contrat": "CDI", "salaire_base": "90000.50"})
    assert (refused.status_code, refused.json()["code"]) == (403, "PERSONNEL_DE_L_ENTREPRISE")
    assert db.one("select count(*) from audit.journal") == before
    own = staff["employees"]["till"]
    assert user.patch(f"/rh/employes/{own}", json={"telephone": "+2250700000009"}).status_code == 200


# ---- the journal


def test_the_journal_shows_an_account_only_entries_of_accounts_with_the_same_scope(http: Http, staff: Any) -> None:
    for name, account in staff["accounts"].items():
        ok(http.as_user(account).post("/admin/roles", json={"code": f"R_{account}", "libelle": name}))
    names = {str(account): name for name, account in staff["accounts"].items()}
    for viewer, visible_names in VISIBLE.items():
        rows = http.as_user(staff["accounts"][viewer]).get("/audit/journal?entite=role&limit=1000").json()
        authors = {names.get(row["id_utilisateur"]) for row in rows if row["operation"] == "INSERT"}
        assert authors - {None} == visible_names - {"none"}, viewer


def test_the_journal_hides_entries_about_another_activity_or_till(http: Http, db: Db, staff: Any) -> None:
    """A user moved from the restaurant to the laundry, after a write in the restaurant."""
    restaurant = builders.activite(db, "RESTAURATION")
    mover = builders.utilisateur(db, role="ADMINISTRATEUR", activite=restaurant)
    body = {"libelle": "Caisse d'avant", "id_activite": str(restaurant)}
    ok(http.as_user(mover).post("/finances/caisses", json=body))
    move = "update auth.utilisateur set id_activite_scope = %s where id_utilisateur = %s"
    db.execute(move, [builders.activite(db), mover])
    accounts = {"mover": mover} | {name: staff["accounts"][name] for name in ("laundry", "till", "free")}
    texts = {name: http.as_user(account).get("/audit/journal?limit=1000").text for name, account in accounts.items()}
    assert [name for name, text in texts.items() if "Caisse d'avant" in text] == ["free"]


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
def test_an_account_uploads_and_reads_only_files_of_its_activity(http: Http, db: Db, category: str) -> None:
    key = upload(http.as_admin(), category).json()["key"]
    for activity in ("RESTAURATION", "LOCATION_RESIDENTIEL", "VENTE_MARCHANDISES", "PRESSING"):
        user = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR", activite=builders.activite(db, activity)))
        allowed = CATEGORIES[category] in (None, activity)
        assert upload(user, category).status_code == (201 if allowed else 404), activity
        assert user.get("/uploads", params={"key": key}).status_code == (200 if allowed else 404), activity


def test_an_account_of_a_client_reads_only_the_files_of_that_client(http: Http, db: Db) -> None:
    admin = http.as_admin()
    keys = {name: upload(admin, "piece-identite").json()["key"] for name in ("own", "other", "loose")}
    own, other = builders.client(db), builders.client(db)
    for client, name in ((own, "own"), (other, "other")):
        paper = {"type_piece": "CNI", "numero": f"C-{client}", "copie_num": keys[name]}
        db.call("client.piece_identite_creer", id_client=client, **paper)
    user = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR", id_client=own))
    statuses = {name: user.get("/uploads", params={"key": key}).status_code for name, key in keys.items()}
    assert statuses == {"own": 200, "other": 404, "loose": 404}
    sent = upload(user, "client-photo")
    assert user.get("/uploads", params={"key": sent.json()["key"]}).status_code == 200
    assert upload(user, "etat-lieux").status_code == 404
