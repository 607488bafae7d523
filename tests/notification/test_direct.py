"""The Socket.IO channel on real servers: two API processes on one database, and real Socket.IO clients."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import psycopg
import pytest
import socketio
from psycopg.rows import dict_row

from app.auth.tokens import AccessTokens
from app.base.server import EmbeddedError
from tests import builders
from tests.conftest import Db, _clone, migrated_postgres
from tests.portail.demandes import SHOP, account
from tests.server import PATIENCE, SECRET, Service, running, until

NAMESPACE = "/notifications"
PRESSING, RESTAURATION = 2, 3


@dataclass
class Client:
    """A connected client, and every event that it received."""

    io: socketio.AsyncClient
    events: list[tuple[str, Any]] = field(default_factory=list)

    def of(self, event: str) -> list[Any]:
        return [data for name, data in self.events if name == event]

    def ids(self) -> list[str]:
        return [envelope["id"] for envelope in self.of("notification")]

    @property
    def closed(self) -> bool:
        return not self.io.connected

    async def wait_closed(self) -> str:
        """Wait until the server closes the socket. Return the message of its last error event."""
        await until(lambda: self.closed)
        return str(self.of("notifications:error")[-1]["message"])


@dataclass
class World:
    """Two API processes on one database, and the clients of one test."""

    db: Db
    services: list[Service]
    clients: list[Client] = field(default_factory=list)

    def token(self, user: int, ttl: int = 900) -> str:
        account = self.db.account(user)
        return AccessTokens(SECRET, None, ttl).issue(str(user), account["login"], account["role"])[0]

    async def connect(self, user: int, process: int = 0, **auth: str) -> Client:
        client = await self.open({"token": self.token(user), **auth}, process)
        await until(lambda: client.of("notifications:history"))
        return client

    async def open(self, auth: Any, process: int = 0, **options: Any) -> Client:
        client = Client(socketio.AsyncClient(reconnection=False))
        self.clients.append(client)

        async def on_event(event: str, *data: Any) -> None:
            client.events.append((event, data[0] if data else None))

        client.io.on("*", on_event, namespace=NAMESPACE)
        await client.io.connect(
            self.services[process].url, auth=auth, namespaces=[NAMESPACE], transports=["websocket"], **options
        )
        return client

    def emit(self, permission: str | None = None, *target: int | None, strict: bool = False) -> str:
        """Insert a notification with SQL. `target` is the till, the activity and the user, in this order."""
        till, activity, user = (*target, None, None, None)[:3]
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
        with (
            running(folder, **extra, CORS_ORIGINES="https://client.exemple") as first,
            running(folder, **extra) as second,
        ):
            yield url, [first, second]


@pytest.fixture
def world(servers: Any) -> Iterator[World]:
    url, services = servers
    with psycopg.connect(url, row_factory=dict_row, autocommit=True) as connection:
        yield World(Db(connection), services)


def run_scenario(world: World, scenario: Callable[[], Awaitable[None]]) -> None:
    """Run the scenario, then disconnect every client."""

    async def run() -> None:
        try:
            async with asyncio.timeout(90):
                await scenario()
        finally:
            for client in world.clients:
                await client.io.disconnect()

    asyncio.run(run())


def test_the_handshake_answers_the_user_the_rooms_and_the_history(world: World) -> None:
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
        assert [event for event, _ in client.events][:2] == ["connection:ok", "notifications:history"]

    run_scenario(world, scenario)


def test_the_envelope_names_event_message_data_and_recipients(world: World) -> None:
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

    run_scenario(world, scenario)


@pytest.mark.parametrize("case", ["absent", "faux", "expiré", "révoqué", "désactivé", "nombre", "liste"])
def test_a_bad_token_gets_an_error_event_and_is_disconnected(world: World, case: str) -> None:
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
        client = await world.open(auth)
        sentence = "Session expirée" if case == "désactivé" else "jeton absent, expiré ou révoqué"
        assert sentence in await client.wait_closed()
        assert {event for event, _ in client.events} <= {"notifications:error", "__disconnect_final"}

    run_scenario(world, scenario)


def test_polling_and_foreign_origins_are_refused(world: World) -> None:
    async def scenario() -> None:
        url = world.services[0].url
        user = builders.utilisateur(world.db, role="RH")
        async with aiohttp.ClientSession() as session:
            # The client closes a session of its own before it reads the answer.
            polling = socketio.AsyncClient(reconnection=False, http_session=session)
            with pytest.raises(socketio.exceptions.ConnectionError):
                await polling.connect(
                    url, namespaces=[NAMESPACE], transports=["polling"], auth={"token": world.token(user)}
                )
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

    run_scenario(world, scenario)


def test_a_till_gap_reaches_the_users_that_see_the_till_in_both_processes(world: World) -> None:
    async def scenario() -> None:
        db = world.db
        till, other = builders.caisse(db), builders.caisse(db)
        admin = builders.utilisateur(db, role="ADMINISTRATEUR")
        users = {
            "admin": admin,
            "cashier": builders.utilisateur(db, role="CAISSIER", caisse=till),
            "other till": builders.utilisateur(db, role="CAISSIER", caisse=other),
            "activity": builders.utilisateur(db, role="ADMINISTRATEUR", activite=PRESSING),
            "other activity": builders.utilisateur(db, role="ADMINISTRATEUR", activite=RESTAURATION),
            "no permission": builders.utilisateur(db, role="RH"),
        }
        clients = {(name, p): await world.connect(user, p) for name, user in users.items() for p in (0, 1)}
        day = db.one("select core.aujourdhui()")
        body = {"id_caisse": str(till), "date": str(day), "montant_compte": "7000", "note": None}
        answer = world.api(admin).post(f"/finances/caisses/{till}/tirages", json=body)
        if answer.status_code == 404:
            answer = world.api(admin).post("/finances/tirages", json=body)
        assert answer.status_code == 201, answer.text
        last = world.emit()  # for all users: a client that has it and not the gap never receives the gap
        for client in clients.values():
            await until(lambda client=client: last in client.ids())
        receivers = {key for key, client in clients.items() if len(client.ids()) == 2}
        assert receivers == {(name, p) for name in ("admin", "cashier", "activity") for p in (0, 1)}
        gap = clients["admin", 1].of("notification")[0]
        assert (gap["event"], gap["priority"], gap["data"]["id_caisse"]) == ("finances.tirage.ecart", "HIGH", str(till))
        for key, client in clients.items():  # the list route answers the same ids
            rows = world.api(users[key[0]]).get("/notifications?limit=2").json()
            assert [row["id_notification"] for row in rows][: len(client.ids())] == client.ids()[::-1]

    run_scenario(world, scenario)


def test_a_request_and_its_acceptance_reach_the_staff_and_the_client(world: World) -> None:
    async def scenario() -> None:
        db, event = world.db, SHOP.created
        users = {
            "admin": builders.utilisateur(db, role="ADMINISTRATEUR"),
            "no permission": builders.utilisateur(db, role="RH"),
            "client": account(db),
        }
        clients = {name: await world.connect(user, 1) for name, user in users.items()}
        answer = world.api(users["client"]).post(SHOP.portal, json=SHOP.body(db))
        assert answer.status_code == 201, answer.text
        sale = answer.json()["id_vente"]
        accepted = world.api(users["admin"]).post(f"{SHOP.staff}/{sale}/valider", json={})
        assert accepted.status_code == 200, accepted.text
        last = world.emit()
        for client in clients.values():
            await until(lambda client=client: last in client.ids())
        received = {
            name: [envelope for envelope in client.of("notification") if envelope["id"] != last]
            for name, client in clients.items()
        }
        assert received["no permission"] == []
        [request], [decision] = received["admin"], received["client"]
        assert (request["event"], request["data"]) == (event, {"id_vente": sale})
        assert request["recipients"]["rooms"] == [f"perm:{SHOP.viewer}"]
        assert (decision["event"], decision["data"]) == (SHOP.decided, {"id_vente": sale, "statut": SHOP.accepted})

    run_scenario(world, scenario)


def test_personal_and_strict_notifications_reach_only_their_users(world: World) -> None:
    async def scenario() -> None:
        db = world.db
        till = builders.caisse(db)
        users = {
            "free": builders.utilisateur(db, role="ADMINISTRATEUR"),
            "bound": builders.utilisateur(db, role="ADMINISTRATEUR", activite=PRESSING),
            "cashier": builders.utilisateur(db, role="CAISSIER", caisse=till),
        }
        clients = {name: await world.connect(user) for name, user in users.items()}
        sent = {
            "own": world.emit(None, None, None, users["cashier"]),
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

    run_scenario(world, scenario)


def test_the_history_holds_fifty_notifications_of_the_last_seven_days(world: World) -> None:
    async def scenario() -> None:
        user = builders.utilisateur(world.db, role="RH")
        old = world.emit(None, None, None, user)
        world.db.execute(
            "update notification.notification set date = now() - interval '7 days 2 hours' where id_notification = %s",
            [old],
        )
        recent = world.emit(None, None, None, user)
        world.db.execute(
            "update notification.notification set date = now() - interval '6 days 23 hours' where id_notification = %s",
            [recent],
        )
        ids = [envelope["id"] for envelope in (await world.connect(user)).of("notifications:history")[0]]
        assert recent in ids and old not in ids
        many = [world.emit(None, None, None, user) for _ in range(60)]
        history = (await world.connect(user)).of("notifications:history")[0]
        assert [envelope["id"] for envelope in history] == many[:-51:-1]

    run_scenario(world, scenario)


def test_the_server_disconnects_a_session_that_has_ended(world: World) -> None:
    async def scenario() -> None:
        db = world.db
        disabled, demoted, logged_out, expired = (builders.utilisateur(db, role="RH") for _ in range(4))
        token = world.token(logged_out)
        clients = {user: await world.connect(user) for user in (disabled, demoted)}
        clients[logged_out] = await world.connect(logged_out, token=token)
        clients[expired] = await world.connect(expired, token=world.token(expired, ttl=3))
        role = db.one("select id_role from auth.role where code = 'CAISSIER'")
        db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [disabled])
        db.execute("update auth.utilisateur set id_role = %s where id_utilisateur = %s", [role, demoted])
        world.services[1].client.post(
            "/auth/logout", json={"refresh_token": "x"}, headers={"authorization": f"Bearer {token}"}
        )
        # No periodic check of the sessions has run yet: the delivery itself must skip these users.
        unseen = world.emit("RH.VOIR")
        for user, sentence in (
            (disabled, "droits"),
            (demoted, "droits"),
            (logged_out, "Session fermée"),
            (expired, "expirée"),
        ):
            assert sentence in await clients[user].wait_closed()
            if user != expired:
                assert unseen not in clients[user].ids()

    run_scenario(world, scenario)


def test_a_revoked_permission_ends_the_delivery_at_once(world: World) -> None:
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
        assert "droits" in await client.wait_closed()

    run_scenario(world, scenario)


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
def test_a_hostile_message_gives_no_access_and_disturbs_no_other_client(world: World, message: str | bytes) -> None:
    """The server may close the sender or answer it. Other clients go on, and the sender receives nothing more."""

    async def scenario() -> None:
        db = world.db
        user = builders.utilisateur(db, role="RH")
        witness = await world.connect(builders.utilisateur(db, role="ADMINISTRATEUR"))
        async with aiohttp.ClientSession() as session:
            url = f"{world.services[0].url}/socket.io/?EIO=4&transport=websocket"
            async with session.ws_connect(url) as socket:
                received: list[str] = []

                async def read() -> None:
                    async for frame in socket:
                        if frame.data == "2":
                            await socket.send_str("3")
                        received.append(str(frame.data))

                reading = asyncio.create_task(read())
                await socket.send_str("40/notifications," + json.dumps({"token": world.token(user)}))
                await until(lambda: any("notifications:history" in text for text in received))
                await (socket.send_bytes if isinstance(message, bytes) else socket.send_str)(message)
                hidden, own = world.emit("ADMIN.VOIR"), world.emit(None, None, None, user)
                await until(lambda: hidden in witness.ids())
                await until(lambda: socket.closed or any(f'"id":"{own}"' in text for text in received))
                assert not any(f'"id":"{hidden}"' in text for text in received)
                await socket.close()
                await reading

    run_scenario(world, scenario)
    assert "Traceback" not in world.services[0].log.read_text()


def test_an_event_named_connect_does_not_change_the_user_of_the_socket(world: World) -> None:
    """Socket.IO passes an event of this name to the connect handler. The valid token in it must have no effect."""

    async def scenario() -> None:
        user, other = (builders.utilisateur(world.db, role="RH") for _ in range(2))
        client = await world.connect(user)
        await client.io.emit("connect", ({}, {"token": world.token(other)}), namespace=NAMESPACE)
        await client.io.emit("inconnu", namespace=NAMESPACE)
        await until(lambda: client.of("notifications:error"))
        hidden, own = world.emit(None, None, None, other), world.emit(None, None, None, user)
        await until(lambda: own in client.ids())
        assert hidden not in client.ids() and len(client.of("connection:ok")) == 1

    run_scenario(world, scenario)


def test_a_flood_or_an_oversized_message_closes_the_socket(world: World) -> None:
    async def scenario() -> None:
        user = builders.utilisateur(world.db, role="RH")
        client = await world.connect(user)
        for _ in range(25):
            await client.io.emit("inconnu", namespace=NAMESPACE)
        assert "Trop de messages" in await client.wait_closed()
        async with aiohttp.ClientSession() as session:
            url = f"{world.services[0].url}/socket.io/?EIO=4&transport=websocket"
            async with session.ws_connect(url) as socket:
                await socket.receive()
                await socket.send_str("40/notifications," + json.dumps({"token": "x" * 9000}))
                assert (await socket.receive(10)).type is aiohttp.WSMsgType.CLOSE
                assert socket.close_code == 1009

    run_scenario(world, scenario)


def test_the_eleventh_connection_of_a_user_closes_the_first(world: World) -> None:
    async def scenario() -> None:
        user = builders.utilisateur(world.db, role="RH")
        clients = [await world.connect(user) for _ in range(11)]
        assert "la plus ancienne" in await clients[0].wait_closed()
        last = world.emit(None, None, None, user)
        for client in clients[1:]:
            await until(lambda client=client: last in client.ids())

    run_scenario(world, scenario)


def test_a_connection_writes_one_log_line_and_raises_the_gauge(world: World) -> None:
    async def scenario() -> None:
        user = builders.utilisateur(world.db, role="RH")
        token = world.token(user)
        client = await world.connect(user, token=token)

        def lines() -> list[Any]:
            text = world.services[0].log.read_text()
            entries = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
            return [line for line in entries if line["method"] == "WS" and line["user"] == str(user)]

        line = (await until(lines))[0]
        assert (line["route"], line["status"], len(lines())) == ("/socket.io/", 101, 1)
        assert token not in world.services[0].log.read_text()

        def gauge() -> float:
            text = world.services[0].client.get(f"{world.services[0].url}/metrics").text
            return next(float(line.split()[1]) for line in text.splitlines() if line.startswith("svc_sockets "))

        await until(lambda: gauge() == 1)
        await client.io.disconnect()
        await until(lambda: gauge() == 0)

    run_scenario(world, scenario)


def test_notifications_written_while_the_listener_is_down_arrive_once(world: World) -> None:
    """The test ends the LISTEN connections several times while it writes rows. Each row arrives once, in order."""

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

    run_scenario(world, scenario)


def test_rows_committed_out_of_order_arrive_and_rolled_back_rows_do_not(world: World, servers: Any) -> None:
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

    run_scenario(world, scenario)


def test_no_notification_is_lost_when_the_database_restarts(tmp_path: Path) -> None:
    with (
        migrated_postgres(tmp_path / "base") as server,
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
            with await asyncio.to_thread(_retry, opened) as connection:
                world.db = Db(connection)
                # The process usually does not listen again yet.
                meanwhile = [world.emit(None, None, None, user) for _ in range(3)]
                await until(lambda: len(client.ids()) >= 4)
                assert client.ids() == [first, *meanwhile]
                live = world.emit(None, None, None, user)
                await until(lambda: live in client.ids())
                assert not client.closed

        with opened() as connection:
            world = World(Db(connection), [service])
        run_scenario(world, scenario)


def _retry(connect: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return connect()
        except (psycopg.OperationalError, EmbeddedError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def test_a_stopping_process_closes_its_sockets(world: World, servers: Any, tmp_path: Path) -> None:
    with running(tmp_path, DATABASE_URL=servers[0]) as service:

        async def scenario() -> None:
            user = builders.utilisateur(world.db, role="RH")
            alone = World(world.db, [service], world.clients)
            client = await alone.connect(user)
            began = time.monotonic()
            assert await asyncio.to_thread(service.stop) == 0
            assert time.monotonic() - began < 5
            await until(lambda: client.closed)

        run_scenario(world, scenario)
        assert "Traceback" not in service.log.read_text()
