"""Requests of the hall: slots, the price and the agreed down payment that staff give."""

from tests import builders
from tests.conftest import refusal, values_of
from tests.portail.demandes import HALL, account

SLOTS = "/salle-fete/portail/disponibilites"


def test_a_request_shows_its_slot_and_no_amount(http, db):
    user = account(db)
    key = HALL.request(http, db, user)
    row = http.as_user(user).get(f"{HALL.portal}/{key}").json()
    assert (row["heure_debut"], row["duree"], row["type_manifestation"]) == ("14:30", "6.50", "Mariage")
    staff = http.as_admin().get(f"{HALL.staff}/{key}").json()
    for shown in (row, staff):
        assert [shown[name] for name in ("tarif", "acompte", "solde", "motif_annulation")] == [None] * 4
    assert staff["origine"] == "PORTAIL"


def test_an_invalid_request_is_refused(http, db):
    user, body = http.as_user(account(db)), HALL.body(db)
    for fields, code in (
        ({"date_evenement": str(db.one("select core.aujourdhui() - 1"))}, "DEMANDE_PASSEE"),
        ({"duree": "0"}, "VALIDATION_ERROR"),
        ({"duree": "-3"}, "VALIDATION_ERROR"),
        ({"duree": "168.01"}, "RESERVATION_TROP_LONGUE"),
        ({"duree": "9" * 1000}, "VALIDATION_ERROR"),
        ({"type_manifestation": " "}, "VALIDATION_ERROR"),
        ({"heure_debut": "25:00"}, "VALIDATION_ERROR"),
    ):
        assert refusal(user.post(HALL.portal, json=body | fields)) == (400, code), fields
    assert db.one("select count(*) from salle_fete.reservation") == 0


def test_only_firm_bookings_take_a_slot(http, db):
    user = account(db)
    first, second = HALL.request(http, db, user), HALL.request(http, db, account(db))
    assert http.as_user(user).get(SLOTS, params={"date": "2031-05-17"}).json() == []
    assert HALL.decide(http, second, body={"tarif": "180000"}).status_code == 200
    taken = {"date_evenement": "2031-05-17", "heure_debut": "14:30", "duree": "6.50", "statut": "RESERVEE"}
    assert http.as_user(user).get(SLOTS, params={"date": "2031-05-17"}).json() == [taken]
    assert refusal(HALL.decide(http, first, body={"tarif": "180000"})) == (409, "CRENEAU_DEJA_RESERVE")
    late = HALL.body(db) | {"heure_debut": "20:00"}
    assert refusal(http.as_user(user).post(HALL.portal, json=late)) == (409, "CRENEAU_DEJA_RESERVE")
    evening = HALL.body(db) | {"heure_debut": "21:00"}
    assert http.as_user(user).post(HALL.portal, json=evening).status_code == 201
    assert http.as_user(user).get(SLOTS, params={"date": "2031-05-18"}).json() == []


def test_a_client_reads_the_types_of_events(http, db):
    made = http.as_admin().post("/salle-fete/catalogue/types-manifestation", json={"libelle": "Mariage"}).json()
    shown = http.as_user(account(db)).get("/salle-fete/catalogue").json()
    assert shown == [made] and set(made) == {"id_type_manifestation", "libelle", "actif", "code_taxe"}


def test_an_invalid_acceptance_leaves_the_request_waiting(http, db):
    key = HALL.request(http, db, account(db))
    for body, code in (
        ({"tarif": "0", "acompte": None}, "RESERVATION_SANS_TARIF"),
        ({"tarif": "-1", "acompte": None}, "VALIDATION_ERROR"),
        ({"tarif": "100000", "acompte": "100000.01"}, "ACOMPTE_SUPERIEUR_AU_TARIF"),
        ({"acompte": "1000"}, "VALIDATION_ERROR"),
    ):
        assert refusal(HALL.decide(http, key, body=body)) == (400, code), body
        assert HALL.state(db, key) == "EN_ATTENTE"


def test_the_down_payment_is_agreed_and_the_confirmation_collects_it(http, db):
    user = account(db)
    key = HALL.request(http, db, user)
    accepted = HALL.decide(http, key, body={"tarif": "180000", "acompte": "45000"}).json()
    assert values_of(accepted, "statut acompte acompte_convenu solde") == ("RESERVEE", "0.00", "45000.00", "180000.00")
    assert db.one("select count(*) from finances.paiement") == 0
    paid = {"paiement": {"montant": "45000", "id_moyen": str(builders.moyen(db))}}
    assert http.as_admin().post(f"{HALL.staff}/{key}/confirmer", json=paid).status_code == 200
    row = http.as_user(user).get(f"{HALL.portal}/{key}").json()
    assert values_of(row, "statut tarif acompte solde") == ("CONFIRMEE", "180000.00", "45000.00", "135000.00")


def test_a_waiting_request_is_not_edited(http, db):
    change = http.as_admin().patch(f"{HALL.staff}/{HALL.request(http, db, account(db))}", json={"tarif": "5000"})
    assert refusal(change) == (409, "DEMANDE_EN_ATTENTE")


def test_a_report_counts_no_waiting_request_and_no_cancelled_booking(http, db):
    key, admin = HALL.request(http, db, account(db)), http.as_admin()
    report = admin.get("/rapports/activites/SALLE_FETE").json()["indicateurs"]
    assert (report["nombre_reservations"], report["par_statut"]) == (0, {"EN_ATTENTE": 1})
    assert admin.post(f"{HALL.staff}/{key}/annuler", json={"motif": "Travaux"}).status_code == 200
    report = admin.get("/rapports/activites/SALLE_FETE").json()["indicateurs"]
    assert (report["nombre_reservations"], report["annulees"], report["par_statut"]) == (0, 1, {"ANNULEE": 1})


def test_an_accepted_request_whose_event_is_past_is_refused(http, db):
    key = HALL.request(http, db, account(db))
    db.execute("update salle_fete.reservation set date_evenement = '2020-05-17' where id_reservation = %s", [key])
    assert refusal(HALL.decide(http, key, body={"tarif": "5000"})) == (409, "DEMANDE_PERIMEE")
