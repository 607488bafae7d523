"""Incidents that clients report from their portal, with photos."""

import pytest

from tests import builders
from tests.conftest import ok, refusal
from tests.portail.demandes import account, without_conditions, without_row_level_security
from tests.witness import JPEG

PORTAL = "/signalements/portail"
INCIDENT = {
    "titre": "Fuite d'eau", "description": "Sous l'évier depuis ce matin.", "lieu": "Studio 4",
    "module_cible": "RESIDENCE",
}  # fmt: skip


def report(http, user, **fields):
    return str(ok(http.as_user(user).post(PORTAL, json=INCIDENT | fields), 201)["id_signalement"])


def send(http, user, key, content=JPEG):
    return http.as_user(user).post(f"{PORTAL}/{key}/photos/upload", files={"file": ("a.jpg", content, "image/jpeg")})


def test_a_report_is_open_and_notifies_the_staff(http, db):
    user = account(db)
    answer = http.as_user(user).post(PORTAL, json=INCIDENT).json()
    shown = ("titre", "lieu", "cible_type", "module_cible", "statut", "note_resolution", "photos")
    assert [answer[name] for name in shown] == ["Fuite d'eau", "Studio 4", "MODULE", "RESIDENCE", "OUVERT", None, []]
    assert http.as_user(user).get(f"{PORTAL}/{answer['id_signalement']}").json() == answer
    listed = http.as_user(user).get(f"{PORTAL}?limit=200").json()
    assert [row["id_signalement"] for row in listed] == [answer["id_signalement"]]
    staff = http.as_admin()
    assert "signalement.cree" in [row["evenement"] for row in staff.get("/notifications").json()]
    row = staff.get(f"/signalements/{answer['id_signalement']}").json()
    assert (row["type_signalement"], row["lieu"]) == ("RESIDENCE", "Studio 4")


def test_a_report_goes_to_the_activity_of_its_module_or_is_general(http, db):
    user, staff = account(db), http.as_admin()
    for module, activity in (
        ("RESIDENCE", "LOCATION_RESIDENTIEL"),
        ("MARCHANDISE", "VENTE_MARCHANDISES"),
        ("PRESSING", "PRESSING"),
        ("RESTAURANT", "RESTAURATION"),
        ("SALLE_FETE", "SALLE_FETE"),
    ):
        key = report(http, user, module_cible=module)
        assert staff.get(f"/signalements/{key}").json()["activite_code"] == activity
        assert http.as_user(user).get(f"{PORTAL}/{key}").json()["module_cible"] == module
    row = http.as_user(user).get(f"{PORTAL}/{report(http, user, module_cible=None, lieu=None)}").json()
    assert (row["cible_type"], row["module_cible"], row["lieu"]) == ("GENERAL", None, None)


def test_an_invalid_report_is_refused(http, db):
    user, long = http.as_user(account(db)), "x" * 201
    for name, value in (
        ("titre", " "),
        ("titre", long),
        ("description", ""),
        ("module_cible", "A"),
        ("id_client", "1"),
    ):
        assert refusal(user.post(PORTAL, json=INCIDENT | {name: value})) == (400, "VALIDATION_ERROR"), name


def test_the_requester_reads_the_answer_of_the_staff(http, db):
    user = account(db)
    key, staff = report(http, user), http.as_admin()
    assert staff.post(f"/signalements/{key}/prendre-en-charge").status_code == 200
    assert staff.post(f"/signalements/{key}/resoudre", json={"note_resolution": "Joint changé"}).status_code == 200
    row = http.as_user(user).get(f"{PORTAL}/{key}").json()
    assert (row["statut"], row["note_resolution"]) == ("RESOLU", "Joint changé")
    events = [entry["evenement"] for entry in http.as_user(user).get("/notifications").json()]
    assert events == ["signalement.resolu", "signalement.pris_en_charge"]
    assert refusal(send(http, user, key)) == (409, "DEJA_TRAITE")


def test_a_photo_is_attached_and_read_by_the_requester_and_the_staff(http, db):
    user = account(db)
    key = report(http, user)
    photo = ok(send(http, user, key), 201)
    assert photo["cle_objet"].startswith("signalement-photo/")
    assert http.as_user(user).get(f"{PORTAL}/{key}").json()["photos"] == [photo]
    assert http.as_user(user).get(f"{PORTAL}/photos/{photo['id_photo']}/fichier").content == JPEG
    staff = http.as_admin()
    assert [row["cle_objet"] for row in staff.get(f"/signalements/{key}/photos").json()] == [photo["cle_objet"]]
    assert staff.get("/uploads", params={"key": photo["cle_objet"]}).content == JPEG


def test_a_report_takes_ten_photos_and_no_other_file(http, db):
    user = account(db)
    key = report(http, user)
    assert refusal(send(http, user, key, b"<html>bonjour</html>")) == (415, "TYPE_DE_FICHIER")
    assert [send(http, user, key).status_code for _ in range(10)] == [201] * 10
    assert refusal(send(http, user, key)) == (409, "TROP_DE_PHOTOS")


@pytest.mark.parametrize("remove", [without_row_level_security, without_conditions])
def test_each_guard_alone_hides_the_report_of_another_person(http, db, remove):
    owner, stranger = account(db), account(db)
    key = report(http, owner)
    photo = send(http, owner, key).json()
    remove(db)
    assert refusal(http.as_user(stranger).get(f"{PORTAL}/{key}")) == (404, "NOT_FOUND")
    assert refusal(http.as_user(stranger).get(f"{PORTAL}/photos/{photo['id_photo']}/fichier")) == (404, "NOT_FOUND")
    assert refusal(send(http, stranger, key)) == (404, "NOT_FOUND")
    assert http.as_user(stranger).get(PORTAL).json() == []
    # A report of the staff belongs to no client.
    general = http.as_admin().post("/signalements", json={"titre": "Panne", "description": "Groupe électrogène"}).json()
    assert refusal(http.as_user(owner).get(f"{PORTAL}/{general['id_signalement']}")) == (404, "NOT_FOUND")


def test_an_unconfirmed_account_and_staff_report_nothing_here(http, db):
    waiting = builders.utilisateur(db, role="CLIENT", id_client=builders.client(db), a_confirmer=True)
    assert refusal(http.as_user(waiting).post(PORTAL, json=INCIDENT)) == (403, "ADRESSE_A_CONFIRMER")
    assert refusal(http.as_admin().post(PORTAL, json=INCIDENT)) == (403, "SANS_CLIENT")
