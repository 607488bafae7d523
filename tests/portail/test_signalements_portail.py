"""Incidents that clients report from their portal, with photos."""

from __future__ import annotations

from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, Http
from tests.portail.demandes import account, without_row_level_security
from tests.portail.test_demandes import refusal
from tests.witness import JPEG

PORTAL = "/signalements/portail"
INCIDENT = {
    "titre": "Fuite d'eau",
    "description": "Sous l'évier depuis ce matin.",
    "lieu": "Studio 4",
    "module_cible": "RESIDENCE",
}


def report(http: Http, user: int, **fields: Any) -> str:
    answer = http.as_user(user).post(PORTAL, json=INCIDENT | fields)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id_signalement"])


def send(http: Http, user: int, key: str, name: str = "a.jpg", content: bytes = JPEG) -> Any:
    return http.as_user(user).post(f"{PORTAL}/{key}/photos/upload", files={"file": (name, content, "image/jpeg")})


def test_a_report_is_open_and_notifies_the_staff(http: Http, db: Db) -> None:
    user = account(db)
    answer = http.as_user(user).post(PORTAL, json=INCIDENT).json()
    shown = ("titre", "lieu", "cible_type", "module_cible", "statut", "note_resolution", "photos")
    assert [answer[name] for name in shown] == ["Fuite d'eau", "Studio 4", "MODULE", "RESIDENCE", "OUVERT", None, []]
    assert http.as_user(user).get(f"{PORTAL}/{answer['id_signalement']}").json() == answer
    assert [row["id_signalement"] for row in http.as_user(user).get(f"{PORTAL}?limit=200").json()] == [
        answer["id_signalement"]
    ]
    staff = http.as_admin()
    assert "signalement.cree" in [row["evenement"] for row in staff.get("/notifications").json()]
    row = staff.get(f"/signalements/{answer['id_signalement']}").json()
    assert (row["activite_code"], row["type_signalement"], row["lieu"]) == (
        "LOCATION_RESIDENTIEL",
        "RESIDENCE",
        "Studio 4",
    )


@pytest.mark.parametrize(
    ("module", "activity"),
    [
        ("MARCHANDISE", "VENTE_MARCHANDISES"),
        ("PRESSING", "PRESSING"),
        ("RESTAURANT", "RESTAURATION"),
        ("SALLE_FETE", "SALLE_FETE"),
    ],
)
def test_a_report_goes_to_the_activity_of_its_module(http: Http, db: Db, module: str, activity: str) -> None:
    user = account(db)
    key = report(http, user, module_cible=module)
    assert http.as_admin().get(f"/signalements/{key}").json()["activite_code"] == activity
    assert http.as_user(user).get(f"{PORTAL}/{key}").json()["module_cible"] == module


def test_a_report_without_module_is_general(http: Http, db: Db) -> None:
    user = account(db)
    row = http.as_user(user).get(f"{PORTAL}/{report(http, user, module_cible=None, lieu=None)}").json()
    assert (row["cible_type"], row["module_cible"], row["lieu"]) == ("GENERAL", None, None)


@pytest.mark.parametrize(
    "fields", [{"titre": " "}, {"description": ""}, {"module_cible": "ADMIN"}, {"titre": "x" * 201}, {"id_client": "1"}]
)
def test_an_invalid_report_is_refused(http: Http, db: Db, fields: dict[str, Any]) -> None:
    assert refusal(http.as_user(account(db)).post(PORTAL, json=INCIDENT | fields)) == (400, "VALIDATION_ERROR")


def test_the_requester_reads_the_answer_of_the_staff(http: Http, db: Db) -> None:
    user = account(db)
    key, staff = report(http, user), http.as_admin()
    assert staff.post(f"/signalements/{key}/prendre-en-charge").status_code == 200
    assert staff.post(f"/signalements/{key}/resoudre", json={"note_resolution": "Joint changé"}).status_code == 200
    row = http.as_user(user).get(f"{PORTAL}/{key}").json()
    assert (row["statut"], row["note_resolution"]) == ("RESOLU", "Joint changé")
    events = [entry["evenement"] for entry in http.as_user(user).get("/notifications").json()]
    assert events == ["signalement.resolu", "signalement.pris_en_charge"]
    assert refusal(send(http, user, key)) == (409, "DEJA_TRAITE")


def test_a_photo_is_attached_and_read_by_the_requester_and_the_staff(http: Http, db: Db) -> None:
    user = account(db)
    key = report(http, user)
    answer = send(http, user, key)
    assert answer.status_code == 201, answer.text
    photo = answer.json()
    assert photo["cle_objet"].startswith("signalement-photo/")
    assert http.as_user(user).get(f"{PORTAL}/{key}").json()["photos"] == [photo]
    assert http.as_user(user).get(f"{PORTAL}/photos/{photo['id_photo']}/fichier").content == JPEG
    staff = http.as_admin()
    assert [row["cle_objet"] for row in staff.get(f"/signalements/{key}/photos").json()] == [photo["cle_objet"]]
    assert staff.get("/uploads", params={"key": photo["cle_objet"]}).content == JPEG


def test_a_report_takes_ten_photos(http: Http, db: Db) -> None:
    user = account(db)
    key = report(http, user)
    assert [send(http, user, key).status_code for _ in range(10)] == [201] * 10
    assert refusal(send(http, user, key)) == (409, "TROP_DE_PHOTOS")


def test_a_file_that_is_no_image_is_refused(http: Http, db: Db) -> None:
    user = account(db)
    answer = send(http, user, report(http, user), "a.jpg", b"<html>bonjour</html>")
    assert refusal(answer) == (415, "TYPE_DE_FICHIER")


@pytest.mark.parametrize("guarded", [True, False], ids=["both guards", "conditions alone"])
def test_the_report_of_another_person_is_not_found(http: Http, db: Db, guarded: bool) -> None:
    owner, stranger = account(db), account(db)
    key = report(http, owner)
    photo = send(http, owner, key).json()
    if not guarded:
        without_row_level_security(db)
    assert refusal(http.as_user(stranger).get(f"{PORTAL}/{key}")) == (404, "NOT_FOUND")
    assert refusal(http.as_user(stranger).get(f"{PORTAL}/photos/{photo['id_photo']}/fichier")) == (404, "NOT_FOUND")
    assert refusal(send(http, stranger, key)) == (404, "NOT_FOUND")
    assert http.as_user(stranger).get(PORTAL).json() == []
    # A report of the staff belongs to no client.
    general = http.as_admin().post("/signalements", json={"titre": "Panne", "description": "Groupe électrogène"}).json()
    assert refusal(http.as_user(owner).get(f"{PORTAL}/{general['id_signalement']}")) == (404, "NOT_FOUND")


def test_an_unconfirmed_account_and_staff_report_nothing_here(http: Http, db: Db) -> None:
    waiting = builders.utilisateur(db, role="CLIENT", id_client=builders.client(db), a_confirmer=True)
    assert refusal(http.as_user(waiting).post(PORTAL, json=INCIDENT)) == (403, "ADRESSE_A_CONFIRMER")
    assert refusal(http.as_admin().post(PORTAL, json=INCIDENT)) == (403, "SANS_CLIENT")
