"""A job whose worker is killed runs again, and ends in the same state as one run."""

import signal
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.jobs.tasks import CATCH_UP, JOBS
from tests import builders
from tests.conftest import Db, connected, migrated_postgres
from tests.mail import answering, mailing
from tests.server import blocks, eventually, kill, start_again, worker
from tests.tresorerie.argent import compte

SILENCE = "update queue.procrastinate_workers set last_heartbeat = now() - interval '1 minute'"
STATES = f"""select status::text as status, attempts from queue.procrastinate_jobs
              where task_name <> '{CATCH_UP}' order by id"""
RUN_CATCH_UP = f"select core._differer('{CATCH_UP}')"  # the catch-up that runs every minute


@pytest.fixture
def working(tmp_path: Path, addresses: dict[str, str]) -> Callable[..., Any]:
    return partial(worker, tmp_path, **addresses)


def taken_back(db: Db) -> list[str]:
    """Take back the jobs of dead workers. Return what becomes of each."""
    return [row["issue"] for row in db.rows("jobs.file_reprendre", silence=30, tentatives=3)]


def rewrite(db: Db, *statements: str) -> None:
    """Run statements without triggers, to make a state that the operations refuse."""
    db.execute("set session_replication_role = replica")
    for statement in statements:
        db.execute(statement)
    db.execute("set session_replication_role = origin")


def old_connections(db: Db) -> None:
    user = builders.utilisateur(db)
    insert = "insert into auth.connexion (id_utilisateur, succes, date) values (%s, true, now() - %s::interval)"
    for age in ("2 years", "1 hour"):
        db.execute(insert, [user, age])


def a_lease_without_its_year(db: Db) -> None:
    builders.contrat(db, date_debut=db.one("select core.aujourdhui()"), date_fin_prevue=None)
    rewrite(db, "delete from residence.echeance where date_echeance > core.aujourdhui() + 60")
    builders.abonnement(db, date_debut=db.one("select core.aujourdhui()") - timedelta(days=70))


def finished_lease(db: Db) -> None:
    today = db.one("select core.aujourdhui()")
    builders.contrat(db, date_debut=today - timedelta(days=60), date_fin_prevue=today - timedelta(days=1))


def late_instalments(db: Db) -> None:
    today = db.one("select core.aujourdhui()")
    builders.contrat(db, date_debut=today - timedelta(days=70), date_fin_prevue=today + timedelta(days=9))


def finished_subscription(db: Db) -> None:
    today = db.one("select core.aujourdhui()")
    builders.abonnement(db, date_debut=today - timedelta(days=60), date_fin=today - timedelta(days=1))


def wrong_stock(db: Db) -> None:
    builders.produit(db)
    rewrite(db, "update market.produit set quantite_stock = 3")


def a_dead_backup(db: Db) -> None:
    fields = {"statut": "EN_COURS", "date_fin": None, "taille_octets": None, "sha256": None, "lignes": None}
    builders.sauvegarde(db, **fields)


def a_waiting_notice(db: Db) -> None:
    account = compte(db, fournisseur="WAVE")
    rewrite(
        db,
        "insert into tresorerie.avis (id_compte, evenement, entetes, signature, essai_le)"
        f" values ({account}, 'ev-1', '{{}}', 'VALIDE', now() - interval '1 hour')",
    )


@dataclass(frozen=True)
class Case:
    prepare: Callable[[Db], object]
    table: str  # the job writes it in the middle or at the end
    state: str
    times: int = 1


CASES = {
    "menage": Case(old_connections, "auth.connexion", "select count(*) from auth.connexion"),
    "generer-echeances": Case(
        a_lease_without_its_year,
        "audit.journal",
        "select annee, mois, montant::text, date_echeance::text, date_fin::text from residence.echeance order by 1, 2",
    ),
    "transition-contrats-expires": Case(
        finished_lease,
        "notification.notification",
        """select c.statut::text, l.statut::text as logement, (select count(*) from notification.notification) as dites
             from residence.contrat_location c join residence.logement l using (id_logement) order by c.id_contrat""",
        times=2,
    ),
    "expirer-abonnements": Case(
        finished_subscription,
        "audit.journal",
        "select id_abonnement, statut::text from residence.abonnement order by 1",
        times=2,
    ),
    "signaler-retards": Case(
        late_instalments,
        "evenement.evenement",
        "select id_entite, donnees::text from evenement.evenement where type = 'echeance.en_retard' order by 1",
    ),
    "recalculer-paie": Case(
        builders.employe,
        "audit.journal",
        "select id_employe, periode, salaire_base::text, statut::text from rh.paie order by 1",
        times=2,
    ),
    "reesolde-stock": Case(
        wrong_stock, "audit.journal", "select id_produit, quantite_stock::text from market.produit order by 1", times=2
    ),
    "resumer-paiements": Case(
        lambda db: builders.paiement(db, id_facture=builders.facture(db)),
        "finances.resume_paiement",
        "select jour::text, encaissements::text, nombre from finances.resume_paiement",
        times=2,
    ),
    "resumer-applications": Case(
        lambda db: builders.part(db, builders.paiement(db)["id_paiement"], builders.facture(db)),
        "finances.resume_application",
        "select jour::text, source_type::text, montant::text from finances.resume_application",
        times=2,
    ),
    "resumer-depenses": Case(
        builders.depense, "finances.resume_depense", "select jour::text, montant::text from finances.resume_depense", 2
    ),
    "resumer-factures": Case(
        builders.facture,
        "facturation.resume_facture",
        "select jour::text, factures::text, nombre from facturation.resume_facture",
        times=2,
    ),
    "resumer-impayes": Case(
        builders.facture,
        "finances.resume_impaye",
        "select jour::text, nombre, reste::text from finances.resume_impaye",
        2,
    ),
    "suivre-demandes": Case(
        a_waiting_notice,
        "tresorerie.avis",
        "select essai_le > now() as attend from tresorerie.avis",
    ),
    "sauvegarde-auto": Case(
        a_dead_backup, "jobs.sauvegarde", "select statut::text, message_erreur from jobs.sauvegarde"
    ),
}


@pytest.mark.bref
def test_each_job_in_sql_has_a_recovery_case() -> None:
    assert set(CASES) == {job.name for job in JOBS if isinstance(job.function, str)}


@pytest.mark.parametrize("name", CASES)
def test_a_killed_job_runs_again(database_url: str, working: Callable[..., Any], committed: Db, name: str) -> None:
    case = CASES[name]
    for _ in range(case.times):
        case.prepare(committed)
    before = committed.all(case.state)
    function = next(job.function for job in JOBS if job.name == name)
    with committed.connection.transaction(force_rollback=True):
        committed.execute(f"select * from {function}()")
        expected = committed.all(case.state)
    assert expected != before == committed.all(case.state)

    with psycopg.connect(database_url) as holder:
        holder.execute(f"lock table {case.table} in exclusive mode")
        with working() as (process, _):
            committed.one("select core._differer(%s, '{}', %s)", [name, name])
            eventually(lambda: blocks(holder, committed.connection))
            kill(process)
        committed.execute(SILENCE)
        # The statement of the dead worker still waits in the database, so the job is not retried yet.
        assert blocks(holder, committed.connection) and taken_back(committed) == []
        holder.rollback()
    with working() as (_, log):
        committed.one(RUN_CATCH_UP)
        eventually(lambda: committed.all(STATES) == [{"status": "succeeded", "attempts": 2}])
        assert f'"action":"job_abandoned_retried","job":"{name}"' in log.read_text()
    assert committed.all(case.state) == expected
    counted = committed.all("select issue, nombre from jobs.tache_bilan() where tache = %s", [name])
    assert counted == [{"issue": issue, "nombre": 1} for issue in ("retried", "succeeded")]


@pytest.mark.bref
def test_a_letter_is_sent_again_after_a_kill(working: Callable[..., Any], committed: Db) -> None:
    client = builders.client(committed, email="awa@exemple.ci")
    builders.utilisateur(committed, role="CLIENT", login="awa.exemple", id_client=client)
    with answering() as api:
        api.status = 0
        committed.call("jobs.courriel_demander", login="awa.exemple")
        with working(**mailing(api)) as (process, _):
            eventually(lambda: api.requests)
            kill(process)
        committed.execute(SILENCE)
        api.status = 201
        with working(**mailing(api)):
            committed.one(RUN_CATCH_UP)
            eventually(lambda: committed.all(STATES) == [{"status": "succeeded", "attempts": 2}])
        assert [request["json"]["to"][0]["email"] for request in api.requests] == ["awa@exemple.ci"] * 2
    # Each letter has its own link. The link of the first letter stays valid too.
    assert committed.one("select count(*) from auth.jeton_reinitialisation where date_usage is null") == 2


def test_a_long_job_of_a_worker_is_not_retried(database_url: str, working: Callable[..., Any], committed: Db) -> None:
    """The heartbeat of a worker stops while the worker waits for its last job."""
    with psycopg.connect(database_url) as holder, working() as (first, log):
        holder.execute("lock table auth.connexion in access exclusive mode")
        committed.one("select core._differer('menage')")
        eventually(lambda: blocks(holder, committed.connection))
        first.send_signal(signal.SIGTERM)
        eventually(lambda: '"ending_job"' in log.read_text())
        committed.execute(SILENCE)
        with working() as (_, second):
            committed.one("select core._differer('reesolde-stock')")
            eventually(lambda: '"job_success","job":"reesolde-stock"' in second.read_text())
            assert taken_back(committed) == []
            assert committed.all(STATES)[0] == {"status": "doing", "attempts": 0}
            holder.rollback()
            assert first.wait(20) == 0
            eventually(lambda: {row["status"] for row in committed.all(STATES)} == {"succeeded"})
            assert '"start_job","job":"menage"' not in second.read_text()


def test_a_job_that_kills_its_worker_has_three_attempts(committed: Db) -> None:
    """A job that always kills its worker must not run for ever."""
    committed.one("select core._differer('menage')")
    outcomes = []
    for _ in range(3):
        with committed.connection.transaction():
            committed.execute("set local search_path = queue, pg_catalog")
            worker_id = committed.one("select procrastinate_register_worker_v1()")
            committed.one("select id from procrastinate_fetch_job_v2(array['svc-jobs'], %s)", [worker_id])
        assert taken_back(committed) == []
        committed.execute(SILENCE)
        outcomes += taken_back(committed)
    assert outcomes == ["retried", "retried", "failed"]
    assert committed.all(STATES) == [{"status": "failed", "attempts": 3}]
    assert taken_back(committed) == []


@pytest.mark.bref
def test_a_job_runs_again_after_a_restart_of_the_database(tmp_path: Path, valkey_url: str) -> None:
    with migrated_postgres(tmp_path / "base") as server:
        url, port = server.url(), server.port
        with worker(tmp_path, DATABASE_URL=url, KVSTORE_URL=valkey_url) as (process, log):
            with closing(psycopg.connect(url)) as holder:
                holder.execute("lock table auth.connexion in access exclusive mode")
                with connected(url, autocommit=True) as db:
                    db.execute("select core._differer('menage')")
                    eventually(lambda: blocks(holder, db.connection))
                server.stop()
            eventually(lambda: "nouvel essai" in log.read_text())
            start_again(server, port)
            with connected(url, autocommit=True) as db:
                db.execute(SILENCE)
                db.execute(RUN_CATCH_UP)
                eventually(lambda: db.one(STATES)["status"] == "succeeded")
            assert process.poll() is None
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
