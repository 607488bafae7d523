"""/docs in a real browser: it opens, talks to nobody else, signs in and calls the API."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row
from pyppeteer import launch

from tests import builders
from tests.conftest import Db
from tests.server import Service, running

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
OPTIONS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--lang=fr",
]
LOGIN = "awa.exemple"


@pytest.fixture
def executable() -> str:
    named = os.environ.get("PUPPETEER_EXECUTABLE_PATH")
    found = named or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no Chromium here (one of {', '.join(BROWSERS)}, or PUPPETEER_EXECUTABLE_PATH)")
    return found


@pytest.fixture
def service(database_url: str, tmp_path: Path) -> Iterator[Service]:
    with psycopg.connect(database_url, row_factory=dict_row) as connection:
        builders.utilisateur(Db(connection), role="ADMINISTRATEUR", login=LOGIN)
    with running(tmp_path, DATABASE_URL=database_url) as found:
        yield found


class Visit:
    """A page, with what it asked for and what went wrong in it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", lambda request: self.errors.append(f"failed: {request.url}"))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)

    def _console(self, message: Any) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    async def text(self, selector: str) -> str:
        await self.page.waitForSelector(selector, {"timeout": 15_000})
        return str(await self.page.evaluate("s => document.querySelector(s).innerText", selector))

    async def click(self, selector: str) -> None:
        await self.page.waitForSelector(selector, {"timeout": 15_000})
        await self.page.evaluate("s => document.querySelector(s).click()", selector)

    async def write(self, selector: str, text: str) -> None:
        """Into a field of React, as a user does: select all, type over."""
        await self.page.waitForSelector(selector, {"timeout": 15_000})
        await self.page.focus(selector)
        await self.page.evaluate("s => document.querySelector(s).select()", selector)
        await self.page.keyboard.sendCharacter(text)


def visit(executable: str, body: Callable[[Visit], Any]) -> None:
    async def run() -> None:
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = await launch(
            executablePath=executable,
            args=[*OPTIONS, *root],
            autoClose=False,
            handleSIGINT=False,
            handleSIGTERM=False,
            handleSIGHUP=False,
        )
        try:
            page = await browser.newPage()
            await page.setViewport({"width": 1280, "height": 1600})
            await body(Visit(page))
        finally:
            await browser.close()

    asyncio.run(run())


def operation(name: str) -> str:
    return f"[id='operations-auth-{name}']"


def test_the_page_opens_signs_in_and_calls(service: Service, executable: str, tmp_path: Path) -> None:
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
        for _ in tags:
            await at.click(".opblock-tag[data-is-open='false']")
        await page.waitForFunction(
            f"document.querySelectorAll('.opblock').length === {sum(map(len, document['paths'].values()))}"
        )
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
        answered = await at.text(f"{me} .live-responses-table .highlight-code code")
        assert f'"login": "{LOGIN}"' in answered and '"role": "ADMINISTRATEUR"' in answered
        await page.evaluate("s => document.querySelector(s).scrollIntoView()", me)
        await page.screenshot({"path": str(shots / "docs-moi.png")})

        assert at.errors == []
        elsewhere = [url for url in at.requests if not url.startswith((service.url, "data:"))]
        assert elsewhere == []

    visit(executable, body)


@pytest.mark.parametrize("name", ["facturation_prestation_facturer", "facturation_facture_detail"])
def test_an_operation_opens_from_its_link(service: Service, executable: str, tmp_path: Path, name: str) -> None:
    shots = Path(os.environ.get("CAPTURES", tmp_path))

    async def body(at: Visit) -> None:
        await at.page.goto(f"{service.url}/docs#/facturation/{name}", {"waitUntil": "networkidle0"})
        text = await at.text(f"[id='operations-facturation-{name}'] .opblock-body")
        assert "Permission : FACTURATION." in text and "FAC-2026-0005" in text
        await at.page.screenshot({"path": str(shots / f"{name}.png")})
        assert at.errors == []

    visit(executable, body)
