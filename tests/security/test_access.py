"""Every route without a token, with an invalid token, with a revoked token, and without its permission."""

from __future__ import annotations

import re

import pytest

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
SHOP_WINDOW = {
    "/api/v1/market/vitrine",
    "/api/v1/market/vitrine/{id_produit}/image",
    "/api/v1/restaurant/vitrine",
    "/api/v1/restaurant/vitrine/{id_plat}/image",
}


def path(route: Route) -> str:
    return re.sub(r"{\w+}", "1", route.path)


def label(route: Route) -> str:
    return f"{route.method} {route.path}"


def test_public_routes_sign_in_verify_a_document_or_show_the_shop_window() -> None:
    assert {route.path for route in TABLE if route.public} == PUBLIC_PATHS | CHECKED_BY_ANYONE | SHOP_WINDOW


@pytest.mark.parametrize("route", CLOSED, ids=label)
def test_a_route_without_a_valid_token_answers_401(http: Http, db: Db, route: Route) -> None:
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    revoked = http.as_user(user).token
    assert revoked is not None
    claims = http.services.tokens.verify(revoked)
    http.runner.run(http.services.store.deny(claims.jti, 60))
    for token in (None, "faux", revoked + "x", revoked):
        answer = http.request(route.method, path(route), token=token, json={} if route.method != "GET" else None)
        assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHORIZED"), token


@pytest.mark.parametrize("route", GUARDED, ids=label)
def test_a_route_without_its_permission_answers_403(http: Http, db: Db, route: Route) -> None:
    """The role has every permission except those that the route accepts."""
    missing = route.permission.split("|")
    role = db.one("insert into auth.role (code, libelle) values ('ESSAI', 'Essai') returning id_role")
    db.execute(
        "insert into auth.role_permission (id_role, id_permission) "
        "select %s, id_permission from auth.permission where code <> all(%s)",
        [role, missing],
    )
    user = http.as_user(builders.utilisateur(db, role="ESSAI"))
    answer = user.request(route.method, path(route), json={} if route.method != "GET" else None)
    assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")
    assert all(permission in answer.json()["message"] for permission in missing)


def test_a_disabled_account_is_refused_at_once(http: Http, db: Db) -> None:
    builders.utilisateur(db, role="ADMINISTRATEUR")  # one administrator must remain
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    client = http.as_user(user)
    assert client.get("/auth/me").status_code == 200
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [user])
    assert client.get("/auth/me").status_code == 401


def test_a_changed_role_applies_to_the_next_request(http: Http, db: Db) -> None:
    builders.utilisateur(db, role="ADMINISTRATEUR")  # one administrator must remain
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    client = http.as_user(user)
    assert client.get("/admin/roles").status_code == 200
    role = db.one("select id_role from auth.role where code = 'RH'")
    db.execute("update auth.utilisateur set id_role = %s where id_utilisateur = %s", [role, user])
    assert client.get("/admin/roles").status_code == 403
    assert client.get("/auth/me").json()["role"] == "RH"
