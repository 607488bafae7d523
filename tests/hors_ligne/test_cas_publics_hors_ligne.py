"""Defects that other tills have published, with the same steps here."""

import itertools
import uuid
from unittest.mock import patch

import pytest

from app.base.refusal import unavailable
from app.http.transaction import Transaction
from tests import builders
from tests.conftest import refusal
from tests.hors_ligne.appareil import count, inscribe, states


def test_odoo_152259_two_tabs_that_send_the_same_orders_double_nothing(device, db):
    """A tab sells without a network. Another tab of the device sends the orders first, then the first tab does."""
    product = builders.produit(db, "10", "750")
    device.update()
    orders = [device.sell(product, "750") for _ in range(3)]
    assert states(device.send(*orders)) == ["ACCEPTEE"] * 3
    assert states(device.send(*orders)) == ["CONNUE"] * 3
    renumbered = [order | {"id": str(uuid.uuid4())} for order in orders]
    assert refusal(device.post(*renumbered)) == (409, "SEQUENCE_DEJA_PRISE")
    assert count(db, "market.vente") == count(db, "finances.paiement") == 3


def test_odoo_203431_a_sale_whose_answer_is_lost_is_neither_lost_nor_doubled(device, db):
    product = builders.produit(db, "10", "750")
    device.update()
    order = device.sell(product, "750")
    device.post(order)  # the answer is lost
    later = device.sell(product, "750")
    assert states(device.send(order, later)) == ["CONNUE", "ACCEPTEE"]
    assert count(db, "market.vente") == count(db, "finances.paiement") == 2


def test_odoo_288974_a_paid_order_keeps_its_payment_and_never_opens_again(http, db):
    """An order is paid and served without a network. A copy from before the payment arrives later."""
    table = inscribe(http.as_admin(), builders.caisse(db, activite_code="RESTAURATION"))
    dish = builders.plat(db, "3500")
    body = {
        "type": "SUR_PLACE", "lignes": [{"id_plat": str(dish), "quantite": "1"}],
        "paiement": {"montant": "3500", "id_moyen": "1"},
    }  # fmt: skip
    order = table.do("POST", "/restaurant/commandes", body)
    path = f"/restaurant/commandes/{{{order['id']}/commande/id_commande}}/statut"
    for state in ("EN_PREPARATION", "SERVIE", "PAYEE"):
        table.do("POST", path, {"statut": state})
    assert states(table.send()) == ["ACCEPTEE"] * 4
    assert states(table.send(order)) == ["CONNUE"]
    stale = table.do("POST", path, {"statut": "EN_COURS"})
    [answer] = table.send(stale)
    assert answer["exception"]["code"] == "TRANSITION_INTERDITE"
    assert db.one("select statut::text from restaurant.commande") == "PAYEE"
    assert count(db, "finances.paiement") == count(db, "facturation.facture") == 1


@pytest.mark.parametrize("statement", range(3))
def test_posnext_97_an_operation_and_its_row_are_one_effect(device, db, statement):
    """The process dies before it takes the operation, before it does it, or before it keeps the answer."""
    product = builders.produit(db, "10", "750")
    device.update()
    order = device.sell(product, "750")
    left = itertools.count(statement, -1)

    async def dying(*arguments):
        if next(left) == 0:
            raise unavailable()
        return await call(*arguments)

    call = Transaction.call
    with patch.object(Transaction, "call", dying):
        answer = device.post(order)
    assert refusal(answer) == (503, "INDISPONIBLE")
    assert count(db, "market.vente") == count(db, "finances.operation_appareil") == 0
    assert states(device.send(order)) == ["ACCEPTEE"]
    assert count(db, "market.vente") == count(db, "finances.operation_appareil") == 1


def test_posnext_97_a_client_made_without_a_network_is_made_once(device, db):
    product = builders.produit(db, "10", "750")
    device.update()
    person = device.do("POST", "/client/clients", builders.CLIENT)
    device.sell(product, "750")["corps"]["id_client"] = {"$ref": f"{person['id']}/id_client"}
    device.post(person)  # the answer is lost
    assert states(device.send()) == ["CONNUE", "ACCEPTEE"]
    assert db.one("select count(*) from client.client where nom = 'Exemple'") == 1


def test_pos_awesome_135_an_invoice_that_does_not_exist_is_an_exception_of_its_own(device, db):
    """« Sales Invoice None not found » stopped the queue: the row named an invoice that was never made."""
    product = builders.produit(db, "10", "750")
    device.update()
    device.do("POST", "/finances/paiements", {
        "montant": "750", "id_moyen": "1", "id_facture": {"$ref": f"{uuid.uuid4()}/facture/id_facture"},
    })  # fmt: skip
    device.do("POST", "/finances/paiements", {"montant": "750", "id_moyen": "1", "id_facture": "None"})
    device.sell(product, "750")
    answers = device.send()
    assert states(answers) == ["EXCEPTION", "EXCEPTION", "ACCEPTEE"]
    assert [answer["exception"]["code"] for answer in answers[:2]] == ["REFERENCE_SANS_VALEUR", "VALIDATION_ERROR"]


def test_erpnext_11000_one_bad_row_does_not_stop_the_queue(device, db):
    """A new customer without a required field stopped the synchronisation, which then doubled an invoice."""
    product = builders.produit(db, "10", "750")
    device.update()
    device.sell(product, "750")
    bad = device.do("POST", "/client/clients", {"nom": "Exemple"})
    device.sell(product, "750")["corps"]["id_client"] = {"$ref": f"{bad['id']}/id_client"}
    device.sell(product, "750")
    assert states(device.send()) == ["ACCEPTEE", "EXCEPTION", "EXCEPTION", "ACCEPTEE"]
    assert states(device.send()) == ["CONNUE", "EXCEPTION", "EXCEPTION", "CONNUE"]
    assert count(db, "market.vente") == 2
