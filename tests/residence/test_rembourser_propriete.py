"""After any sequence of payments, credit notes, cancellations, termination and refunds, all sums of a lease agree."""

from datetime import date, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import accepted
from tests.examples import EXAMPLES
from tests.residence.leases import collect, instalments

amount = st.decimals(min_value=Decimal("0.01"), max_value=400_000, places=2)
step = st.tuples(
    st.sampled_from([
        "lot", "un", "annuler", "resilier", "rembourser", "tout rembourser", "reviser", "avoir", "avoir rendu",
        "annuler la facture",
    ]),
    amount,
)  # fmt: skip
REFUSALS = {
    "SURPAIEMENT", "TRANSITION_INTERDITE", "RIEN_A_REMBOURSER", "REMBOURSEMENT_EXCESSIF", "PAIEMENT_DEJA_RENDU",
    "PAIEMENT_DEJA_ANNULE", "CONTRAT_CLOS", "DATE_EFFET_HORS_CONTRAT", "AVOIR_EXCESSIF", "FACTURE_ANNULEE",
    "P0002",  # NOT_FOUND
}  # fmt: skip


@EXAMPLES
@given(
    start=st.sampled_from([date(2026, 1, 17), date(2026, 1, 1), date(2025, 12, 31)]),
    kind=st.sampled_from(["MENSUEL", "ANNUEL"]),
    steps=st.lists(st.tuples(step, st.integers(0, 11)), max_size=14),
)
def test_the_sums_of_a_lease_agree_after_every_operation(db, start, kind, steps):
    with db.connection.transaction(force_rollback=True):
        lease = builders.contrat(
            db, type_location=kind, date_debut=start, date_fin_prevue=start + timedelta(days=334), montant_loyer="95000"
        )
        moyen, ended = builders.moyen(db), False
        for (kind_of_step, montant), n in steps:
            done = accepted(db, REFUSALS, act, db, lease, moyen, kind_of_step, montant, n, start)
            ended = ended or (done and kind_of_step == "resilier")
            check(db, lease, ended)


def act(db, lease, moyen, operation, montant, n, start):
    match operation:
        case "lot":
            db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant=montant, id_moyen=moyen)
        case "un":
            rows = instalments(db, lease)
            collect(db, rows[n % len(rows)], montant)
        case "annuler":
            payments = db.all("select id_paiement from finances.paiement where type = 'ENCAISSEMENT' order by 1")
            if payments:
                id_paiement = payments[n % len(payments)]["id_paiement"]
                db.call("finances.paiement_annuler", id_paiement=id_paiement, motif="Erreur")
        case "resilier":
            day = start + timedelta(days=29 * n + 3)
            db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation=day)
        case "rembourser":
            db.call("residence.contrat_rembourser", id_contrat=lease, id_moyen=moyen, montant=montant)
        case "tout rembourser":
            refund = db.call("residence.contrat_rembourser", id_contrat=lease, id_moyen=moyen)
            assert refund["montant_a_rembourser"] == 0
        case "reviser":
            day = start + timedelta(days=29 * n)
            db.call("residence.contrat_reviser_loyer", id_contrat=lease, nouveau_montant=montant, date_effet=day)
        case "avoir" | "avoir rendu" | "annuler la facture":
            lines = db.all("select id_facture, id_ligne from facturation.facture_ligne order by id_ligne")
            if lines:
                credit(db, lines[n % len(lines)], operation, montant, moyen)


def credit(db, line, operation, montant, moyen):
    if operation == "annuler la facture":
        db.call("facturation.facture_annuler", id_facture=line["id_facture"], motif="Erreur")
        return
    refund = {"remboursement": {"id_moyen": moyen}} if operation == "avoir rendu" else {}
    lines = [{"id_ligne": line["id_ligne"], "montant": str(montant)}]
    db.call("facturation.avoir_creer", id_facture=line["id_facture"], motif="Fuite d'eau", lignes=lines, **refund)


def check(db, lease, ended):
    assert db.all("select * from jobs._controler()") == []
    rows = instalments(db, lease)
    detail = db.call("residence.contrat_detail", id_contrat=lease)
    left = [row["id_echeance"] for row in rows if row["montant_du"] is not None]
    credit = "select coalesce(sum(montant_credit), 0) from facturation.facture where source_id = any(%s)"
    assert detail["montant_a_rembourser"] == db.one(credit, [left])
    assert ended or not left
    for row in rows:
        assert 0 <= row["montant_paye"] <= row["montant"]
        assert not row["annulee"] or (row["montant_du"] == 0 and row["montant_paye"] == 0)
        if row["montant_du"] == 0 and row["montant_paye"] == 0 and not row["annulee"]:
            # A credit note, and not the end of the lease, took the rent away.
            query = (
                "select sum(montant_avoirs) from facturation.facture where source_type = 'LOCATION' and source_id = %s"
            )
            assert db.one(query, [row["id_echeance"]])
        if row["montant_du"] is not None and not row["annulee"]:
            assert row["montant"] == row["montant_du"]
    # The payments received less the refunds hold the amounts paid on instalments, the credit of the client and the
    # unapplied amounts.
    signed = "case type when 'ENCAISSEMENT' then montant else -montant end"
    held = db.one(f"select coalesce(sum({signed}), 0) from finances.paiement")
    applied = db.one("select coalesce(sum(montant), 0) from finances.imputation_vue")
    kept = db.one("select coalesce(sum(montant), 0) from finances.mouvement_credit")
    assert sum(row["montant_paye"] for row in rows) + kept == applied <= held
    assert db.one("select count(*) from facturation.facture where remise <> 0") == 0
    lines = "select sum(total) from facturation.facture_ligne l where l.id_facture = f.id_facture"
    assert db.one(f"select count(*) from facturation.facture f where montant_total <> ({lines})") == 0
