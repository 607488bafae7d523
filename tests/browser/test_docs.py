"""/docs in a real browser: the page opens, sends no request to another host, signs in and calls the API."""

from __future__ import annotations

import os
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.browser.visits import Visit, visit
from tests.conftest import Db
from tests.preuve import selon
from tests.server import Service

LOGIN = "awa.exemple"


@pytest.fixture(scope="module")
def service(module_url: str, module_service: Service) -> Service:
    with psycopg.connect(module_url, row_factory=dict_row) as connection:
        builders.utilisateur(Db(connection), role="ADMINISTRATEUR", login=LOGIN)
    return module_service


def operation(name: str) -> str:
    return f"[id='operations-Connexion-{name}']"


def test_the_docs_page_signs_in_and_calls_an_operation(service: Service, executable: str, tmp_path: Path) -> None:
    shots = Path(os.environ.get("CAPTURES", tmp_path))

    async def body(at: Visit) -> None:
        page = at.page
        answer = await page.goto(f"{service.url}/docs", {"waitUntil": "networkidle0"})
        assert answer.status == 200
        assert await page.title() == "Comptoir : l'API"
        assert (await at.text(".info .title")).startswith("Comptoir")
        tags = await page.evaluate("() => [...document.querySelectorAll('.opblock-tag')].map(e => e.dataset.tag)")
        document = service.client.get(f"{service.url}/docs-json").json()
        assert tags == [tag["name"] for tag in document["tags"]]
        await page.screenshot({"path": str(shots / "docs.png")})
        opened = selon(["Connexion"], tags)
        for tag in opened:
            await at.click(f".opblock-tag[data-tag='{tag}'][data-is-open='false']")
        paths = document["paths"].values()
        shown = sum(tag in opened for path in paths for one in path.values() for tag in one["tags"])
        shown += len(document["webhooks"])  # they have no tag
        await at.until(f"document.querySelectorAll('.opblock').length === {shown}")
        await page.screenshot({"path": str(shots / "docs-operations.png")})

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
        await page.screenshot({"path": str(shots / "docs-moi.png")})

        assert await page.evaluate("() => localStorage.length + sessionStorage.length") == 0
        words = await page.evaluate("() => document.querySelector('#swagger-ui').innerText")
        english = {"Try it out", "Execute", "Authorize", "Parameters", "Responses", "Server response", "Request body"}
        assert not {line.strip() for line in words.splitlines()} & english
        assert {"Envoyer", "Paramètres", "Réponse du service"} <= {line.strip() for line in words.splitlines()}
        assert at.errors == []
        elsewhere = [url for url in at.requests if not url.startswith((service.url, "data:"))]
        assert elsewhere == []

    visit(executable, body)


def test_a_link_to_an_operation_opens_it(service: Service, executable: str, tmp_path: Path) -> None:
    shots = Path(os.environ.get("CAPTURES", tmp_path))

    async def body(at: Visit) -> None:
        names = ("facturation_prestation_facturer", "facturation_facture_detail")
        for name in selon(names[:1], names):
            await at.page.goto("about:blank")  # the same page with another fragment would not load again
            await at.page.goto(f"{service.url}/docs#/Factures/{name}", {"waitUntil": "networkidle0"})
            text = await at.text(f"[id='operations-Factures-{name}'] .opblock-body")
            assert "Permission : FACTURATION." in text and "FAC-2026-0005" in text
            await at.page.screenshot({"path": str(shots / f"{name}.png")})
        assert at.errors == []

    visit(executable, body)
