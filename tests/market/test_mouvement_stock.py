"""Stock: movements, their history, the low-stock alert and notification, and recomputing a wrong quantity."""

import json

from tests import builders
from tests.conftest import ok, refused


def move(db, product, kind, quantity, **fields):
    return db.call("market.mouvement_stock_creer", id_produit=product, type=kind, quantite=quantity, **fields)


def stock(db, product):
    return str(db.one("select quantite_stock from market.produit where id_produit = %s", [product]))


def test_each_movement_answers_its_delta_and_the_stock_after_it(http, db):
    product = builders.produit(db, "0", nom="Riz")
    admin = http.as_admin()
    for kind, quantity, delta, left in [
        ("ENTREE", "10.5", "10.50", "10.50"),
        ("SORTIE", "3", "-3.00", "7.50"),
        ("AJUSTEMENT", "-0.5", "-0.50", "7.00"),
        ("AJUSTEMENT", "2", "2.00", "9.00"),
        ("SORTIE", "9", "-9.00", "0.00"),
    ]:
        body = {"id_produit": str(product), "type": kind, "quantite": quantity, "motif": "Essai"}
        movement = ok(admin.post("/market/mouvements", json=body | {"document_ref": "BL-2026-0147"}), 201)
        assert (movement["delta"], movement["stock_resultant"], movement["type"]) == (delta, left, kind)
        assert stock(db, product) == left
    history = admin.get("/market/stock/historique").json()
    assert [row["stock_resultant"] for row in history] == ["0.00", "9.00", "7.00", "7.50", "10.50"]
    assert history[2] == {
        "id_mouvement": history[2]["id_mouvement"], "id_produit": str(product), "nom": "Riz", "type": "AJUSTEMENT",
        "reference": history[2]["reference"], "date": history[2]["date"], "quantite_mouvement": "-0.50",
        "delta": "-0.50", "stock_resultant": "7.00", "motif": "Essai", "document_ref": "BL-2026-0147",
        "id_vente": None, "id_utilisateur": history[2]["id_utilisateur"], "cout_unitaire": "500.00",
        "origine_cout": "MOYEN", "valeur": "-250.00", "valeur_resultante": "3500.00", "ecart_de_cout": None,
        "id_mouvement_origine": None, "jour": str(db.today()),
    }  # fmt: skip


def test_an_invalid_movement_is_refused(db):
    product = builders.produit(db, "10.5", nom="Riz")
    for kind, quantity, rule, status in (
        ("SORTIE", "10.51", "STOCK_INSUFFISANT", 409),
        ("AJUSTEMENT", "-10.51", "STOCK_INSUFFISANT", 409),
        ("ENTREE", "0", "quantite_du_mouvement", 400),
        ("ENTREE", "-1", "quantite_du_mouvement", 400),
        ("SORTIE", "0", "quantite_du_mouvement", 400),
        ("SORTIE", "-1", "quantite_du_mouvement", 400),
        ("AJUSTEMENT", "0", "quantite_du_mouvement", 400),
    ):
        with refused(rule, status) as refusal:
            move(db, product, kind, quantity)
        if rule == "STOCK_INSUFFISANT":
            expected = {"id_produit": str(product), "produit": "Riz", "reste": "10.50", "demande": "10.51"}
            assert json.loads(refusal["details"]) == expected
            assert "il reste 10,5 de « Riz »" in refusal["message"]
    with refused("quantite_du_mouvement", 400):
        move(db, product, "AJUSTEMENT", "0", cout_unitaire="5")
    with refused("mouvement_produit_inconnu", 422):
        move(db, 987654, "ENTREE", "1")


def test_direct_sql_cannot_change_or_delete_a_movement(db):
    builders.produit(db, "10")
    table = "market.mouvement_stock"
    for statement in (f"update {table} set quantite = 1", f"update {table} set motif = 'x'", f"delete from {table}"):
        with refused("MOUVEMENT_FIGE", 409):
            db.execute(statement)


def test_direct_sql_cannot_write_the_stock_of_a_product(db):
    product = builders.produit(db, "10")
    db.execute("update market.produit set quantite_stock = 500 where id_produit = %s", [product])
    assert stock(db, product) == "10.00"
    quantity = db.one(
        "insert into market.produit (nom, prix_achat, prix_vente, quantite_stock) values ('x', 1, 1, 7)"
        " returning quantite_stock"
    )
    assert quantity == 0


def test_the_stock_history_filters_movements(db):
    product = builders.produit(db, "10", nom="Huile")
    other = builders.produit(db, "4")
    out = move(db, product, "SORTIE", "2", motif="Casse")["id_mouvement"]
    adjusted = move(db, other, "AJUSTEMENT", "-1", document_ref="INV-7")["id_mouvement"]
    reference = db.one("select reference from market.produit where id_produit = %s", [product])
    opening = "select min(id_mouvement) as id from market.mouvement_stock group by id_produit order by id_produit"
    first, second = (row["id"] for row in db.all(opening)[-2:])
    for expected, filters in [
        ([adjusted, out, second, first], {}),
        ([out, first], {"reference": reference.lower()}),
        ([out, first], {"id_produit": product}),
        ([out, first], {"recherche": "huile"}),
        ([out], {"recherche": "casse"}),
        ([adjusted], {"recherche": "inv-7"}),
        ([out], {"type": "SORTIE"}),
        ([adjusted], {"quantite_mouvement": "-1"}),
        ([second, first], {"type": "ENTREE", "du": db.today()}),
        ([], {"au": "2020-01-01"}),
    ]:
        assert [row["id_mouvement"] for row in db.rows("market.stock_historique", **filters)] == expected, filters


def test_the_alert_lists_active_products_strictly_below_their_threshold(http, db):
    builders.produit(db, "5", nom="A au seuil", seuil_alerte="5")
    low = builders.produit(db, "4.99", nom="B sous le seuil", seuil_alerte="5")
    out = builders.produit(db, "0", nom="C épuisé", seuil_alerte="1")
    builders.produit(db, "0", nom="D sans seuil")
    builders.produit(db, "0", nom="E désactivé", seuil_alerte="1", actif=False)
    rows = http.as_admin().get("/market/stock/alerte").json()
    assert [(row["id_produit"], row["quantite_stock"], row["seuil_alerte"], row["niveau"]) for row in rows] == [
        (str(low), "4.99", "5.00", "BAS"),
        (str(out), "0.00", "1.00", "ÉPUISÉ"),
    ]
    assert {"reference", "nom"} < rows[0].keys()


def test_crossing_the_threshold_sends_one_notification(db):
    product = builders.produit(db, "10", "100", seuil_alerte="5", nom="Savon")
    count = "select count(*) from notification.notification where evenement = 'market.stock_bas'"
    for kind, quantity, expected in [
        ("SORTIE", "5", 0),  # at the threshold
        ("SORTIE", "1", 1),  # below it
        ("SORTIE", "1", 1),  # still below
        ("ENTREE", "7", 1),
        ("AJUSTEMENT", "-6", 2),
    ]:
        move(db, product, kind, quantity)
        assert db.one(count) == expected, (kind, quantity)
    move(db, product, "ENTREE", "5")
    lignes = [{"id_produit": product, "quantite": "8"}]
    db.call("market.vente_creer", lignes=lignes, paiement={"montant": "800", "id_moyen": 1})
    assert db.one(count) == 3
    row = db.one("select * from notification.notification order by id_notification desc limit 1")
    assert (row["permission"], row["id_activite"]) == ("MARCHANDISE.VOIR", builders.activite(db, "VENTE_MARCHANDISES"))
    assert "Savon" in row["corps"] and "Il reste 1 de" in row["corps"]
    assert row["donnees"] == {
        "id_produit": str(product), "reference": row["donnees"]["reference"], "quantite_stock": "1.00",
        "seuil_alerte": "5.00",
    }  # fmt: skip


def test_recomputing_the_stock_reports_each_difference(http, db):
    right, over, under = builders.produit(db, "10"), builders.produit(db, "4"), builders.produit(db, "6")
    move(db, under, "SORTIE", "1")
    for product, quantity in ((over, 9), (under, 0)):
        db.tamper("update market.produit set quantite_stock = %s where id_produit = %s", quantity, product)
    admin = http.as_admin()
    report = ok(admin.post("/market/stock/reesolde"))
    assert int(report["produits"]) == db.one("select count(*) from market.produit")
    assert [
        (row["id_produit"], row["quantite_avant"], row["quantite_apres"], row["ecart"]) for row in report["ecarts"]
    ] == [(str(over), "9.00", "4.00", "-5.00"), (str(under), "0.00", "5.00", "5.00")]
    assert [stock(db, product) for product in (right, over, under)] == ["10.00", "4.00", "5.00"]
    assert admin.post("/jobs/reesolde-stock").json()["ecarts"] == []


def test_the_integrity_check_names_a_wrong_stock_and_a_wrong_total(db):
    lignes = [{"id_produit": builders.produit(db, "10", "100"), "quantite": "2"}]
    db.call("market.vente_creer", lignes=lignes, paiement={"montant": "200", "id_moyen": 1})
    check = "select phrase from jobs._controler() as phrase"
    assert db.all(check) == []
    db.tamper("update market.produit set quantite_stock = 9")
    db.tamper("update market.vente set total = 150")
    reference, sale = db.one("select reference from market.produit"), db.one("select id_vente from market.vente")
    assert [row["phrase"] for row in db.all(check)][:2] == [
        f"Le produit {reference} porte quantite_stock 9.00, ses mouvements font 8.00.",
        f"VENTE {sale} (PAYEE) porte un total de 150.00, réglé 200.00.",
    ]
