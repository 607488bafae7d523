"""Taxes on documents: HT, the tax by rate, TTC and both taxpayer numbers, and only where a tax exists."""

import os
from pathlib import Path

import pytest

from tests import builders
from tests.documents import browsers, paper
from tests.facturation.test_taxe import bill, rate, setting
from tests.portail.residents import resident

LINES = [
    {"libelle": "Location de chaises en plastique", "quantite": 40, "prix_unitaire": "295"},
    {"libelle": "Nappes brodées, lavage compris", "quantite": 12, "prix_unitaire": "1500"},
]
TAXED = ("Total HT", "TVA 18 %", "TTC", "1234567A", "7654321B", "24 576", "4 424")


@pytest.fixture(autouse=True)
def browser() -> None:
    browsers.needed()


def printed(http, path, name, **query):
    answer = http.as_admin().get(path, params=query)
    assert answer.status_code == 200, answer.text
    if os.environ.get("ESSAIS_IMAGES"):
        Path(os.environ["ESSAIS_IMAGES"], f"{name}.pdf").write_bytes(answer.content)
    return " ".join(paper.text(answer.content).split()).replace("\u202f", " ").replace("\xa0", " ")


def four(http, db, invoice, name):
    """The invoice and the credit note of all of it, on A4 and as tickets."""
    yield from both(http, "factures", invoice["id_facture"], name)
    db.call("facturation.facture_annuler", id_facture=invoice["id_facture"], motif="Chaises cassées")
    yield from both(http, "avoirs", db.one("select max(id_avoir) from facturation.avoir"), name)


def both(http, kind, key, name):
    yield printed(http, f"/facturation/{kind}/{key}/pdf", f"{name}-{kind}-a4")
    yield printed(http, f"/facturation/{kind}/{key}/ticket", f"{name}-{kind}-58", largeur="58")


def test_documents_say_the_tax_by_rate_and_the_taxpayer_numbers(db, http):
    rate(db)
    setting(db, "NUMERO_CONTRIBUABLE", "1234567A")
    client = builders.client(db, numero_contribuable="7654321B", ville="Bouaké")
    texts = list(four(http, db, bill(db, lignes=LINES, remise="800", id_client=client, montant="9000"), "taxe"))
    assert len(texts) == 4
    for text in texts:
        assert [word for word in TAXED if word not in text] == [], text


def test_documents_without_a_tax_say_nothing_of_taxes(db, http):
    rate(db)
    setting(db, "NUMERO_CONTRIBUABLE", "1234567A")
    client = builders.client(db, numero_contribuable="7654321B")
    for text in four(http, db, bill(db, code=None, lignes=LINES, id_client=client), "sans"):
        assert not any(word in text for word in ("HT", "TVA", "TTC", "1234567A", "7654321B")), text


def test_an_exempt_invoice_says_so(db, http):
    rate(db, "EXO", "0", nature="EXONERE")
    invoice = bill(db, "500", "EXO")
    assert "Exonéré de TVA" in printed(http, f"/facturation/factures/{invoice['id_facture']}/pdf", "exonere")


def test_the_client_prints_the_tax_of_an_invoice_in_the_portal(db, http):
    rate(db)
    awa = resident(db, "Kouassi")
    invoice = bill(db, id_client=awa.client)
    answer = http.as_user(awa.user).get(f"/facturation/portail/factures/{invoice['id_facture']}/pdf")
    assert answer.status_code == 200, answer.text
    assert "TVA 18" in paper.text(answer.content)


def test_prices_without_tax_are_named_so(db, http):
    rate(db)
    rate(db, "TVA9", "9.5")
    setting(db, "TAXES_PRIX", "HT")
    invoice = bill(db, lignes=LINES)
    text = printed(http, f"/facturation/factures/{invoice['id_facture']}/pdf", "ht-a4")
    assert "Prix unitaire HT" in text and "Montant HT" in text
