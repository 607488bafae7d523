"""The target of an incident, and its pictures, by the paths of the newest client."""

from tests import builders
from tests.conftest import ok, refusal
from tests.portail.demandes import account
from tests.uploads.test_depot import JPEG

REPORT = {"titre": "Panne", "description": "La machine ne tourne plus."}


def picture(http, key):
    return http.post(f"/signalements/{key}/photos/upload", files={"file": ("a.jpg", JPEG)})


def test_an_incident_names_a_module_an_activity_or_nothing(http, db):
    laundry, admin = str(builders.activite(db)), http.as_admin()
    bodies = {
        "MODULE": {"cible_type": "MODULE", "module_cible": "PRESSING"},
        "ACTIVITE": {"cible_type": "ACTIVITE", "id_activite": laundry},
        "GENERAL": {},
    }
    expected = {"MODULE": ("PRESSING", laundry), "ACTIVITE": (None, laundry), "GENERAL": (None, None)}
    for target, fields in bodies.items():
        row = admin.post("/signalements", json=REPORT | fields).json()
        assert (row["cible_type"], row["module_cible"], row["id_activite"]) == (target, *expected[target])
        assert admin.get(f"/signalements/{row['id_signalement']}").json() == row
        listed = admin.get(f"/signalements?cible_type={target}").json()
        assert [one["id_signalement"] for one in listed] == [row["id_signalement"]]
    (incident,) = admin.get("/signalements?module_cible=PRESSING").json()
    assert incident["cible_type"] == "MODULE"
    own = http.as_user(account(db)).post("/signalements/portail", json=REPORT | {"module_cible": "RESTAURANT"}).json()
    assert (own["cible_type"], own["module_cible"]) == ("MODULE", "RESTAURANT")
    assert own["id_activite"] == str(builders.activite(db, "RESTAURATION")) and own["id_utilisateur_declarant"]


def test_a_target_that_contradicts_its_type_is_refused(http):
    admin = http.as_admin()
    for fields in (
        {"cible_type": "MODULE"},
        {"cible_type": "ACTIVITE", "module_cible": "PRESSING"},
        {"cible_type": "GENERAL", "module_cible": "PRESSING"},
        {"module_cible": "PRESSING", "id_activite": "1"},
    ):
        assert refusal(admin.post("/signalements", json=REPORT | fields)) == (400, "CIBLE_INCERTAINE"), fields


def test_the_declarant_of_an_incident_adds_and_sees_its_pictures(http, db):
    cashier, other = http.as_user(builders.utilisateur(db)), http.as_user(builders.utilisateur(db))
    key = cashier.post("/signalements", json=REPORT).json()["id_signalement"]
    added = ok(picture(cashier, key), 201)
    path = f"/signalements/photos/{added['id_photo']}/fichier"
    assert cashier.get(path).content == other.get(path).content == http.as_admin().get(path).content == JPEG
    assert picture(http.as_admin(), key).status_code == 201
    assert refusal(picture(other, key)) == (403, "FORBIDDEN")
    assert picture(http.as_admin(), "987654").status_code == 404


def test_a_client_sees_the_pictures_of_the_own_incidents_by_the_path_of_the_staff(http, db):
    owner, stranger = http.as_user(account(db)), http.as_user(account(db))
    key = owner.post("/signalements/portail", json=REPORT).json()["id_signalement"]
    sent = owner.post(f"/signalements/portail/{key}/photos/upload", files={"file": ("a.jpg", JPEG)}).json()
    path = f"/signalements/photos/{sent['id_photo']}/fichier"
    assert owner.get(path).content == http.as_admin().get(path).content == JPEG
    assert (stranger.get(path).status_code, sent["id_utilisateur"] is not None) == (404, True)
