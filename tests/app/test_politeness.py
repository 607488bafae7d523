"""Headers and forms of every answer: quotas, and the end of a route."""

import re
from dataclasses import replace
from typing import Any

import httpx
import pytest
from starlette.middleware.cors import CORSMiddleware

from app import routes
from app.auth.kvstore import Store
from app.commands import application
from app.http.services import Serving
from tests import builders
from tests.conftest import Db, Http
from tests.server import ROOT

LOGIN = "essai.quota"
LISTED = "/api/v1/core/parametres"


def quota(answer: httpx.Response) -> list[tuple[str, int, int]]:
    """Name, rest and seconds of each quota of RateLimit."""
    parts = re.findall(r'"([a-z0-9.-]+)";r=(\d+);t=(\d+)(?:, |$)', answer.headers.get("ratelimit", ""))
    return [(name, int(rest), int(seconds)) for name, rest, seconds in parts]


def sign_in(http: Http, password: str = builders.PASSWORD) -> httpx.Response:
    return http.post("/auth/login", json={"login": LOGIN, "mot_de_passe": password})


@pytest.fixture
def user(http: Http, db: Db) -> int:
    http.services.store = Store()
    return builders.utilisateur(db, login=LOGIN, role="ADMINISTRATEUR")


# --- RateLimit


def test_every_answer_of_a_throttled_route_carries_its_quota(http: Http, user: int) -> None:
    """A success, a wrong password, a malformed body and the 429 alike."""
    answers = [sign_in(http), sign_in(http, "faux et long"), http.post("/auth/login", json={})]
    answers += [sign_in(http) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 401, 400, 200, 200, 429]
    assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"login";q=5;w=60'}
    assert answers[0].headers["ratelimit"] == '"login";r=4;t=60'
    assert [rest for answer in answers for _, rest, _ in quota(answer)] == [4, 3, 2, 1, 0, 0]
    [(_, _, seconds)] = quota(answers[-1])
    assert seconds == int(answers[-1].headers["retry-after"])


def test_a_route_without_a_throttle_carries_no_quota(http: Http, user: int) -> None:
    answer = http.as_user(user).get(LISTED)
    assert answer.status_code == 200 and not {"ratelimit", "ratelimit-policy"} & answer.headers.keys()
    assert "ratelimit" not in http.get(LISTED).headers


def test_a_quota_has_a_name_that_the_page_of_the_api_explains(http: Http) -> None:
    http.services.store = Store()
    page = (ROOT / "docs/api.md").read_text().partition("## Freins")[2].partition("\n## ")[0]
    throttled = [route for route in routes.load().routes if route.throttle]
    assert len(throttled) > 10
    for route in throttled:
        path = re.sub(r"{\w+}", "1", route.path)
        [(name, _, _)] = quota(http.request(route.method, path, json={} if route.method == "POST" else None))
        assert f"`{name}`" in page, route.path


def test_the_change_of_a_password_carries_the_quota_of_wrong_passwords(http: Http, user: int) -> None:
    path, signed_in = "/auth/mot-de-passe", http.as_user(user)

    def change(old: str, new: str = "un autre mot de passe") -> httpx.Response:
        return signed_in.post(path, json={"ancien": old, "nouveau": new})

    malformed = signed_in.post(path, json={})
    answers = [malformed, *(change("faux et long") for _ in range(6))]
    assert [answer.status_code for answer in answers] == [400] * 6 + [429]
    assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"mot-de-passe";q=5;w=900'}
    assert [rest for answer in answers for _, rest, _ in quota(answer)] == [5, 4, 3, 2, 1, 0, 0]
    assert quota(answers[-1]) == [("mot-de-passe", 0, int(answers[-1].headers["retry-after"]))]
    http.services.store = Store()
    done = change(builders.PASSWORD)
    assert done.status_code == 200 and quota(done) == [("mot-de-passe", 5, 900)]


def test_a_login_refused_for_its_account_names_that_quota_too(http: Http, user: int) -> None:
    for _ in range(2):  # the throttle of the address starts again, the tries at the account stay
        http.services.store = _without_windows(http.services.store)
        answers = [sign_in(http, "faux et long") for _ in range(5)]
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.headers["ratelimit-policy"] == '"login";q=5;w=60, "mot-de-passe";q=5;w=900'
    assert quota(refused)[1] == ("mot-de-passe", 0, int(refused.headers["retry-after"]))


def _without_windows(store: Any) -> Store:
    fresh = Store()
    fresh._attempts = store._attempts
    return fresh


def test_codes_of_the_second_factor_carry_their_quota(http: Http, user: int) -> None:
    signed_in = http.as_user(user)
    assert signed_in.post("/auth/a2f").status_code == 200
    answers = [signed_in.post("/auth/a2f/confirmer", json={"code": "000000"}) for _ in range(5)]
    answers.append(signed_in.request("DELETE", "/auth/a2f", json={"code": "000000"}))
    assert [answer.status_code for answer in answers] == [401] * 5 + [429]
    assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"a2f";q=5;w=900'}
    assert [rest for answer in answers for _, rest, _ in quota(answer)] == [4, 3, 2, 1, 0, 0]


def test_every_answer_to_an_api_key_carries_the_quota_of_the_key(http: Http, user: int) -> None:
    made = http.as_user(user).post("/auth/cles", json={"libelle": "Essai", "permissions": ["CORE.VOIR"]})
    key = replace(http, token=made.json()["cle"])
    answers = [key.get(LISTED), key.get("/client/clients"), key.get("/auth/sessions"), key.get(f"{LISTED}/RIEN")]
    assert [answer.status_code for answer in answers] == [200, 403, 403, 404]
    assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"cle";q=1200;w=60'}
    assert [rest for answer in answers for _, rest, _ in quota(answer)] == [1199, 1198, 1197, 1196]


def test_a_page_of_another_origin_may_send_and_read_the_headers_of_the_document(http: Http) -> None:
    settings = replace(http.services.settings, cors_origines=("https://client.exemple",))
    built = application.build(Serving(replace(http.services, settings=settings)))
    cors = built.middleware_stack
    assert isinstance(cors, CORSMiddleware)
    exposed = set(cors.simple_headers["Access-Control-Expose-Headers"].split(", "))
    assert {"RateLimit", "Retry-After", "Memento-Datetime", "Content-Disposition"} <= exposed
    assert {"authorization", "if-match", "if-none-match", "idempotency-key", "prefer"} <= set(cors.allow_headers)


def test_the_document_declares_the_quotas(http: Http) -> None:
    shown: Any = http.get("/docs-json").json()
    assert {"RateLimit", "RateLimit-Policy"} <= shown["components"]["headers"].keys()
    for path in ("login", "inscription", "mot-de-passe-oublie", "reinitialiser-mot-de-passe", "mot-de-passe"):
        [success] = [a for s, a in shown["paths"][f"/api/v1/auth/{path}"]["post"]["responses"].items() if s < "300"]
        assert {"RateLimit", "RateLimit-Policy"} <= success["headers"].keys(), path
    for name, refusal in shown["components"]["responses"].items():
        assert {"RateLimit", "RateLimit-Policy"} <= refusal["headers"].keys(), name
