"""A sale is one transaction from the basket to the payment. Cancelling it reverses every part."""

import json

import pytest

from tests import builders
from tests.conftest import ok, refused, values_of


def vendre(db, *basket, montant, **fields):
    lignes = [{"id_produit": product, "quantite": quantity} for product, quantity in basket]
    paiement = {"montant": montant, "id_moyen": builders.moyen(db)}
    return db.call("market.vente_creer", lignes=lignes, paiement=paiement, **fields)


def sale_of(db):
    """The row of the last sale."""
    return db.one("select * from market.vente order by id_vente desc limit 1")


def invoice_of(db, sale):
    return db.one("select * from facturation.facture where source_type = 'VENTE' and source_id = %s", [sale])


def cancel(db, sale):
    return db.call("market.vente_annuler", id_vente=sale)


def stock(db, product):
    return str(db.one("select quantite_stock from market.produit where id_produit = %s", [product]))


def test_a_sale_lowers_the_stock_and_issues_a_paid_invoice(http, db):
    first, second = builders.produit(db, "10", "750"), builders.produit(db, "3", "99.99", nom="Savon")
    customer = builders.client(db)
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    body = {
        "lignes": [{"id_produit": str(first), "quantite": "2"}, {"id_produit": second, "quantite": 1.5}],
        "remise": "100",
        "id_client": str(customer),
        "paiement": {"montant": "1549.99", "id_moyen": str(builders.moyen(db))},
    }
    body_out = ok(http.as_user(user).post("/market/ventes", json=body), 201)
    vente = body_out["vente"]
    assert (vente["remise"], vente["total"], vente["statut"]) == ("100.00", "1549.99", "PAYEE")
    assert (vente["id_client"], vente["id_utilisateur"]) == (str(customer), str(user))
    lines = [{key: line[key] for key in line if key != "id_ligne"} for line in vente["lignes"]]
    shared = {"id_vente": vente["id_vente"], "remise_ligne": "0.00"}
    assert lines[1] == shared | {
        "id_produit": str(second), "produit": "Savon", "quantite": "1.50", "prix_unitaire": "99.99",
        "total_ligne": "149.99",
    }  # fmt: skip
    assert body_out["facture"] == {
        "id_facture": vente["id_facture"], "montant_total": "1549.99", "montant_paye": "1549.99", "reste": "0.00",
        "statut": "PAYEE",
    }  # fmt: skip
    assert (stock(db, first), stock(db, second)) == ("8.00", "1.50")
    invoice = http.as_user(user).get(f"/facturation/factures/{vente['id_facture']}").json()
    assert values_of(invoice, "source_type source_id numero") == ("VENTE", vente["id_vente"], body_out["numero"])
    assert (invoice["remise"], [line["libelle"] for line in invoice["lignes"]][1]) == ("100.00", "Savon")
    payment = db.one("select * from finances.paiement where id_paiement = %s", [body_out["id_paiement"]])
    assert (str(payment["montant"]), payment["id_utilisateur"], payment["id_activite"]) == (
        "1549.99", user, builders.activite(db, "VENTE_MARCHANDISES"),
    )  # fmt: skip
    assert http.as_user(user).get(f"/market/ventes/{vente['id_vente']}").json() == vente


def test_a_sale_keeps_its_prices_and_refuses_a_payment_that_differs_from_the_total(db):
    product = builders.produit(db, "10", "750")
    vendre(db, (product, "1"), montant="750")
    db.call("market.produit_modifier", id_produit=product, champs={"prix_vente": "800", "prix_achat": "1"})
    line = db.one("select prix_unitaire, prix_achat from market.vente_ligne order by id_ligne desc limit 1")
    assert [str(value) for value in line.values()] == ["750.00", "500.00"]
    with refused("PAIEMENT_DIFFERENT_DU_TOTAL", 400) as refusal:
        vendre(db, (product, "1"), montant="750")
    assert json.loads(refusal["details"]) == {"total": "800.00"}
    assert "800\N{NO-BREAK SPACE}FCFA" in refusal["message"]


def test_two_lines_of_the_same_product_make_one_movement(db):
    product = builders.produit(db, "3", "100")
    with refused("STOCK_INSUFFISANT", 409):
        vendre(db, (product, "2"), (product, "2"), montant="400")
    vendre(db, (product, "2"), (product, "1"), montant="300")
    assert stock(db, product) == "0.00"
    moved = db.all("select quantite::integer as q from market.mouvement_stock where id_vente is not null")
    assert moved == [{"q": 3}]


def test_a_discount_lowers_the_total_up_to_the_price(db):
    product = builders.produit(db, "9", "100")
    for discount in ("300.01", "999"):
        with refused("REMISE_EXCESSIVE", 400) as refusal:
            vendre(db, (product, "3"), montant="0", remise=discount)
        assert json.loads(refusal["details"]) == {"montant": "300.00"}
    for discount, total in ((250, 50), (300, 0)):
        answer = vendre(db, (product, "3"), montant=str(total), remise=str(discount))
        sale = sale_of(db)
        assert (sale["remise"], sale["total"], sale["statut"]) == (discount, total, "PAYEE")
        invoice = invoice_of(db, sale["id_vente"])
        assert (invoice["montant_total"], invoice["montant_paye"], invoice["statut"]) == (total, total, "PAYEE")
        assert (answer["id_paiement"] is None) == (total == 0)
    assert stock(db, product) == "3.00"


def test_an_invalid_sale_is_refused(db):
    product, inactive = builders.produit(db, "10", "750"), builders.produit(db, "10", actif=False)
    db.execute("update finances.moyen_paiement set actif = false where libelle = 'Chèque'")
    good = {"lignes": [(product, "1")], "montant": "750", "id_moyen": builders.moyen(db)}
    for change, rule, status in (
        ({"lignes": []}, "VENTE_SANS_LIGNE", 400),
        ({"lignes": [(987654, "1")]}, "PRODUIT_INCONNU", 422),
        ({"lignes": [(product, "-1")]}, "quantite_positive", 400),
        ({"lignes": [(inactive, "1")]}, "PRODUIT_INACTIF", 409),
        ({"lignes": [(product, "10.01")], "montant": "7507.50"}, "STOCK_INSUFFISANT", 409),
        ({"montant": "750.01"}, "PAIEMENT_DIFFERENT_DU_TOTAL", 400),
        ({"montant": None}, "PAIEMENT_DIFFERENT_DU_TOTAL", 400),
        ({"id_moyen": 987654}, "paiement_moyen_inconnu", 422),
        ({"id_moyen": builders.moyen(db, "Chèque")}, "MOYEN_PAIEMENT_INACTIF", 409),
        ({"id_client": 987654}, "CLIENT_INCONNU", 422),
        ({"remise": "-1"}, "montant_positif", 400),
    ):
        fields = good | change
        payment = {"montant": fields.pop("montant"), "id_moyen": fields.pop("id_moyen")}
        lines = [{"id_produit": key, "quantite": quantity} for key, quantity in fields.pop("lignes")]
        with refused(rule, status):
            db.call("market.vente_creer", lignes=lines, paiement=payment, **fields)


def test_direct_sql_cannot_change_delete_or_cancel_a_sale(db):
    vendre(db, (builders.produit(db), "1"), montant="750")
    for statut, rule in (("EN_COURS", "TRANSITION_INTERDITE"), ("ANNULEE", "ANNULATION_SANS_REMBOURSEMENT")):
        with refused(rule, 409):
            db.execute("update market.vente set statut = %s", [statut])
    for statement in (
        "update market.vente set total = 1",
        "update market.vente set remise = 1",
        "update market.vente set date = now() - interval '1 day'",
        "delete from market.vente",
        "update market.vente_ligne set quantite = 1",
        "delete from market.vente_ligne",
        "insert into market.vente_ligne (id_vente, id_produit, quantite, prix_unitaire, prix_achat)"
        " select id_vente, id_produit, 1, 1, 1 from market.vente_ligne",
    ):
        with refused("VENTE_FIGEE", 409):
            db.execute(statement)
    assert db.one("insert into market.vente (total, remise) values (500, 0) returning total") == 0


def ids(rows):
    return [row["id_vente"] for row in rows]


def test_the_list_of_sales_filters_sorts_and_pages(db):
    product = builders.produit(db, "100", "100", nom="Riz étuvé")
    customer = builders.client(db, nom="Kouamé", prenoms="Zoé")
    seller = builders.utilisateur(db, role="RESPONSABLE_MAGASIN")
    vendre(db, (builders.produit(db), "1"), montant="750")
    plain = sale_of(db)["id_vente"]
    db.acting(seller)
    vendre(db, (product, "2"), montant="200", id_client=customer)
    named = sale_of(db)["id_vente"]
    vendre(db, (product, "3"), montant="300")
    cancelled = sale_of(db)["id_vente"]
    cancel(db, cancelled)
    today = db.today()
    for expected, filters in [
        ([cancelled, named, plain], {}),
        ([cancelled], {"statut": "ANNULEE"}),
        ([named, plain], {"statut": "PAYEE"}),
        ([], {"statut": "EN_COURS"}),
        ([named], {"id_client": customer}),
        ([cancelled, named], {"id_utilisateur": seller}),
        ([named], {"total": "200"}),
        ([named], {"recherche": "kouame zoe"}),
        ([cancelled, named], {"recherche": "RIZ ETUVE"}),
        ([plain], {"recherche": str(plain)}),
        ([cancelled, named, plain], {"du": today, "au": today}),
        ([], {"au": "2020-01-01"}),
        ([], {"du": "2100-01-01"}),
    ]:
        assert ids(db.rows("market.vente_lister", **filters)) == expected, filters


def test_users_of_another_activity_neither_see_nor_change_the_shop(db):
    product = builders.produit(db)
    vendre(db, (product, "1"), montant="750")
    kitchen = builders.caisse(db, activite_code="RESTAURATION")
    elsewhere = builders.utilisateur(db, activite=builders.activite(db, "RESTAURATION"))
    for user in (elsewhere, builders.utilisateur(db, caisse=kitchen)):
        db.acting(user)
        assert db.call("market.rapport_ventes")["nb_ventes"] == 0
        for call in (
            lambda: db.call("market.produit_creer", nom="Essai", prix_achat="1", prix_vente="1"),
            lambda: db.call("market.stock_reesolder"),
            lambda: vendre(db, (product, "1"), montant="750"),
        ):
            with refused("NOT_FOUND", 404):
                call()


def test_the_sales_report_sums_turnover_and_margin_by_product(http, db):
    rice = builders.produit(db, "100", "100", nom="Riz", prix_achat="60")
    oil = builders.produit(db, "100", "1000", nom="Huile")
    vendre(db, (rice, "4"), (oil, "1"), montant="1350", remise="50")
    vendre(db, (rice, "1.5"), montant="150")
    vendre(db, (oil, "2"), montant="2000")
    cancel(db, sale_of(db)["id_vente"])
    admin = http.as_admin()
    today = str(db.today())
    assert admin.get(f"/market/rapports/ventes?du={today}&au={today}").json() == {
        "periode": {"du": today, "au": today}, "nb_ventes": "2", "ca_total": "1500.00", "marge_totale": "670.00",
        "ecarts_de_cout": "0.00", "par_type": [
            {"statut": "PAYEE", "nb_ventes": "2", "ca": "1500.00"},
            {"statut": "ANNULEE", "nb_ventes": "1", "ca": "2000.00"},
        ],
        "top_produits": [
            {"libelle": "Huile", "quantite": "1.00", "ca": "1000.00", "marge": "500.00"},
            {"libelle": "Riz", "quantite": "5.50", "ca": "550.00", "marge": "220.00"},
        ],
    }  # fmt: skip
    empty = admin.get("/market/rapports/ventes?au=2020-01-01").json()
    assert empty == {
        "periode": {"du": None, "au": "2020-01-01"}, "nb_ventes": "0", "ca_total": "0.00", "marge_totale": "0.00",
        "ecarts_de_cout": "0.00", "par_type": [], "top_produits": [],
    }  # fmt: skip


def test_the_sales_report_counts_a_credit_note_on_its_own_day(http, db):
    rice = builders.produit(db, "100", "100", nom="Riz", prix_achat="60")
    vendre(db, (rice, "10"), montant="900", remise="100")
    invoice = invoice_of(db, sale_of(db)["id_vente"])["id_facture"]
    line = db.one("select id_ligne from facturation.facture_ligne where id_facture = %s", [invoice])
    admin, today = http.as_admin(), db.today()

    def credited(**fields):
        lines = [{"id_ligne": line} | fields]
        refund = {"id_moyen": builders.moyen(db)}
        db.call("facturation.avoir_creer", id_facture=invoice, motif="Rendu", lignes=lines, remboursement=refund)

    def reported(day):
        report = ok(admin.get(f"/market/rapports/ventes?du={day}&au={day}"))
        [state], [product] = report["par_type"], report["top_produits"]
        turnover = "select coalesce(sum(chiffre_affaires), 0)::text from facturation.facture_jour_vue where jour = %s"
        assert report["ca_total"] == state["ca"] == db.one(turnover, [day])
        return [*values_of(report, "nb_ventes ca_total marge_totale"), *values_of(product, "quantite ca marge")]

    credited(montant="90")  # a price that was too high
    assert reported(today) == ["1", "810.00", "210.00", "10.00", "900.00", "300.00"]
    credited(quantite="2", retour_stock=True)
    assert reported(today) == ["1", "630.00", "150.00", "8.00", "700.00", "220.00"]
    db.tamper("update market.vente set date = date - interval '1 day'")
    db.tamper("update facturation.facture set jour = jour - 1")
    assert reported(today) == ["0", "-270.00", "-150.00", "-2.00", "-300.00", "-180.00"]
    assert reported(db.one("select core.aujourdhui() - 1"))[:3] == ["1", "900.00", "300.00"]
    both = ok(admin.get("/market/rapports/ventes"))
    assert values_of(both, "ca_total marge_totale") == ("630.00", "150.00")


@pytest.mark.parametrize("back", [True, False])
def test_a_sale_that_a_credit_note_takes_off_whole_leaves_no_turnover(db, back):
    vendre(db, (builders.produit(db, "10", "100", prix_achat="60"), "4"), montant="350", remise="50")
    invoice = invoice_of(db, sale_of(db)["id_vente"])["id_facture"]
    line = db.one("select id_ligne from facturation.facture_ligne where id_facture = %s", [invoice])
    lines = [{"id_ligne": line, "quantite": "4", "retour_stock": back}]
    refund = {"id_moyen": builders.moyen(db)}
    db.call("facturation.avoir_creer", id_facture=invoice, motif="Rendu", lignes=lines, remboursement=refund)
    report = db.call("market.rapport_ventes")
    assert (report["ca_total"], report["marge_totale"]) == (0, 0 if back else -240)
