"""The catalogue of event types, and bookings that use its labels."""

from __future__ import annotations

from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, Http, refused

BOOKING = {"date_evenement": "2031-05-17", "heure_debut": "15:30", "duree": "7", "tarif": "275000",
           "type_manifestation": "Dot", "hors_catalogue": False}  # fmt: skip
PATH = "/salle-fete/catalogue/types-manifestation"


def add(client: Http, label: str) -> dict[str, Any]:
    answer = client.post(PATH, json={"libelle": label})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_event_types_are_added_renamed_and_deactivated_but_never_deleted(http: Http) -> None:
    """GET /salle-fete/catalogue, POST and PATCH /salle-fete/catalogue/types-manifestation."""
    admin = http.as_admin()
    second, first = add(admin, "Mariage"), add(admin, "Conférence")
    assert first == {
        "id_type_manifestation": first["id_type_manifestation"], "libelle": "Conférence", "actif": True,
        "code_taxe": None,
    }  # fmt: skip
    assert admin.get("/salle-fete/catalogue").json() == [first, second]
    assert code(admin.post(PATH, json={"libelle": "Mariage"})) == (409, "TYPE_MANIFESTATION_EXISTANT")
    path = f"{PATH}/{first['id_type_manifestation']}"
    assert code(admin.patch(path, json={"libelle": "Mariage"})) == (409, "TYPE_MANIFESTATION_EXISTANT")
    changed = admin.patch(path, json={"libelle": "Congrès", "actif": False})
    assert changed.json() == {**first, "libelle": "Congrès", "actif": False}
    assert admin.get("/salle-fete/catalogue").json() == [changed.json(), second]
    assert admin.request("DELETE", path).status_code == 405
    assert code(admin.patch(f"{PATH}/987654", json={"actif": True})) == (404, "NOT_FOUND")


@pytest.mark.parametrize("label", ["", "\t", "x" * 201, None, ["Mariage"]])
def test_an_event_type_without_a_label_is_refused(http: Http, label: Any) -> None:
    assert code(http.as_admin().post(PATH, json={"libelle": label})) == (400, "VALIDATION_ERROR")


def test_a_booking_of_the_catalogue_has_an_active_label_of_it(http: Http) -> None:
    admin = http.as_admin()
    label = add(admin, "Dot")
    made = admin.post("/salle-fete/reservations", json=BOOKING)
    assert (made.status_code, made.json()["hors_catalogue"]) == (201, False), made.text
    other = {**BOOKING, "date_evenement": "2031-05-18"}
    refusal = admin.post("/salle-fete/reservations", json={**other, "type_manifestation": "dot"})
    assert code(refusal) == (400, "LIBELLE_HORS_CATALOGUE")
    admin.patch(f"{PATH}/{label['id_type_manifestation']}", json={"actif": False})
    assert code(admin.post("/salle-fete/reservations", json=other)) == (400, "LIBELLE_HORS_CATALOGUE")
    free = {name: other[name] for name in other if name != "hors_catalogue"}
    made = admin.post("/salle-fete/reservations", json=free)
    assert (made.status_code, made.json()["hors_catalogue"]) == (201, True)


def test_a_booking_keeps_its_label_when_the_catalogue_changes(http: Http) -> None:
    admin = http.as_admin()
    label = add(admin, "Dot")
    path = "/salle-fete/reservations/{}".format(
        admin.post("/salle-fete/reservations", json=BOOKING).json()["id_reservation"]
    )
    admin.patch(f"{PATH}/{label['id_type_manifestation']}", json={"libelle": "Dot traditionnelle"})
    form = {"type_manifestation": "Dot", "hors_catalogue": False, "tarif": "300000"}
    kept = admin.patch(path, json=form)
    assert (kept.status_code, kept.json()["type_manifestation"], kept.json()["tarif"]) == (200, "Dot", "300000.00")
    refusal = admin.patch(path, json={"type_manifestation": "Baptême", "hors_catalogue": False})
    assert code(refusal) == (400, "LIBELLE_HORS_CATALOGUE")
    # An older client does not send the key, and its label is its own.
    older = admin.patch(path, json={"type_manifestation": "Baptême"}).json()
    assert (older["type_manifestation"], older["hors_catalogue"]) == ("Baptême", True)
    assert code(admin.patch(path, json={"hors_catalogue": False})) == (400, "LIBELLE_HORS_CATALOGUE")
    renamed = admin.patch(path, json={"type_manifestation": "Dot traditionnelle", "hors_catalogue": False}).json()
    assert renamed["hors_catalogue"] is False


def test_only_its_own_permission_changes_the_event_types(http: Http, db: Db) -> None:
    cashier = http.as_user(builders.utilisateur(db, role="CAISSIER"))
    assert cashier.get("/salle-fete/catalogue").status_code == 200
    refusal = cashier.post(PATH, json={"libelle": "Gala"})
    assert (refusal.status_code, "SALLE_FETE.GERER_CATALOGUE" in refusal.json()["message"]) == (403, True)
    add(http.as_user(builders.utilisateur(db, role="RESPONSABLE_SALLE")), "Gala")


def test_a_user_of_another_activity_neither_sees_nor_changes_the_event_types(db: Db) -> None:
    db.call("salle_fete.type_manifestation_creer", libelle="Gala")
    key = db.one("select max(id_type_manifestation) from salle_fete.type_manifestation")
    db.acting(builders.utilisateur(db, role="ADMINISTRATEUR", activite=builders.activite(db, "PRESSING")))
    assert db.rows("salle_fete.type_manifestation_lister") == []
    with refused("NOT_FOUND", 404):
        db.call("salle_fete.type_manifestation_creer", libelle="Bal")
    with refused("NOT_FOUND", 404):
        db.call("salle_fete.type_manifestation_modifier", id_type_manifestation=key, champs={"actif": False})
