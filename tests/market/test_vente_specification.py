"""Sentences of the specification about the shop: one test each, with the sentence as its name."""

from __future__ import annotations

from typing import Any

from tests import builders
from tests.conftest import Db, Http


def sell(http: Http, product: int, quantity: str, montant: str) -> Any:
    body = {
        "lignes": [{"id_produit": str(product), "quantite": quantity}],
        "paiement": {"montant": montant, "id_moyen": "1"},
    }
    answer = http.post("/market/ventes", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_collecting_a_payment_changes_invoice_montant_paye_reste_and_statut_through_database_recomputation(
    http: Http, db: Db
) -> None:
    shop = http.as_admin()
    sale = sell(shop, builders.produit(db, "10", "750"), "2", "1500")
    invoice = f"/facturation/factures/{sale['facture']['id_facture']}"
    paid = shop.get(invoice).json()
    assert (paid["montant_paye"], paid["reste"], paid["statut"]) == ("1500.00", "0.00", "PAYEE")
    assert shop.post(f"/market/ventes/{sale['vente']['id_vente']}/annuler").status_code == 200
    void = shop.get(invoice).json()
    assert (void["montant_paye"], void["reste"], void["statut"]) == ("0.00", "0.00", "ANNULEE")


def test_stock_quantity_is_computed_by_the_database_side_and_clients_never_write_it_directly(
    http: Http, db: Db
) -> None:
    shop = http.as_admin()
    body = {"nom": "Riz", "prix_achat": "1", "prix_vente": "2"}
    refused = shop.post("/market/produits", json=body | {"quantite_stock": "5"})
    assert (refused.status_code, refused.json()["code"]) == (400, "VALIDATION_ERROR")
    product = shop.post("/market/produits", json=body | {"quantite_initiale": "5"}).json()
    key = product["id_produit"]
    assert shop.patch(f"/market/produits/{key}", json={"quantite_stock": "50"}).status_code == 400
    sell(shop, int(key), "2", "4")
    assert shop.get(f"/market/produits/{key}").json()["quantite_stock"] == "3.00"


def test_all_commercial_slices_create_or_settle_invoices_through_one_shared_settlement_operation(
    http: Http, db: Db
) -> None:
    sale = sell(http.as_admin(), builders.produit(db, "10", "750"), "1", "750")
    settled = db.one(
        "select r.id_facture, r.numero, r.id_paiement"
        "  from finances._facture_regler('VENTE', %s, null, null, null, null) r",
        [sale["vente"]["id_vente"]],
    )
    assert settled == {"id_facture": int(sale["facture"]["id_facture"]), "numero": sale["numero"], "id_paiement": None}


def test_a_payment_created_with_no_open_periode_caisse_for_the_chosen_caisse_is_refused(http: Http, db: Db) -> None:
    till = builders.caisse(db, ouverte=False, activite_code="VENTE_MARCHANDISES")
    cashier = http.as_user(builders.utilisateur(db, role="RESPONSABLE_MAGASIN", caisse=till))
    product = builders.produit(db, "10", "750")
    body = {"lignes": [{"id_produit": product, "quantite": "1"}], "paiement": {"montant": "750", "id_moyen": "1"}}
    answer = cashier.post("/market/ventes", json=body)
    assert (answer.status_code, answer.json()["code"]) == (409, "PERIODE_CAISSE_FERMEE")
    assert cashier.post(f"/finances/caisses/{till}/ouvrir", json={}).status_code == 201
    assert cashier.post("/market/ventes", json=body).status_code == 201
