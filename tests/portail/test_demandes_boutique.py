"""Requests to the shop: prices, stock at the acceptance, the payment, and what a client sees of the products."""

from tests import builders
from tests.conftest import ok, refusal, values_of
from tests.portail.demandes import SHOP, account, client_of


def stocks(db):
    return [str(row["quantite_stock"]) for row in db.all("select * from market.produit order by id_produit")]


def pay(http, db, key, montant, **fields):
    body = {"montant": montant, "id_moyen": str(builders.moyen(db)), **fields}
    return SHOP.decide(http, key, "encaisser", body)


def test_a_request_keeps_the_prices_of_its_day(http, db):
    user, body = account(db), SHOP.body(db)
    row = http.as_user(user).post(SHOP.portal, json=body).json()
    assert values_of(row, "total remise origine note") == ("4951.50", "0.00", "PORTAIL", "Retrait samedi matin")
    lines = [(line["quantite"], line["prix_unitaire"], line["total_ligne"]) for line in row["lignes"]]
    assert lines == [("3.00", "1250.50", "3751.50"), ("1.50", "800.00", "1200.00")]
    db.execute("update market.produit set prix_vente = 9999")
    SHOP.decide(http, row["id_vente"])
    assert http.as_user(user).get(f"{SHOP.portal}/{row['id_vente']}").json()["total"] == "4951.50"


def test_acceptance_takes_the_stock_and_the_payment_makes_the_invoice(http, db):
    user = account(db)
    key = SHOP.request(http, db, user)
    assert stocks(db) == ["7.00", "4.00"]
    assert SHOP.decide(http, key).json()["statut"] == "EN_COURS"
    assert stocks(db) == ["4.00", "2.50"]
    # The goods have left the stock: the sale stands among the debts until it is paid.
    owed = "select statut::text, reste from facturation.facture where source_type = 'VENTE' and source_id = %s"
    assert db.one(owed, [key])["statut"] == "IMPAYEE"
    assert db.one("select count(*) from finances.impaye_vue where type = 'FACTURE'") == 1
    assert refusal(pay(http, db, key, "4951")) == (400, "PAIEMENT_DIFFERENT_DU_TOTAL")
    paid = ok(pay(http, db, key, "4951.50"))
    assert (paid["vente"]["statut"], paid["facture"]["statut"]) == ("PAYEE", "PAYEE")
    assert http.as_user(user).get(f"{SHOP.portal}/{key}").json()["statut"] == "PAYEE"
    assert db.one("select id_client from facturation.facture") == client_of(db, user)
    assert refusal(pay(http, db, key, "4951.50")) == (409, "TRANSITION_INTERDITE")


def test_the_payment_of_a_request_has_its_own_date(http, db):
    key = SHOP.request(http, db, account(db))
    SHOP.decide(http, key)
    assert refusal(pay(http, db, key, "4951.50", date="2999-01-01 10:00:00")) == (400, "DATE_FUTURE")
    assert (SHOP.state(db, key), db.one("select count(*) from finances.paiement")) == ("EN_COURS", 0)
    assert pay(http, db, key, "4951.50", date="2026-03-01 10:00:00").status_code == 200
    assert str(db.one("select jour from finances.paiement")) == "2026-03-01"


def test_an_invalid_request_is_refused(http, db):
    user = http.as_user(account(db))
    for lignes, *refused in (
        ([], 400, "VENTE_SANS_LIGNE"),
        ([{"id_produit": "987654321", "quantite": "1"}], 422, "PRODUIT_INCONNU"),
        ([{"id_produit": "1", "quantite": "0"}], 400, "VALIDATION_ERROR"),
        ([{"id_produit": "1", "quantite": "-2"}], 400, "VALIDATION_ERROR"),
        ([{"id_produit": "1", "quantite": "9" * 1000}], 400, "VALIDATION_ERROR"),
        ([{"id_produit": "1", "quantite": "1", "prix_unitaire": "1"}], 400, "VALIDATION_ERROR"),
    ):
        assert refusal(user.post(SHOP.portal, json={"lignes": lignes})) == tuple(refused), lignes
    assert db.one("select count(*) from market.vente_ligne") == 0


def test_an_inactive_product_is_refused_at_the_request_and_at_the_acceptance(http, db):
    body = SHOP.body(db)
    key = http.as_user(account(db)).post(SHOP.portal, json=body).json()["id_vente"]
    db.execute("update market.produit set actif = false where id_produit = %s", [body["lignes"][0]["id_produit"]])
    assert refusal(SHOP.decide(http, key)) == (409, "PRODUIT_INACTIF")
    assert refusal(http.as_user(account(db)).post(SHOP.portal, json=body)) == (409, "PRODUIT_INACTIF")


def test_short_stock_leaves_the_request_waiting_with_all_stock(http, db):
    """Each request alone fits; the second one does not any more once the first is accepted."""
    body = SHOP.body(db)
    body["lignes"][0]["quantite"] = "4"
    first, second = (http.as_user(account(db)).post(SHOP.portal, json=body).json()["id_vente"] for _ in range(2))
    assert SHOP.decide(http, first).status_code == 200
    assert refusal(SHOP.decide(http, second)) == (409, "STOCK_INSUFFISANT")
    assert (stocks(db), SHOP.state(db, second)) == (["3.00", "2.50"], "EN_ATTENTE")
    # The cancelled sale brings its stock back.
    cancelled = SHOP.decide(http, first, "annuler", {"motif": "Client absent"})
    assert (cancelled.json()["statut"], cancelled.json()["motif_annulation"]) == ("ANNULEE", "Client absent")
    assert stocks(db) == ["7.00", "4.00"]
    assert SHOP.decide(http, second).status_code == 200


def test_a_waiting_request_and_a_cancelled_sale_are_not_paid(http, db):
    key = SHOP.request(http, db, account(db))
    assert refusal(pay(http, db, key, "4951.50")) == (409, "DEMANDE_EN_ATTENTE")
    SHOP.decide(http, key, "annuler")
    assert refusal(pay(http, db, key, "4951.50")) == (409, "TRANSITION_INTERDITE")
    assert (stocks(db), db.one("select count(*) from finances.paiement")) == (["7.00", "4.00"], 0)


def test_reports_count_a_sale_once_it_is_paid(http, db):
    admin = http.as_admin()

    def counted():
        report = admin.get("/market/rapports/ventes").json()
        activity = admin.get("/rapports/activites/VENTE_MARCHANDISES").json()["indicateurs"]
        today = admin.get("/dashboard").json()["market"]["nombre_ventes_aujourd_hui"]
        return int(report["nb_ventes"]), report["ca_total"], activity["nombre_ventes"], today

    key = SHOP.request(http, db, account(db))
    assert counted() == (0, "0.00", 0, 0)
    SHOP.decide(http, key)
    assert counted() == (0, "0.00", 0, 0)
    pay(http, db, key, "4951.50")
    assert counted() == (1, "4951.50", 1, 1)


def test_a_client_sees_the_products_without_purchase_prices(http, db):
    number = builders.produit(db, stock="7", prix="1250.50", seuil_alerte="3")
    hidden = ("prix_achat", "seuil_alerte", "id_fournisseur", "date_entree")
    client = http.as_user(account(db))
    for row in (client.get(f"/market/produits/{number}").json(), *client.get("/market/produits").json()):
        assert [row[name] for name in hidden] == [None] * 4
        assert (row["prix_vente"], row["actif"]) == ("1250.50", True)
    assert client.get("/market/produits?prix_achat=500").json() == []
    staff = http.as_admin().get(f"/market/produits/{number}").json()
    assert (staff["prix_achat"], staff["seuil_alerte"]) == ("500.00", "3.00")
