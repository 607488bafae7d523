"""Concurrent settlement: an invoice is never overpaid, a closed till refuses payments, a source has one invoice."""

import psycopg
import pytest

from tests import builders

pytestmark = pytest.mark.promesse(
    "Règlement : à plusieurs, jamais de surpaiement, une seule facture par source, des numéros sans trou"
)


def test_concurrent_applications_written_with_direct_sql_add_up(shared, at_once):
    facture = builders.facture(shared, "1000")
    paid = {"montant": "10", "id_moyen": 1, "id_activite": 1}
    payments = [shared.call("finances.paiement_creer", **paid)["id_paiement"] for _ in range(16)]

    def apply(db, n):
        builders.part(db, payments[n], facture, 10)

    at_once(16, apply)
    assert shared.one("select montant_paye from facturation.facture where id_facture = %s", [facture]) == 160


def test_concurrent_invoices_have_numbers_without_gap_despite_refusals(shared, at_once):
    prestation, moyen = builders.prestation(shared, "100"), builders.moyen(shared)

    def issue(db, n):
        issued = []
        for turn in range(6):
            paid = {"montant": "100.01" if (n + turn) % 3 == 0 else "40", "id_moyen": moyen}
            try:
                answer = db.call("facturation.prestation_facturer", id_prestation=prestation, **paid)
                issued.append(int(answer["numero"].rsplit("-", 1)[1]))
            except psycopg.Error as error:
                assert error.diag.constraint_name == "SURPAIEMENT"
        return issued

    numbers = [number for issued in at_once(12, issue) for number in issued]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert len(numbers) == 12 * 4


@pytest.mark.parametrize("cancelled_before", [False, True])
def test_concurrent_settlements_of_one_source_share_one_invoice(shared, at_once, cancelled_before):
    moyen, activite = builders.moyen(shared), builders.activite(shared)
    statement = (
        "select * from finances._facture_regler('VENTE', 42, %s, null, 'Vente',"
        " array[facturation._ligne('Ligne', 1, 1000)], 0, 70, %s)"
    )
    if cancelled_before:
        cancelled = shared.one(statement, [activite, moyen])["id_facture"]
        shared.one("select finances._facture_annuler(%s, 'Erreur')", [cancelled])

    outcomes = at_once(12, lambda db, n: db.one(statement, [activite, moyen])["id_facture"])
    assert len(set(outcomes)) == 1, outcomes
    row = shared.one("select * from facturation.facture where source_id = 42 and not annulee")
    assert (row["id_facture"], row["montant_total"], row["montant_paye"]) == (outcomes[0], 1000, 840)
    assert shared.one("select valeur from core.compteur where type = 'FAC'") == 1 + cancelled_before


def test_the_unique_index_allows_one_invoice_for_a_source(at_once):
    def issue(db, n):
        insert = "insert into facturation.facture (numero, source_type, source_id) values (%s, 'SEJOUR', 7)"
        db.execute(insert, [f"ESSAI-{n}"])
        return "issued"

    assert sorted(at_once(4, issue)) == ["facture_unique_par_source"] * 3 + ["issued"]


def test_concurrent_payments_leave_no_money_on_a_cancelled_invoice(shared, at_once):
    facture, moyen = builders.facture(shared, "1000"), builders.moyen(shared)

    def act(db, n):
        if n == 0:
            return db.one("select statut from finances._facture_annuler(%s, 'Erreur')", [facture])
        return db.call("finances.paiement_creer", montant="10", id_moyen=moyen, id_facture=facture)["id_facture"]

    outcomes = at_once(16, act)
    assert outcomes[0] == "ANNULEE"
    assert set(outcomes[1:]) <= {facture, "FACTURE_ANNULEE"}
    row = shared.one("select * from facturation.facture where id_facture = %s", [facture])
    assert (row["statut"], row["montant_paye"]) == ("ANNULEE", 0)
    assert shared.one("select coalesce(sum(montant), 0) from finances.imputation_vue") == 0
    assert shared.one("select count(*) from finances.paiement") == 2 * outcomes[1:].count(facture)
