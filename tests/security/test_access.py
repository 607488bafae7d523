"""Every route without a token, with an invalid token, with a revoked token, and without its permission."""

import re
from typing import Any

import httpx

from app import routes
from app.http.route import Route
from tests import builders
from tests.conftest import Db, Http

TABLE = routes.load().routes
CLOSED = [route for route in TABLE if not route.public]
GUARDED = [route for route in CLOSED if route.permission]
PUBLIC_PATHS = {
    "/api/v1/auth/login",
    "/api/v1/auth/inscription",
    "/api/v1/auth/mot-de-passe-oublie",
    "/api/v1/auth/reinitialiser-mot-de-passe",
    "/api/v1/auth/refresh",
    "/api/v1/auth/logout",
}
CHECKED_BY_ANYONE = {
    "/verifier/{jeton}",
    "/verifier/{jeton}/preuve",
    "/verifier/racines",
    "/verifier/coherence",
    "/.well-known/comptoir-sceau.json",
}
NOTICES = {"/api/v1/tresorerie/avis/{jeton}"}  # of providers: the token in the address is the secret
SHOP_WINDOW = {
    "/api/v1/market/vitrine",
    "/api/v1/market/vitrine/{id_produit}/image",
    "/api/v1/restaurant/vitrine",
    "/api/v1/restaurant/vitrine/{id_plat}/image",
}


def path(route: Route) -> str:
    return re.sub(r"{\w+}", "1", route.path)


def send(client: Http, route: Route, **options: Any) -> httpx.Response:
    return client.request(route.method, path(route), json={} if route.method != "GET" else None, **options)


def test_public_routes_sign_in_verify_a_document_take_a_notice_or_show_the_shop_window() -> None:
    assert {route.path for route in TABLE if route.public} == PUBLIC_PATHS | CHECKED_BY_ANYONE | NOTICES | SHOP_WINDOW


def test_every_route_without_a_valid_token_answers_401(http: Http, db: Db) -> None:
    revoked = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR")).token
    assert revoked is not None
    claims = http.services.tokens.verify(revoked)
    http.runner.run(http.services.store.deny(claims.jti, 60))
    assert {
        (route.method, route.path, name): answer.text
        for route in CLOSED
        for name, token in {"none": None, "revoked": revoked}.items()
        if (answer := send(http, route, token=token)).status_code != 401 or answer.json()["code"] != "UNAUTHORIZED"
    } == {}


def test_every_route_without_its_permission_answers_403(http: Http, db: Db) -> None:
    """For each permission, a role that has every other permission. « A|B »: a role that has neither A nor B."""
    wrong = {}
    guarded: dict[str, list[Route]] = {}
    for route in GUARDED:
        guarded.setdefault(route.permission or "", []).append(route)
    for number, (permission, guarded_routes) in enumerate(guarded.items()):
        missing = permission.split("|")
        role = db.one("insert into auth.role (code, libelle) values (%s, 'Essai') returning id_role", [f"E{number}"])
        db.execute(
            "insert into auth.role_permission (id_role, id_permission) "
            "select %s, id_permission from auth.permission where code <> all(%s)",
            [role, missing],
        )
        user = http.as_user(builders.utilisateur(db, role=f"E{number}"))
        for route in guarded_routes:
            answer = send(user, route)
            named = all(name in answer.json()["message"] for name in missing) if answer.status_code == 403 else False
            if not named or answer.json()["code"] != "FORBIDDEN":
                wrong[route.method, route.path] = answer.text
    assert wrong == {}
