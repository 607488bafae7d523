"""Each declaration of a route holds on every kind of route, or stops the start of the service."""

from dataclasses import fields, replace
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from app.auth.throttle import Throttle
from app.database.database import Database
from app.documents.document import Report
from app.http.answer import Answer
from app.http.endpoint import Endpoint
from app.http.middleware import RequestMiddleware
from app.http.request import Request
from app.http.route import GET, POST, Route
from app.http.turns import Turns
from app.routes import load
from app.routes.check import ignored
from tests import builders
from tests.conftest import Db, Http
from tests.house.rule import holds
from tests.repetition.test_repetition import PERSON
from tests.sheets import send, text
from tests.tresorerie.argent import compte
from tests.tresorerie.releve import sent


async def of_function(request: Request) -> Answer:
    row = await request.operation.run(request, request.operation.arguments.check({}, None))
    return Answer(200, row["corps"])


async def alone(_request: Request) -> Answer:
    return Answer(200, b"{}")


LIST, CREATION = "client.client_lister", "client.client_creer"
KINDS = {
    "GET of a function": GET("/essai", LIST, None),
    "GET with a handler and a function": GET("/essai", LIST, None, handler=of_function),
    "GET with a handler": GET("/essai", None, None, handler=alone),
    "POST of a function": POST("/essai", CREATION, None, "CreerClientDto"),
    "POST with a handler": POST("/essai", None, None, handler=alone),
    "POST with a handler and a function": POST("/essai", CREATION, None, handler=alone),
    "upload": POST("/essai", None, "CLIENT.VOIR", handler=alone, form=()),
    "public POST": POST("/essai", None, None, "EssaiDto", public=True, handler=alone),
    "public GET": GET("/essai", LIST, None, public=True),
}
# Each declaration with an effect of its own on a request, and a value of it. `proven` observes the effect.
DECLARED: dict[str, Any] = {
    **dict.fromkeys(("public", "costly", "stale", "waits", "rehearsable", "job", "device"), True),
    "permission": "ADMIN.SUPPRIMER",
    "throttle": Throttle(0, 60),
    "cached": 60,
}
# Their effect is the answer, which tests/house/test_openapi_answers.py compares with the document.
OF_THE_ANSWER = {"status", "answer", "media", "later", "formats", "document", "template", "report", "columns", "body",
                 "champs", "fields", "optional", "parts", "supplied", "form", "accepts", "refuses", "bounds",
                 "tries_password"}  # fmt: skip
IDENTITY = {"method", "path", "function", "handler", "slice", "detail"}


def test_every_declaration_is_tried() -> None:
    assert {field.name for field in fields(Route)} == {*DECLARED, *OF_THE_ANSWER, *IDENTITY}


def test_no_route_declares_what_its_kind_ignores() -> None:
    broken = [f"{route.method} {route.path}: {names}" for route in load().routes if (names := ignored(route))]
    holds("a route declares nothing that its kind ignores", broken, "see `ignored` in app/routes/check.py")


@pytest.mark.parametrize("name", [kind for kind in KINDS if kind != "GET of a function"])
@pytest.mark.parametrize("declared", ["formats", "report", "columns", "template", "document"])
def test_only_a_read_function_makes_a_file(name: str, declared: str) -> None:
    value: Any = Report("Essai", ()) if declared == "report" else ("csv",) if declared == "formats" else "x"
    expected = [] if name == "public GET" else [declared]
    assert ignored(replace(KINDS[name], **{declared: value})) == expected


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("declared", DECLARED)
def test_a_declaration_holds_or_stops_the_start(http: Http, db: Db, declared: str, kind: str) -> None:
    base = KINDS[kind]
    route = replace(base, slice="client", bounds=(), **{declared: DECLARED[declared]})
    if declared in ignored(route):
        return
    if declared == "costly" and route.form is not None:
        return  # its handler takes the turn: the next test
    seen = play(http, db, base, listening=declared), play(http, db, route, listening=declared)
    assert proven(declared, *seen), (declared, kind, *seen)


def test_the_handler_of_a_costly_form_takes_its_turn(http: Http, db: Db) -> None:
    forms = [route.path for route in load().routes if route.costly and route.form is not None]
    opening = "/api/v1/compta/a-nouveaux/feuille"
    assert sorted(forms) == [opening, "/api/v1/imports", "/api/v1/tresorerie/comptes/{id_compte}/releves"]
    with patch.object(Turns, "take", autospec=True, side_effect=Turns.take) as take:
        assert send(http.as_admin(), text(("Nom", "Prénoms"), ("Exemple", "Awa"))).status_code == 201
        assert sent(http.as_admin(), compte(db), b"Date;Montant\n2026-01-02;5\n").status_code == 201
        files = {"file": ("balance.csv", text(("Compte", "Débit"), ("521", "5")))}
        sheet = http.as_admin().request("POST", opening, data={"date": "2026-01-02"}, files=files)
        assert sheet.json()["code"] == "OPERATION_DESEQUILIBREE"
    assert take.call_count == 3


def play(http: Http, db: Db, route: Route, listening: str) -> dict[str, Any]:
    """Send a request of a user without permissions, or without a token for `public`. Return what happened."""
    headers = {"prefer": "tx=rollback"} if listening == "rehearsable" else {}
    caller = http.as_user(builders.utilisateur(db, role="CAISSIER")) if listening != "public" else http
    endpoint = Endpoint(route, http.services)

    async def routed(scope: Scope, receive: Receive, send: Send) -> None:
        scope["path_params"] = {}
        await endpoint(scope, receive, send)

    app = RequestMiddleware(routed, http.services)
    caller = replace(caller, transport=httpx.ASGITransport(app), nulls=None)
    body = None if route.method == "GET" else PERSON
    with (
        patch.object(Turns, "take", autospec=True, side_effect=Turns.take) as take,
        patch.object(Database, "stale_row", autospec=True, side_effect=Database.stale_row) as stale,
        patch.object(Database, "row", autospec=True, side_effect=Database.row) as row,
    ):
        answer = caller.request(route.method, "/essai", json=body, headers=headers)
    return {
        "turns": take.call_count,
        "stale": stale.call_count,
        "reading": row.call_args and row.call_args.kwargs.get("reading", False),
        "status": answer.status_code,
        "code": answer.json().get("code") if answer.is_error else None,
        "cache": answer.headers.get("cache-control"),
    }


def proven(declared: str, without: dict[str, Any], declaring: dict[str, Any]) -> bool:
    return {
        "permission": declaring["status"] == 403,
        "public": declaring["status"] != 401,
        "costly": (without["turns"], declaring["turns"]) == (0, 1),
        "throttle": declaring["status"] == 429,
        "cached": (without["cache"], declaring["cache"]) == ("no-store", "public, max-age=60"),
        "stale": (without["stale"], declaring["stale"]) == (0, 1),
        "waits": declaring["reading"] is True,
        "rehearsable": declaring["code"] != "REPETITION_IMPOSSIBLE",
        "device": True,  # tests/hors_ligne/test_appareil.py calls with the key of a device
        "job": True,  # tests/jobs/test_a_la_main.py counts the runs
    }[declared]
