"""PgBouncer in transaction mode between the API and PostgreSQL: each request may use another connection."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest

from app.database import listener
from app.database.disk import Disk
from tests.builders import PASSWORD
from tests.conftest import ok, one, temporary_role
from tests.relais import installed, pgbouncer
from tests.server import running, until

CONNECTIONS = 3  # to PostgreSQL, fewer than the API asks for

pytestmark = installed


@contextmanager
def pooled_address(database_url: str, account: str) -> Iterator[str]:
    """The address of the database through PgBouncer, with few connections."""
    server = urlsplit(database_url)
    name = server.path[1:]
    databases = f"[databases]\n{name} = host={server.hostname} port={server.port}"
    with pgbouncer(databases, {account: PASSWORD}, CONNECTIONS) as address:
        yield f"postgresql://{account}:{PASSWORD}@{address}/{name}"


@pytest.fixture
def account(database_url: str) -> Iterator[str]:
    """An account that is only a member of comptoir_app, as in production."""
    with temporary_role(database_url, "in role comptoir_app") as url:
        yield str(urlsplit(url).username)


def test_the_commits_of_a_pooled_connection_wait_for_the_disk(database_url: str, account: str) -> None:
    """PgBouncer keeps its clients during a crash of the server, so the service could not notice a lost transaction."""

    async def direct(url: str) -> bool:
        disk = Disk(url)
        try:
            return (await disk.watch()).direct
        finally:
            await disk.close()

    with pooled_address(database_url, account) as pooled:
        assert asyncio.run(direct(pooled)) is False
    assert asyncio.run(direct(database_url)) is True


def test_the_listener_keeps_its_connection(database_url: str, account: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its check of the connection must not need the server connection that served the check before."""
    monkeypatch.setattr(listener, "IDLE", 0.05)
    starts: list[None] = []
    checked = "select count(*) from pg_stat_activity where usename = %s and query = 'select 1' and state = 'idle'"

    async def scenario(pooled: str) -> None:
        listening = asyncio.create_task(listener.listen(pooled, "essai", lambda _: None, lambda: starts.append(None)))
        await until(lambda: one(database_url, checked, account) == 1)
        with psycopg.connect(pooled) as holder:
            holder.execute("select")  # takes the server connection
            await until(lambda: one(database_url, checked, account) == 1)
        listening.cancel()

    with pooled_address(database_url, account) as pooled:
        asyncio.run(scenario(pooled))
    assert len(starts) == 1


def test_requests_share_connections_and_keep_their_context(tmp_path: Path, database_url: str, account: str) -> None:
    with (
        pooled_address(database_url, account) as pooled,
        running(
            tmp_path, DATABASE_URL=pooled, DATABASE_OWNER_URL=database_url, DATABASE_REQUETES_PREPAREES="0"
        ) as service,
    ):
        admin = service.login()
        body = {"libelle": "Chaises", "prix": "1000", "id_activite": "1"}
        prestation = admin.post("/facturation/prestations", json=body).json()["id_prestation"]
        # Each cashier has a till: the context of a request must not reach another request.
        roles = {role["code"]: role["id_role"] for role in ok(admin.get("/admin/roles"))}
        tills = []
        for number in range(4):
            till = admin.post("/finances/caisses", json={"libelle": f"Caisse {number}", "id_activite": "1"}).json()
            admin.post(f"/finances/caisses/{till['id_caisse']}/ouvrir")
            cashier = {"login": f"caissier.{number}", "mot_de_passe": PASSWORD, "id_caisse": till["id_caisse"]}
            ok(admin.post("/admin/utilisateurs", json={**cashier, "id_role": roles["CAISSIER"]}))
            tills.append((till["id_caisse"], service.login(cashier["login"], PASSWORD)))

        path = f"/facturation/prestations/{prestation}/facturer"

        def bill(turn: int) -> list[httpx.Response]:
            id_caisse, cashier = tills[turn % len(tills)]
            answers_of_turn = []
            for _ in range(10):
                answers_of_turn.append(cashier.post(path, json={"montant": "400", "id_moyen": "1"}))
                payments = cashier.get("/finances/paiements").json()
                assert {row["id_caisse"] for row in payments} == {id_caisse}
            return answers_of_turn

        with ThreadPoolExecutor(12) as threads:
            answers = [answer for batch in threads.map(bill, range(12)) for answer in batch]
        assert {answer.status_code for answer in answers} == {201}
        numbers = sorted(int(answer.json()["numero"].rsplit("-", 1)[1]) for answer in answers)
        assert numbers == list(range(1, 121))
        used = one(database_url, "select count(*) from pg_stat_activity where usename = %s", account)
        assert 1 <= used <= CONNECTIONS
        assert "Traceback" not in service.log.read_text()
