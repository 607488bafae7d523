"""The worker of many organisations: whose jobs run, when, and for how long one organisation makes others wait.

Its minute lasts half a second here.
"""

import asyncio
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import psycopg
import pytest
from psycopg import sql

from app.base.settings import Settings
from app.database import schema
from app.database.release import HERE
from app.jobs.tasks import JOBS
from app.leaves.embarque.postgres import Postgres
from app.leaves.organisations import rounds
from app.leaves.organisations.making import make
from app.leaves.organisations.moving import move
from app.leaves.organisations.organisation import Organisation
from app.leaves.organisations.rounds import PLACES, Rounds, Turn
from tests.annuaire import SERVER, Annuaire
from tests.conftest import a_postgres, execute
from tests.server import NEVER, PATIENCE, SECRET, eventually, in_a_loop, kill, quiet, start_again, until, worker

HURRIED = """
import sys
from app.leaves.organisations import rounds
rounds.MINUTE, rounds.SHIFT = 0.5, float(sys.argv.pop(1))
from app.__main__ import main
sys.exit(main())
"""
# A job that writes its database and its time, then lasts for some tenths of a second.
JOB = """
create table if not exists essai_trace (base text, instant timestamptz default clock_timestamp());
grant insert on essai_trace to public;
create or replace function jobs.menage() returns jobs.menage_bilan
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.essai_trace (base) values (current_database());
  perform pg_sleep({seconds});
  return null;
end $$;
"""
SLEEPING = "select from pg_stat_activity where wait_event = 'PgSleep' and datname = %s"
ATTENDED = "select from pg_stat_activity where application_name = 'comptoir worker' and datname = %s"
RAN = "select base from essai_trace"
STATES = "select status::text from queue.procrastinate_jobs where task_name = 'menage' order by id"


Working = Callable[..., AbstractContextManager[tuple[subprocess.Popen[bytes], Path]]]


@pytest.fixture
def working(annuaire: Annuaire, tmp_path: Path, valkey_url: str) -> Working:
    """The worker of all organisations, with a short minute."""
    settings = {**annuaire.environment, "KVSTORE_URL": valkey_url, "COMPTOIR_ETAT": str(tmp_path / "etat")}

    def start(shift: float = rounds.SHIFT) -> AbstractContextManager[tuple[subprocess.Popen[bytes], Path]]:
        return worker(tmp_path, periodic=True, program=("-c", HURRIED, str(shift)), **settings)

    return start


class Base:
    """The database of an organisation: its queue, and the jobs that ran."""

    def __init__(self, annuaire: Annuaire, organisation: Organisation, seconds: float = 0.0) -> None:
        self._registry = annuaire.registry
        self.code, self.name = organisation.code, organisation.database
        self.execute(JOB.format(seconds=seconds))
        self.execute(NEVER, [job.name for job in JOBS])

    @property
    def url(self) -> str:
        organisation = self._registry.find(self.code)
        return self._registry.on_server(organisation.address, organisation.database)

    def execute(self, statement: str, *values: Any) -> None:
        execute(self.url, statement, *values)

    def rows(self, statement: str, *values: Any) -> list[Any]:
        return execute(self.url, statement, *values)

    def defer(self, number: int = 1) -> None:
        self.execute("select core._differer('menage') from generate_series(1, %s)", number)

    def ran(self) -> list[str]:
        return [base for (base,) in self.rows(RAN)]

    def asleep(self) -> bool:
        """Whether a job lasts at this moment."""
        return bool(self.rows(SLEEPING, self.name))

    def runs_another(self, patience: float = PATIENCE) -> None:
        """Defer a job, and wait until it has succeeded like those before it."""
        self.defer()
        eventually(lambda: set(self.states()) == {"succeeded"}, patience)

    def states(self) -> list[str]:
        return [state for (state,) in self.rows(STATES)]


def organisation(annuaire: Annuaire, name: str, seconds: float = 0.0, server: str = SERVER) -> Base:
    return Base(annuaire, make(annuaire.registry, annuaire.code(name), server, [], quiet), seconds)


@pytest.fixture
def second(annuaire: Annuaire, tmp_path: Path) -> Iterator[Postgres]:
    """The server `deux`, which accepts the password of the first one, as the servers of a registry do."""
    for folder in (tmp_path, *tmp_path.parents[:2]):  # the account of an embedded server goes through them
        folder.chmod(0o711)
    password = urlsplit(annuaire.url).password or ""
    with a_postgres(tmp_path / "deux") as server:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("alter role postgres password {}").format(sql.Literal(password)))
            schema.create_roles(connection)
        server._secret.write_text(password)
        annuaire.registry.add_server("deux", f"127.0.0.1:{server.port}", [])
        yield server


# ---- whose jobs run


def test_each_job_runs_once_on_its_own_database(annuaire: Annuaire, working: Working) -> None:
    acme, bobo = (organisation(annuaire, name) for name in ("acme", "bobo"))
    acme.defer(3)  # before the worker starts
    with working() as (process, log):
        eventually(lambda: acme.states() == ["succeeded"] * 3)
        bobo.defer(2)
        acme.defer(1)
        eventually(lambda: acme.states() + bobo.states() == ["succeeded"] * 6)
        assert acme.ran() == [acme.name] * 4 and bobo.ran() == [bobo.name] * 2
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    text = log.read_text()
    assert text.rstrip().endswith("Le travailleur s'est arrêté."), text
    assert "Traceback" not in text
    assert acme.rows("select count(*) from queue.procrastinate_workers") == [(0,)]


def test_a_periodic_job_runs_at_the_hour_of_each_organisation(annuaire: Annuaire, working: Working) -> None:
    """The cleaning is due at 03:05, which in Honolulu is ten hours later than in Abidjan."""
    zones = {"acme": "Africa/Abidjan", "bobo": "Pacific/Honolulu"}
    acme, bobo = (organisation(annuaire, name) for name in zones)
    for base, zone in zip((acme, bobo), zones.values(), strict=True):
        base.execute("alter table core.parametre disable trigger user")
        base.execute("update core.parametre set valeur = %s where cle = 'FUSEAU_HORAIRE'", zone)
        base.execute("delete from jobs.horloge where tache in ('menage', 'signaler-retards')")
        base.execute("create table essai_heure as select timestamptz '2027-03-01 23:00Z' as instant")
        base.execute("grant select on essai_heure to public")
        base.execute(
            """create or replace function jobs._maintenant() returns timestamptz language sql stable security definer
               begin atomic select instant from public.essai_heure; end"""
        )

    def set_hour(hour: str) -> None:
        for base in (acme, bobo):
            base.execute("update essai_heure set instant = %s", hour)

    with working():
        known = "select count(*) from jobs.horloge where derniere < '2027-03-02 23:00Z'"
        for base in (acme, bobo):  # a new job has missed no hour
            eventually(lambda base=base: base.rows(known) == [(2,)])
        set_hour("2027-03-02 03:05:30Z")
        eventually(lambda: acme.states() == ["succeeded"])
        set_hour("2027-03-02 13:04:30Z")
        earlier = "select status::text from queue.procrastinate_jobs where task_name = 'signaler-retards'"
        eventually(lambda: bobo.rows(earlier) == [("succeeded",)])  # the job of 02:40, so the worker has looked
        assert bobo.states() == []
        set_hour("2027-03-02 13:05:30Z")
        eventually(lambda: bobo.states() == ["succeeded"])
    assert (acme.ran(), bobo.ran()) == ([acme.name], [bobo.name])


def test_a_suspended_organisation_or_one_of_another_release_gets_no_job(annuaire: Annuaire, working: Working) -> None:
    """The jobs of a suspended one wait, also jobs that are due meanwhile, and run when it is resumed."""
    acme, bobo, zoe = (organisation(annuaire, name) for name in ("acme", "bobo", "zoe"))
    annuaire.registry.move_to(acme.code, "SUSPENDUE")
    annuaire.registry.upgraded(zoe.code, "0123456789abcdef", None)
    for base in (acme, zoe):
        base.defer()
    with working():
        bobo.runs_another()
        assert (acme.states(), acme.ran(), zoe.states()) == (["todo"], [], ["todo"])
        annuaire.registry.move_to(acme.code, "ACTIVE")
        eventually(lambda: acme.states() == ["succeeded"])


def test_an_organisation_suspended_during_its_shift_starts_no_other_job(annuaire: Annuaire, working: Working) -> None:
    acme = organisation(annuaire, "acme", seconds=0.3)
    acme.defer(300)
    with working(shift=3600):
        eventually(lambda: acme.ran())
        annuaire.registry.move_to(acme.code, "SUSPENDUE")
        eventually(lambda: not acme.rows(ATTENDED, acme.name))
        stopped = acme.states()
        assert stopped.count("todo") > 200
        organisation(annuaire, "bobo").runs_another()
        assert acme.states() == stopped


def test_a_new_or_moved_organisation_is_noticed(annuaire: Annuaire, working: Working, second: Postgres) -> None:
    with working():
        acme = organisation(annuaire, "acme")
        acme.runs_another()
        former = acme.url
        move(annuaire.registry, acme.code, "deux", quiet)
        assert acme.url != former
        acme.runs_another()


# ---- failures


@pytest.mark.bref
def test_a_job_of_a_killed_worker_is_taken_back(annuaire: Annuaire, working: Working) -> None:
    acme = organisation(annuaire, "acme", seconds=600)
    acme.defer()
    with working() as (process, _):
        eventually(acme.asleep)
        kill(process)
    assert acme.states() == ["doing"]
    release(acme)
    with working():
        eventually(lambda: acme.states() == ["succeeded"])
    assert acme.ran() == [acme.name]  # the transaction of the killed worker is rolled back


def release(base: Base) -> None:
    """Let the next run of a job be short, and half a minute pass since a dead worker had the last one."""
    base.execute(JOB.format(seconds=0))
    base.execute(f"select pg_terminate_backend(pid) from ({SLEEPING.replace('select', 'select pid')}) s", base.name)
    base.execute("update queue.procrastinate_workers set last_heartbeat = now() - interval '1 minute'")


def test_a_stopping_worker_finishes_its_running_jobs_and_starts_no_other(annuaire: Annuaire, working: Working) -> None:
    acme = organisation(annuaire, "acme")
    waiting = "select from pg_locks where not granted and relation = 'public.essai_trace'::regclass"
    with working() as (process, log), psycopg.connect(acme.url) as holder:
        holder.execute("lock table essai_trace in exclusive mode")
        acme.defer(2)
        eventually(lambda: acme.rows(waiting))
        process.send_signal(signal.SIGTERM)
        eventually(lambda: '"ending_job"' in log.read_text())
        assert process.poll() is None
        holder.rollback()
        assert process.wait(30) == 0
    assert acme.states() == ["succeeded", "todo"]


@pytest.mark.parametrize("halt", ["stopped", "hung"])
def test_a_server_that_does_not_answer_holds_up_no_other(
    annuaire: Annuaire, working: Working, second: Postgres, halt: str
) -> None:
    """More organisations than places are on the server that stops or hangs, each with a job that runs."""
    acme = organisation(annuaire, "acme")
    others = [organisation(annuaire, f"autre{n}", 600, "deux") for n in range(PLACES + 2)]
    with working() as (process, _):
        for other in others:
            other.defer(2)
        eventually(lambda: all(other.asleep() for other in others))
        with suspended(second) if halt == "hung" else stopped(second):
            for _ in range(3):
                acme.runs_another(15)
            assert process.poll() is None
        for other in others:
            release(other)
        eventually(lambda: all("succeeded" in other.states() for other in others), 60)


@contextmanager
def suspended(server: Postgres) -> Iterator[None]:
    """Hold every process of a server: it accepts connections, and answers nothing."""
    assert server._child is not None
    postmaster = psutil.Process(server._child.pid)
    processes = [postmaster, *postmaster.children(recursive=True)]
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.resume()


@contextmanager
def stopped(server: Postgres) -> Iterator[None]:
    port = server.port
    server.stop()
    try:
        yield
    finally:
        start_again(server, port)


# ---- fairness


def test_a_long_queue_delays_a_job_of_another_by_a_bounded_time(annuaire: Annuaire, working: Working) -> None:
    """As many organisations as there are places have hundreds of jobs. A job waits for one shift and a bit."""
    busy = [organisation(annuaire, f"longue{n}", seconds=0.2) for n in range(PLACES)]
    acme = organisation(annuaire, "acme")
    for base in busy:
        base.defer(300)
    with working():
        eventually(lambda: all(base.ran() for base in busy))
        for _ in range(3):
            acme.runs_another(rounds.SHIFT + rounds.LOOK_SECONDS + 4)
        assert all("todo" in base.states() for base in busy)


# ---- without a process


class Orchestra:
    """Rounds over invented organisations, whose queues are replaced by a function."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
        self.by_code = {name: invented(name) for name in names}
        self.started: list[str] = []
        settings = replace(Settings.from_environment({"JWT_SECRET": SECRET}), registry_owner_url="postgresql://x@y/z")
        self.rounds = Rounds(settings, self, None, None)  # type: ignore[arg-type]
        self.inserted = {f"comptoir_{name}": 1 for name in names}
        self.rounds._inserted = self._statistics  # type: ignore[method-assign]
        self.rounds._look_after = self._look_after  # type: ignore[method-assign]
        self.busy: dict[str, float] = {}
        self.failing: set[str] = set()
        self.unreachable: set[str] = set()
        monkeypatch.setattr(rounds, "LOOK_SECONDS", 0.02)
        monkeypatch.setattr(rounds, "SHIFT", 0.2)

    async def _statistics(self, address: str, _: Any) -> dict[str, int]:
        if address in self.unreachable:
            await asyncio.sleep(3600)
        return dict(self.inserted)

    async def _look_after(self, turn: Turn) -> None:
        name = turn.organisation.code
        self.started.append(name)
        turn.due_at = time.monotonic() + 60
        if name in self.failing:
            raise RuntimeError("an error that no list names")
        await asyncio.sleep(self.busy.get(name, 0))

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        stop = asyncio.Event()
        task = asyncio.create_task(self.rounds.run(stop))
        try:
            yield
        finally:
            stop.set()
            self.busy = {}
            for running in self.rounds._running:
                running.cancel()
            await task


def invented(name: str, address: str = "127.0.0.1:1") -> Organisation:
    return Organisation(name, name, f"comptoir_{name}", "un", address, (), "ACTIVE", HERE.version(), None, ())


@in_a_loop
async def test_an_idle_database_is_looked_at_again_only_when_rows_are_inserted(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Orchestra(monkeypatch, "acme", "bobo")
    async with play.playing():
        await until(lambda: sorted(play.started) == ["acme", "bobo"])
        play.inserted["comptoir_bobo"] += 1
        await until(lambda: len(play.started) == 3)
        for _ in range(5):
            await asyncio.sleep(0)
        assert play.started[2] == "bobo"
    assert len(play.started) == 3


@in_a_loop
async def test_more_long_jobs_than_places_and_overtime_wait_for_one_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "OVERTIME", 2)
    monkeypatch.setattr(rounds, "PLACES", 1)
    play = Orchestra(monkeypatch, *(f"longue{n}" for n in range(5)))
    monkeypatch.setattr(rounds, "SHIFT", -0.9)  # a place waits for a second more
    play.busy = {name: 3600.0 for name in play.by_code}
    async with play.playing():
        await until(lambda: len(play.started) == 3)
        assert (len(play.rounds._overtime), len(play.rounds._running)) == (2, 3)
        first = next(iter(play.rounds._overtime))
        first.cancel()
        await until(lambda: len(play.started) == 4)
        assert len(play.rounds._overtime) == 2


@in_a_loop
async def test_a_failing_organisation_leaves_the_places_to_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown error ends no place, and the failing organisation pauses."""
    monkeypatch.setattr(rounds.worker, "RECOVERY_SECONDS", 50)
    play = Orchestra(monkeypatch, "acme", *(f"fautive{n}" for n in range(PLACES + 1)))
    play.failing = {name for name in play.by_code if name != "acme"}
    async with play.playing():
        await until(lambda: len(play.started) == len(play.by_code))
        for number in range(2, 5):
            play.inserted["comptoir_acme"] += 1
            play.inserted["comptoir_fautive0"] += 1  # a change does not shorten its pause
            await until(lambda number=number: play.started.count("acme") == number)
        assert all(play.started.count(name) == 1 for name in play.failing)
        pauses = [play.rounds._turns[name].due_at - time.monotonic() for name in play.failing]
        assert all(0 < pause <= 50 for pause in pauses)


@in_a_loop
async def test_an_organisation_that_fails_for_days_pauses_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Orchestra(monkeypatch, "fautive")
    play.failing = {"fautive"}
    turn = Turn(play.by_code["fautive"], 0.0, 0.0, failures=10_000)
    await play.rounds._serve(turn)
    assert 59 < turn.due_at - time.monotonic() <= 60 and turn.failures == 10_001


@in_a_loop
async def test_a_silent_server_delays_only_its_own_organisations(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Orchestra(monkeypatch, "acme", "bobo")
    play.by_code["bobo"] = invented("bobo", "127.0.0.2:1")
    play.unreachable = {"127.0.0.2:1"}
    async with play.playing():
        for number in range(1, 4):
            await until(lambda number=number: play.started.count("acme") == number)
            play.inserted["comptoir_acme"] += 1
        assert "bobo" not in play.started


@in_a_loop
async def test_an_organisation_that_leaves_the_registry_leaves_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "PLACES", 1)
    play = Orchestra(monkeypatch, "longue")
    monkeypatch.setattr(rounds, "SHIFT", 3600)  # the place stays taken until the test gives it back
    play.busy = {"longue": 3600}
    async with play.playing():
        await until(lambda: play.started == ["longue"])
        play.by_code["acme"] = invented("acme")
        play.inserted["comptoir_acme"] = 1
        await until(lambda: play.rounds._line.qsize() == 1)
        turn = play.rounds._turns["acme"]
        del play.by_code["acme"]
        await until(turn.over.is_set)
        for running in play.rounds._running:
            running.cancel()
        await until(lambda: not turn.waiting)
        assert play.started == ["longue"]
