"""A session reads back its own writes, whatever process takes each call, although replicas answer lists and reports."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from app.auth.redisstore import WRITES
from bench.valkey import Valkey
from tests import sheets
from tests.builders import PASSWORD
from tests.conftest import ok
from tests.preuve import selon
from tests.server import Service, eventually, kill, running
from tests.standby import Replicated, answered_by, answers, replicated, session

REPORT, LIST = "/rapports/synthese-globale", "/finances/paiements"
PAYMENT = {"montant": "500", "id_moyen": "1", "id_activite": "1"}
REPLICAS = {"replica-1", "replica-2"}
LONG = {"DATABASE_REPLICA_RETARD": "3600"}
_numbers = count(1)


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicated]:
    with replicated(tmp_path_factory.mktemp("relecture"), 2) as servers:
        yield servers


@pytest.fixture
def valkey(mortal: Valkey) -> Valkey:
    """A store that a test may kill. Its memory counts as old."""
    with redis.Redis.from_url(mortal.url) as client:
        client.zadd(WRITES, {"": -1})
    return mortal


def login(in_sync: Replicated) -> str:
    """The token of a new account."""
    return in_sync.user(f"lecteur.{next(_numbers)}")


def in_use(service: Service, in_sync: Replicated) -> None:
    """Wait until the service reads from both replicas."""
    reader = session(service, login(in_sync))
    in_sync.catch_up()
    eventually(lambda: answered_by(service, reader, REPORT) in REPLICAS)


def pause(in_sync: Replicated) -> None:
    for standby in in_sync.standbys:
        standby.pause()


@contextmanager
def two_services(
    directory: Path, in_sync: Replicated, store: Valkey, lag: str, **settings: str
) -> Iterator[list[Service]]:
    """Two services that share a store and read from both replicas."""
    settings = {**in_sync.urls, "DATABASE_REPLICA_RETARD": lag, "KVSTORE_URL": store.url, **settings}
    with running(directory, **settings) as first, running(directory, **settings) as second:
        for service in (first, second):
            in_use(service, in_sync)
        yield [first, second]


def pay(client: httpx.Client, **headers: str) -> str:
    return str(ok(client.post("/finances/paiements", json=PAYMENT, headers=headers))["id_paiement"])


def payments(client: httpx.Client) -> list[str]:
    return [row["id_paiement"] for row in ok(client.get(LIST, params={"limit": "1000"}))]


def _reads(client: httpx.Client) -> None:
    client.get("/core/parametres")
    client.get("/finances/moyens-paiement/1")
    client.get("/auth/me")


def _conditional(client: httpx.Client) -> None:
    tag = client.get("/finances/moyens-paiement/1").headers["etag"]
    body = {"libelle": f"Espèces {next(_numbers)}"}
    assert client.patch("/finances/moyens-paiement/1", json=body, headers={"If-Match": tag}).status_code == 200


def _repetition(client: httpx.Client, *, keep: bool) -> None:
    call = {"methode": "POST", "chemin": "/api/v1/finances/paiements", "corps": PAYMENT}
    answer = client.post("/repetition", json={"appels": [call], "valider": keep})
    assert (answer.status_code, answer.json()["reponses"][0]["statut"]) == (200, 201), answer.text


def _upload(client: httpx.Client) -> None:
    sheet = sheets.text(["nom", "prenoms", "telephone"], ["Exemple", "Awa", "+2250700000000"])
    ok(client.post("/imports", data={"entite": "clients"}, files={"file": ("clients.csv", sheet)}))


def _sign_in(client: httpx.Client) -> None:
    login = client.get("/auth/me").json()["login"]
    ok(client.post("/auth/login", json={"login": login, "mot_de_passe": PASSWORD}))


def _refusal(client: httpx.Client) -> None:
    answer = client.post("/finances/paiements", json={**PAYMENT, "id_moyen": "999999"})
    assert 400 <= answer.status_code < 500, answer.text


def test_every_write_counts_and_no_rehearsal_refusal_or_read(tmp_path: Path, in_sync: Replicated) -> None:
    kinds: dict[str, tuple[Callable[[httpx.Client], Any], bool]] = {
        "write": (pay, True),
        "conditional write": (_conditional, True),
        "write with a key": (lambda client: pay(client, **{"Idempotency-Key": f"cle-{next(_numbers)}"}), True),
        "upload": (_upload, True),
        "sign-in": (_sign_in, True),
        "rehearsal": (lambda client: pay(client, Prefer="tx=rollback"), False),
        "rehearsed list of calls": (lambda client: _repetition(client, keep=False), False),
        "refused write": (_refusal, False),
        "reads": (_reads, False),
        # The last one, because it counts for every user: one of its calls may change accounts.
        "kept list of calls": (lambda client: _repetition(client, keep=True), True),
    }
    with running(tmp_path, **in_sync.urls, **LONG) as service:
        clients = {name: session(service, login(in_sync)) for name in kinds}
        in_use(service, in_sync)
        servers = {}
        for name, (act, _) in kinds.items():
            act(clients[name])
            servers[name] = answered_by(service, clients[name], LIST)
    assert {name: server == "primary" for name, server in servers.items()} == {
        name: counts for name, (_, counts) in kinds.items()
    }


def test_a_write_is_read_back_at_another_process(tmp_path: Path, in_sync: Replicated, valkey: Valkey) -> None:
    token, other = login(in_sync), login(in_sync)
    with two_services(tmp_path, in_sync, valkey, "3600") as (first, second):
        pause(in_sync)
        assert answered_by(second, session(second, token), LIST) in REPLICAS
        paid = pay(session(first, token))
        for service in (first, second):
            assert paid in payments(session(service, token))
            assert answered_by(service, session(service, token), LIST) == "primary"
            assert answered_by(service, session(service, other), LIST) in REPLICAS


def test_a_deactivated_account_reads_no_list_from_a_replica_that_still_has_it(
    tmp_path: Path, in_sync: Replicated, valkey: Valkey
) -> None:
    tokens = login(in_sync), login(in_sync)
    with two_services(tmp_path, in_sync, valkey, "3600") as (first, second):
        admin, left = session(first, tokens[0]), session(second, tokens[1])
        pause(in_sync)
        assert answered_by(second, left, LIST) in REPLICAS
        number = left.get("/auth/me").json()["id"]
        assert admin.post(f"/admin/utilisateurs/{number}/desactiver").status_code == 200
        assert left.get(LIST).status_code == 401


def test_a_write_is_read_back_while_the_store_is_down(tmp_path: Path, in_sync: Replicated, valkey: Valkey) -> None:
    token = login(in_sync)
    with two_services(tmp_path, in_sync, valkey, "3") as (first, second):
        kill(valkey._child)
        paid = pay(session(first, token))
        for service in (first, second):
            assert answered_by(service, session(service, token), LIST) == "primary"
            assert paid in payments(session(service, token))
        later = pay(session(first, token))
        valkey.start()
        assert later in payments(session(second, token))  # the store answers, without its memory
        eventually(lambda: answered_by(second, session(second, token), LIST) in REPLICAS)
        assert later in payments(session(second, token))


@dataclass
class User:
    """A user of both services, and the payments that they have made."""

    clients: list[httpx.Client]
    writes: float  # share of their calls that write
    paid: list[str] = field(default_factory=list)


@pytest.mark.promesse("Répliques : aucune session ne manque ce qu'elle vient d'écrire")
def test_no_session_misses_its_own_write_while_replicas_lag_and_the_store_restarts(
    tmp_path: Path, in_sync: Replicated, valkey: Valkey, seed: int, record_property: Any
) -> None:
    chance = random.Random(seed)
    tokens = [login(in_sync) for _ in range(6)]
    with two_services(tmp_path, in_sync, valkey, "3", JWT_DUREE="86400") as services:
        users = [
            User([session(service, token) for service in services], writes)
            for token, writes in zip(tokens, (0.5, 0.1, 0.02, 0.01, 0.005, 0.0), strict=True)
        ]
        paused = [False, False]

        def step() -> None:
            user = chance.choice(users)
            if chance.random() < user.writes:
                user.paid.append(pay(chance.choice(user.clients)))
            elif user.paid:
                assert user.paid[-1] in payments(chance.choice(user.clients))
            else:
                chance.choice(user.clients).get(REPORT)

        def disturb() -> None:
            place = chance.randrange(2)
            if chance.random() < 0.1:
                kill(valkey._child)
                for _ in range(10):
                    step()
                valkey.start()
            else:
                standby = in_sync.standbys[place]
                (standby.resume if paused[place] else standby.pause)()
                paused[place] = not paused[place]

        def reads() -> tuple[int, int]:
            """The reads that the replicas have answered, and the reads that they might have answered."""
            counted = [item for service in services for item in answers(service).items()]
            return sum(n for name, n in counted if name in REPLICAS), sum(n for _, n in counted)

        rounds = 0
        while rounds < selon(40, 400) or reads()[0] <= 50:
            rounds += 1
            for _ in range(chance.randrange(5, 50)):
                step()
            disturb()
        by_replicas, of = reads()
    assert sum(len(user.paid) for user in users) > 50
    record_property("lectures des répliques, sur toutes", f"{by_replicas} / {of}")
