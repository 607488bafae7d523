"""The page behind a letter's link, in a real browser as wide as a phone: a password is chosen there, and it opens."""

from __future__ import annotations

import base64
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
from psycopg.rows import dict_row

from app.auth.tokens import refresh_hash
from tests import builders
from tests.browser.visits import Visit, visit
from tests.conftest import Db
from tests.server import Service, running

LOGIN = "awa.exemple"
NEW = "un mot de passe tout neuf"
PHONE = {"width": 360, "height": 740, "isMobile": True, "hasTouch": True}


@pytest.fixture
def token(database_url: str) -> str:
    found = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
    with psycopg.connect(database_url, row_factory=dict_row) as connection:
        user = builders.utilisateur(Db(connection), login=LOGIN)
        connection.execute(
            "insert into auth.jeton_reinitialisation (hash, id_utilisateur, date_expiration) "
            "values (%s, %s, now() + interval '7 days')",
            [refresh_hash(found), user],
        )
    return found


@pytest.fixture
def service(database_url: str, tmp_path: Path, token: str) -> Iterator[Service]:
    with running(tmp_path, DATABASE_URL=database_url) as found:
        yield found


def signs_in(service: Service, password: str) -> int:
    return service.client.post("/auth/login", json={"login": LOGIN, "mot_de_passe": password}).status_code


def test_a_password_is_chosen_on_a_phone(service: Service, executable: str, token: str, tmp_path: Path) -> None:
    shots = Path(os.environ.get("CAPTURES", tmp_path))

    async def body(at: Visit) -> None:
        page = at.page
        await page.setViewport(PHONE)
        answer = await page.goto(f"{service.url}/mot-de-passe#jeton={token}", {"waitUntil": "networkidle0"})
        assert answer.status == 200
        assert await page.title() == "Choisir un mot de passe"
        wide = await page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1] == 360
        named = "() => [...document.querySelectorAll('input')].every(i => i.labels.length === 1)"
        assert await page.evaluate(named)
        assert await page.evaluate("() => document.activeElement.id") == "nouveau"
        await page.screenshot({"path": str(shots / "mot-de-passe.png")})

        await page.keyboard.type("court")
        await page.keyboard.press("Enter")
        await page.waitForFunction("document.getElementById('probleme').textContent !== ''")
        assert await at.text("#probleme") == "Le mot de passe doit compter au moins 8 caractères."
        assert await page.evaluate("() => document.getElementById('nouveau').getAttribute('aria-invalid')") == "true"
        await page.screenshot({"path": str(shots / "mot-de-passe-refus.png")})

        await at.click("#montrer")
        assert await page.evaluate("() => document.getElementById('nouveau').type") == "text"
        await at.write("#nouveau", NEW)
        await at.click("#enregistrer")
        await page.waitForFunction("document.getElementById('issue').textContent !== ''")
        assert await at.text("h1") == "Mot de passe enregistré"
        assert await page.evaluate("() => document.activeElement.id") == "titre"
        assert token not in await page.evaluate("() => location.href")
        assert not await page.evaluate("() => document.getElementById('formulaire').offsetParent")
        await page.screenshot({"path": str(shots / "mot-de-passe-fait.png")})
        refused = [error for error in at.errors if "400" not in error]  # the one of the short password
        assert refused == []
        # Nothing comes from elsewhere, and the token is in no address that was asked for.
        assert [url for url in at.requests if not url.startswith((service.url, "data:"))] == []
        assert [url for url in at.requests if token in url.partition("#")[0]] == []

    visit(executable, body)
    assert signs_in(service, NEW) == 200
    assert signs_in(service, builders.PASSWORD) == 401


@pytest.mark.parametrize(
    ("fragment", "title"), [("", "Ce lien est incomplet"), ("#jeton=deja-servi", "Ce lien n’est plus valable")]
)
def test_a_link_that_is_no_good_is_told(service: Service, executable: str, fragment: str, title: str) -> None:
    async def body(at: Visit) -> None:
        await at.page.goto(f"{service.url}/mot-de-passe{fragment}", {"waitUntil": "networkidle0"})
        if fragment:
            await at.write("#nouveau", NEW)
            await at.click("#enregistrer")
            await at.page.waitForFunction("document.getElementById('issue').textContent !== ''")
        assert await at.text("h1") == title
        assert await at.page.title() == title

    visit(executable, body)


def test_what_stands_in_the_page_by_other_hands_does_not_run(service: Service, executable: str, token: str) -> None:
    """The policy of the page: no script but its own, no style, no picture, no form from elsewhere."""

    async def body(at: Visit) -> None:
        await at.page.goto(f"{service.url}/mot-de-passe#jeton={token}", {"waitUntil": "networkidle0"})
        await at.page.evaluate(
            """() => {
              const script = document.createElement('script')
              script.textContent = 'window.ran = 1'
              document.body.append(script)
              document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/x" onerror="window.ran = 2">')
              return fetch('http://127.0.0.1:9/').catch(() => 0)
            }"""
        )
        assert await at.page.evaluate("() => window.ran") is None
        assert [error for error in at.errors if "Content Security Policy" in error]

    visit(executable, body)


def test_the_page_is_never_framed_and_sends_no_referrer(service: Service) -> None:
    answer = httpx.get(f"{service.url}/mot-de-passe")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert answer.headers["referrer-policy"] == "no-referrer"
