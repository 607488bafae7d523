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


def test_the_parts_of_a_line_add_up_to_its_tax(db):
    invoice = bill(db, "1000")
    parts = [credit(db, invoice, montant=amount)["montant_taxe"] for amount in ("333", "333", "334")]
    assert (parts, sum(parts)) == ([51, 51, 51], 153)


def test_a_line_credits_also_the_tax_on_top_of_its_price(db):
    setting(db, "TAXES_PRIX", "HT")
    invoice = bill(db, "1000")
    with refused("AVOIR_EXCESSIF", 409):
        credit(db, invoice, montant="1181")
    note = credit(db, invoice, montant="1180")
    assert (taxes(note), detail(db, invoice["id_facture"])["reste"]) == ([("TVA", 18, 1000, 180)], 0)


def test_a_credit_note_keeps_the_rate_of_its_invoice(db):
    invoice = bill(db)
    rate(db, taux="20", du=str(db.one("select core.aujourdhui()")))
    db.call("core.regime_creer", regime="NON_ASSUJETTI", du=str(db.one("select core.aujourdhui()")))
    assert taxes(credit(db, invoice, quantite="1")) == [("TVA", 18, 10000, 1800)]


def test_a_credit_note_of_an_invoice_without_tax_has_none(db):
    invoice = bill(db, code=None)
    note = credit(db, invoice, quantite="1")
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


def test_the_last_parts_of_a_line_give_its_tax_back_whole(db):
    """Rounded by invoice, the tax of six lines of 1 is 1, all on one of them: its parts are smaller than its tax."""
    setting(db, "TAXES_ARRONDI", "FACTURE")
    lines = [{"libelle": str(n), "quantite": 1, "prix_unitaire": "1"} for n in range(6)]
    invoice = bill(db, lignes=lines)
    [place] = [place for place, line in enumerate(invoice["lignes"]) if line["montant_taxe"]]
    parts = [credit(db, invoice, place, montant=amount)["montant_taxe"] for amount in ("0.3", "0.3", "0.4")]
    assert sum(parts) == invoice["lignes"][place]["montant_taxe"] == 1


def test_a_line_in_cents_is_never_credited_above_its_total(db):
    lines = [{"libelle": str(n), "quantite": 1, "prix_unitaire": price} for n, price in enumerate(["0.50", "0.50"])]
    invoice = bill(db, lignes=lines, remise="0.10")
    with refused("AVOIR_EXCESSIF", 409):
        credit(db, invoice, montant="0.51")
    assert credit(db, invoice, quantite="1")["montant_total"] <= 0.50
