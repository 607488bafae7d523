"""Purchases on several connections at once: no bill is paid twice, and its goods come and go once."""

import pytest

from tests import builders, livre
from tests.achat.achats import article, crediter, facture, fournisseur, part, payer, recevoir, saisir, stock

pytestmark = pytest.mark.promesse("Achats : à plusieurs, une facture ne se paie ni ne se rend deux fois")


def test_clerks_at_once_never_pay_more_than_is_owed(committed, at_once):
    supplier, product = fournisseur(committed), builders.produit(committed, "0")
    bills = [facture(committed, article(product, 1, 100), id_fournisseur=supplier) for _ in range(2)]

    def act(db, n):
        if n % 2:
            payer(db, bills[0], 40)
        else:  # in the other order
            parts = [part(db, bill, 40) for bill in reversed(bills)]
            db.call("achat.paiement_creer", factures=parts, id_moyen=builders.moyen(db))
        return "done"

    assert set(at_once(12, act)) == {"done", "SURPAIEMENT"}
    assert committed.one("select reste::integer from achat.facture where id_achat = %s", [bills[0]]) == 20
    assert committed.all("select * from jobs._controler()") == []


def test_one_clerk_of_several_validates_credits_or_bills_the_same_goods(committed, at_once):
    supplier, product = fournisseur(committed), builders.produit(committed, "0")
    reception = recevoir(committed, product, 10, 100, id_fournisseur=supplier)
    drafts = [
        saisir(committed, article(product, 10, 110, id_reception=reception), id_fournisseur=supplier)["id_achat"]
        for _ in range(8)
    ]

    def validate(db, n):
        db.call("achat.facture_valider", id_achat=drafts[n])
        return "done"

    outcomes = at_once(8, validate)
    assert outcomes.count("done") == 1 and set(outcomes) == {"done", "RECEPTION_DEJA_FACTUREE"}
    assert stock(committed, product) == (10, 1100)
    bill = committed.one("select id_achat from achat.facture where numero is not null")

    def credit(db, _):
        crediter(db, bill)
        return "done"

    outcomes = at_once(8, credit)
    assert outcomes.count("done") == 1 and set(outcomes) == {"done", "FACTURE_NON_CREDITABLE"}
    assert stock(committed, product) == (0, 0) and livre.wrong(committed) == []
    assert committed.all("select * from jobs._controler()") == []
