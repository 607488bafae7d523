"""Two cashiers at one lease: no rent is applied twice, no franc is lost, and no session waits for ever."""

from datetime import timedelta

import psycopg
import pytest

from tests import builders
from tests.together import calling

pytestmark = pytest.mark.promesse("Loyers : payés à plusieurs, jamais trop, jamais deux fois")


def total(db, column, table):
    return db.one(f"select coalesce(sum({column}), 0) from {table}")


def instalments(db, lease):
    return db.all("select * from residence.echeance where id_contrat = %s order by date_echeance", [lease])


def received_and_applied(db):
    received, applied = total(db, "montant", "finances.paiement"), total(db, "montant", "finances.imputation_vue")
    # The end of a lease makes a credit of the client from what was paid beyond the rent.
    credit = total(db, "montant", "finances.mouvement_credit")
    assert total(db, "montant_paye", "residence.echeance") == applied - credit <= received
    return received, applied


def test_one_of_two_cashiers_collects_an_instalment(shared, at_once):
    lease, moyen = builders.contrat(shared), builders.moyen(shared)
    paid = {"id_echeance": instalments(shared, lease)[0]["id_echeance"], "montant": "95000", "id_moyen": moyen}
    assert sorted(at_once(2, calling("residence.echeance_encaisser", **paid))) == ["SURPAIEMENT", "done"]
    assert received_and_applied(shared) == (95000, 95000)
    assert shared.one("select count(*) from facturation.facture") == 1


def test_concurrent_payments_in_lots_fill_the_instalments_without_loss(shared, at_once):
    lease = builders.contrat(shared, montant_loyer="100")
    moyen = builders.moyen(shared)

    def collect(db, n):
        row = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="130", id_moyen=moyen)
        return row["montant_non_affecte"] or 0

    rests = at_once(12, collect)  # 12 × 130 for eleven months at 100 and 17 days of the twelfth
    rows = instalments(shared, lease)
    assert [row["montant"] for row in rows] == [100] * 11 + [55]
    assert [row["montant_paye"] for row in rows] == [row["montant"] for row in rows]
    assert sum(rests) == 12 * 130 - 1155
    assert received_and_applied(shared) == (1560, 1155)


def test_concurrent_payments_revisions_and_a_termination_end_without_deadlock(shared, at_once):
    """The four operations that write instalments run at the same time and repeatedly. All end, and the sums agree."""
    lease = builders.contrat(shared, montant_loyer="100")
    moyen = builders.moyen(shared)
    rows = instalments(shared, lease)
    shared.call("residence.echeance_encaisser", id_echeance=rows[0]["id_echeance"], montant="1", id_moyen=moyen)
    facture = shared.one("select id_facture from facturation.facture")
    deadlocks = []

    def act(db, n):
        for turn in range(8):
            try:
                match n % 4:
                    case 0:
                        db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="7", id_moyen=moyen)
                    case 1:
                        part = {"id_echeance": rows[turn]["id_echeance"], "montant": "3", "id_moyen": moyen}
                        db.call("residence.echeance_encaisser", **part)
                    case 2:
                        db.call("finances.paiement_creer", montant="2", id_moyen=moyen, id_facture=facture)
                    case 3 if n == 3 and turn == 7:
                        db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation="2026-02-15")
                    case 3:
                        rent = {"nouveau_montant": str(90 + turn), "date_effet": "2026-05-01"}
                        db.call("residence.contrat_reviser_loyer", id_contrat=lease, **rent)
            except psycopg.Error as error:
                if error.sqlstate == "40P01":
                    deadlocks.append(error)
                elif error.diag.constraint_name not in ("SURPAIEMENT", "CONTRAT_CLOS") and error.sqlstate != "P0002":
                    raise
        return "done"

    assert at_once(12, act) == ["done"] * 12
    assert deadlocks == []
    received_and_applied(shared)
    unpayable = (
        "select count(*) from facturation.facture f join residence.echeance e on e.id_echeance = f.source_id "
        "where e.date_echeance > '2026-02-15' and f.reste > 0"
    )
    assert shared.one(unpayable) == 0
    assert shared.one("select statut from residence.contrat_location where id_contrat = %s", [lease]) == "RESILIE"


def test_one_of_many_concurrent_leases_of_a_room_wins(shared, at_once):
    room = builders.logement(shared)
    clients = [builders.client(shared) for _ in range(8)]

    def let(db, n):
        return str(builders.contrat(db, id_client=clients[n], id_logement=room, actif=False))

    outcomes = at_once(8, let)
    assert outcomes.count("LOGEMENT_INDISPONIBLE") == 7
    assert shared.one("select count(*) from residence.contrat_location") == 1
    assert shared.one("select valeur from core.compteur where type = 'CON'") == 1


def test_concurrent_calls_collect_and_refund_a_deposit_once(shared, at_once):
    lease, moyen = builders.contrat(shared), builders.moyen(shared)
    shared.call("residence.caution_creer", id_contrat=lease, montant="150000")

    for function in ("caution_encaisser", "caution_rembourser"):
        outcomes = at_once(6, calling(f"residence.{function}", id_contrat=lease, id_moyen=moyen))
        assert outcomes.count("done") == 1
    rows = shared.all("select type, montant from finances.paiement order by id_paiement")
    assert rows == [{"type": type_, "montant": 150000} for type_ in ("ENCAISSEMENT", "DECAISSEMENT")]


def test_concurrent_nightly_jobs_create_each_instalment_once(shared, at_once):
    start = shared.one("select core.aujourdhui()")
    leases = [builders.contrat(shared, date_debut=start, date_fin_prevue=None) for _ in range(10)]
    for _ in range(5):
        builders.abonnement(shared, date_debut=start - timedelta(days=100))
    before = shared.one("select count(*) from residence.echeance")
    until = shared.one("select (core.aujourdhui() + interval '3 years')::date")

    def generate(db, n):
        row = db.call("jobs.generer_echeances", jusqu_au=until)
        return row["echeances"], row["factures"]

    outcomes = at_once(4, generate)
    # A hundred days hold at least three whole months, so four periods. The subscription itself created the first.
    assert sum(factures for _, factures in outcomes) == 5 * 3
    assert shared.one("select count(*) from facturation.facture") == 5 * 4
    created = sum(echeances for echeances, _ in outcomes)
    assert created == shared.one("select count(*) from residence.echeance") - before > 24 * len(leases) - 10
    assert shared.one("select count(*) from residence.echeance e where exists (select from residence.echeance o "
                      "where o.id_contrat = e.id_contrat and o.id_echeance <> e.id_echeance "
                      "and o.date_echeance <= e.date_fin and o.date_fin >= e.date_echeance)") == 0  # fmt: skip
