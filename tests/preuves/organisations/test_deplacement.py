"""Moves of an organisation between two servers: under load, after a failure, after a kill."""

import asyncio
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
import socketio

from app.base.progress import Say
from app.leaves.embarque.postgres import Postgres
from app.leaves.organisations import replication
from app.leaves.organisations.moving import accept, move
from app.leaves.organisations.organisation import Organisation, catalogue_url
from app.leaves.organisations.replication import Follower, MoveError
from app.vault import restoration
from app.vault.backup import BackupError
from tests import commands, ledger
from tests.annuaire import SERVER, Annuaire, annuaire
from tests.clients import Clients, prepare, under_load
from tests.conftest import FAST, a_postgres, execute, migrated_postgres, one
from tests.server import Service, crash, environment, eventually, running
from tests.together import repeated

OTHER = "deux"
NAMESPACE = "/notifications"
DATABASES = "select count(*) from pg_database where datname like %s"
KILLED = """
import os, signal
from app.__main__ import main
from app.leaves.organisations.registry import Registry
from app.leaves.organisations.replication import Follower
from app.vault import restoration

{} = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
main()
"""
# Each turn of the loop is a subtransaction that writes.
MANY_SUBTRANSACTIONS = """do $$ begin for i in 1..20000 loop begin insert into sous_transaction values (i);
exception when division_by_zero then null; end; end loop; end $$"""
# The changes of the transaction are larger than the changes of any subtransaction: PostgreSQL drops the largest ones.
ABORTED = """do $$ begin for i in 1..100 loop execute format('create table t%s (i int primary key, t text)', i);
begin execute format('create table u%s ()', i); exception when division_by_zero then null; end; end loop;
perform 1 / 0; end $$"""
PAYMENT = {"montant": "1000", "id_moyen": "1", "id_activite": "1"}


@dataclass(frozen=True)
class World:
    annuaire: Annuaire
    other: Postgres

    def find(self, organisation: Organisation) -> Organisation:
        return self.annuaire.registry.find(organisation.code)

    def move(self, organisation: Organisation, server: str, say: Say = lambda _: None) -> float:
        return move(self.annuaire.registry, organisation.code, server, say)

    def databases(self, organisation: Organisation, server: str, end: str = "") -> int:
        """The number of databases on a server whose names begin with the name of its database, with this end."""
        address = self.annuaire.registry.server(server).address
        return int(one(self.annuaire.registry.on_server(address), DATABASES, f"{organisation.database}%{end}"))

    def unmoved(self, organisation: Organisation) -> bool:
        """Whether a failed move has changed nothing and left nothing."""
        return (self.find(organisation), self.databases(organisation, OTHER), self.left()) == (organisation, 0, [])

    def left(self) -> list[str]:
        """The slots of the first server and the subscriptions of the second one: a move leaves none."""
        names = []
        for server, query in (
            (SERVER, "select slot_name::text from pg_replication_slots where starts_with(slot_name::text, %s)"),
            (OTHER, "select subname::text from pg_subscription where starts_with(subname::text, %s)"),
        ):
            address = self.annuaire.registry.server(server).address
            names += execute(self.annuaire.registry.on_server(address), query, f"comptoir_{self.annuaire.prefix}_")
        return [name for (name,) in names]


@pytest.fixture(scope="module")
def world(worker_id: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A registry with two servers. The second one has the password of the first, and cannot replicate to it.

    A slot begins when every transaction of its server has ended, so the first one is not the server of other tests.
    """
    with (
        migrated_postgres(tmp_path_factory.mktemp("un") / "base") as first,
        annuaire(worker_id, first) as registry,
        a_postgres(tmp_path_factory.mktemp("deux"), FAST | {"wal_level": "replica"}) as other,
    ):
        password = urlsplit(registry.url).password or ""
        execute(other.url("postgres"), f"alter role postgres password '{password}'")
        (other.directory / "mot_de_passe").write_text(password)
        registry.registry.add_server(OTHER, f"127.0.0.1:{other.port}", [])
        yield World(registry, other)


@pytest.fixture(autouse=True)
def no_crash(world: World) -> Iterator[None]:
    """Fail with the words of PostgreSQL if one of its processes died: the move fails then too, and does not say why."""
    before = world.other.log.stat().st_size
    yield
    written = world.other.log.read_bytes()[before:].decode()
    deaths = [line for line in written.splitlines() if "was terminated by signal" in line or "PANIC" in line]
    assert deaths == [], written[-4000:]


def test_an_organisation_that_moves_under_load_loses_and_doubles_no_payment(
    world: World, tmp_path: Path, seed: int
) -> None:
    organisation = world.annuaire.make("charge")
    with running(tmp_path, **world.annuaire.environment) as service:
        admin, _ = world.annuaire.sign_in(service, organisation)
        ground = prepare(admin)
        earlier = ledger.payments(world.annuaire.address(organisation))
        clients = Clients(service.url, admin.headers)
        read: Counter[int] = Counter()

        async def look(over: asyncio.Event) -> None:
            async with clients.http() as http:
                while not over.is_set():
                    read[(await http.get("/finances/paiements")).status_code] += 1

        async def trouble() -> None:
            over = asyncio.Event()
            looking = asyncio.create_task(look(over))
            await clients.ok(50)
            seconds = await asyncio.to_thread(world.move, organisation, OTHER)
            print(f"not written for {seconds:.1f} s, readers: {dict(read)}, writers: {dict(clients.tries)}")
            await clients.ok(50)
            over.set()
            await looking

        asyncio.run(under_load(clients, 8, ground, seed, trouble))
        assert clients.tries[503] > 0
        assert read[200] > 20 * (read.total() - read[200])  # only the moment of the switch refuses readers
        assert "Traceback" not in service.log.read_text()
    moved = world.find(organisation)
    assert (moved.server, moved.state, moved.reason) == (OTHER, "ACTIVE", None)
    present = ledger.payments(world.annuaire.address(moved))
    assert {number: present[number] for number in present.keys() - earlier.keys()} == clients.acknowledged()
    assert ledger.wrong(world.annuaire.address(moved)) == []
    with psycopg.connect(world.annuaire.address(moved), autocommit=True) as connection:
        assert restoration.unsound(connection, [], print) == []
    assert world.left() == []
    assert world.databases(organisation, SERVER, "deplacee%") == world.databases(organisation, SERVER) == 1


def test_a_move_that_fails_changes_nothing(world: World) -> None:
    """The base has a wrong number of invoices. It moves when the operator accepts this check by name."""
    organisation = world.annuaire.make("echec")
    with psycopg.connect(world.annuaire.address(organisation)) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute("insert into core.compteur (type, annee, valeur) values ('FAC', 2020, 5)")
    with pytest.raises(BackupError, match="--malgre numeros"):
        world.move(organisation, OTHER)
    assert world.unmoved(organisation)
    execute(world.annuaire.address(organisation), "update core.parametre set valeur = valeur")
    move(world.annuaire.registry, organisation.code, OTHER, say=lambda _: None, despite=["numeros"])
    assert world.find(organisation).server == OTHER


def test_a_copy_that_does_not_follow_any_more_ends_the_move(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL disables a subscription whose changes it cannot apply."""
    organisation = world.annuaire.make("arretee")
    follow = Follower.follow

    def stop(follower: Follower, session: psycopg.Connection[Any]) -> None:
        follow(follower, session)
        execute(follower.target, f"alter subscription {follower.name} disable")

    monkeypatch.setattr(Follower, "follow", stop)
    with pytest.raises(MoveError, match="ne suit plus"):
        world.move(organisation, OTHER)
    assert world.unmoved(organisation)


def test_a_move_is_undone_when_the_server_where_it_arrives_restarts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The restart ends the sessions of the move."""
    organisation = world.annuaire.make("redemarree")

    def restart(follower: Follower) -> None:
        crash(world.other)
        follower._subscription()

    monkeypatch.setattr(Follower, "catch_up", restart)
    with pytest.raises(BackupError, match="La base en place n'a pas changé"):
        world.move(organisation, OTHER)
    assert world.unmoved(organisation)


@pytest.mark.parametrize("recorded", [True, False])
def test_a_move_ends_as_the_registry_recorded(world: World, monkeypatch: pytest.MonkeyPatch, recorded: bool) -> None:
    organisation = world.annuaire.make(f"perdue-{recorded}".lower())
    registry = world.annuaire.registry
    arrive = registry.arrive

    def lose(code: str, server: str, version: str) -> None:
        monkeypatch.undo()
        if recorded:
            arrive(code, server, version)
        raise psycopg.OperationalError("la connexion est perdue")

    monkeypatch.setattr(registry, "arrive", lose)
    if recorded:
        world.move(organisation, OTHER)
    else:
        with pytest.raises(BackupError, match="perdue"):
            world.move(organisation, OTHER)
    present = world.find(organisation)
    assert (present.server, present.state) == (OTHER if recorded else SERVER, "ACTIVE")
    execute(world.annuaire.address(present), "update core.parametre set valeur = valeur")
    assert world.databases(organisation, OTHER) == (1 if recorded else 0)


@pytest.mark.bref
def test_a_suspended_organisation_moves_and_stays_suspended(world: World) -> None:
    organisation = world.annuaire.make("suspendue")
    world.annuaire.registry.move_to(organisation.code, "SUSPENDUE", reason="Abonnement échu.")
    world.move(organisation, OTHER)
    moved = world.find(organisation)
    assert (moved.server, moved.state, moved.reason) == (OTHER, "SUSPENDUE", "Abonnement échu.")


def moving(world: World, organisation: Organisation, directory: Path, step: str = "") -> str:
    """Move with the command, which is killed at this step if one is given. Return its output."""
    words = ["organisation", "deplacer", organisation.code, "--vers", OTHER]
    settings = environment({**world.annuaire.environment, "TMPDIR": str(directory)})
    if step:
        killed = subprocess.run([sys.executable, "-c", KILLED.format(step), *words], env=settings)
        assert killed.returncode == -signal.SIGKILL
        return ""
    done = commands.run_apart(settings, *words)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


@pytest.mark.parametrize(("step", "status"), [("restoration.rebuild", 201), ("Follower.copy_sequences", 503)])
def test_a_killed_move_is_taken_up_by_the_next_call(world: World, tmp_path: Path, step: str, status: int) -> None:
    """It is killed while the copy is filled, and when writes have stopped and the copy still follows."""
    organisation = world.annuaire.make(f"tuee-{status}")
    with running(tmp_path, **world.annuaire.environment) as service:
        admin, _ = world.annuaire.sign_in(service, organisation)
        moving(world, organisation, tmp_path, step)
        eventually(lambda: admin.get("/finances/paiements").status_code == 200)
        answer = admin.post("/finances/paiements", json=PAYMENT)
        code = "ORGANISATION_EN_DEPLACEMENT" if status == 503 else None
        assert (answer.status_code, answer.json().get("code")) == (status, code)
        assert f"{organisation.code} est sur {OTHER}." in moving(world, organisation, tmp_path)
        eventually(lambda: admin.post("/finances/paiements", json=PAYMENT).status_code == 201)
    assert world.find(organisation).state == "ACTIVE"
    assert world.databases(organisation, OTHER, "_arrivee") == 0
    assert world.left() == []


def test_a_move_killed_before_the_registry_knows_its_end_is_taken_up(world: World, tmp_path: Path) -> None:
    """The former database is closed, and the copy has its name already."""
    organisation = world.annuaire.make("bascule")
    with running(tmp_path, **world.annuaire.environment) as service:
        admin, _ = world.annuaire.sign_in(service, organisation)
        assert admin.post("/finances/paiements", json=PAYMENT).status_code == 201
        moving(world, organisation, tmp_path, "Registry.arrive")
        assert world.find(organisation).state == "DEPLACEMENT"
        assert f"{organisation.database}__deplacee_" in moving(world, organisation, tmp_path)
        eventually(lambda: admin.post("/finances/paiements", json=PAYMENT).status_code == 201)
        assert len(admin.get("/finances/paiements").json()) == 2
    moved = world.find(organisation)
    assert (moved.server, moved.state) == (OTHER, "ACTIVE")
    assert world.databases(organisation, OTHER, "deplacee%") == world.databases(organisation, SERVER) == 1


def test_a_killed_move_renames_no_database_of_the_server_that_it_leaves(world: World) -> None:
    """Two names of the registry may lead to one server."""
    organisation = world.annuaire.make("alias")
    world.annuaire.registry.add_server("alias", organisation.address, [])
    world.annuaire.registry.move_to(organisation.code, "DEPLACEMENT")
    with psycopg.connect(world.annuaire.registry.on_server(organisation.address), autocommit=True) as connection:
        accept(connection, organisation.database, False)
    with pytest.raises(MoveError, match="a déjà une base"):
        world.move(organisation, "alias")
    assert world.databases(organisation, SERVER) == 1 and world.databases(organisation, SERVER, "deplacee%") == 0


def test_a_closed_database_does_not_keep_a_service_from_starting(world: World) -> None:
    """The catalogue of all organisations is read from one of them."""
    closed, open_one = world.annuaire.make("a-close"), world.annuaire.make("b-ouverte")
    world.annuaire.registry.move_to(closed.code, "DEPLACEMENT")
    url = catalogue_url(world.annuaire.settings)
    assert urlsplit(url).path not in (f"/{closed.database}", "") and closed.code < open_one.code


def test_sessions_outlast_a_move_and_the_way_back(world: World, tmp_path: Path) -> None:
    """The way back is from a server that cannot replicate: the command says so."""
    organisation = world.annuaire.make("retour")
    lines: list[str] = []
    with running(tmp_path, **world.annuaire.environment) as service:
        admin, _ = world.annuaire.sign_in(service, organisation)
        for server in (OTHER, SERVER):
            world.move(organisation, server, lines.append)
            assert any("wal_level" in line for line in lines) == (server == SERVER)
            eventually(lambda: admin.get("/auth/me").status_code == 200)
    assert world.find(organisation).server == SERVER


def test_an_organisation_moves_beside_transactions_with_many_subtransactions(world: World) -> None:
    """PostgreSQL refuses the snapshot of the copy as long as two such transactions overlap."""
    organisation = world.annuaire.make("sous-transactions")
    moved = Event()

    def write() -> None:
        with psycopg.connect(world.annuaire.registry.on_server(organisation.address), autocommit=True) as connection:
            connection.execute("create temp table sous_transaction (numero integer)")
            left = 5
            while left and not moved.is_set():
                connection.execute(MANY_SUBTRANSACTIONS)
                if connection.execute("select from pg_replication_slots").rowcount:
                    left -= 1

    with ThreadPoolExecutor() as pool:
        writers = [pool.submit(write) for _ in range(3)]
        try:
            world.move(organisation, OTHER)
        finally:
            moved.set()
        assert not any(writer.exception() for writer in writers)
    assert world.find(organisation).server == OTHER


def little_memory(world: World, organisation: Organisation) -> str:
    """Bound the memory of decoding for its database, so that a small transaction exceeds it. Return its server."""
    address = world.annuaire.registry.on_server(organisation.address)
    execute(address, f"alter database {organisation.database} set logical_decoding_work_mem = '64kB'")
    return address


def test_an_organisation_moves_beside_aborted_transactions_with_subtransactions(world: World) -> None:
    """PostgreSQL 18 drops their changes where they exceed the memory; the server where the copy is crashed then."""
    organisation = world.annuaire.make("annulees")
    with psycopg.connect(little_memory(world, organisation), autocommit=True) as session:

        def abort() -> None:
            with suppress(psycopg.errors.DivisionByZero):
                session.execute(ABORTED)

        with repeated(abort):
            world.move(organisation, OTHER)
    with psycopg.connect(world.annuaire.address(world.find(organisation))) as connection:
        assert connection.info.port == world.other.port
        assert connection.execute("show logical_decoding_work_mem").fetchone() == ("64kB",)


def test_the_snapshot_of_a_move_is_made_beside_an_aborted_transaction(world: World) -> None:
    """The session that makes it reads the changes that begin between its two waits; its server crashed then."""
    organisation = world.annuaire.make("instantane")
    elsewhere = little_memory(world, organisation)
    source = world.annuaire.registry.on_server(organisation.address, organisation.database)

    def waits_for(session: psycopg.Connection[Any]) -> bool:
        waiting = "select from pg_stat_activity where backend_type = 'walsender' and %s = any (pg_blocking_pids(pid))"
        return watcher.execute(waiting, [session.info.backend_pid]).fetchone() is not None

    def make() -> None:
        with Follower(f"{organisation.database}__arrivee", source, "", watcher, watcher).snapshot():
            pass

    with (
        psycopg.connect(elsewhere, autocommit=True) as watcher,
        psycopg.connect(elsewhere) as first,
        psycopg.connect(elsewhere) as second,
        ThreadPoolExecutor() as pool,
    ):
        first.execute("select pg_current_xact_id()")
        made = pool.submit(make)
        eventually(lambda: waits_for(first))
        second.execute("select pg_current_xact_id()")
        first.rollback()
        eventually(lambda: waits_for(second))
        with suppress(psycopg.errors.DivisionByZero):
            watcher.execute(ABORTED)
        second.rollback()
        made.result()


def test_a_move_without_a_snapshot_changes_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    organisation = world.annuaire.make("sans-instant")
    monkeypatch.setattr(replication, "SNAPSHOT_TRIES", 0)
    with pytest.raises(MoveError, match="recommencez plus tard"):
        world.move(organisation, OTHER)
    assert world.unmoved(organisation)


def test_a_move_to_a_server_with_a_database_of_this_name_is_refused(world: World) -> None:
    organisation = world.annuaire.make("prise")
    execute(world.other.url("postgres"), f"create database {organisation.database}")
    with pytest.raises(MoveError, match="a déjà une base"):
        world.move(organisation, OTHER)
    execute(world.other.url("postgres"), f"drop database {organisation.database}")
    assert world.find(organisation) == organisation


def test_an_organisation_of_another_version_does_not_move(world: World) -> None:
    organisation = world.annuaire.make("retard")
    world.annuaire.registry.move_to(organisation.code, "EN_RETARD", reason="essai", version="autre")
    with pytest.raises(MoveError, match="autre version"):
        world.move(organisation, OTHER)
    assert world.find(organisation).state == "EN_RETARD"


def test_the_sockets_of_a_moved_organisation_are_closed(world: World, tmp_path: Path) -> None:
    """They listen to the former database, where no notification comes any more."""
    organisation = world.annuaire.make("ecoute")

    async def listen(service: Service, token: str) -> list[str]:
        reasons: list[str] = []
        ended = asyncio.Event()
        client = socketio.AsyncClient(reconnection=False)
        client.on("notifications:error", lambda data: reasons.append(data["message"]), NAMESPACE)
        client.on("disconnect", lambda *_: ended.set(), NAMESPACE)
        at = {"headers": {"x-organisation": organisation.code}, "namespaces": [NAMESPACE], "transports": ["websocket"]}
        await client.connect(service.url, auth={"token": token}, **at)
        await asyncio.to_thread(world.move, organisation, OTHER)
        await ended.wait()
        await client.disconnect()
        return reasons

    with running(tmp_path, **world.annuaire.environment) as service:
        _, session = world.annuaire.sign_in(service, organisation)
        reasons = asyncio.run(listen(service, session["accessToken"]))
    assert reasons == ["Le service a changé de serveur : reconnectez-vous."]
