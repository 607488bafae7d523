"""A mailer that stores its messages, and short forms for sign-ins and refusals."""

from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, Http, ok


class Box:
    """A mailer that stores its messages."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, Any]] = []

    async def send(self, *message: Any) -> None:
        self.sent.append(message)

    async def close(self) -> None:
        pass


@pytest.fixture
def box(http: Http, monkeypatch: pytest.MonkeyPatch) -> Box:
    mailer = Box()
    monkeypatch.setattr(http.services, "mailer", mailer)
    return mailer


@pytest.fixture
def boss(db: Db) -> int:
    """The account of a director, with an address."""
    return builders.utilisateur(db, role="DIRIGEANT", email="awa@exemple.ci")


def role_id(db: Db, code: str) -> int:
    return int(db.one("select id_role from auth.role where code = %s", [code]))


def permission_id(db: Db, code: str) -> int:
    return int(db.one("select id_permission from auth.permission where code = %s", [code]))


def sign_in(http: Http, db: Db, user: int, agent: str = "Essai/1", **fields: Any) -> Any:
    body = {"login": db.account(user)["login"], "mot_de_passe": builders.PASSWORD} | fields
    return http.post("/auth/login", json=body, headers={"user-agent": agent})


def session(http: Http, db: Db, user: int, agent: str = "Essai/1", **fields: Any) -> Any:
    """Sign in. Return the tokens."""
    return ok(sign_in(http, db, user, agent, **fields))


def renew(http: Http, tokens: Any) -> Any:
    return http.post("/auth/refresh", json={"refresh_token": tokens["refreshToken"]})
