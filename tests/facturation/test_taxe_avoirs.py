"""A credit note credits the tax of what it credits. test_taxe_propriete.py credits whole invoices."""

import pytest

from tests import builders
from tests.conftest import refused
from tests.facturation.test_taxe import bill, detail, rate, setting, taxes


@pytest.fixture(autouse=True)
def codes(db):
    rate(db)
    rate(db, "TVA9", "9")


def credit(db, invoice, place=0, **part):
    """Credit a part of a line. Return the credit note."""
    lines = [{"id_ligne": invoice["lignes"][place]["id_ligne"]} | part]
    db.call("facturation.avoir_creer", id_facture=invoice["id_facture"], lignes=lines, motif="Retour")
    return db.one("select to_jsonb(a) from facturation.avoir_detail((select max(id_avoir) from facturation.avoir)) a")


def test_a_unit_given_back_gives_back_its_part_of_the_tax(db, http):
    invoice = bill(db, lignes=[{"libelle": "Chaises", "quantite": 3, "prix_unitaire": "1180"}])
    note = credit(db, invoice, quantite="1")
    assert (note["montant_total"], note["montant_ht"], note["montant_taxe"]) == (1180, 1000, 180)
    answer = http.as_admin().get(f"/facturation/avoirs/{note['id_avoir']}").json()
    assert answer["taxes"] == [{"code": "TVA", "taux": "18.00", "base": "1000.00", "montant": "180.00"}]
    assert (answer["montant_ht"], answer["lignes"][0]["montant_taxe"]) == ("1000.00", "180.00")


def test_a_line_credits_also_the_tax_on_top_of_its_price(db):
    setting(db, "TAXES_PRIX", "HT")
    invoice = bill(db, "1000")
    with refused("AVOIR_EXCESSIF", 409):
        credit(db, invoice, montant="1181")
    note = credit(db, invoice, montant="1180")
    assert (taxes(note), detail(db, invoice["id_facture"])["reste"]) == ([("TVA", 18, 1000, 180)], 0)


def test_a_credit_note_keeps_the_rate_of_its_invoice(db):
    invoice = bill(db)
    rate(db, taux="20", du=str(db.today()))
    db.call("core.regime_creer", regime="NON_ASSUJETTI", du=str(db.today()))
    assert taxes(credit(db, invoice, quantite="1")) == [("TVA", 18, 10000, 1800)]


def test_a_credit_note_of_an_invoice_without_tax_has_none(db):
    note = credit(db, bill(db, code=None), quantite="1")
    assert (note["montant_ht"], note["montant_taxe"], note["taxes"]) == (note["montant_total"], 0, [])


def test_a_line_without_tax_of_a_taxed_invoice_credits_none(db):
    builders.activite(db)
    invoice = db.one(
        """select (finances._sources_regler(array[row('PRESTATION', 1, 'Essai', array[
             facturation._ligne('Taxée', 1, 1180, 'TVA'), facturation._ligne('Sans', 1, 500)], 0, 0)
             ::facturation.source_a_regler], null, null, 0, null)).factures[1]"""
    )
    invoice = detail(db, invoice)
    note = credit(db, invoice, 1, montant="500")
    assert (note["montant_taxe"], note["taxes"]) == (0, [])
