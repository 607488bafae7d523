"""The password page behind the link of a letter, in a real browser with the width of a phone."""

import base64
import secrets

import httpx
import pytest

from app.auth.tokens import token_hash
from tests import builders
from tests.browser.visits import visit
from tests.conftest import connected

NEW = "un mot de passe tout neuf"


@pytest.fixture
def login():
    return f"awa.{secrets.token_hex(4)}"


@pytest.fixture
def token(module_url, login):
    value = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
    with connected(module_url) as db:
        user = builders.utilisateur(db, login=login)
        db.execute(
            "insert into auth.jeton_reinitialisation (hash, id_utilisateur, date_expiration) "
            "values (%s, %s, now() + interval '7 days')",
            [token_hash(value), user],
        )
    return value


def sign_in_status(service, login, password):
    return service.client.post("/auth/login", json={"login": login, "mot_de_passe": password}).status_code


def test_a_user_sets_a_password_on_a_phone(module_service, executable, token, login):
    async def body(at):
        page = at.page
        answer = await page.goto(f"{module_service.url}/mot-de-passe#jeton={token}", {"waitUntil": "networkidle0"})
        assert answer.status == 200
        assert await page.title() == "Choisir un mot de passe"
        assert await page.evaluate("() => document.activeElement.id") == "nouveau"
        await at.shot("mot-de-passe")

        await page.keyboard.type("court")
        await page.keyboard.press("Enter")
        await at.until("document.getElementById('probleme').textContent !== ''")
        assert await at.text("#probleme") == "Le mot de passe doit compter au moins 8 caractères."
        assert await page.evaluate("() => document.getElementById('nouveau').getAttribute('aria-invalid')") == "true"
        await at.shot("mot-de-passe-refus")

        await at.click("#montrer")
        assert await page.evaluate("() => document.getElementById('nouveau').type") == "text"
        await at.write("#nouveau", NEW)
        await at.click("#enregistrer")
        await at.until("document.getElementById('issue').textContent !== ''")
        assert await at.text("h1") == "Mot de passe enregistré"
        assert await page.evaluate("() => document.activeElement.id") == "titre"
        assert token not in await page.evaluate("() => location.href")
        assert not await page.evaluate("() => document.getElementById('formulaire').offsetParent")
        await at.shot("mot-de-passe-fait")
        refused = [error for error in at.errors if "400" not in error]  # the error for the short password
        assert refused == []
        # No request goes to another host, and no requested address contains the token.
        assert [url for url in at.requests if not url.startswith((module_service.url, "data:"))] == []
        assert [url for url in at.requests if token in url.partition("#")[0]] == []

    visit(executable, body)
    assert sign_in_status(module_service, login, NEW) == 200
    assert sign_in_status(module_service, login, builders.PASSWORD) == 401


def test_an_invalid_link_shows_its_reason(module_service, executable):
    async def body(at):
        await at.page.goto(f"{module_service.url}/mot-de-passe", {"waitUntil": "networkidle0"})
        assert await at.text("h1") == await at.page.title() == "Ce lien est incomplet"
        await at.shot("mot-de-passe-incomplet")
        await at.page.goto("about:blank")  # the same page with another fragment would not load again
        await at.page.goto(f"{module_service.url}/mot-de-passe#jeton=deja-servi", {"waitUntil": "networkidle0"})
        await at.write("#nouveau", NEW)
        await at.click("#enregistrer")
        await at.until("document.getElementById('issue').textContent !== ''")
        assert await at.text("h1") == await at.page.title() == "Ce lien n’est plus valable"

    visit(executable, body)


def test_an_injected_script_does_not_run(module_service, executable, token):
    """The policy of the page allows only its own script, style, images and forms."""

    async def body(at):
        await at.page.goto(f"{module_service.url}/mot-de-passe#jeton={token}", {"waitUntil": "networkidle0"})
        assert await at.violations() > 0

    visit(executable, body)


def test_the_page_forbids_framing_and_sends_no_referrer(module_service):
    answer = httpx.get(f"{module_service.url}/mot-de-passe")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert answer.headers["referrer-policy"] == "no-referrer"
