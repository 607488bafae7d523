"""The live channel on real servers: two processes on one database, and clients of the library that pages use."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import psycopg
import pytest
import socketio
from psycopg.rows import dict_row

from app.auth.tokens import AccessTokens
from app.base.server import EmbeddedError
from app.database.postgres import Postgres
from tests import builders, server
from tests.conftest import Db, _clone
from tests.server import PATIENCE, SECRET, Service, running

until = partial(server.until, patience=PATIENCE)

NAMESPACE = "/notifications"
PRESSING, RESTAURATION = 2, 3


@dataclass
class Client:
    """A connected page, and all that it was told."""

    io: socketio.AsyncClient
    heard: list[tuple[str, Any]] = field(default_factory=list)

    def of(self, event: str) -> list[Any]:
        return [data for name, data in self.heard if name == event]

    def ids(self) -> list[str]:
        return [envelope["id"] for envelope in self.of("notification")]

    @property
    def closed(self) -> bool:
        return not self.io.connected

    async def leaves(self) -> str:
        """Wait for the server to close; answer the last thing that it said."""
        await until(lambda: self.closed)
        return str(self.of("notifications:error")[-1]["message"])


@dataclass
class World:
    """Two processes of the API on one database, and what tests do with them."""

    db: Db
    services: list[Service]
    clients: list[Client] = field(default_factory=list)

    def token(self, user: int, ttl: int = 900) -> str:
        account = self.db.account(user)
        return AccessTokens(SECRET, None, ttl).issue(str(user), account["login"], account["role"])[0]

    async def connect(self, user: int, process: int = 0, **auth: str) -> Client:
        client = await self.knock({"token": self.token(user), **auth}, process)
        await until(lambda: client.of("notifications:history"))
        return client

    async def knock(self, auth: Any, process: int = 0, **options: Any) -> Client:
        client = Client(socketio.AsyncClient(reconnection=False))
        self.clients.append(client)

        async def heard(event: str, *data: Any) -> None:
            client.heard.append((event, data[0] if data else None))

        client.io.on("*", heard, namespace=NAMESPACE)
        await client.io.connect(
            self.services[process].url, auth=auth, namespaces=[NAMESPACE], transports=["websocket"], **options
        )
        return client

    def emit(self, permission: str | None = None, *who: int | None, strict: bool = False) -> str:
        """Write one from SQL; who: till, activity, user."""
        till, activity, user = (*who, None, None, None)[:3]
        self.db.execute(
            "select notification._emettre('essais.envoi', 'LOW', 'Essai', 'Corps', '{}', %s, %s, %s, %s, %s)",
            [permission, till, activity, user, strict],
        )
        return str(self.db.one("select max(id_notification) as id from notification.notification"))

    def api(self, user: int, process: int = 0) -> Any:
        return self.services[process].new_client(authorization=f"Bearer {self.token(user)}")


@pytest.fixture(scope="module")
def servers(worker_id: str, valkey_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("direct")
    with _clone(f"essai_{worker_id}_direct") as url:
        extra = {"DATABASE_URL": url, "KVSTORE_URL": valkey_url}
        with running(folder, **extra, CORS_ORIGINES="https://client.exemple") as one, running(folder, **extra) as two:
            yield url, [one, two]


@pytest.fixture
def world(servers: Any) -> Iterator[World]:
    url, services = servers
    with psycopg.connect(url, row_factory=dict_row, autocommit=True) as connection:
        yield World(Db(connection), services)


def play(world: World, scenario: Callable[[], Awaitable[None]]) -> None:
    """Run it, and leave no client behind."""

    async def run() -> None:
        try:
            async with asyncio.timeout(90):
                await scenario()
        finally:
            for client in world.clients:
                await client.io.disconnect()

    asyncio.run(run())


def test_the_handshake(world: World) -> None:
    async def scenario() -> None:
        till = builders.caisse(world.db)
        user = builders.utilisateur(world.db, role="CAISSIER", caisse=till, activite=PRESSING)
        world.emit()
        client = await world.connect(user)
        hello = client.of("connection:ok")[0]
        permissions = hello["user"].pop("permissions")
        login = world.db.account(user)["login"]
        assert hello["user"] == {
            "id": str(user),
            "login": login,
            "role": "CAISSIER",
            "idCaisse": str(till),
            "idActiviteScope": str(PRESSING),
        }
        assert "FINANCES.VOIR" in permissions and "ADMIN.VOIR" not in permissions
        assert hello["rooms"] == ["tous", *(f"perm:{code}" for code in permissions)]
        assert [event for event, _ in client.heard][:2] == ["connection:ok", "notifications:history"]

    play(world, scenario)


def test_the_envelope(world: World) -> None:
    async def scenario() -> None:
        user = builders.utilisateur(world.db, role="ADMINISTRATEUR")
        client = await world.connect(user)
        world.emit("FINANCES.VOIR")
        world.emit(None, None, None, user)
        shared, own = await until(lambda: client.of("notification")[1:] and client.of("notification"))
        assert set(shared) == {"id", "event", "priority", "timestamp", "data", "message", "recipients"}
        assert (shared["event"], shared["priority"], shared["data"]) == ("essais.envoi", "LOW", {})
        assert shared["message"] == {"title": "Essai", "body": "Corps"}
        assert shared["timestamp"].endswith("Z")
        assert shared["recipients"] == {"rooms": ["perm:FINANCES.VOIR"], "userIds": []}
        assert own["recipients"] == {"rooms": [], "userIds": [str(user)]}
        await client.io.emit("notifications:get_history", namespace=NAMESPACE)
        history = await until(lambda: client.of("notifications:history")[1:])
        assert history[0][:2] == [own, shared]

    play(world, scenario)


@pytest.mark.parametrize("case", ["absent", "faux", "expiré", "révoqué", "désactivé", "nombre", "liste"])
def test_a_bad_token_is_told_and_closed(world: World, case: str) -> None:
    async def scenario() -> None:
        user = builders.utilisateur(world.db, role="RH")
        token: Any = world.token(user)
        if case == "révoqué":
            answer = world.api(user).post(
                "/auth/logout", json={"refresh_token": "x"}, headers={"authorization": f"Bearer {token}"}
            )
            assert answer.status_code == 200
        if case == "désactivé":
            world.db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [user])
        auth = {
            "absent": None,
            "faux": {"token": token + "x"},
            "expiré": {"token": world.token(user, ttl=-10)},
            "nombre": {"token": 7},
            "liste": [token],
        }.get(case, {"token": token})
        client = await world.knock(auth)
        sentence = "Session expirée" if case == "désactivé" else "jeton absent, expiré ou révoqué"
        assert sentence in await client.leaves()
        assert {event for event, _ in client.heard} <= {"notifications:error", "__disconnect_final"}

    play(world, scenario)


def test_polling_and_foreign_pages_are_refused(world: World) -> None:
    async def scenario() -> None:
        url = world.services[0].url
        user = builders.utilisateur(world.db, role="RH")
        with pytest.raises(socketio.exceptions.ConnectionError):
            await socketio.AsyncClient(reconnection=False).connect(
                url, namespaces=[NAMESPACE], transports=["polling"], auth={"token": world.token(user)}
            )
        async with aiohttp.ClientSession() as session:
            for method in ("GET", "POST"):
                async with session.request(method, f"{url}/socket.io/?EIO=4&transport=polling") as answer:
                    assert answer.status == 404
            socket = f"{url}/socket.io/?EIO=4&transport=websocket"
            for origin in ("https://ailleurs.exemple", "null", "http://[", f"{url}0"):
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await session.ws_connect(socket, origin=origin)
                assert refused.value.status == 403
            for origin in (url, "https://client.exemple", None):
                async with session.ws_connect(socket, origin=origin) as opened:
                    assert (await opened.receive()).data.startswith("0{")
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(f"{url}/ailleurs")

    play(world, scenario)


def test_a_till_gap_reaches_who_may_see_it_in_both_processes(world: World) -> None:
    async def scenario() -> None:
        db = world.db
        till, other = builders.caisse(db), builders.caisse(db)
        admin = builders.utilisateur(db, role="ADMINISTRATEUR")
        people = {
            "admin": admin,
            "cashier": builders.utilisateur(db, role="CAISSIER", caisse=till),
            "other till": builders.utilisateur(db, role="CAISSIER", caisse=other),
            "activity": builders.utilisateur(db, role="ADMINISTRATEUR", activite=PRESSING),
            "other activity": builders.utilisateur(db, role="ADMINISTRATEUR", activite=RESTAURATION),
            "no permission": builders.utilisateur(db, role="RH"),
        }
        clients = {(name, p): await world.connect(user, p) for name, user in people.items() for p in (0, 1)}
        day = db.one("select core.aujourdhui()")
        body = {"id_caisse": str(till), "date": str(day), "montant_compte": "7000", "note": None}
        answer = world.api(admin).post(f"/finances/caisses/{till}/tirages", json=body)
        if answer.status_code == 404:
            answer = world.api(admin).post("/finances/tirages", json=body)
        assert answer.status_code == 201, answer.text
        last = world.emit()  # for all, and after it: who has this one and not the other never gets the other
        for client in clients.values():
            await until(lambda client=client: last in client.ids())
        told = {who for who, client in clients.items() if len(client.ids()) == 2}
        assert told == {(name, p) for name in ("admin", "cashier", "activity") for p in (0, 1)}
        gap = clients["admin", 1].of("notification")[0]
        assert (gap["event"], gap["priority"], gap["data"]["id_caisse"]) == ("finances.tirage.ecart", "HIGH", str(till))
        for who, client in clients.items():  # the list beside it says the same
            rows = world.api(people[who[0]]).get("/notifications?limit=2").json()
            assert [row["id_notification"] for row in rows][: len(client.ids())] == client.ids()[::-1]

    play(world, scenario)


def test_one_s_own_and_the_strict_ones(world: World) -> None:
    async def scenario() -> None:
        db = world.db
        till = builders.caisse(db)
        people = {
            "free": builders.utilisateur(db, role="ADMINISTRATEUR"),
            "bound": builders.utilisateur(db, role="ADMINISTRATEUR", activite=PRESSING),
            "cashier": builders.utilisateur(db, role="CAISSIER", caisse=till),
        }
        clients = {name: await world.connect(user) for name, user in people.items()}
        sent = {
            "own": world.emit(None, None, None, people["cashier"]),
            "strict": world.emit("FINANCES.VOIR", strict=True),
            "strict activity": world.emit("FINANCES.VOIR", None, PRESSING, strict=True),
            "strict till": world.emit("FINANCES.VOIR", till, PRESSING, strict=True),
            "last": world.emit(),
        }
        expected = {
            "free": ["strict", "strict activity", "strict till", "last"],
            "bound": ["strict activity", "strict till", "last"],
            "cashier": ["own", "strict till", "last"],
        }
        for name, client in clients.items():
            await until(lambda client=client: sent["last"] in client.ids())
            assert client.ids() == [sent[key] for key in expected[name]], name

    play(world, scenario)


def test_the_history_is_of_fifty_and_of_seven_days(world: World) -> None:
    async def scenario() -> None:
        user = builders.utilisateur(world.db, role="RH")
        old = world.emit(None, None, None, user)
        world.db.execute(
            "update notification.notification set date = now() - interval '7 days 1 minute' where id_notification = %s",
            [old],
        )
        recent = world.emit(None, None, None, user)
        world.db.execute(
            "update notification.notification set date = now() - interval '6 days 23 hours' where id_notification = %s",
            [recent],
        )
        ids = [one["id"] for one in (await world.connect(user)).of("notifications:history")[0]]
        assert recent in ids and old not in ids
        many = [world.emit(None, None, None, user) for _ in range(60)]
        history = (await world.connect(user)).of("notifications:history")[0]
        assert [one["id"] for one in history] == many[:-51:-1]

    play(world, scenario)


def test_a_session_that_ends_is_closed(world: World) -> None:
    async def scenario() -> None:
        db = world.db
        gone, moved, out, late = (builders.utilisateur(db, role="RH") for _ in range(4))
        token = world.token(out)
        clients = {user: await world.connect(user) for user in (gone, moved)}
        clients[out] = await world.connect(out, token=token)
        clients[late] = await world.connect(late, token=world.token(late, ttl=3))
        role = db.one("select id_role from auth.role where code = 'CAISSIER'")
        db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [gone])
        db.execute("update auth.utilisateur set id_role = %s where id_utilisateur = %s", [role, moved])
        world.services[1].client.post(
            "/auth/logout", json={"refresh_token": "x"}, headers={"authorization": f"Bearer {token}"}
        )
        # Before any review: what is written from now on does not reach them.
        unseen = world.emit("RH.VOIR")
        for user, sentence in ((gone, "droits"), (moved, "droits"), (out, "Session fermée"), (late, "expirée")):
            assert sentence in await clients[user].leaves()
            if user != late:
                assert unseen not in clients[user].ids()

    play(world, scenario)


def test_a_permission_that_is_taken_away_ends_delivery_at_once(world: World) -> None:
    async def scenario() -> None:
        db = world.db
        role = db.one("insert into auth.role (code, libelle) values ('DIRECT', 'Direct') returning id_role")
        permission = db.one("select id_permission from auth.permission where code = 'RH.VOIR'")
        db.execute("insert into auth.role_permission (id_role, id_permission) values (%s, %s)", [role, permission])
        client = await world.connect(builders.utilisateur(db, role="DIRECT"))
        before = world.emit("RH.VOIR")
        await until(lambda: before in client.ids())
        db.execute("delete from auth.role_permission where id_role = %s", [role])
        world.emit("RH.VOIR")
        for_all = world.emit()
        await until(lambda: for_all in client.ids() or client.closed)
        assert set(client.ids()) <= {before, for_all}
        assert "droits" in await client.leaves()

    play(world, scenario)


@pytest.mark.parametrize(
    "message",
    [
        '42/notifications,["connect",{"asgi.scope":{}},{"token":"x"}]',
        '42/notifications,["connect"]',
        '42/notifications,["notifications:get_history",{"limit":100000},[],null]',
        '42/notifications,["inconnu",1]',
        '420/notifications,["notifications:get_history"]',
        "42/notifications,[]",
        "42/notifications," + "[" * 4000,
        "4",
        "9",
        "",
        "42/ailleurs,[1]",
        '40/ailleurs,{"token":"x"}',
        '40/notifications,{"token":"x"}',
        '451-/notifications,["x",{"_placeholder":true,"num":0}]',
        "43/notifications,99[]",
        "44/notifications,{}",
        "bAAAA",
        "b!",
        "4" + "[" * 8000,
        "3" + "[" * 8000,
        "2probe",
        "5",
        "6",
        b"\x04",
    ],
)
def test_hostile_messages_change_nothing(world: World, message: str | bytes) -> None:
    """The one who sends it may be closed, or answered; others go on, and nobody gets more than before."""

    async def scenario() -> None:
        db = world.db
        user = builders.utilisateur(db, role="RH")
        witness = await world.connect(builders.utilisateur(db, role="ADMINISTRATEUR"))
        async with aiohttp.ClientSession() as session:
            url = f"{world.services[0].url}/socket.io/?EIO=4&transport=websocket"
            async with session.ws_connect(url) as socket:
                heard: list[str] = []

                async def read() -> None:
                    async for found in socket:
                        if found.data == "2":
                            await socket.send_str("3")
                        heard.append(str(found.data))

                reading = asyncio.create_task(read())
                await socket.send_str("40/notifications," + json.dumps({"token": world.token(user)}))
                await until(lambda: any("notifications:history" in text for text in heard))
                await (socket.send_bytes if isinstance(message, bytes) else socket.send_str)(message)
                hidden, own = world.emit("ADMIN.VOIR"), world.emit(None, None, None, user)
                await until(lambda: hidden in witness.ids())
                await until(lambda: socket.closed or any(f'"id":"{own}"' in text for text in heard))
                assert not any(f'"id":"{hidden}"' in text for text in heard)
                await socket.close()
                await reading

    play(world, scenario)
    assert "Traceback" not in world.services[0].log.read_text()


def test_an_event_named_connect_connects_nobody(world: World) -> None:
    """Socket.IO hands such an event to the handler of connections: a good token in it changes nothing."""

    async def scenario() -> None:
        user, other = (builders.utilisateur(world.db, role="RH") for _ in range(2))
        client = await world.connect(user)
        await client.io.emit("connect", ({}, {"token": world.token(other)}), namespace=NAMESPACE)
        await client.io.emit("inconnu", namespace=NAMESPACE)
        await until(lambda: client.of("notifications:error"))
        hidden, own = world.emit(None, None, None, other), world.emit(None, None, None, user)
        await until(lambda: own in client.ids())
        assert hidden not in client.ids() and len(client.of("connection:ok")) == 1

    play(world, scenario)


def test_too_many_messages_and_too_large_ones_are_closed(world: World) -> None:
    async def scenario() -> None:
        user = builders.utilisateur(world.db, role="RH")
        client = await world.connect(user)
        for _ in range(25):
            await client.io.emit("inconnu", namespace=NAMESPACE)
        assert "Trop de messages" in await client.leaves()
        async with aiohttp.ClientSession() as session:
            url = f"{world.services[0].url}/socket.io/?EIO=4&transport=websocket"
            async with session.ws_connect(url) as socket:
                await socket.receive()
                await socket.send_str("40/notifications," + json.dumps({"token": "x" * 9000}))
                assert (await socket.receive(10)).type is aiohttp.WSMsgType.CLOSE
                assert socket.close_code == 1009

    play(world, scenario)


def test_an_eleventh_connection_ends_the_first(world: World) -> None:
    async def scenario() -> None:
        user = builders.utilisateur(world.db, role="RH")
        clients = [await world.connect(user) for _ in range(11)]
        assert "la plus ancienne" in await clients[0].leaves()
        last = world.emit(None, None, None, user)
        for client in clients[1:]:
            await until(lambda client=client: last in client.ids())

    play(world, scenario)


def test_one_log_line_a_connection_and_a_gauge(world: World) -> None:
    async def scenario() -> None:
        user = builders.utilisateur(world.db, role="RH")
        token = world.token(user)
        client = await world.connect(user, token=token)

        def lines() -> list[Any]:
            text = world.services[0].log.read_text()
            found = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
            return [line for line in found if line["method"] == "WS" and line["user"] == str(user)]

        line = (await until(lines))[0]
        assert (line["route"], line["status"], len(lines())) == ("/socket.io/", 101, 1)
        assert token not in world.services[0].log.read_text()

        def gauge() -> float:
            text = world.services[0].client.get(f"{world.services[0].url}/metrics").text
            return next(float(line.split()[1]) for line in text.splitlines() if line.startswith("svc_sockets "))

        await until(lambda: gauge() == 1)
        await client.io.disconnect()
        await until(lambda: gauge() == 0)

    play(world, scenario)


def test_what_is_written_while_nobody_listens_arrives_afterwards(world: World) -> None:
    """The listening connections are cut, again and again, while rows are written: none is lost, none comes twice."""

    async def scenario() -> None:
        user = builders.utilisateur(world.db, role="RH")
        clients = [await world.connect(user, process) for process in (0, 1)]
        sent = []
        for _ in range(5):
            world.db.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where application_name = 'comptoir-direct' and datname = current_database()"
            )
            sent += [world.emit(None, None, None, user) for _ in range(5)]
        for client in clients:
            await until(lambda client=client: len(client.ids()) >= len(sent))
            assert client.ids() == sent

    play(world, scenario)


def test_rows_committed_out_of_order_and_rolled_back(world: World, servers: Any) -> None:
    async def scenario() -> None:
        user = builders.utilisateur(world.db, role="RH")
        client = await world.connect(user)
        with psycopg.connect(servers[0], row_factory=dict_row) as other:
            slow = World(Db(other), [])
            early = slow.emit(None, None, None, user)
            late = world.emit(None, None, None, user)
            await until(lambda: late in client.ids())
            other.commit()
            await until(lambda: early in client.ids())
            lost = slow.emit(None, None, None, user)
            other.rollback()
        last = world.emit(None, None, None, user)
        await until(lambda: last in client.ids())
        assert client.ids() == [late, early, last] and lost not in client.ids()

    play(world, scenario)


def test_the_database_restarts_and_nothing_is_lost(tmp_path: Path) -> None:
    with (
        Postgres(tmp_path / "base", {"fsync": "off"}) as server,
        running(tmp_path, DATABASE_URL=server.url()) as service,
    ):

        def opened() -> psycopg.Connection[Any]:
            return psycopg.connect(server.url(), row_factory=dict_row, autocommit=True)

        async def scenario() -> None:
            with opened() as connection:
                world.db = Db(connection)
                user = builders.utilisateur(world.db, role="RH")
                client = await world.connect(user)
                first = world.emit(None, None, None, user)
                await until(lambda: first in client.ids())
            port = server.port
            await asyncio.to_thread(server.stop)
            server._child = server._run(server._command(port))
            with await asyncio.to_thread(_patiently, opened) as connection:
                world.db = Db(connection)
                meanwhile = [world.emit(None, None, None, user) for _ in range(3)]  # as a rule before it listens again
                await until(lambda: len(client.ids()) >= 4)
                assert client.ids() == [first, *meanwhile]
                live = world.emit(None, None, None, user)
                await until(lambda: live in client.ids())
                assert not client.closed

        with opened() as connection:
            world = World(Db(connection), [service])
        play(world, scenario)


def _patiently(open_it: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return open_it()
        except (psycopg.OperationalError, EmbeddedError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def test_a_stop_closes_the_sockets(world: World, servers: Any, tmp_path: Path) -> None:
    with running(tmp_path, DATABASE_URL=servers[0]) as service:

        async def scenario() -> None:
            user = builders.utilisateur(world.db, role="RH")
            alone = World(world.db, [service], world.clients)
            client = await alone.connect(user)
            began = time.monotonic()
            assert await asyncio.to_thread(service.stop) == 0
            assert time.monotonic() - began < 5
            await until(lambda: client.closed)

        play(world, scenario)
        assert "Traceback" not in service.log.read_text()
