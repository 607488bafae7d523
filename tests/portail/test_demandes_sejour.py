"""Requests of stays: dates, free rooms, the price and the room that staff give, the invoice."""

import pytest

from tests import builders
from tests.conftest import ok, refusal
from tests.portail.demandes import STAY, account, client_of

FREE = "/residence/portail/sejours/logements"


def pay(http, key, montant):
    return STAY.decide(http, key, "payer", {"montant": montant, "id_moyen": "1"})


def free(http, user, arrival, departure):
    answer = ok(http.as_user(user).get(FREE, params={"date_arrivee": arrival, "date_depart": departure}))
    return {row["id_logement"] for row in answer}


def test_a_request_shows_the_room_and_no_price(http, db):
    body = STAY.body(db)
    row = http.as_user(account(db)).post(STAY.portal, json=body).json()
    numero = db.one("select numero from residence.logement where id_logement = %s", [body["id_logement"]])
    assert row["logement"] == {"id": body["id_logement"], "numero": numero, "type": "CHAMBRE"}
    shown = [row[name] for name in ("type_logement", "nombre_personnes", "observations", "origine")]
    assert shown == ["CHAMBRE", 3, "Arrivée tardive possible", "PORTAIL"]
    assert [row[name] for name in ("tarif", "montant_total", "reste_a_payer", "motif_annulation")] == [None] * 4
    assert row["montant_paye"] == "0.00"


def test_an_invalid_request_is_refused(http, db):
    user, body = http.as_user(account(db)), STAY.body(db)
    for fields, *refused in (
        ({"date_heure_arrivee": "2020-03-10 18:00:00", "date_heure_depart_prevue": None}, 400, "DEMANDE_PASSEE"),
        ({"date_heure_depart_prevue": "2031-03-09 11:00:00"}, 400, "NUITEE_SANS_NUIT"),
        ({"type_prestation": "SIESTE"}, 400, "SIESTE_DE_PLUSIEURS_JOURS"),
        ({"id_logement": "987654321"}, 422, "SEJOUR_LOGEMENT_INCONNU"),
        ({"nombre_personnes": "0"}, 400, "NOMBRE_DE_PERSONNES"),
        ({"nombre_personnes": "-2"}, 400, "NOMBRE_DE_PERSONNES"),
        ({"nombre_personnes": "9" * 1000}, 400, "VALIDATION_ERROR"),
        ({"date_heure_arrivee": "demain"}, 400, "VALIDATION_ERROR"),
    ):
        assert refusal(user.post(STAY.portal, json=body | fields)) == tuple(refused), fields
    assert db.one("select count(*) from residence.sejour_court") == 0


@pytest.mark.utc
def test_the_free_rooms_leave_out_rooms_out_of_service_and_occupied_rooms(http, db):
    user = account(db)
    kinds = {"free": {"tarif": "9000"}, "requested": {"tarif": "8000"}, "stay": {}, "lease": {}}
    kinds |= {"closed": {"statut": "INDISPONIBLE"}, "repaired": {"statut": "EN_MAINTENANCE"}}
    rooms = {name: str(builders.logement(db, **fields)) for name, fields in kinds.items()}
    db.call("residence.sejour_creer", type_prestation="NUITEE", id_logement=rooms["stay"], tarif="7000",
            date_heure_arrivee="2031-03-09 15:00:00", date_heure_depart_prevue="2031-03-11 12:00:00")  # fmt: skip
    builders.contrat(db, id_logement=int(rooms["lease"]), date_debut="2031-01-01", date_fin_prevue="2031-12-31")
    STAY.request(http, db, user, id_logement=rooms["requested"])
    assert free(http, user, "2031-03-10", "2031-03-12") & set(rooms.values()) == {rooms["free"], rooms["requested"]}
    # The night ends at noon, so the room is free for an arrival on that day.
    assert rooms["stay"] in free(http, user, "2031-03-11", "2031-03-12")
    assert rooms["stay"] not in free(http, user, "2031-03-11 08:00:00", "2031-03-12")
    assert rooms["stay"] in free(http, user, "2031-03-11", "2031-03-11")
    row = http.as_user(user).get(FREE, params={"date_arrivee": "2031-03-10", "date_depart": "2031-03-12"}).json()[0]
    assert set(row) == {"id_logement", "numero", "nom", "type", "tarif", "id_batiment", "batiment_code", "batiment_nom"}
    assert row["tarif"] == "8000.00"
    # Without dates every room in service is shown. One date alone means from then on, or until then.
    for dates, taken in (({}, set()), ({"date_arrivee": "2031-03-10"}, {rooms["stay"], rooms["lease"]})):
        shown = {row["id_logement"] for row in http.as_user(user).get(FREE, params=dates).json()}
        assert shown & set(rooms.values()) == set(rooms.values()) - {rooms["closed"], rooms["repaired"]} - taken
    wrong = http.as_user(user).get(FREE, params={"date_arrivee": "2031-03-12", "date_depart": "2031-03-10"})
    assert refusal(wrong) == (400, "DEPART_PREVU_ORDONNE")


def test_a_room_occupied_at_these_dates_is_refused_at_the_request_and_at_the_acceptance(http, db):
    body = STAY.body(db)
    early = http.as_user(account(db)).post(STAY.portal, json=body).json()["id_sejour"]
    late = http.as_user(account(db)).post(STAY.portal, json=body).json()["id_sejour"]
    assert STAY.decide(http, late, body={"tarif": "10000"}).status_code == 200
    assert refusal(STAY.decide(http, early, body={"tarif": "10000"})) == (409, "LOGEMENT_INDISPONIBLE")
    assert refusal(http.as_user(account(db)).post(STAY.portal, json=body)) == (409, "LOGEMENT_INDISPONIBLE")
    # Another room saves the first request.
    other = str(builders.logement(db))
    answer = STAY.decide(http, early, body={"tarif": "10000", "id_logement": other})
    assert (answer.status_code, answer.json()["id_logement"]) == (200, other)


def test_the_price_is_the_tariff_times_the_nights_or_the_agreed_amount(http, db):
    plain, agreed = (STAY.request(http, db, account(db)) for _ in range(2))
    answer = STAY.decide(http, plain, body={"tarif": "12500.50"}).json()
    assert (answer["tarif"], answer["montant_total"], answer["reste_a_payer"]) == ("12500.50", "37501.50", "37501.50")
    answer = STAY.decide(http, agreed, body={"tarif": "12500", "montant_total": "30000"}).json()
    assert (answer["tarif"], answer["montant_total"]) == ("12500.00", "30000.00")
    paid = pay(http, agreed, "30000").json()
    assert (paid["sejour"]["statut"], paid["facture"]["montant_total"]) == ("TERMINE", "30000.00")
    # New dates make a new price: the agreed amount was for the accepted dates.
    third = STAY.request(http, db, account(db))
    STAY.decide(http, third, body={"tarif": "12500", "montant_total": "30000"})
    later = {"date_heure_depart_prevue": "2031-03-15 11:00:00"}
    assert http.as_admin().patch(f"{STAY.staff}/{third}", json=later).json()["montant_total"] == "62500.00"


def test_acceptance_occupies_the_room_and_cancelling_frees_it(http, db):
    user = account(db)
    key = STAY.request(http, db, user)
    STAY.decide(http, key, body={"tarif": "12500"})
    room = db.one("select id_logement from residence.sejour_court where id_sejour = %s", [key])
    state = "select statut from residence.logement where id_logement = %s"
    assert db.one(state, [room]) == "OCCUPE"
    assert pay(http, key, "5000").status_code == 200
    answer = STAY.decide(http, key, "annuler", {"motif": "Dégât des eaux"})
    assert (answer.json()["statut"], answer.json()["montant_paye"]) == ("ANNULE", "0.00")
    assert db.one(state, [room]) == "DISPONIBLE"
    balance = "select sum(case type when 'ENCAISSEMENT' then montant else -montant end) from finances.paiement"
    assert db.one(balance) == 0
    assert http.as_user(user).get(f"{STAY.portal}/{key}").json()["motif_annulation"] == "Dégât des eaux"


def test_a_waiting_request_is_not_edited_nor_paid(http, db):
    key, admin = STAY.request(http, db, account(db)), http.as_admin()
    for body in ({"statut": "EN_COURS"}, {"statut": "ANNULE"}, {"tarif": "5000"}):
        assert refusal(admin.patch(f"/residence/sejours/{key}", json=body)) == (409, "DEMANDE_EN_ATTENTE")
    assert refusal(pay(http, key, "5000")) == (409, "DEMANDE_EN_ATTENTE")
    assert db.one("select count(*) from facturation.facture") == 0


def test_an_invalid_or_late_acceptance_leaves_the_request_waiting(http, db):
    key = STAY.request(http, db, account(db))
    for body, *refused in (
        ({"tarif": "8000", "id_logement": "987654321"}, 422, "SEJOUR_LOGEMENT_INCONNU"),
        ({"tarif": "-1"}, 400, "VALIDATION_ERROR"),
        ({"tarif": "8000", "montant_total": "-0.01"}, 400, "VALIDATION_ERROR"),
        ({}, 400, "VALIDATION_ERROR"),
    ):
        assert refusal(STAY.decide(http, key, body=body)) == tuple(refused), body
        assert (STAY.state(db, key), db.one("select count(*) from residence.occupation")) == ("EN_ATTENTE", 0)
    db.execute("update residence.sejour_court set date_heure_arrivee = now() - interval '3 days',"
               " date_heure_depart_prevue = now() - interval '1 day' where id_sejour = %s", [key])  # fmt: skip
    assert refusal(STAY.decide(http, key, body={"tarif": "5000"})) == (409, "DEMANDE_PERIMEE")


def test_the_invoice_appears_with_the_first_payment(http, db):
    user, other = account(db), account(db)
    key = STAY.request(http, db, user)
    path = f"{STAY.portal}/{key}/facture"
    assert refusal(http.as_user(user).get(path)) == (404, "NOT_FOUND")
    STAY.decide(http, key, body={"tarif": "12500"})
    assert refusal(http.as_user(user).get(path)) == (404, "NOT_FOUND")
    pay(http, key, "12000")
    invoice = http.as_user(user).get(path).json()
    amounts = [invoice[name] for name in ("montant_total", "montant_paye", "reste", "statut")]
    assert amounts == ["37500.00", "12000.00", "25500.00", "PARTIELLE"]
    lines = [(line["quantite"], line["prix_unitaire"], line["total"]) for line in invoice["lignes"]]
    assert lines == [(3, "12500.00", "37500.00")]
    assert refusal(http.as_user(other).get(path)) == (404, "NOT_FOUND")


def test_a_stay_of_the_counter_is_shown_to_its_client(http, db):
    user = account(db)
    db.call("residence.sejour_creer", type_prestation="SIESTE", id_logement=builders.logement(db), tarif="4000",
            date_heure_arrivee="2026-03-10 13:00:00", id_client=client_of(db, user))  # fmt: skip
    [row] = http.as_user(user).get(STAY.portal).json()
    assert (row["statut"], row["origine"], row["montant_total"]) == ("EN_COURS", "COMPTOIR", "4000.00")


def test_a_charge_of_a_room_is_not_billed_to_a_requester(http, db):
    """A waiting request does not occupy its room."""
    room = builders.logement(db)
    STAY.request(http, db, account(db), id_logement=str(room))
    assert db.one("select residence._occupant(%s)", [room]) is None
