"""Forged tokens, and sessions that end while requests are in flight."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from threading import Barrier
from typing import Any

import httpx
import jwt
import psutil
import pytest

from tests import builders
from tests.conftest import SECRET, Db, Http, connected
from tests.preuve import LONGUE
from tests.server import Service, running
from tests.together import repeated

ADDRESSES = count(1)


@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
def test_a_forged_token_is_refused(http: Http, db: Db) -> None:
    """Each forged token gets the same answer."""
    token = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR")).token or ""
    kid, claims = jwt.get_unverified_header(token)["kid"], jwt.decode(token, SECRET, algorithms=["HS256"])

    def signed(secret: str = SECRET, **changes: Any) -> str:
        return jwt.encode({**claims, **changes}, secret, headers={"kid": kid})

    forged = {
        "the kid as secret": signed(secret=kid.ljust(32, "0")),
        "expired": signed(exp=int(time.time()) - 1),
        "not yet": signed(nbf=int(time.time()) + 600),
        "not text": "\xe9\xe8",
        "a name as sub": signed(sub="personne"),
        "a negative sub": signed(sub="-1"),
        "a sub beyond bigint": signed(sub="9" * 19),
        "other digits as sub": signed(sub="\u0661"),
        "a string as epoch": signed(epoque="0"),
    }
    answers = set()
    for name, forged_token in forged.items():
        answer = http.get("/auth/me", headers={"authorization": f"Bearer {forged_token}".encode("latin-1")})
        assert answer.status_code == 401, name
        answers.add((answer.json()["code"], answer.json()["message"]))
    assert len(answers) == 1
    # A token signed by the same helper without changes is valid.
    assert http.get("/auth/me", token=signed()).status_code == 200


# ---- a running service


@pytest.fixture(scope="module")
def service(module_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service trusts the proxy at the loopback address, so that each sign-in can have its own address."""
    settings = {"COMPTOIR_ETAT": str(tmp_path_factory.mktemp("etat")), "TRUSTED_PROXIES": "127.0.0.1"}
    with running(tmp_path_factory.mktemp("jetons"), DATABASE_URL=module_url, **settings) as running_service:
        yield running_service


@pytest.fixture
def account(module_url: str) -> tuple[int, str]:
    with connected(module_url) as db:
        login = f"essai.jetons.{next(ADDRESSES)}"
        return builders.utilisateur(db, role="ADMINISTRATEUR", login=login), login


def sign_in(service: Service, login: str, password: str = builders.PASSWORD) -> httpx.Response:
    number = next(ADDRESSES)
    address = {"x-forwarded-for": f"203.{number // 65536}.{number // 256 % 256}.{number % 256}"}
    body = {"login": login, "mot_de_passe": password}
    return service.client.post("/auth/login", json=body, headers=address)


def test_one_of_many_concurrent_renewals_wins_and_the_session_is_revoked(
    service: Service, account: tuple[int, str]
) -> None:
    token = sign_in(service, account[1]).json()["refreshToken"]
    start = Barrier(8)

    def renew(_: int) -> httpx.Response:
        with service.new_client() as client:
            start.wait()
            return client.post("/auth/refresh", json={"refresh_token": token})

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(renew, range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [401] * 7
    successor = next(answer.json()["refreshToken"] for answer in answers if answer.status_code == 200)
    for used_token in (token, successor):
        assert service.client.post("/auth/refresh", json={"refresh_token": used_token}).status_code == 401


def in_flight(service: Service, token: str, change: Callable[[], None], path: str) -> tuple[set[int], int]:
    """Run four clients during the change. Return their statuses, and the status of the first call after the change."""
    statuses: set[int] = set()

    def ask(client: httpx.Client) -> None:
        statuses.add(client.get(path).status_code)

    with repeated(*(partial(ask, service.new_client(authorization=token)) for _ in range(4))):
        change()
        after = service.new_client(authorization=token).get(path).status_code
    return statuses, after


@pytest.mark.parametrize("change, expected", [("logout", 401), ("deactivated", 401), ("role", 403)])
def test_a_session_that_ends_is_refused_at_once(
    service: Service, account: tuple[int, str], module_url: str, change: str, expected: int
) -> None:
    id_utilisateur, login = account
    admin = service.new_client(authorization=f"Bearer {sign_in(service, 'admin', 'motdepasse').json()['accessToken']}")
    session = sign_in(service, login).json()
    token = f"Bearer {session['accessToken']}"

    def end() -> None:
        if change == "logout":
            client = service.new_client(authorization=token)
            answer = client.post("/auth/logout", json={"refresh_token": session["refreshToken"]})
        elif change == "deactivated":
            answer = admin.post(f"/admin/utilisateurs/{id_utilisateur}/desactiver")
        else:
            roles = {row["code"]: row["id_role"] for row in admin.get("/admin/roles").json()}
            answer = admin.patch(f"/admin/utilisateurs/{id_utilisateur}", json={"id_role": roles["RH"]})
        assert answer.status_code == 200, answer.text

    path = "/auth/me" if expected == 401 else "/admin/roles"
    statuses, after = in_flight(service, token, end, path)
    assert after == expected and statuses <= {200, expected}
    if expected == 401:
        assert service.client.post("/auth/refresh", json={"refresh_token": session["refreshToken"]}).status_code == 401


def processor_time(service: Service) -> float:
    first = psutil.Process(service.process.pid)
    return sum(sum(process.cpu_times()[:2]) for process in (first, *first.children(recursive=True)))


def test_a_sign_in_takes_the_same_time_for_known_and_unknown_logins(service: Service, module_url: str) -> None:
    """Known and unknown logins alternate. Their processor time is compared, because other programs delay a call."""
    rounds, bound = (150, 0.10) if LONGUE else (15, 0.35)
    times = {"connue": 0.0, "inconnue": 0.0}
    with connected(module_url) as db:
        for number in range(0, rounds, 5):  # the throttle answers from the sixth wrong password
            builders.utilisateur(db, login=f"connue.{number}")
    for turn in range(rounds):
        for kind in times:
            before = processor_time(service)
            assert sign_in(service, f"{kind}.{turn // 5 * 5}", "faux et long").status_code == 401
            times[kind] += processor_time(service) - before
    known, unknown = times.values()
    assert abs(known - unknown) < bound * max(known, unknown), times
    assert min(known, unknown) > 0.02 * rounds  # the service computed the hash for both
