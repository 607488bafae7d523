"""Bookings of the hall: slots, changes, lists and refusals."""

import json

from tests import builders
from tests.conftest import ok, reachable, refusal, refused

ACTIVITE = "SALLE_FETE"
SLOT = {"date_evenement": "2030-06-15", "heure_debut": "18:00", "duree": "5"}
NEW_CLIENT = {"nom": "Nouvelle", "prenoms": "Cliente", "tel_principal": "+2250102030405"}


def reserver(db, **fields):
    fields = SLOT | {"type_manifestation": "Mariage", "tarif": "200000"} | fields
    return db.call("salle_fete.reservation_creer", **fields)["id_reservation"]


def reservation(db, id_reservation):
    return db.call("salle_fete.reservation_detail", id_reservation=id_reservation)


def payer(db, operation, id_reservation, montant):
    paiement = {"montant": montant, "id_moyen": builders.moyen(db)}
    return db.call(f"salle_fete.reservation_{operation}", id_reservation=id_reservation, paiement=paiement)


def annuler(db, id_reservation, **fields):
    return db.call("salle_fete.reservation_annuler", id_reservation=id_reservation, **fields)


def facture(db, id_reservation):
    query = "select * from facturation.facture where source_type = 'RESERVATION_FETE' and source_id = %s"
    return db.one(query, [id_reservation])


def last_payment(db, id_reservation):
    key = facture(db, id_reservation)["id_facture"]
    return db.one("select max(id_paiement) from finances.imputation_vue where id_facture = %s", [key])


def amener(db, statut, **fields):
    """A booking in this status, brought there through the operations."""
    id_reservation = reserver(db, **fields)
    if statut == "ANNULEE":
        annuler(db, id_reservation)
    if statut in ("CONFIRMEE", "REALISEE"):
        payer(db, "confirmer", id_reservation, "50000")
    if statut == "REALISEE":
        payer(db, "realiser", id_reservation, "150000")
    return id_reservation


def modifier(db, id_reservation, **champs):
    return db.call("salle_fete.reservation_modifier", id_reservation=id_reservation, champs=champs)


def test_a_booking_accepts_a_known_client_a_new_client_or_no_client(db):
    client = builders.client(db)
    first = reservation(db, reserver(db, id_client=client))
    assert (first["id_client"], first["nom_client"], first["statut"]) == (client, "Exemple Awa", "RESERVEE")
    texts = [str(first[key]) for key in ("heure_debut", "tarif", "acompte", "solde")]
    assert texts == ["18:00:00", "200000.00", "0.00", "200000.00"]
    second = reservation(db, reserver(db, date_evenement="2030-06-16", client=NEW_CLIENT))
    assert second["nom_client"] == "Nouvelle Cliente"
    assert db.one("select type_client from client.client where id_client = %s", [second["id_client"]]) == "PASSAGE"
    third = reservation(db, reserver(db, date_evenement="2030-06-17"))
    assert (third["id_client"], third["nom_client"]) == (None, None)


def test_an_invalid_booking_is_refused(db):
    reserver(db)
    day = {"date_evenement": "2030-07-01"}
    for fields, rule, status in (
        ({"heure_debut": "22:59"}, "CRENEAU_DEJA_RESERVE", 409),
        ({"heure_debut": "13:30", "duree": "4.51"}, "CRENEAU_DEJA_RESERVE", 409),
        ({"date_evenement": "2030-06-14", "heure_debut": "20:00", "duree": "22.5"}, "CRENEAU_DEJA_RESERVE", 409),
        (day | {"tarif": "0"}, "RESERVATION_SANS_TARIF", 400),
        (day | {"tarif": "-1"}, "montant_positif", 400),
        (day | {"duree": "0"}, "nombre_positif", 400),
        (day | {"duree": "168.01"}, "RESERVATION_TROP_LONGUE", 400),
        (day | {"duree": "9999999999"}, "VALEUR_INVALIDE", 400),
        (day | {"id_client": 987654}, "CLIENT_INCONNU", 422),
        ({"id_client": 1, "client": NEW_CLIENT}, "CLIENT_AMBIGU", 400),
        ({"client": NEW_CLIENT}, "CRENEAU_DEJA_RESERVE", 409),
    ):
        with refused(rule, status):
            reserver(db, **fields)


def test_a_slot_next_to_another_is_free(db):
    reserver(db)
    before = {"date_evenement": "2030-06-14", "heure_debut": "20:00", "duree": "17"}
    for fields in (before, {"heure_debut": "13:00"}, {"heure_debut": "23:00"}):
        assert reservation(db, reserver(db, **fields))["statut"] == "RESERVEE"


def test_the_availability_lists_the_occupied_slots_of_the_day(db):
    def taken(day):
        return [
            (row["id_reservation"], str(row["heure_debut"]), row["duree"], row["statut"])
            for row in db.rows("salle_fete.creneau_lister", date=day)
        ]

    night = reserver(db, date_evenement="2030-06-14", heure_debut="22:00", duree="5")  # until 3 in the morning
    completed = amener(db, "REALISEE", heure_debut="10:00", duree="2")
    confirmed = amener(db, "CONFIRMEE", heure_debut="12:00", duree="6.5")
    amener(db, "ANNULEE", heure_debut="20:00", duree="4")
    reserver(db, date_evenement="2030-06-16", heure_debut="00:00", duree="2")
    assert taken("2030-06-15") == [
        (night, "22:00:00", 5, "RESERVEE"), (completed, "10:00:00", 2, "REALISEE"),
        (confirmed, "12:00:00", 6.5, "CONFIRMEE"),
    ]  # fmt: skip
    assert [row[0] for row in taken("2030-06-14")] == [night]
    assert taken("2030-06-13") == []


def test_a_booking_changes_its_slot_price_and_remarks(db):
    id_reservation = reserver(db)
    slot = {"date_evenement": "2030-06-20", "heure_debut": "09:30", "duree": "3.5"}
    changed = modifier(db, id_reservation, **slot, tarif="150000", observations="Sono")
    texts = [str(changed[key]) for key in ("date_evenement", "heure_debut", "solde")]
    assert (texts, changed["duree"]) == (["2030-06-20", "09:30:00", "150000.00"], 3.5)
    assert modifier(db, id_reservation, observations=None)["observations"] is None
    assert reservation(db, reserver(db))["statut"] == "RESERVEE"  # the old slot is free again
    with refused("CRENEAU_DEJA_RESERVE", 409):
        modifier(db, id_reservation, date_evenement="2030-06-15", heure_debut="18:00")
    # A booking does not conflict with itself.
    assert str(modifier(db, id_reservation, heure_debut="10:00")["heure_debut"]) == "10:00:00"


def test_an_agreed_advance_is_stored_and_collects_no_payment(db):
    id_reservation = reserver(db)
    row = modifier(db, id_reservation, acompte="50000")
    assert (str(row["acompte_convenu"]), str(row["acompte"]), row["id_facture"]) == ("50000.00", "0.00", None)
    assert modifier(db, id_reservation, observations="Sono")["acompte_convenu"] == 50000
    with refused("ACOMPTE_SUPERIEUR_AU_TARIF", 400):
        modifier(db, id_reservation, acompte="200000.01")
    assert modifier(db, id_reservation, acompte=None)["acompte_convenu"] is None
    assert db.one("select count(*) from finances.paiement") == 0


def test_the_advance_is_above_zero_and_at_most_the_price(db):
    id_reservation = reserver(db)
    with refused("montant_strictement_positif", 400):
        payer(db, "confirmer", id_reservation, "0")
    with refused("SURPAIEMENT", 409) as refusal:
        payer(db, "confirmer", id_reservation, "200000.01")
    assert json.loads(refusal["details"]) == {"reste": "200000.00"}


def test_realiser_requires_exactly_the_balance(db):
    id_reservation = amener(db, "CONFIRMEE")
    for amount, rule in (("149999.99", "SOLDE_INCOMPLET"), ("0", "SOLDE_INCOMPLET"), ("150000.01", "SURPAIEMENT")):
        with refused(rule, 409) as refusal:
            payer(db, "realiser", id_reservation, amount)
        assert json.loads(refusal["details"]) == {"reste": "150000.00"}


def test_cancelling_something_paid_writes_a_counter_payment_and_voids_the_invoice(db):
    till = builders.caisse(db, activite_code=ACTIVITE)
    db.acting(builders.utilisateur(db, caisse=till))
    id_reservation = amener(db, "CONFIRMEE")
    annuler(db, id_reservation, motif="Report")
    invoice, row = facture(db, id_reservation), reservation(db, id_reservation)
    assert (invoice["statut"], str(invoice["montant_paye"])) == ("ANNULEE", "0.00")
    paid, back = db.all("select * from finances.paiement where id_caisse = %s order by id_paiement", [till])
    assert (back["type"], str(back["montant"]), back["motif"]) == ("DECAISSEMENT", "50000.00", "Report")
    assert back["id_paiement_origine"] == paid["id_paiement"]
    assert db.one("select finances._montant_attendu(%s, core.aujourdhui())", [till]) == 0
    assert (row["statut"], row["id_facture"], row["motif_annulation"]) == ("ANNULEE", None, "Report")
    assert (str(row["acompte"]), str(row["solde"])) == ("0.00", "0.00")


def test_the_list_of_bookings_filters_and_sorts(db):
    client = builders.client(db, nom="Kouadio", prenoms="Édith")
    first = reserver(db, id_client=client, observations="Sono et lumières")
    second = reserver(db, date_evenement="2030-06-16", type_manifestation="Baptême", tarif="100000")
    for expected, filters in [
        ([second, first], {}),
        ([first], {"recherche": "edith"}),
        ([first], {"recherche": "lumieres"}),
        ([first], {"observations": "SONO"}),
        ([first], {"au": "2030-06-15"}),
        ([first], {"id_client": client}),
        ([second], {"type_manifestation": "bapteme"}),
        ([second], {"tarif": "100000"}),
        ([second], {"du": "2030-06-16"}),
        ([], {"statut": "DISPONIBLE"}),
        ([second, first], {"statut": "RESERVEE", "sort": "tarif"}),
    ]:
        rows = db.rows("salle_fete.reservation_lister", **filters)
        assert [row["id_reservation"] for row in rows] == expected, filters


def test_users_of_another_activity_neither_see_nor_change_bookings(db):
    """The calls that tests/security/test_matrice.py does not try, or tries where any account is refused."""
    booking = {"id_reservation": reserver(db)}
    db.call("salle_fete.type_manifestation_creer", libelle="Gala")
    for key in ({"activite": builders.activite(db)}, {"caisse": builders.caisse(db)}):
        db.acting(builders.utilisateur(db, **key))
        assert db.rows("salle_fete.creneau_lister", date="2030-06-15") == []
        assert db.rows("salle_fete.reservation_lister") == db.rows("salle_fete.type_manifestation_lister") == []
        assert reachable(db, {
            "salle_fete.reservation_creer": SLOT | {"type_manifestation": "Bal", "tarif": "1"},
            "salle_fete.reservation_modifier": booking | {"champs": {}},
            "salle_fete.reservation_realiser": booking | {"paiement": {"montant": "1", "id_moyen": 1}},
            "salle_fete.type_manifestation_creer": {"libelle": "Bal"},
        }) == []  # fmt: skip


def test_a_new_booking_notifies_the_users_that_see_the_hall(db):
    id_reservation, activite = reserver(db), builders.activite(db, ACTIVITE)
    notification = db.one("select * from notification.notification where evenement = 'salle_fete.reservation_creee'")
    assert (notification["permission"], notification["id_activite"]) == ("SALLE_FETE.VOIR", activite)
    assert notification["donnees"]["id_reservation"] == str(id_reservation)
    assert notification["corps"] == "Mariage, le 15/06/2030 à 18:00."


def test_direct_sql_cannot_delete_reprice_or_reopen_an_invoiced_booking(db):
    amener(db, "CONFIRMEE")
    for statement, rule in (
        ("delete from salle_fete.reservation", "RESERVATION_NON_EFFACABLE"),
        ("update salle_fete.reservation set tarif = 1", "RESERVATION_FACTUREE"),
        ("update salle_fete.reservation set statut = 'RESERVEE'", "TRANSITION_INTERDITE"),
    ):
        with refused(rule, 409):
            db.execute(statement)


def test_a_payment_of_a_booking_that_took_place_is_cancelled_and_owed_again(db):
    held, planned = amener(db, "REALISEE"), amener(db, "CONFIRMEE", date_evenement="2030-06-16")
    db.call("finances.paiement_annuler", id_paiement=last_payment(db, held), motif="Chèque impayé")
    assert [str(reservation(db, held)[name]) for name in ("statut", "solde")] == ["REALISEE", "150000.00"]
    assert db.all("select * from jobs._controler()") == []
    with refused("ANNULATION_PAR_SA_SOURCE", 409):
        db.call("finances.paiement_annuler", id_paiement=last_payment(db, planned), motif="Chèque impayé")


def test_the_invoice_of_a_booking_that_took_place_is_credited_not_cancelled(db):
    key = facture(db, amener(db, "REALISEE"))["id_facture"]
    with refused("RESERVATION_REALISEE", 409) as refusal:
        db.call("facturation.facture_annuler", id_facture=key, motif="Erreur")
    assert json.loads(refusal["details"]) == {"operation": f"POST /facturation/factures/{key}/avoirs"}


def test_a_booking_goes_from_creation_to_completion_over_http(db, http):
    client = http.as_admin()
    body = {
        "client": NEW_CLIENT, "date_evenement": "2030-08-22", "heure_debut": "20:00", "duree": "5.5",
        "type_manifestation": "Mariage", "tarif": "200000.00", "observations": None,
    }  # fmt: skip
    created = client.post("/salle-fete/reservations", json=body)
    assert created.status_code == 201, created.text
    created = created.json()
    assert (created["heure_debut"], created["duree"]) == ("20:00:00", 5.5)
    assert (created["statut"], created["solde"]) == ("RESERVEE", "200000.00")
    again = client.post("/salle-fete/reservations", json={**body, "heure_debut": "22:00"})
    assert refusal(again) == (409, "CRENEAU_DEJA_RESERVE")
    assert again.json()["message"] == "La salle est déjà réservée à ce moment."
    [slot] = client.get("/salle-fete/disponibilites?date=2030-08-23").json()
    assert (slot["id_reservation"], slot["fin"]) == (created["id_reservation"], "2030-08-23T01:30:00")
    assert client.get("/salle-fete/disponibilites").json()["code"] == "VALIDATION_ERROR"
    path = f"/salle-fete/reservations/{created['id_reservation']}"
    nothing = client.post(f"{path}/confirmer", json={"paiement": {"montant": "0", "id_moyen": "1"}})
    assert refusal(nothing) == (400, "MONTANT_STRICTEMENT_POSITIF")
    confirmed = ok(client.post(f"{path}/confirmer", json={"paiement": {"montant": "50000.00", "id_moyen": "1"}}))
    assert list(confirmed) == ["reservation", "facture", "numero", "id_paiement"]
    assert confirmed["facture"]["statut"] == "PARTIELLE"
    assert confirmed["reservation"]["acompte"] == "50000.00"
    edited = client.patch(path, json={"duree": "6", "acompte": "50000.00", "statut": "CONFIRMEE"})
    assert (edited.status_code, edited.json()["duree"]) == (200, 6)
    completed = client.post(f"{path}/realiser", json={"paiement": {"montant": 150000, "id_moyen": 1}})
    assert (completed.json()["facture"]["statut"], completed.json()["reservation"]["statut"]) == ("PAYEE", "REALISEE")
    assert client.post(f"{path}/annuler").status_code == 409
    other = client.post("/salle-fete/reservations", json={**body, "date_evenement": "2030-09-01"}).json()
    cancelled = client.post(f"/salle-fete/reservations/{other['id_reservation']}/annuler", json={"motif": "Report"})
    assert (cancelled.json()["statut"], cancelled.json()["motif_annulation"]) == ("ANNULEE", "Report")
