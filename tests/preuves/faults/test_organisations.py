"""Two servers, PgBouncer, one API, one worker and many organisations, made by one command.

All are under load. Meanwhile one moves to the other server. Then all are upgraded.
"""

import asyncio
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from app.auth.passwords import hash_password
from app.auth.tokens import AccessTokens
from app.base.settings import ROOT, Settings
from app.leaves.embarque.postgres import Postgres
from app.leaves.organisations.organisation import Organisation, derived
from app.leaves.organisations.registry import Registry
from tests import builders, ledger
from tests.clients import Clients
from tests.conftest import execute
from tests.preuve import selon
from tests.relais import following, installed, pgbouncer
from tests.server import BACKUP_KEY, SECRET, Service, environment, eventually, running, worker
from tests.upgrades import next_release

OWNER, API = "motdepasse-du-proprietaire", "motdepasse-de-l-api"
SERVERS = ("un", "deux")
CLIENTS = 16
JOB = "select core._differer('menage')"
DONE = "select count(*) from queue.procrastinate_jobs where task_name = 'menage' and status = 'succeeded'"

pytestmark = installed


@dataclass
class World:
    """Both servers, the registry, and the settings of every process."""

    servers: tuple[Postgres, Postgres]
    registry: Registry
    settings: dict[str, str]
    folder: Path
    codes: list[str] = field(default_factory=list)

    def command(self, *words: str, at: Path = ROOT) -> str:
        """Run a command of this tree, or of another one, and return its output."""
        command, settings = [sys.executable, "-m", "app", *words], environment(self.settings)
        done = subprocess.run(command, cwd=at, env=settings, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def address(self, organisation: Organisation) -> str:
        return self.registry.on_server(organisation.address, organisation.database)


@pytest.fixture
def world(tmp_path: Path, valkey_url: str) -> Iterator[World]:
    settings = {"max_connections": "500", "shared_buffers": "256MB", "wal_level": "logical"}
    settings |= selon({"fsync": "off"}, {})
    with Postgres(tmp_path / "un", settings) as one, Postgres(tmp_path / "deux", settings) as two:
        for server in (one, two):
            execute(server.url("postgres"), f"create role proprietaire superuser login password '{OWNER}'")
            execute(server.url("postgres"), "create role comptoir_app")
            execute(server.url("postgres"), f"create role api login password '{API}' in role comptoir_app")
        execute(one.url("postgres"), "create database annuaire")
        urls = {
            name: f"postgresql://{account}@127.0.0.1:{one.port}/annuaire"
            for name, account in (("ANNUAIRE_URL", f"api:{API}"), ("ANNUAIRE_OWNER_URL", f"proprietaire:{OWNER}"))
        }
        processes = {**urls, "KVSTORE_URL": valkey_url, "SAUVEGARDE_CLE": BACKUP_KEY, "TMPDIR": str(tmp_path)}
        made = World((one, two), Registry(Settings.from_environment(urls)), processes, tmp_path)
        for name, server in zip(SERVERS, (one, two), strict=True):
            made.command("serveur", "ajouter", name, f"127.0.0.1:{server.port}")
        yield made


@pytest.mark.timeout(selon(600, 7200))
@pytest.mark.promesse("Organisations : l'une déménage sous la charge de toutes, rien n'est perdu ni doublé")
def test_many_organisations_share_servers_and_processes(world: World, seed: int, record_property: Any) -> None:
    count, seconds = selon((6, 5.0), (200, 60.0))
    made = world.command("organisation", "creer", *(f"o{number:03}" for number in range(count)))
    print(made.splitlines()[-1])
    organisations = world.registry.organisations()
    assert {one.server for one in organisations} == set(SERVERS)
    hashed = asyncio.run(hash_password(builders.PASSWORD))
    for one in organisations:
        execute(world.address(one), "select auth.administrateur_initialiser('admin', %s)", hashed)
        execute(world.address(one), JOB)
    with ExitStack() as stack:
        public = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="comptoir-pgbouncer-")))
        public.chmod(0o755)  # PgBouncer runs as another account
        file = public / "organisations.ini"
        world.command("pgbouncer", str(file))
        accounts = {"proprietaire": OWNER, "api": API}
        address = stack.enter_context(pgbouncer(f"%include {file}", accounts, 4))
        relayed = {**world.settings, "ANNUAIRE_PGBOUNCER": address}
        stack.enter_context(following(file, **relayed))
        service = stack.enter_context(running(world.folder, DATABASE_REQUETES_PREPAREES="0", **relayed))
        process, log = stack.enter_context(worker(world.folder, periodic=True, **world.settings))
        mover = organisations[-1]
        target = next(name for name in SERVERS if name != mover.server)
        clients, output = asyncio.run(load(world, service, organisations, seed, seconds, mover, target))
        for one in world.registry.organisations():
            eventually(lambda one=one: execute(world.address(one), DONE) == [(1,)])
        process.terminate()
        assert process.wait(60) == 0, log.read_text()
        assert "Traceback" not in service.log.read_text() + log.read_text()
    moved = world.registry.find(mover.code)
    assert (moved.server, moved.state) == (target, "ACTIVE")
    paid = 0
    for one in world.registry.organisations():
        assert ledger.payments(world.address(one)) == clients[one.code].acknowledged(), one.code
        assert ledger.wrong(world.address(one)) == []
        paid += len(clients[one.code].acts)
    for name, value in {"organisations": count, "acquittés": paid, "pause": output}.items():
        record_property(name, str(value))
    upgrade(world, organisations, record_property)


def signed_in(one: Organisation) -> dict[str, str]:
    token, _ = AccessTokens(derived(SECRET, one.id), None, 86_400).issue("1", "admin", "ADMINISTRATEUR")
    return {"authorization": f"Bearer {token}", "x-organisation": one.code}


async def load(
    world: World, service: Service, organisations: list[Organisation], seed: int, seconds: float, mover: Organisation,
    target: str,
) -> tuple[dict[str, Clients], str]:  # fmt: skip
    """Pay in all organisations, while one moves. Return the clients by code, and the sentence of the move."""
    clients = {one.code: Clients(service.url, signed_in(one)) for one in organisations}
    over = asyncio.Event()

    async def client(number: int) -> None:
        rng = random.Random(f"{seed} {number}")
        while not over.is_set():
            # Each client has favourites, and half of the payments are of the organisation that moves.
            one = mover if rng.random() < 0.5 else organisations[int(len(organisations) * rng.random() ** 2)]
            body = {"montant": str(rng.randint(1, 9) * 50), "id_moyen": "1", "id_activite": "1"}
            async with clients[one.code].http() as http:
                await clients[one.code].ask(http, rng, "POST", "/finances/paiements", body)

    async with asyncio.TaskGroup() as tasks:
        for number in range(CLIENTS):
            tasks.create_task(client(number))
        await asyncio.sleep(seconds / 3)
        output = await asyncio.to_thread(world.command, "organisation", "deplacer", mover.code, "--vers", target)
        await asyncio.sleep(seconds / 3)
        await clients[mover.code].ok(5)  # it is written again
        over.set()
    return clients, str(re.search(r"[\d.]+ s\.", output)[0])  # type: ignore[index]


def upgrade(world: World, organisations: list[Organisation], record_property: Any) -> None:
    """Upgrade all from the tree of a next release."""
    root = world.folder / "suite"
    next_release(root, "create table core.essai (id bigint);")
    shutil.copytree(ROOT / "app", root / "app", ignore=shutil.ignore_patterns("__pycache__"))
    output = world.command("migrate", "--toutes", at=root)
    assert f"À jour : {len(organisations)} sur {len(organisations)}" in output
    assert {one.state for one in world.registry.organisations()} == {"ACTIVE"}
    record_property("mise à jour", output.splitlines()[-1])
