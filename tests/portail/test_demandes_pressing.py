"""Requests of laundry: the client announces a deposit, and the staff count or weigh the laundry when it comes."""

from tests import builders
from tests.conftest import ok, refusal
from tests.portail.demandes import LAUNDRY, account, client_of, without_row_level_security

SHIRTS = {"type_vetement": "Chemise", "quantite": 3, "prestation": "Lavage", "tarif": "1250.50", "hors_catalogue": True}
WEIGHED = {"type_vetement": "Draps", "quantite": 4, "prestation": "Lavage", "poids_kg": "2.345", "hors_catalogue": True}


def test_a_request_has_a_number_and_no_amount(http, db):
    user = account(db)
    row = http.as_user(user).post(LAUNDRY.portal, json=LAUNDRY.body(db)).json()
    assert row["numero_commande"].startswith("CPR-")
    assert (row["date_depot_souhaitee"], row["notes"]) == ("2031-04-02", "Deux sacs, une tache de vin")
    unknown = ("date_depot", "date_retrait_prevue", "montant_total", "acompte", "reste_a_payer")
    assert [row[name] for name in unknown] == [None] * 5
    assert http.as_user(user).post(LAUNDRY.portal, json={}).status_code == 201
    receipt = ok(http.as_user(user).get(f"{LAUNDRY.portal}/{row['id_commande']}/recu"))
    empty = dict.fromkeys(("date_depot", "montant_total", "acompte", "reste_a_payer"))
    assert receipt == empty | {"numero_commande": row["numero_commande"], "statut": "EN_ATTENTE", "lignes": []}
    assert refusal(http.as_admin().get(f"{LAUNDRY.staff}/{row['id_commande']}/recu")) == (409, "LINGE_NON_DEPOSE")


def test_the_staff_sees_the_day_of_a_request_until_the_laundry_comes(http, db):
    """A request takes its place among the deposits, and its day is the day of the deposit once it is accepted."""
    first, second = LAUNDRY.request(http, db, account(db)), LAUNDRY.request(http, db, account(db))
    db.tamper("update pressing.commande set date_demande = now() - interval '2 days' where id_commande = %s", first)
    orders = http.as_admin().get(LAUNDRY.staff).json()
    assert [row["id_commande"] for row in orders] == [second, first] and all(row["date_depot"] for row in orders)
    day = db.one("select (core.aujourdhui() - 1)::text")
    assert [row["id_commande"] for row in http.as_admin().get(f"{LAUNDRY.staff}?au={day}").json()] == [first]
    assert http.as_admin().get(f"{LAUNDRY.staff}/{second}/recu").status_code == 409
    taken = LAUNDRY.decide(http, first, body=LAUNDRY.acceptance(db)).json()["commande"]
    assert taken["date_depot"] > orders[1]["date_depot"]


def test_laundry_may_come_today_and_not_yesterday(http, db):
    user, days = http.as_user(account(db)), db.one("select core.aujourdhui() as today, core.aujourdhui() - 1 as past")
    today = LAUNDRY.body(db, date_depot_souhaitee=str(days["today"]))
    assert user.post(LAUNDRY.portal, json=today).status_code == 201
    for fields, code in (
        ({"date_depot_souhaitee": str(days["past"])}, "DEMANDE_PASSEE"),
        ({"date_depot_souhaitee": "demain"}, "VALIDATION_ERROR"),
        ({"notes": "x" * 5001}, "VALIDATION_ERROR"),
    ):
        assert refusal(user.post(LAUNDRY.portal, json=today | fields)) == (400, code)


def test_acceptance_counts_the_laundry_and_may_take_an_advance(http, db):
    user = account(db)
    key = LAUNDRY.request(http, db, user)
    paid = {"montant": "1000", "id_moyen": str(builders.moyen(db))}
    body = {"mode_tarification": "UNITAIRE", "lignes": [SHIRTS], "date_retrait_prevue": "2031-04-05", "paiement": paid}
    answer = LAUNDRY.decide(http, key, body=body).json()
    assert (answer["commande"]["statut"], answer["commande"]["montant_total"]) == ("DEPOSE", "3751.50")
    assert answer["facture"]["montant_paye"] == "1000.00"
    row = http.as_user(user).get(f"{LAUNDRY.portal}/{key}").json()
    amounts = [row[name] for name in ("montant_total", "acompte", "reste_a_payer", "date_retrait_prevue")]
    assert amounts == ["3751.50", "1000.00", "2751.50", "2031-04-05"]
    receipt = http.as_user(user).get(f"{LAUNDRY.portal}/{key}/recu").json()
    assert receipt["lignes"] == [
        {"type_vetement": "Chemise", "quantite": "3", "prestation": "Lavage", "tarif": "1250.50", "poids_kg": None,
         "total": "3751.50"}
    ]  # fmt: skip
    assert (receipt["acompte"], receipt["reste_a_payer"], receipt["statut"]) == ("1000.00", "2751.50", "DEPOSE")
    without_row_level_security(db)
    assert refusal(http.as_user(account(db)).get(f"{LAUNDRY.portal}/{key}/recu")) == (404, "NOT_FOUND")


def test_acceptance_weighs_the_laundry_at_the_price_of_that_day(http, db):
    key = LAUNDRY.request(http, db, account(db))
    body = {"mode_tarification": "POIDS", "lignes": [WEIGHED]}
    assert refusal(LAUNDRY.decide(http, key, body=body)) == (409, "TARIF_KG_ABSENT")
    db.call("pressing.tarif_kg_creer", prix_kg="1000")
    accepted = LAUNDRY.decide(http, key, body=body).json()["commande"]
    assert (accepted["mode_tarification"], accepted["montant_total"]) == ("POIDS", "2345.00")


def test_an_invalid_acceptance_leaves_the_request_waiting(http, db):
    key = LAUNDRY.request(http, db, account(db))
    too_much = {"montant": "3751.51", "id_moyen": str(builders.moyen(db))}
    for body, *refused in (
        ({"mode_tarification": "UNITAIRE", "lignes": []}, 400, "COMMANDE_SANS_LIGNE"),
        ({"mode_tarification": "POIDS", "lignes": [SHIRTS]}, 400, "LIGNE_SELON_LE_MODE"),
        ({"lignes": [SHIRTS | {"hors_catalogue": False}]}, 400, "LIBELLE_HORS_CATALOGUE"),
        ({"lignes": [SHIRTS | {"quantite": 0}]}, 400, "VALIDATION_ERROR"),
        ({"lignes": [SHIRTS], "paiement": too_much}, 409, "SURPAIEMENT"),
    ):
        assert refusal(LAUNDRY.decide(http, key, body={"mode_tarification": "UNITAIRE"} | body)) == tuple(refused)
        assert LAUNDRY.state(db, key) == "EN_ATTENTE"
        for table in ("pressing.commande_ligne", "facturation.facture"):
            assert db.one(f"select count(*) from {table}") == 0


def test_a_waiting_request_is_not_edited(http, db):
    path = f"{LAUNDRY.staff}/{LAUNDRY.request(http, db, account(db))}"
    change = {"date_retrait_prevue": "2031-04-05"}
    assert refusal(http.as_admin().patch(path, json=change)) == (409, "DEMANDE_EN_ATTENTE")


def subscriber(db, quota):
    """The account of a client who has a subscription of this many washed pieces."""
    user, service = account(db), db.call("pressing.prestation_creer", libelle="Lavage")["id_prestation"]
    offer = {"activite": "PRESSING", "unite": "PIECE", "quota": quota, "id_prestation": service}
    builders.souscription(db, id_client=client_of(db, user), offre=offer)
    return user


def test_the_staff_accepts_laundry_beyond_the_subscription_or_without_it(http, db):
    user = subscriber(db, quota="2")
    balance = "select 2 + coalesce(sum(quantite), 0) from abonnement.mouvement"
    body = {"lignes": [SHIRTS]}
    key, other = LAUNDRY.request(http, db, user), LAUNDRY.request(http, db, user)
    assert refusal(LAUNDRY.decide(http, key, body=body)) == (409, "ABONNEMENT_EXCEDENT")
    assert (LAUNDRY.state(db, key), db.one(balance)) == ("EN_ATTENTE", 2)
    spared = LAUNDRY.decide(http, other, body=body | {"utiliser_abonnement": False}).json()["commande"]
    assert (spared["montant_couvert"], spared["reste_a_payer"], db.one(balance)) == ("0.00", "3751.50", 2)
    accepted = LAUNDRY.decide(http, key, body=body | {"accepter_excedent": True}).json()["commande"]
    assert (accepted["montant_couvert"], accepted["reste_a_payer"]) == ("2501.00", "1250.50")
    assert db.one(balance) == 0


def test_reports_count_no_request(http, db):
    admin = http.as_admin()

    def counted():
        activity = admin.get("/rapports/activites/PRESSING").json()["indicateurs"]
        return activity["nombre_commandes"], admin.get("/dashboard").json()["pressing"]["commandes_en_cours"]

    key = LAUNDRY.request(http, db, account(db))
    assert counted() == (0, 0)
    LAUNDRY.decide(http, key, body=LAUNDRY.acceptance(db))
    assert counted() == (1, 1)
