"""Meals of prepaid subscriptions: the preview, orders at the counter, the collection of an order, cancellation."""

import pytest

from tests import builders
from tests.conftest import ok, refusal, refused, values_of


class Table:
    """A client with a subscription of three meals, and two dishes of which one has a category."""

    def __init__(self, db, http, **offer):
        self.db, self.user = db, http.as_admin()
        self.category = db.call("restaurant.categorie_plat_creer", libelle="Plats")["id_categorie_plat"]
        self.rice = builders.plat(db, "2000.50", nom="Riz", id_categorie_plat=self.category)
        self.juice = builders.plat(db, "700", nom="Jus")
        self.client = builders.client(db)
        self.subscription = builders.souscription(db, id_client=self.client, offre={"quota": "3"} | offer)

    def balance(self, subscription=None):
        row = self.db.call("abonnement.souscription_detail", id_souscription=subscription or self.subscription)
        return str(row["solde"])

    def lines(self, *basket):
        return [{"id_plat": str(dish), "quantite": quantity} for dish, quantity in basket]

    def order(self, *basket, paid=None, **fields):
        body = {"type": "SUR_PLACE", "lignes": self.lines(*basket), "id_client": str(self.client)} | fields
        if paid is not None:
            body["paiement"] = {"montant": paid, "id_moyen": str(builders.moyen(self.db))}
        return self.user.post("/restaurant/commandes", json=body)

    def preview(self, *basket):
        body = {"id_client": str(self.client), "lignes": self.lines(*basket)}
        return ok(self.user.post("/restaurant/commandes/apercu-abonnement", json=body))

    def unpaid(self, *basket, state="EN_COURS", client=None):
        """An order that is not settled, as the portal makes them."""
        order = self.db.one("select nextval('restaurant.commande_id_commande_seq')")
        for dish, quantity in basket:
            self.db.execute(
                "insert into restaurant.commande_ligne (id_commande, id_plat, quantite, prix_unitaire)"
                " select %s, id_plat, %s, prix from restaurant.plat where id_plat = %s",
                [order, quantity, dish],
            )
        self.db.execute(
            "insert into restaurant.commande (id_commande, id_client, type, statut) overriding system value"
            " values (%s, %s, 'A_EMPORTER', %s)",
            [order, client or self.client, state],
        )
        return int(order)

    def served(self, *basket):
        """A served order and its unpaid invoice."""
        order = self.unpaid(*basket, state="EN_PREPARATION")
        answer = ok(self.user.post(f"/restaurant/commandes/{order}/statut", json={"statut": "SERVIE"}))
        return order, answer["id_facture"]

    def collect(self, order, amount, **fields):
        body = {"montant": amount, "id_moyen": str(builders.moyen(self.db))} | fields
        return self.user.post(f"/restaurant/commandes/{order}/encaisser", json=body)


@pytest.fixture
def table(db, http):
    return Table(db, http)


def test_the_preview_shows_what_subscriptions_pay_and_draws_nothing(table):
    preview = table.preview((table.rice, 2), (table.juice, 2.5))
    assert list(preview) == ["unite", "abonnements", "lignes", "total_brut", "total_du", "excedent"]
    [subscription] = preview["abonnements"]
    assert subscription == {
        "id_souscription": str(table.subscription), "offre_libelle": subscription["offre_libelle"], "solde": "3",
        "quota": "3", "unite": "REPAS", "etat": "ACTIVE", "date_fin": subscription["date_fin"],
        "consomme_aujourdhui": "0", "max_par_jour": None,
    }  # fmt: skip
    assert preview["lignes"] == [
        {
            "id_plat": str(table.rice), "plat": "Riz", "quantite": 2, "couvert": 2, "excedent": 0,
            "abonnement_applicable": True, "prix_unitaire": "2000.50", "montant_brut": "4001.00", "montant_du": "0.00",
        },
        {
            "id_plat": str(table.juice), "plat": "Jus", "quantite": 2.5, "couvert": 1, "excedent": 1.5,
            "abonnement_applicable": True, "prix_unitaire": "700.00", "montant_brut": "1750.00",
            "montant_du": "1050.00",
        },
    ]  # fmt: skip
    assert values_of(preview, "unite total_brut total_du excedent") == ("REPAS", "5751.00", "1050.00", True)
    assert table.balance() == "3"
    body = {"id_client": "987654", "lignes": table.lines((table.rice, 1))}
    assert table.user.post("/restaurant/commandes/apercu-abonnement", json=body).json()["code"] == "CLIENT_INCONNU"
    empty = table.user.post("/restaurant/commandes/apercu-abonnement", json=body | {"lignes": []})
    assert empty.json()["code"] == "COMMANDE_SANS_LIGNE"


def test_an_order_that_subscriptions_pay_has_no_payment_and_no_invoice(table, db):
    answer = ok(table.order((table.rice, 2), utiliser_abonnement=True, accepter_excedent=False), 201)
    assert (answer["facture"], answer["numero"], answer["id_paiement"]) == (None, None, None)
    order = answer["commande"]
    assert values_of(order, "statut total montant_couvert id_facture") == ("EN_COURS", "4001.00", "4001.00", None)
    detail = table.user.get(f"/abonnement/souscriptions/{table.subscription}").json()
    [movement] = detail["mouvements"]
    assert values_of(movement, "type quantite id_commande_restaurant") == ("CONSOMMATION", "-2", order["id_commande"])
    assert (detail["solde"], detail["consomme_aujourdhui"], detail["etat"]) == ("1", "2", "ACTIVE")
    assert db.all("select * from jobs._controler()") == []


def test_an_order_beyond_the_quota_is_refused_until_the_excess_is_accepted(table, db):
    beyond = table.order((table.rice, 4), paid="2000.50")
    assert refusal(beyond) == (409, "ABONNEMENT_EXCEDENT")
    assert beyond.json()["details"] == {"excedent": "1", "unite": "REPAS"}
    wrong = table.order((table.rice, 4), paid="8002", accepter_excedent=True)
    assert refusal(wrong) == (400, "PAIEMENT_DIFFERENT_DU_TOTAL") and wrong.json()["details"] == {"total": "2000.50"}
    assert refusal(table.order((table.rice, 4), accepter_excedent=True)) == (400, "PAIEMENT_DIFFERENT_DU_TOTAL")
    assert table.balance() == "3"
    answer = ok(table.order((table.rice, 4), paid="2000.50", accepter_excedent=True), 201)
    assert (answer["facture"]["montant_total"], answer["facture"]["statut"]) == ("2000.50", "PAYEE")
    invoice = table.user.get(f"/facturation/factures/{answer['facture']['id_facture']}").json()
    assert [(line["libelle"], line["quantite"], line["total"]) for line in invoice["lignes"]] == [("Riz", 1, "2000.50")]
    assert (answer["commande"]["montant_couvert"], table.balance()) == ("6001.50", "0")
    assert db.all("select * from jobs._controler()") == []


def test_a_dish_outside_the_category_is_paid_and_never_an_excess(db, http):
    table = Table(db, http)
    db.call("abonnement.souscription_resilier", id_souscription=table.subscription, motif="x")
    dishes = builders.souscription(
        db, id_client=table.client, offre={"quota": "2", "id_categorie_plat": table.category}
    )
    answer = table.order((table.rice, 1), (table.juice, 5), paid="3500")
    assert (answer.status_code, answer.json()["commande"]["montant_couvert"]) == (201, "2000.50")
    assert table.balance(dishes) == "1"
    line = table.preview((table.juice, 1))["lignes"][0]
    assert (line["abonnement_applicable"], line["excedent"], line["montant_du"]) == (False, 0, "700.00")


def test_units_of_another_day_do_not_count_for_the_limit_of_today(db, http):
    table = Table(db, http, quota="10", max_par_jour="2")
    order = table.order((table.rice, 2)).json()["commande"]["id_commande"]
    db.tamper("update abonnement.mouvement set date = date - interval '1 day', jour = jour - 1")
    assert table.order((table.rice, 2)).status_code == 201
    assert table.user.post(f"/restaurant/commandes/{order}/annuler").status_code == 200
    assert table.order((table.rice, 1)).json()["code"] == "ABONNEMENT_EXCEDENT"


def test_an_order_that_subscriptions_pay_is_not_cancelled_by_its_state(table):
    order = table.order((table.rice, 2)).json()["commande"]["id_commande"]
    answer = table.user.post(f"/restaurant/commandes/{order}/statut", json={"statut": "ANNULEE"})
    assert refusal(answer) == (409, "ANNULATION_SANS_REMBOURSEMENT")
    assert table.balance() == "1"


def test_a_used_subscription_is_not_voided_until_the_order_is_cancelled(table, db):
    order = table.order((table.rice, 1)).json()["commande"]["id_commande"]
    invoice = table.user.get(f"/abonnement/souscriptions/{table.subscription}").json()["id_facture"]
    path = f"/facturation/factures/{invoice}/annuler"
    assert table.user.post(path, json={"motif": "Erreur"}).json()["code"] == "SOUSCRIPTION_CONSOMMEE"
    table.user.post(f"/restaurant/commandes/{order}/annuler")
    assert table.user.post(path, json={"motif": "Erreur"}).status_code == 200
    state = table.user.get(f"/abonnement/souscriptions/{table.subscription}").json()["etat"]
    assert (state, table.order((table.rice, 1), paid="2000.50").status_code) == ("ANNULEE", 201)


def test_a_client_of_a_subscription_is_no_other_client(table, db):
    answer = table.order((table.rice, 1), paid="2000.50", id_client=str(builders.client(db)))
    assert (answer.status_code, table.balance()) == (201, "3")
    anonymous = table.order((table.rice, 1), paid="2000.50", id_client=None)
    assert (anonymous.status_code, table.balance()) == (201, "3")


@pytest.mark.parametrize("state", ["EN_COURS", "SERVIE"])
def test_an_unpaid_order_is_collected_and_becomes_paid(table, db, state):
    order = table.unpaid((table.rice, 2), (table.juice, 3), state=state)
    path = f"/restaurant/commandes/{order}"
    preview = table.user.get(f"{path}/apercu-abonnement").json()
    assert (preview["total_brut"], preview["total_du"], preview["excedent"]) == ("6101.00", "1400.00", True)
    assert table.collect(order, "1400").json()["code"] == "ABONNEMENT_EXCEDENT"
    wrong = table.collect(order, "6101", accepter_excedent=True)
    assert (wrong.status_code, wrong.json()["details"]) == (400, {"total": "1400.00"})
    answer = ok(table.collect(order, "1400", accepter_excedent=True, utiliser_abonnement=True))
    assert (answer["commande"]["statut"], answer["facture"]["statut"]) == ("PAYEE", "PAYEE")
    assert (answer["facture"]["montant_total"], table.balance()) == ("1400.00", "0")
    assert refusal(table.collect(order, "1400")) == (409, "COMMANDE_DEJA_REGLEE")
    settled = table.user.get(f"{path}/apercu-abonnement").json()
    assert (settled["lignes"], settled["total_du"], settled["excedent"]) == ([], "0.00", False)
    assert table.user.post(f"{path}/annuler").json()["statut"] == "ANNULEE"
    assert table.balance() == "3"
    assert db.all("select * from jobs._controler()") == []


def test_a_served_order_that_is_collected_answers_its_paid_invoice(table):
    order, invoice = table.served((table.rice, 1))
    answer = ok(table.collect(order, "2000.50", utiliser_abonnement=False))
    assert values_of(answer["facture"], "id_facture montant_paye reste statut") == (invoice, "2000.50", "0.00", "PAYEE")


def test_subscriptions_pay_no_meal_of_a_served_order_that_a_credit_note_took_off(table, db):
    for served, credited, due in ((3, 3, "0.00"), (3, 2, "2000.50"), (4, 2, "4001.00")):
        order, invoice = table.served((table.rice, served))
        line = db.one("select id_ligne from facturation.facture_ligne where id_facture = %s", [invoice])
        lines = [{"id_ligne": line, "quantite": credited}]
        db.call("facturation.avoir_creer", id_facture=invoice, motif="Repas offert", lignes=lines)
        preview = ok(table.user.get(f"/restaurant/commandes/{order}/apercu-abonnement"))
        assert (preview["total_du"], preview["excedent"], preview["lignes"][0]["couvert"]) == (due, False, 0)
        answer = ok(table.collect(order, due, accepter_excedent=True))
        assert (answer["facture"]["statut"], table.balance()) == ("PAYEE", "3")
        assert db.all("select * from jobs._controler()") == []


def test_the_preview_of_a_served_order_paid_in_part_shows_what_its_invoice_still_claims(table, db):
    order, invoice = table.served((table.rice, 3))
    builders.payer(db, "1000", id_facture=invoice)
    preview = ok(table.user.get(f"/restaurant/commandes/{order}/apercu-abonnement"))
    assert (preview["total_du"], preview["lignes"][0]["couvert"]) == ("5001.50", 0)
    ok(table.collect(order, preview["total_du"]))
    assert table.balance() == "3"


@pytest.mark.parametrize("served", [False, True])
def test_subscriptions_pay_their_units_of_an_order_at_the_exact_price(table, db, served):
    dish = builders.plat(db, "2000.25", nom="Poisson", id_categorie_plat=table.category)
    table.order((table.rice, 2))
    order = table.served((dish, 2))[0] if served else table.unpaid((dish, 2))
    assert ok(table.user.get(f"/restaurant/commandes/{order}/apercu-abonnement"))["total_du"] == "2000.25"
    answer = ok(table.collect(order, "2000.25", accepter_excedent=True))
    assert (answer["commande"]["montant_couvert"], table.balance()) == ("2000.25", "0")
    assert db.all("select * from jobs._controler()") == []


def test_the_sales_report_keeps_the_meals_that_subscriptions_pay(table):
    order, _ = table.served((table.rice, 4), (table.juice, 1))
    ok(table.collect(order, "2700.50", accepter_excedent=True))
    rows = ok(table.user.get("/restaurant/rapports/ventes"))
    assert [values_of(row, "plat quantite_vendue chiffre_affaire") for row in rows] == [
        ("Riz", "4.00", "8002.00"),
        ("Jus", "1.00", "700.00"),
    ]


def test_an_order_that_subscriptions_pay_is_collected_with_zero(table):
    order = table.unpaid((table.rice, 3))
    answer = ok(table.user.post(f"/restaurant/commandes/{order}/encaisser", json={"montant": "0"}))
    assert (answer["commande"]["statut"], answer["facture"], table.balance()) == ("PAYEE", None, "0")


def test_an_order_without_a_subscription_is_collected_at_its_date(table, db):
    order = table.unpaid((table.rice, 1), client=builders.client(db))
    assert table.collect(order, "2000.50", date="2026-03-01T10:00:00Z").status_code == 200
    assert str(db.one("select jour from finances.paiement")) == "2026-03-01"
    assert table.collect(987654, "1").status_code == 404


def test_an_order_needs_a_payment_method_for_what_is_due(table):
    order = table.unpaid((table.rice, 1))
    answer = table.collect(order, "2000.50", id_moyen=None, utiliser_abonnement=False)
    assert answer.status_code == 400, answer.text
    assert table.collect(order, "2000.50", utiliser_abonnement=False).status_code == 200


def test_an_order_that_is_not_settled_does_not_become_paid_by_its_state(table, db):
    order = table.unpaid((table.rice, 1), state="SERVIE")
    answer = table.user.post(f"/restaurant/commandes/{order}/statut", json={"statut": "PAYEE"})
    assert refusal(answer) == (409, "COMMANDE_NON_REGLEE")
    with refused("COMMANDE_NON_REGLEE", 409):
        db.execute("update restaurant.commande set statut = 'PAYEE' where id_commande = %s", [order])
