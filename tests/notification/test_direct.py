"""The Socket.IO channel on real servers: two API processes on one database, and real Socket.IO clients."""

import asyncio
import json
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import aiohttp
import pytest
import socketio

from app.auth.tokens import AccessTokens
from tests import builders
from tests.conftest import Db, _clone, connected, migrated_postgres
from tests.server import PATIENCE, SECRET, Service, crash, running, until

NAMESPACE = "/notifications"
PRESSING, RESTAURATION = 2, 3
BRISK = ("tests.notification.brisk",)


@dataclass
class Client:
    """A connected client, and every event that it received."""

    io: socketio.AsyncClient
    events: list[tuple[str, Any]] = field(default_factory=list)

    def of(self, event):
        return [data for name, data in self.events if name == event]

    def ids(self):
        return [envelope["id"] for envelope in self.of("notification")]

    async def gets(self, notification):
        await until(lambda: notification in self.ids())

    @property
    def closed(self):
        return not self.io.connected

    async def wait_closed(self):
        """Wait until the server closes the socket. Return the message of its last error event."""
        await until(lambda: self.closed)
        return str(self.of("notifications:error")[-1]["message"])


@dataclass
class World:
    """Two API processes on one database, and the clients of one test."""

    db: Db
    services: list[Service]
    clients: list[Client] = field(default_factory=list)

    @property
    def socket(self):
        return f"{self.services[0].url}/socket.io/?EIO=4&transport=websocket"

    def user(self, role="RH", **fields):
        return builders.utilisateur(self.db, role=role, **fields)

    def token(self, user, ttl=900):
        account = self.db.account(user)
        return AccessTokens(SECRET, None, ttl).issue(str(user), account["login"], account["role"])[0]

    async def connect(self, user, process=0, **auth):
        client = await self.open({"token": self.token(user), **auth}, process)
        await until(lambda: client.of("notifications:history"))
        return client

    async def open(self, auth, process=0):
        client = Client(socketio.AsyncClient(reconnection=False))
        self.clients.append(client)

        async def on_event(event, *data):
            client.events.append((event, data[0] if data else None))

        client.io.on("*", on_event, namespace=NAMESPACE)
        await client.io.connect(self.services[process].url, auth=auth, namespaces=[NAMESPACE], transports=["websocket"])
        return client

    def emit(self, permission=None, *, till=None, activity=None, user=None, strict=False):
        """Insert a notification with SQL."""
        self.db.execute(
            "select notification._emettre('essais.envoi', 'LOW', 'Essai', 'Corps', '{}', %s, %s, %s, %s, %s)",
            [permission, till, activity, user, strict],
        )
        return str(self.db.one("select max(id_notification) as id from notification.notification"))

    def api(self, user):
        return self.services[0].new_client(authorization=f"Bearer {self.token(user)}")

    def sign_out(self, token):
        """Sign out at the last process."""
        client = self.services[-1].new_client(authorization=f"Bearer {token}")
        assert client.post("/auth/logout", json={"refresh_token": "x"}).status_code == 200


@pytest.fixture(scope="module")
def servers(worker_id, valkey_url, tmp_path_factory):
    folder = tmp_path_factory.mktemp("direct")
    with _clone(f"essai_{worker_id}_direct") as url:
        extra = {"DATABASE_URL": url, "KVSTORE_URL": valkey_url}
        with (
            running(folder, BRISK, **extra, CORS_ORIGINES="https://client.exemple") as first,
            running(folder, BRISK, **extra) as second,
        ):
            yield url, [first, second]


@pytest.fixture
def world(servers):
    url, services = servers
    with connected(url, autocommit=True) as db:
        yield World(db, services)


def scenario(test):
    """Run an asynchronous test on the world, then disconnect every client."""

    @wraps(test)
    def run(world, **others):
        async def within_time():
            try:
                async with asyncio.timeout(3 * PATIENCE):
                    await test(world, **others)
            finally:
                for client in world.clients:
                    await client.io.disconnect()

        asyncio.run(within_time())

    return run


@scenario
async def test_the_handshake_answers_the_user_the_rooms_and_the_history(world):
    till = builders.caisse(world.db)
    user = world.user("CAISSIER", caisse=till, activite=PRESSING)
    world.emit()
    client = await world.connect(user)
    hello = client.of("connection:ok")[0]
    permissions = hello["user"].pop("permissions")
    login = world.db.account(user)["login"]
    assert hello["user"] == {
        "id": str(user), "login": login, "role": "CAISSIER", "idCaisse": str(till), "idActiviteScope": str(PRESSING),
    }  # fmt: skip
    assert "FINANCES.VOIR" in permissions and "ADMIN.VOIR" not in permissions
    assert hello["rooms"] == ["tous", *(f"perm:{code}" for code in permissions)]
    assert [event for event, _ in client.events][:2] == ["connection:ok", "notifications:history"]


@scenario
async def test_the_envelope_names_event_message_data_and_recipients(world):
    user = world.user("ADMINISTRATEUR")
    client = await world.connect(user)
    world.emit("FINANCES.VOIR")
    world.emit(user=user)
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


@scenario
async def test_a_bad_token_gets_an_error_event_and_is_disconnected(world):
    user, revoked, disabled = world.user(), world.user(), world.user()
    token, signed_out = world.token(user), world.token(revoked)
    world.sign_out(signed_out)
    world.db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [disabled])
    bad = [None, {"token": 7}, [token]]
    bad += [{"token": text} for text in (token + "x", signed_out, world.token(user, ttl=-10), world.token(disabled))]
    for auth in bad:
        client = await world.open(auth)
        sentence = "Session expirée" if auth is bad[-1] else "jeton absent, expiré ou révoqué"
        assert sentence in await client.wait_closed()
        assert {event for event, _ in client.events} <= {"notifications:error", "__disconnect_final"}
    # The library of JavaScript does not come back after a refusal without a payload.
    async with aiohttp.ClientSession() as session, session.ws_connect(world.socket) as socket:
        await socket.send_str('40/notifications,{"token":"faux"}')
        frames = [str(frame.data) async for frame in socket]
    assert [frame for frame in frames if frame.startswith("41")] == ["41/notifications,"], frames


@scenario
async def test_polling_and_foreign_origins_are_refused(world):
    url, auth = world.services[0].url, {"token": world.token(world.user())}
    async with aiohttp.ClientSession() as session:
        # The client closes a session of its own before it reads the answer.
        polling = socketio.AsyncClient(reconnection=False, http_session=session)
        with pytest.raises(socketio.exceptions.ConnectionError):
            await polling.connect(url, namespaces=[NAMESPACE], transports=["polling"], auth=auth)
        for method in ("GET", "POST"):
            async with session.request(method, f"{url}/socket.io/?EIO=4&transport=polling") as answer:
                assert answer.status == 404
        for origin in ("https://ailleurs.exemple", "null", "http://[", f"{url}0"):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await session.ws_connect(world.socket, origin=origin)
            assert refused.value.status == 403
        for origin in (url, "https://client.exemple", None):
            async with session.ws_connect(world.socket, origin=origin) as opened:
                assert (await opened.receive()).data.startswith("0{")
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(f"{url}/ailleurs")


@scenario
async def test_a_till_gap_reaches_the_users_that_see_the_till_in_both_processes(world):
    till, other = builders.caisse(world.db), builders.caisse(world.db)
    users = {
        "admin": world.user("ADMINISTRATEUR"),
        "cashier": world.user("CAISSIER", caisse=till),
        "other till": world.user("CAISSIER", caisse=other),
        "activity": world.user("ADMINISTRATEUR", activite=PRESSING),
        "other activity": world.user("ADMINISTRATEUR", activite=RESTAURATION),
        "no permission": world.user("RH"),
    }
    clients = {(name, p): await world.connect(user, p) for name, user in users.items() for p in (0, 1)}
    body = {"id_caisse": str(till), "date": str(world.db.today()), "montant_compte": "7000", "note": None}
    answer = world.api(users["admin"]).post("/finances/tirages", json=body)
    assert answer.status_code == 201, answer.text
    last = world.emit()  # for all users: a client that has it and not the gap never receives the gap
    for client in clients.values():
        await client.gets(last)
    receivers = {key for key, client in clients.items() if len(client.ids()) == 2}
    assert receivers == {(name, p) for name in ("admin", "cashier", "activity") for p in (0, 1)}
    gap = clients["admin", 1].of("notification")[0]
    assert (gap["event"], gap["priority"], gap["data"]["id_caisse"]) == ("finances.tirage.ecart", "HIGH", str(till))
    for key, client in clients.items():  # the list route answers the same ids
        rows = world.api(users[key[0]]).get("/notifications?limit=2").json()
        assert [row["id_notification"] for row in rows][: len(client.ids())] == client.ids()[::-1]


@scenario
async def test_the_history_holds_fifty_notifications_of_the_last_seven_days(world):
    user = world.user()
    old, recent = world.emit(user=user), world.emit(user=user)
    dated = "update notification.notification set date = now() - %s::interval where id_notification = %s"
    world.db.execute(dated, ["7 days 2 hours", old])
    world.db.execute(dated, ["6 days 23 hours", recent])
    ids = [envelope["id"] for envelope in (await world.connect(user)).of("notifications:history")[0]]
    assert recent in ids and old not in ids
    many = [world.emit(user=user) for _ in range(60)]
    history = (await world.connect(user)).of("notifications:history")[0]
    assert [envelope["id"] for envelope in history] == many[:-51:-1]


@scenario
async def test_the_server_disconnects_a_session_that_has_ended(world):
    disabled, demoted, logged_out, expired = (world.user() for _ in range(4))
    token = world.token(logged_out)
    clients = {user: await world.connect(user) for user in (disabled, demoted)}
    clients[logged_out] = await world.connect(logged_out, token=token)
    clients[expired] = await world.connect(expired, token=world.token(expired, ttl=3))
    role = world.db.one("select id_role from auth.role where code = 'CAISSIER'")
    world.db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [disabled])
    world.db.execute("update auth.utilisateur set id_role = %s where id_utilisateur = %s", [role, demoted])
    world.sign_out(token)
    # No periodic check of the sessions has run yet: the delivery itself must skip these users.
    unseen = world.emit("RH.VOIR")
    sentences = {disabled: "droits", demoted: "droits", logged_out: "Session fermée", expired: "expirée"}
    for user, sentence in sentences.items():
        assert sentence in await clients[user].wait_closed()
        assert user == expired or unseen not in clients[user].ids()


@scenario
async def test_a_revoked_permission_ends_the_delivery_at_once(world):
    db = world.db
    role = builders.role(db, "RH.VOIR")
    client = await world.connect(world.user(role))
    before = world.emit("RH.VOIR")
    await client.gets(before)
    db.execute(
        "delete from auth.role_permission where id_role = (select id_role from auth.role where code = %s)", [role]
    )
    world.emit("RH.VOIR")
    for_all = world.emit()
    await until(lambda: for_all in client.ids() or client.closed)
    assert set(client.ids()) <= {before, for_all}
    assert "droits" in await client.wait_closed()


@pytest.mark.parametrize(
    "message",
    [
        '42/notifications,["connect",{"asgi.scope":{}},{"token":"x"}]', "42/notifications,[]",
        '42/notifications,["notifications:get_history",{"limit":100000},[],null]', "42/notifications," + "[" * 4000,
        "9", '40/ailleurs,{"token":"x"}', '451-/notifications,["x",{"_placeholder":true,"num":0}]',
        "43/notifications,99[]", "44/notifications,{}", "bAAAA", "3" + "[" * 8000, b"\x04",
    ],
)  # fmt: skip
@scenario
async def test_a_hostile_message_gives_no_access_and_disturbs_no_other_client(world, message):
    """The server may close the sender or answer it. Other clients go on, and the sender receives nothing more."""
    user = world.user()
    witness = await world.connect(world.user("ADMINISTRATEUR"))
    async with aiohttp.ClientSession() as session, session.ws_connect(world.socket) as socket:
        received = []

        async def read():
            async for frame in socket:
                if frame.data == "2":
                    await socket.send_str("3")
                received.append(str(frame.data))

        reading = asyncio.create_task(read())
        await socket.send_str("40/notifications," + json.dumps({"token": world.token(user)}))
        await until(lambda: any("notifications:history" in text for text in received))
        await (socket.send_bytes if isinstance(message, bytes) else socket.send_str)(message)
        hidden, own = world.emit("ADMIN.VOIR"), world.emit(user=user)
        await witness.gets(hidden)
        await until(lambda: socket.closed or any(f'"id":"{own}"' in text for text in received))
        assert not any(f'"id":"{hidden}"' in text for text in received)
        await socket.close()
        await reading
    assert "Traceback" not in world.services[0].log.read_text()


@scenario
async def test_an_event_named_connect_does_not_change_the_user_of_the_socket(world):
    """Socket.IO passes an event of this name to the connect handler. The valid token in it must have no effect."""
    user, other = world.user(), world.user()
    client = await world.connect(user)
    await client.io.emit("connect", ({}, {"token": world.token(other)}), namespace=NAMESPACE)
    await client.io.emit("inconnu", namespace=NAMESPACE)
    await until(lambda: client.of("notifications:error"))
    hidden, own = world.emit(user=other), world.emit(user=user)
    await client.gets(own)
    assert hidden not in client.ids() and len(client.of("connection:ok")) == 1


@scenario
async def test_a_flood_or_an_oversized_message_closes_the_socket(world):
    client = await world.connect(world.user())
    for _ in range(25):
        await client.io.emit("inconnu", namespace=NAMESPACE)
    assert "Trop de messages" in await client.wait_closed()
    async with aiohttp.ClientSession() as session, session.ws_connect(world.socket) as socket:
        await socket.receive()
        await socket.send_str("40/notifications," + json.dumps({"token": "x" * 9000}))
        assert (await socket.receive(10)).type is aiohttp.WSMsgType.CLOSE
        assert socket.close_code == 1009


@scenario
async def test_the_eleventh_connection_of_a_user_closes_the_first(world):
    user = world.user()
    first, *others = [await world.connect(user) for _ in range(11)]
    assert "la plus ancienne" in await first.wait_closed()
    last = world.emit(user=user)
    for client in others:
        await client.gets(last)


@scenario
async def test_a_connection_writes_one_log_line_and_raises_the_gauge(world):
    user, service = world.user(), world.services[0]
    token = world.token(user)
    client = await world.connect(user, token=token)

    def lines():
        entries = [json.loads(line) for line in service.log.read_text().splitlines() if line.startswith("{")]
        return [line for line in entries if line["method"] == "WS" and line["user"] == str(user)]

    def gauge():
        text = service.client.get(f"{service.url}/metrics").text
        return next(float(line.split()[1]) for line in text.splitlines() if line.startswith("svc_sockets "))

    line = (await until(lines))[0]
    assert (line["route"], line["status"], len(lines())) == ("/socket.io/", 101, 1)
    assert token not in service.log.read_text()
    await until(lambda: gauge() == 1)
    await client.io.disconnect()
    await until(lambda: gauge() == 0)


@scenario
async def test_notifications_written_while_the_listener_is_down_arrive_once(world):
    """The test ends the LISTEN connections several times while it writes rows. Each row arrives once, in order."""
    user = world.user()
    clients = [await world.connect(user, process) for process in (0, 1)]
    sent = []
    for _ in range(5):
        world.db.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where application_name = 'comptoir-direct' and datname = current_database()"
        )
        sent += [world.emit(user=user) for _ in range(5)]
    for client in clients:
        await until(lambda client=client: len(client.ids()) >= len(sent))
        assert client.ids() == sent


@scenario
async def test_rows_committed_out_of_order_arrive_and_rolled_back_rows_do_not(world, servers):
    user = world.user()
    client = await world.connect(user)
    with connected(servers[0]) as other:
        slow = World(other, [])
        early, late = slow.emit(user=user), world.emit(user=user)
        await client.gets(late)
        other.connection.commit()
        await client.gets(early)
        slow.emit(user=user)
        other.connection.rollback()
    last = world.emit(user=user)
    await client.gets(last)
    assert client.ids() == [late, early, last]


@scenario
async def test_a_restart_of_the_database_loses_no_notification_and_the_end_of_the_process_closes_its_sockets(
    world, tmp_path
):
    with migrated_postgres(tmp_path / "base") as server, running(tmp_path, BRISK, DATABASE_URL=server.url()) as service:
        with connected(server.url(), autocommit=True) as db:
            alone = World(db, [service], world.clients)
            user = alone.user()
            client = await alone.connect(user)
            first = alone.emit(user=user)
            await client.gets(first)
            db.execute("checkpoint")  # the tests commit asynchronously, and a crash would lose the user
        await asyncio.to_thread(crash, server)
        with connected(server.url(), autocommit=True) as alone.db:
            # The process usually does not listen again yet.
            meanwhile = [alone.emit(user=user) for _ in range(3)]
            await until(lambda: len(client.ids()) >= 4)
            assert client.ids() == [first, *meanwhile]
            await client.gets(alone.emit(user=user))
            assert not client.closed
        before = service.log.read_text()
        assert await asyncio.to_thread(service.stop) == 0
        await until(lambda: client.closed)
        written = service.log.read_text().removeprefix(before)
        assert "Traceback" not in written and "timeout graceful shutdown exceeded" not in written
