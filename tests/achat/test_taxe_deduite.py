"""By payments, the deducted tax of a bill is the tax of its paid share, to the unit of the currency."""

from hypothesis import example, given
from hypothesis import strategies as st

from tests import livre
from tests.achat.achats import charge, crediter, facture, part, payer, soldes, taxer
from tests.conftest import accepted, refused
from tests.examples import EXAMPLES

# The deducted part of each tax of each bill, beside the tax of the paid share.
DEDUCTED = """
select d.montant, core.arrondir(t.montant * least(f.montant_paye, f.montant_total - f.montant_avoirs)
                                / nullif(f.montant_total - f.montant_avoirs, 0)) as due
  from achat.facture f
 cross join lateral (
   select l.id_taxe, sum(l.montant_taxe - coalesce((select sum(a.montant_taxe) from achat.avoir_ligne a
                                                     where a.id_ligne = l.id_ligne), 0)) as montant
     from achat.facture_ligne l where l.id_achat = f.id_achat group by l.id_taxe) t
 cross join lateral (select coalesce(sum(v.montant), 0) as montant from achat.taxe_deduite_vue v
                      where v.id_achat = f.id_achat and v.id_taxe = t.id_taxe) d"""
REFUSALS = {"SURPAIEMENT", "PAIEMENT_SUIVI_D_UN_AVOIR", "PERIODE_CLOTUREE", "AVOIR_EXCESSIF", "FACTURE_NON_CREDITABLE"}
amount = st.integers(1, 120)
step = st.one_of(
    st.tuples(st.just("pay"), amount, st.booleans()),
    st.tuples(st.just("cancel"), st.integers(0, 5)),
    st.tuples(st.just("credit"), amount),
    st.tuples(st.just("refund")),
    st.tuples(st.just("close")),
)


def cancel(db, place=0):
    """Cancels the payment at this place among the valid payments."""
    held = "select id_depense from achat.paiement where date_annulation is null order by id_paiement"
    rows = db.all(held)
    if rows:
        db.call("finances.depense_supprimer", id_depense=rows[place % len(rows)]["id_depense"])


def run(db, bill, action, *values):
    last_month = db.one("select (date_trunc('month', core.aujourdhui()::timestamp) - interval '1 day')::date")
    if action == "pay":
        payer(db, bill, values[0], **({"date": f"{last_month} 12:00:00"} if values[1] else {}))
    elif action == "cancel":
        cancel(db, *values)
    elif action == "credit":
        crediter(db, bill, {"id_ligne": db.one("select min(id_ligne) from achat.facture_ligne"), "montant": values[0]})
    elif action == "refund" and db.one("select reste from achat.facture") < 0:
        db.call("achat.paiement_creer", factures=[part(db, bill)], id_moyen=1)
    elif action == "close":
        db.call("compta.periode_cloturer", periode=str(last_month)[:7])


@EXAMPLES
@given(steps=st.lists(step, min_size=1, max_size=10))
@example(steps=[("pay", 5, True), ("pay", 5, False), ("pay", 5, True), ("close",), ("cancel", 1), ("cancel", 0)])
@example(steps=[("pay", 120, False), ("credit", 60), ("refund",), ("cancel", 1), ("cancel", 0)])
def test_the_deducted_tax_follows_the_paid_share(db, steps):
    with db.connection.transaction(force_rollback=True):
        db.execute("update core.parametre set valeur = 'ENCAISSEMENT' where cle = 'TAXES_DUES'")
        lines = [charge(db, 70, code_taxe=taxer(db)), charge(db, 30, "Gaz", code_taxe=taxer(db, 7, "REDUIT"))]
        bill = facture(db, *lines, charge(db, 5, "Bois"))
        for action in steps:
            accepted(db, REFUSALS, run, db, bill, *action)
            rows = db.all(DEDUCTED)
            assert [row["montant"] for row in rows if row["due"] is not None] == [
                row["due"] for row in rows if row["due"] is not None], action  # fmt: skip
            assert livre.wrong(db) == [], action
        assert db.all("select * from jobs._controler()") == []


def test_a_cancelled_payment_keeps_what_rounding_leaves(http, db):
    db.execute("update core.parametre set valeur = 'ENCAISSEMENT' where cle = 'TAXES_DUES'")
    bill = facture(db, charge(db, 100, code_taxe=taxer(db)))
    for paid in (3, 3, 3):  # 0.46, 0.92 and 1.37 of 18: each takes the difference of two rounded sums
        payer(db, bill, paid)
    assert soldes(db, "TAXES_DEDUCTIBLES", "TAXES_EN_ATTENTE") == (1, 17)
    cancel(db, 1)
    assert soldes(db, "TAXES_DEDUCTIBLES", "TAXES_EN_ATTENTE") == (1, 17)
    cancelled = db.one("select id_paiement from achat.paiement where date_annulation is not null")
    lines = db.all("select cas::text, debit, credit from compta._derivee_vue where piece = %s", [f"PAF-{cancelled}"])
    assert {row["cas"] for row in lines} == {"TAXES_DEDUCTIBLES", "TAXES_EN_ATTENTE"}
    month = str(db.today())[:7]
    report = http.as_admin().get("/rapports/taxes", params={"du": f"{month}-01", "au": str(db.today())}).json()
    assert sum(float(row["deductible"]) for row in report) == 1
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_a_refund_is_cancelled_although_a_credit_note_took_tax_back(db):
    db.execute("update core.parametre set valeur = 'ENCAISSEMENT' where cle = 'TAXES_DUES'")
    bill = facture(db, charge(db, 100, code_taxe=taxer(db)))
    payer(db, bill, 118)
    crediter(db, bill, {"id_ligne": db.one("select min(id_ligne) from achat.facture_ligne"), "montant": "50"})
    refund = db.call("achat.paiement_creer", factures=[part(db, bill)], id_moyen=1)
    assert int(refund["montant"]) == -59 and soldes(db, "TAXES_DEDUCTIBLES", "TAXES_EN_ATTENTE") == (9, 0)
    db.call("finances.depense_supprimer", id_depense=refund["id_depense"])
    assert soldes(db, "TAXES_DEDUCTIBLES", "FOURNISSEURS") == (9, 59)
    with refused("PAIEMENT_SUIVI_D_UN_AVOIR", 409):
        cancel(db)
    assert livre.wrong(db) == []
