"""Each operation locks the numbers of invoices, then the numbers of credit notes, then the payments that it refunds."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db
from tests.server import eventually

pytestmark = pytest.mark.promesse("Numéros et paiements : verrouillés dans un seul ordre, sans attente croisée")


@pytest.fixture
def shared(database_url):
    with psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as connection:
        yield Db(connection)


@contextmanager
def blocked(database_url, series, function, **fields):
    """Hold the numbers of this series while another session calls this function and waits for them."""
    with (
        psycopg.connect(database_url, row_factory=dict_row) as holding,
        psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as calling,
        ThreadPoolExecutor(1) as pool,
    ):
        holder, caller = Db(holding), Db(calling)
        holder.execute("select core._rang(%s, extract(year from core.aujourdhui())::integer)", [series])
        call = pool.submit(caller.call, function, **fields)
        pids = [holding.info.backend_pid, calling.info.backend_pid]
        try:
            eventually(lambda: call.done() or holder.one("select %s = any (pg_blocking_pids(%s))", pids))
            yield holder
        finally:
            holding.rollback()
        call.result()


def test_a_refund_of_rent_waits_for_the_numbers_before_it_locks_a_payment(database_url, shared):
    today = shared.one("select core.aujourdhui()")
    lease = builders.contrat(shared, date_debut=today, date_fin_prevue=today + timedelta(days=365))
    rents = shared.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="500000", id_moyen=1)
    shared.call("residence.contrat_resilier", id_contrat=lease)
    with blocked(database_url, "AVO", "residence.contrat_rembourser", id_contrat=lease, id_moyen=1) as holder:
        payment = "select from finances.paiement where id_paiement = %s for no key update nowait"
        holder.execute(payment, [rents["id_paiement"]])
    assert shared.all("select * from jobs._controler()") == []


@pytest.mark.parametrize("champs", [{"montant": "30000"}, {"montant": "30000", "statut": "SUSPENDU"}])
def test_a_changed_subscription_takes_the_number_of_its_invoice_before_that_of_the_credit_note(
    database_url, shared, champs
):
    today = shared.one("select core.aujourdhui()")
    subscription = builders.abonnement(shared, date_debut=today - timedelta(days=400))
    shared.call("facturation.facture_annuler", id_facture=builders.facture(shared), motif="Erreur")
    operation = {"id_abonnement": subscription, "champs": champs}
    with blocked(database_url, "FAC", "residence.abonnement_modifier", **operation) as holder:
        holder.execute("select from core.compteur where type = 'AVO' for no key update nowait")
    assert shared.all("select * from jobs._controler()") == []
