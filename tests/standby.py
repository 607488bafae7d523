"""Streaming replicas of an embedded server."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx
import psutil
import psycopg

from app.auth.kvstore import Store
from app.auth.tokens import AccessTokens
from app.base.settings import Settings
from app.commands import application
from app.database.database import Database
from app.http.services import Serving
from app.leaves.embarque.postgres import Postgres
from bench import standby
from tests import builders
from tests.conftest import FAST, SECRET, Db, connected, execute, migrated_postgres, ok
from tests.server import Service, eventually, running

DURABLE = {"fsync": "off", "synchronous_commit": "on"}  # the test kills servers, not machines
KILLED = {**DURABLE, "dynamic_shared_memory_type": "mmap"}  # a killed server leaves no file in /dev/shm


class Standby(standby.Standby):
    """A replica whose replay a test may pause."""

    def value(self, statement: str) -> Any:
        """The value of a statement. Recovery may cancel it, and then it runs again."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            while True:
                with suppress(psycopg.errors.SerializationFailure):
                    return connection.execute(statement).fetchone()[0]  # type: ignore[index]

    def pause(self) -> None:
        """Receive what the primary writes, and show none of it."""
        self.value("select pg_wal_replay_pause()")
        eventually(lambda: self.value("select pg_get_wal_replay_pause_state()") == "paused")

    def resume(self) -> None:
        self.value("select pg_wal_replay_resume()")


@dataclass(frozen=True)
class Pair:
    primary: Postgres
    standby: Standby

    def url(self) -> str:
        """One address for both servers. A client connects to the server that accepts writes."""
        parts = urlsplit(self.primary.url())
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in (self.primary, self.standby))
        where = f"{parts.netloc.rpartition('@')[0]}@{hosts}"
        return urlunsplit(parts._replace(netloc=where, query="target_session_attrs=read-write"))

    def kill_primary(self) -> None:
        """Kill all processes of the primary at once, as the loss of its machine does.

        A session that outlives the postmaster shows a commit that the standby does not have.
        """
        child = self.primary._child
        assert child is not None
        postmaster = psutil.Process(child.pid)
        postmaster.suspend()
        children = postmaster.children()
        for process in children:
            process.suspend()
        for process in (*children, postmaster):
            process.kill()
        child.wait()

    def promote(self) -> None:
        execute(self.standby.url(), "select pg_promote()")


@contextmanager
def synchronous(directory: Path) -> Iterator[Pair]:
    """A primary that acknowledges a commit once its standby has it too."""
    with (
        migrated_postgres(directory / "primaire", KILLED) as primary,
        Standby(directory / "replique", primary, DURABLE) as standby,
    ):
        with psycopg.connect(primary.url(), autocommit=True) as connection:
            connection.execute("alter system set synchronous_standby_names = '*'")
            connection.execute("select pg_reload_conf()")
            waits = "select from pg_stat_replication where sync_state = 'sync'"
            eventually(lambda: connection.execute(waits).fetchone() is not None)
        yield Pair(primary, standby)


@dataclass(frozen=True)
class Replicated:
    """A primary and its replicas."""

    primary: Postgres
    standbys: tuple[Standby, ...]

    @property
    def urls(self) -> dict[str, str]:
        """The settings of a service that uses all of them."""
        replicas = ",".join(server.url() for server in self.standbys)
        return {"DATABASE_URL": self.primary.url(), "DATABASE_REPLICA_URL": replicas}

    @contextmanager
    def written(self) -> Iterator[Db]:
        """A transaction of the primary that is on its disk at the end of the block."""
        with connected(self.primary.url()) as db:
            db.execute("set synchronous_commit = on")
            yield db

    def write(self) -> str:
        """Write to the WAL of the primary and return the position."""
        with self.written() as db:
            return str(db.one("select pg_logical_emit_message(true, 'essai', 'x')::text"))

    def catch_up(self) -> None:
        """Run every replica, with all that the primary has."""
        position = self.write()
        for server in self.standbys:
            if not server.running():
                server.start()
            server.resume()
        for server in self.standbys:
            eventually(lambda s=server: s.value(f"select pg_last_wal_replay_lsn() >= '{position}'"))  # type: ignore[misc]

    def user(self, login: str, role: str = "ADMINISTRATEUR") -> str:
        """Add an account and return the token of a session that has written nothing."""
        with self.written() as db:
            number = builders.utilisateur(db, role, login=login)
        return AccessTokens(SECRET, None, 86_400).issue(str(number), login, role)[0]


@contextmanager
def replicated(directory: Path, count: int, **settings: str) -> Iterator[Replicated]:
    with ExitStack() as stack:
        primary = stack.enter_context(migrated_postgres(directory / "primaire"))
        places = [directory / f"replique-{number}" for number in range(1, count + 1)]
        standbys = [stack.enter_context(Standby(place, primary, {**FAST, **settings})) for place in places]
        yield Replicated(primary, tuple(standbys))


def served(directory: Path, servers: Replicated, lag: int) -> AbstractContextManager[Service]:
    """A service on these servers. `lag` is the largest delay in seconds of a replica that it reads from."""
    return running(directory, **servers.urls, DATABASE_REPLICA_RETARD=str(lag))


@asynccontextmanager
async def in_this_process(url: str, database: Database) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application in this process, whose statements go to this database."""
    settings = Settings.from_environment({"NODE_ENV": "test", "JWT_SECRET": SECRET})
    services = application.build_services(settings, application.read_catalogue(url), database, Store())
    transport = httpx.ASGITransport(application.build(Serving(services)), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://essai") as client:
        yield client
    await services.close()


def earn(admin: httpx.Client, amount: str) -> None:
    ok(admin.post("/finances/paiements", json={"montant": amount, "id_moyen": "1", "id_activite": "1"}))


def session(service: Service, token: str) -> httpx.Client:
    return service.new_client(authorization=f"Bearer {token}")


def answers(service: Service) -> dict[str, int]:
    """The stale statements that each server has answered for this service."""
    lines = httpx.get(f"{service.url}/metrics").text.splitlines()
    counted = [line for line in lines if line.startswith("db_stale_reads_total{")]
    return {line.split('"')[1]: round(float(line.split()[-1])) for line in counted}


def answered_by(service: Service, client: httpx.Client, path: str) -> str:
    """Request a path that replicas may answer. Return the name of the server that has answered."""
    before = answers(service)
    ok(client.get(path))
    after = answers(service)
    (server,) = [name for name in after if after[name] != before[name]]
    return server
