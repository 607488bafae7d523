"""The tax report: collected, on credit notes, due by invoice or by payment, and the detail that adds up to it."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from tests.achat import achats
from tests.examples import EXAMPLES
from tests.facturation.test_taxe import bill, rate, setting

SUMS = ("base", "collectee", "sur_avoirs", "due")
DEDUCTED = ("due", "deductible", "nette")


def report(db, **period):
    return [(row["code"], row["taux"], *(row[name] for name in SUMS)) for row in db.rows("rapports.taxes", **period)]


def pay(db, invoice, amount):
    return builders.payer(db, amount, id_facture=invoice["id_facture"])


def void(db, invoice):
    db.call("facturation.facture_annuler", id_facture=invoice["id_facture"], motif="Erreur")


def half_back(db, invoice, **fields):
    """Credit half of an invoice of one line of 11800."""
    lines = [{"id_ligne": invoice["lignes"][0]["id_ligne"], "montant": "5900"}]
    note = {"id_facture": invoice["id_facture"], "lignes": lines, "motif": "Retour"}
    return db.call("facturation.avoir_creer", **note, **fields)


@pytest.fixture
def by_payment(db):
    rate(db)
    setting(db, "TAXES_DUES", "ENCAISSEMENT")


def dated(db, table, day, key, value):
    """Move a row to another day, as if it had been written then."""
    db.tamper(f"update {table} set jour = %s where {key} = %s", day, value)


def test_a_month_counts_its_invoices_by_code_rate_and_activity(db):
    builders.facture(db)
    assert report(db) == []  # without tax
    rate(db)
    rate(db, "TVA9", "9")
    bill(db)
    bill(db, "1180")
    bill(db, "109", "TVA9")
    bill(db, "118", code="TVA", remise="18")
    assert report(db) == [("TVA", 18, 11085, 1995, 0, 1995), ("TVA9", 9, 100, 9, 0, 9)]
    row = db.call("rapports.taxes")
    month = db.one("select to_char(core.aujourdhui(), 'YYYY-MM')")
    assert (row["periode"], row["activite"]) == (month, "Pressing")


def test_a_cancelled_invoice_stands_in_collected_and_its_credit_note_in_credited(db):
    rate(db)
    void(db, bill(db))
    assert report(db) == [("TVA", 18, 10000, 1800, 1800, 0)]


def test_two_rates_of_one_month_stand_apart(db):
    rate(db)
    bill(db)
    rate(db, taux="20", du=str(db.today()))
    bill(db, "12000")
    assert report(db) == [("TVA", 20, 10000, 2000, 0, 2000), ("TVA", 18, 10000, 1800, 0, 1800)]


def test_each_month_has_its_own_row(db):
    rate(db)
    dated(db, "facturation.facture", "2026-01-31", "id_facture", bill(db)["id_facture"])
    bill(db)
    assert report(db, du="2026-01-01", au="2026-01-31") == [("TVA", 18, 10000, 1800, 0, 1800)]
    assert len(report(db, du="2026-01-01")) == 2


def test_by_payment_the_tax_is_due_in_proportion_and_in_full_once_paid(db, by_payment):
    invoice = bill(db, "1000")  # 152.54 of tax
    assert report(db) == [("TVA", 18, 847, 153, 0, 0)]
    for amount, due in (("333", 51), ("333", 102), ("334", 153)):
        last = pay(db, invoice, amount)
        assert report(db) == [("TVA", 18, 847, 153, 0, due)]
    db.call("finances.paiement_annuler", id_paiement=last, motif="Erreur")
    assert report(db) == [("TVA", 18, 847, 153, 0, 102)]


def test_by_payment_the_tax_is_due_in_the_month_of_the_payment(db, by_payment):
    invoice = bill(db, "1000")
    dated(db, "facturation.facture", "2026-01-31", "id_facture", invoice["id_facture"])
    dated(db, "finances.paiement", "2026-02-28", "id_paiement", pay(db, invoice, "500"))
    pay(db, invoice, "500")
    assert report(db, du="2026-01-01", au="2026-01-31") == [("TVA", 18, 847, 153, 0, 0)]
    assert report(db, du="2026-02-01", au="2026-02-28") == [("TVA", 18, 0, 0, 0, 77)]
    assert report(db) == [("TVA", 18, 0, 0, 0, 76)]


def test_by_payment_a_refunded_credit_note_takes_its_tax_back(db, by_payment):
    invoice = bill(db, "11800", montant="11800")
    assert report(db) == [("TVA", 18, 10000, 1800, 0, 1800)]
    void(db, invoice)
    assert report(db) == [("TVA", 18, 10000, 1800, 1800, 0)]


def test_by_payment_an_invoice_owes_no_more_tax_than_it_has_left_when_its_refund_comes_later(db, by_payment):
    invoice = bill(db, "11800", montant="11800")
    refund = half_back(db, invoice, remboursement={"id_moyen": builders.moyen(db)})["id_paiement"]
    dated(db, "finances.paiement", "2099-01-01", "id_paiement", refund)
    assert report(db) == [("TVA", 18, 10000, 1800, 900, 900)]
    assert report(db, du="2099-01-01", au="2099-01-31") == []


def test_by_payment_a_credit_note_takes_its_tax_back_in_its_own_month(db, by_payment):
    invoice = bill(db, "11800")
    dated(db, "facturation.facture", "2026-01-31", "id_facture", invoice["id_facture"])
    dated(db, "finances.paiement", "2026-01-31", "id_paiement", pay(db, invoice, "11800"))
    void(db, invoice)
    assert report(db, du="2026-01-01", au="2026-01-31") == [("TVA", 18, 10000, 1800, 0, 1800)]
    assert report(db) == [("TVA", 18, 0, 0, 1800, -1800)]


def test_by_payment_a_credit_kept_by_the_client_pays_the_tax_of_the_next_invoice(db, by_payment):
    client = builders.client(db)
    half_back(db, bill(db, "11800", montant="11800", id_client=client))
    assert report(db) == [("TVA", 18, 10000, 1800, 900, 900)]
    second = bill(db, "5900", id_client=client)
    builders.paiement(db, "5900", id_facture=second["id_facture"], id_moyen=builders.moyen(db, "Crédit client"))
    assert report(db) == [("TVA", 18, 15000, 2700, 900, 1800)]


@pytest.mark.parametrize("due", ["FACTURE", "ENCAISSEMENT"])
def test_the_deductible_tax_of_purchases_is_taken_from_the_due_tax_and_opens_its_documents(db, http, due):
    rate(db)
    setting(db, "TAXES_DUES", due)
    pay(db, bill(db), "11800")
    laundry = {"id_activite": builders.activite(db, "PRESSING")}
    bought = achats.facture(db, achats.charge(db, 1000, code_taxe="TVA"), achats.charge(db, 500, "Gaz"), **laundry)
    achats.payer(db, bought, 840)
    lost = achats.facture(db, achats.charge(db, 200, "Bois", code_taxe="TVA"), **laundry)
    achats.payer(db, lost, 236)
    achats.crediter(db, lost)
    [row] = http.as_admin().get("/rapports/taxes").json()
    deducted = 180 if due == "FACTURE" else 90
    assert [Decimal(row[name]) for name in DEDUCTED] == [1800, deducted, 1800 - deducted]
    detail = [part for part in http.as_admin().get("/rapports/taxes/detail").json() if part["type"] == "ACHAT"]
    assert {part["id_achat"]: Decimal(part["deductible"]) for part in detail} == {str(bought): deducted, str(lost): 0}


def test_a_user_of_an_activity_sees_the_taxes_of_that_activity(db):
    rate(db)
    bill(db)
    db.acting(builders.utilisateur(db, "RESPONSABLE_RESTAURANT", activite=builders.activite(db, "RESTAURATION")))
    assert report(db) == []
    assert db.rows("rapports.taxes_detail") == []


@pytest.mark.parametrize("due", ["FACTURE", "ENCAISSEMENT"])
def test_the_detail_of_a_row_adds_up_to_it(db, http, due):
    rate(db)
    rate(db, "TVA9", "9")
    setting(db, "TAXES_DUES", due)
    lines = [{"libelle": "Un", "prix_unitaire": "1000"}, {"libelle": "Deux", "prix_unitaire": "333"}]
    for code in ("TVA", "TVA9"):
        pay(db, bill(db, code=code, lignes=lines), "700")
        void(db, bill(db, code=code, montant="11800"))
    admin = http.as_admin()
    rows = admin.get("/rapports/taxes").json()
    assert len(rows) == 2
    for row in rows:
        query = {key: row[key] for key in ("periode", "code", "taux", "id_activite")}
        detail = admin.get("/rapports/taxes/detail", params=query).json()
        assert detail
        for name in SUMS:
            assert sum(Decimal(part[name]) for part in detail) == Decimal(row[name]), (row, detail)


@EXAMPLES
@given(
    prices=st.lists(st.tuples(st.integers(1, 2000), st.sampled_from(["TVA", "TVA9"])), min_size=1, max_size=4),
    steps=st.lists(st.tuples(st.sampled_from(["pay", "credit"]), st.integers(1, 100)), max_size=6),
)
def test_by_payment_the_days_of_a_settled_invoice_add_up_to_its_tax(db, prices, steps):
    with db.connection.transaction(force_rollback=True):
        rate(db)
        rate(db, "TVA9", "9")
        setting(db, "TAXES_DUES", "ENCAISSEMENT")
        moyen = builders.moyen(db)
        id_facture = db.one(
            """select (finances._sources_regler(array[row('PRESTATION', 1, 'Essai', (
                 select array_agg(facturation._ligne('Ligne', 1, p, c))
                   from unnest(%s::numeric[], %s::text[]) as l (p, c)),
                 0, 0)::facturation.source_a_regler], null, %s, 0, %s)).factures[1]""",
            [[p for p, _ in prices], [c for _, c in prices], builders.client(db), moyen],
        )
        for what, part in [*steps, ("pay", 100)]:
            row = db.one("select * from facturation.facture where id_facture = %s", [id_facture])
            if what == "pay" and row["reste"] * part // 100 > 0:
                builders.paiement(db, row["reste"] * part // 100, id_facture=id_facture)
            elif what == "credit":
                line = db.one(
                    "select id_ligne, (montant - montant_credite) as reste from facturation._lignes_creditables(%s)"
                    " order by montant - montant_credite desc limit 1",
                    [id_facture],
                )
                if line["reste"] * part // 100 > 0:
                    lines = [{"id_ligne": line["id_ligne"], "montant": str(line["reste"] * part // 100)}]
                    db.call("facturation.avoir_creer", id_facture=id_facture, lignes=lines, motif="Essai")
        assert db.one("select statut from facturation.facture where id_facture = %s", [id_facture]) == "PAYEE"
        for row in db.rows("rapports.taxes"):
            assert row["due"] == row["collectee"] - row["sur_avoirs"]


def test_the_report_is_also_a_file(db, http):
    rate(db)
    bill(db)
    for path in ("/rapports/taxes", "/rapports/taxes/detail"):
        for kind in ("csv", "xlsx", "pdf"):
            answer = http.as_admin().get(path, params={"format": kind})
            assert (answer.status_code, len(answer.content) > 100) == (200, True), answer.text
