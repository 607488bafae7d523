"""A settlement reads the same number of rows however many invoices and payments there are already."""

import pytest

from tests import builders

ROWS = """
select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::integer from pg_stat_xact_user_tables
 where relid in ('facturation.facture'::regclass, 'facturation.facture_ligne'::regclass,
                 'finances.paiement'::regclass, 'finances.application_paiement'::regclass)
"""


@pytest.fixture(autouse=True)
def plans_of_a_large_base(db):
    """Without the plans of an almost empty table, which read all of it."""
    db.execute("discard plans")
    db.execute("set local enable_seqscan = off")


def rows_read(db, function, **arguments):
    before = db.one(ROWS)
    db.call(function, **arguments)
    return db.one(ROWS) - before


def test_a_sale_of_a_service_reads_no_earlier_invoice_of_it(db):
    sale = {"id_prestation": builders.prestation(db), "montant": "10", "id_moyen": builders.moyen(db)}
    reads = [rows_read(db, "facturation.prestation_facturer", **sale) for _ in range(30)]
    assert reads[29] == reads[5]


def test_a_payment_reads_no_earlier_payment_of_its_invoice(db):
    payment = {"id_facture": builders.facture(db), "montant": "1.25", "id_moyen": builders.moyen(db)}
    reads = [rows_read(db, "finances.paiement_creer", **payment) for _ in range(30)]
    assert reads[29] == reads[5]
    paid = "select montant_paye::text from facturation.facture where id_facture = %s"
    assert db.one(paid, [payment["id_facture"]]) == "37.50"
