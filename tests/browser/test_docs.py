"""/docs in a real browser: the page opens, sends no request to another host, signs in and calls the API.

The browser reads the whole document in the long form only, because that takes it many seconds. In the short form it
gets one operation of most tags.
"""

import json
import re

import pytest

from tests import builders
from tests.browser.visits import visit
from tests.conftest import connected
from tests.preuve import LONGUE, selon

LOGIN = "awa.exemple"
LIGHT = ["light"]  # Swagger UI has one scheme
SHORT = ("facturation_prestation_facturer", "facturation_facture_detail")  # operations of the short form


@pytest.fixture(scope="module")
def service(module_url, module_service):
    with connected(module_url) as db:
        builders.utilisateur(db, role="ADMINISTRATEUR", login=LOGIN)
    return module_service


def operation(name):
    return f"[id='operations-Connexion-{name}']"


@pytest.fixture(scope="module")
def document(service):
    """The OpenAPI document, or its part for the short form."""
    whole = service.client.get(f"{service.url}/docs-json").json()
    if LONGUE:
        return whole
    paths = {}
    seen = set()
    for path, methods in whole["paths"].items():
        for method, one in methods.items():
            if one["operationId"] in SHORT or one["tags"] == ["Connexion"] or not seen.issuperset(one["tags"]):
                paths.setdefault(path, {})[method] = one
                seen.update(one["tags"])
    components = dict(whole["components"], schemas={})
    part = whole | {"paths": paths, "components": components}
    while missing := set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(part))) - components["schemas"].keys():
        components["schemas"].update({name: whole["components"]["schemas"][name] for name in missing})
    return part


async def shorten(page, document):
    """Let the page read this document in the answer to its request."""
    script = """part => {
      const real = window.fetch
      window.fetch = async (...request) => {
        const answer = await real(...request)
        if (answer.url.endsWith('/docs-json')) answer.text = async () => part
        return answer
      }
    }"""
    if not LONGUE:
        await page.evaluateOnNewDocument(script, json.dumps(document))


def test_the_docs_page_signs_in_and_calls_an_operation(service, document, executable, tmp_path):
    async def body(at):
        page = at.page
        await shorten(page, document)
        answer = await page.goto(f"{service.url}/docs", {"waitUntil": "networkidle0"})
        assert answer.status == 200
        assert await page.title() == "Comptoir : l'API"
        assert (await at.text(".info .title")).startswith("Comptoir")
        tags = await page.evaluate("() => [...document.querySelectorAll('.opblock-tag')].map(e => e.dataset.tag)")
        assert tags == [tag["name"] for tag in document["tags"]]
        await at.shot("docs", LIGHT)
        opened = selon(["Connexion"], tags)
        for tag in opened:
            await at.click(f".opblock-tag[data-tag='{tag}'][data-is-open='false']")
        paths = document["paths"].values()
        shown = sum(tag in opened for path in paths for one in path.values() for tag in one["tags"])
        shown += len(document["webhooks"])  # they have no tag
        await at.until(f"document.querySelectorAll('.opblock').length === {shown}")
        await at.shot("docs-operations", LIGHT)

        login = operation("auth_login")
        await at.click(f"{login} .opblock-summary-control")
        await at.click(f"{login} .try-out__btn")
        await at.write(f"{login} textarea", f'{{"login": "{LOGIN}", "mot_de_passe": "{builders.PASSWORD}"}}')
        await at.click(f"{login} .execute")
        shown = await at.text(f"{login} .live-responses-table tbody .response-col_status")
        assert shown.startswith("200")
        token = await page.evaluate(
            "s => JSON.parse(document.querySelector(s).innerText).accessToken",
            f"{login} .live-responses-table .highlight-code code",
        )

        await at.click(".auth-wrapper .authorize")
        await at.text(".auth-container")
        await at.shot("docs-connexion", LIGHT)
        await at.write(".auth-container input", token)
        await at.click(".auth-btn-wrapper .authorize")
        await at.click(".auth-btn-wrapper .btn-done")

        me = operation("auth_moi")
        await at.click(f"{me} .opblock-summary-control")
        await at.click(f"{me} .try-out__btn")
        await at.click(f"{me} .execute")
        assert (await at.text(f"{me} .live-responses-table tbody .response-col_status")).startswith("200")
        body_text = await at.text(f"{me} .live-responses-table .highlight-code code")
        assert f'"login": "{LOGIN}"' in body_text and '"role": "ADMINISTRATEUR"' in body_text
        await page.evaluate("s => document.querySelector(s).scrollIntoView()", me)
        await at.shot("docs-moi", LIGHT)

        assert await page.evaluate("() => localStorage.length + sessionStorage.length") == 0
        words = await page.evaluate("() => document.querySelector('#swagger-ui').innerText")
        english = {"Try it out", "Execute", "Authorize", "Parameters", "Responses", "Server response", "Request body"}
        assert not {line.strip() for line in words.splitlines()} & english
        assert {"Envoyer", "Paramètres", "Réponse du service"} <= {line.strip() for line in words.splitlines()}
        assert at.errors == []
        assert [url for url in at.requests if not url.startswith((service.url, "data:"))] == []

    visit(executable, body)


def test_a_link_to_an_operation_opens_it(service, document, executable):
    async def body(at):
        await shorten(at.page, document)
        for name in selon(SHORT[:1], SHORT):
            await at.page.goto("about:blank")  # the same page with another fragment would not load again
            await at.page.goto(f"{service.url}/docs#/Factures/{name}", {"waitUntil": "networkidle0"})
            text = await at.text(f"[id='operations-Factures-{name}'] .opblock-body")
            assert "Permission : FACTURATION." in text and "FAC-2026-005" in text
            await at.shot(name, LIGHT)
        assert at.errors == []

    visit(executable, body)
