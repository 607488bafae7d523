"""The catalogue of event types, and bookings that use its labels."""

from tests.conftest import ok, refusal

BOOKING = {"date_evenement": "2031-05-17", "heure_debut": "15:30", "duree": "7", "tarif": "275000",
           "type_manifestation": "Dot", "hors_catalogue": False}  # fmt: skip
PATH = "/salle-fete/catalogue/types-manifestation"


def add(client, label):
    return ok(client.post(PATH, json={"libelle": label}), 201)


def test_event_types_are_added_renamed_and_deactivated_but_never_deleted(http):
    admin = http.as_admin()
    second, first = add(admin, "Mariage"), add(admin, "Conférence")
    key = first["id_type_manifestation"]
    assert first == {"id_type_manifestation": key, "libelle": "Conférence", "actif": True, "code_taxe": None}
    assert admin.get("/salle-fete/catalogue").json() == [first, second]
    assert refusal(admin.post(PATH, json={"libelle": "Mariage"})) == (409, "TYPE_MANIFESTATION_EXISTANT")
    path = f"{PATH}/{key}"
    assert refusal(admin.patch(path, json={"libelle": "Mariage"})) == (409, "TYPE_MANIFESTATION_EXISTANT")
    changed = admin.patch(path, json={"libelle": "Congrès", "actif": False})
    assert changed.json() == {**first, "libelle": "Congrès", "actif": False}
    assert admin.get("/salle-fete/catalogue").json() == [changed.json(), second]
    assert admin.request("DELETE", path).status_code == 405
    assert refusal(admin.patch(f"{PATH}/987654", json={"actif": True})) == (404, "NOT_FOUND")


def test_a_booking_of_the_catalogue_has_an_active_label_of_it(http):
    admin = http.as_admin()
    label = add(admin, "Dot")
    made = admin.post("/salle-fete/reservations", json=BOOKING)
    assert (made.status_code, made.json()["hors_catalogue"]) == (201, False), made.text
    other = {**BOOKING, "date_evenement": "2031-05-18"}
    assert refusal(admin.post("/salle-fete/reservations", json={**other, "type_manifestation": "dot"})) == (
        400,
        "LIBELLE_HORS_CATALOGUE",
    )
    admin.patch(f"{PATH}/{label['id_type_manifestation']}", json={"actif": False})
    assert refusal(admin.post("/salle-fete/reservations", json=other)) == (400, "LIBELLE_HORS_CATALOGUE")
    free = {name: other[name] for name in other if name != "hors_catalogue"}
    made = admin.post("/salle-fete/reservations", json=free)
    assert (made.status_code, made.json()["hors_catalogue"]) == (201, True)


def test_a_booking_keeps_its_label_when_the_catalogue_changes(http):
    admin = http.as_admin()
    label = add(admin, "Dot")
    made = admin.post("/salle-fete/reservations", json=BOOKING).json()
    path = f"/salle-fete/reservations/{made['id_reservation']}"
    admin.patch(f"{PATH}/{label['id_type_manifestation']}", json={"libelle": "Dot traditionnelle"})
    kept = admin.patch(path, json={"type_manifestation": "Dot", "hors_catalogue": False, "tarif": "300000"})
    assert (kept.status_code, kept.json()["type_manifestation"], kept.json()["tarif"]) == (200, "Dot", "300000.00")
    assert refusal(admin.patch(path, json={"type_manifestation": "Baptême", "hors_catalogue": False})) == (
        400,
        "LIBELLE_HORS_CATALOGUE",
    )
    # An older client does not send the key, and its label is its own.
    older = admin.patch(path, json={"type_manifestation": "Baptême"}).json()
    assert (older["type_manifestation"], older["hors_catalogue"]) == ("Baptême", True)
    assert refusal(admin.patch(path, json={"hors_catalogue": False})) == (400, "LIBELLE_HORS_CATALOGUE")
    renamed = admin.patch(path, json={"type_manifestation": "Dot traditionnelle", "hors_catalogue": False}).json()
    assert renamed["hors_catalogue"] is False
