"""The page at /caisse in a real browser, driven as a cashier does."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from pyppeteer.errors import TimeoutError

from tests import builders
from tests.browser.visits import WAIT, Visit, visit
from tests.conftest import connected, ok
from tests.hors_ligne.appareil import shop

WAIT["timeout"] = 12000  # DEV
SOLD = "select count(*), coalesce(sum(montant), 0)::int from finances.paiement where id_caisse = %s"


class Shop:
    """A till of the running service, with its products and its devices."""

    def __init__(self, service: Any, url: str, **fields: Any) -> None:
        self.service, self.url = service, url
        self.admin = service.login()
        with connected(url) as db:
            self.till = shop(db, **fields)
            self.products = [builders.produit(db, "100", price, nom=name, code_barre=code) for name, price, code in GOODS]

    def inscribe(self) -> Any:
        """Inscribe a device, and return its code."""
        made = ok(self.admin.post(f"/finances/caisses/{self.till}/appareils", json={"libelle": "Téléphone"}), 201)
        self.device, self.prefix, self.key = made["id_appareil"], made["prefixe"], made["cle"]
        return f"{self.till}.{self.device}.{self.key}"

    def one(self, query: str, *values: Any) -> Any:
        with connected(self.url) as db:
            return db.one(query, values)

    @property
    def sold(self) -> tuple[int, int]:
        """How many payments the till has, and their sum."""
        return tuple(self.one(SOLD, self.till).values())

    @property
    def exceptions(self) -> list[str]:
        query = "select array_agg(code order by id_exception) from finances.exception_caisse where id_caisse = %s"
        return self.one(query, self.till) or []


GOODS = [("Riz parfumé 5 kg", "4500", None), ("Savon", "750", None), ("Eau 1,5 l", "500", None)]


class Phone(Visit):
    """A page of the till: its words, and what a cashier does with it."""

    async def open(self, shop: Shop, code: str = "") -> None:
        self.page.on("dialog", lambda dialog: asyncio.ensure_future(self._answer(dialog)))
        self.asked: list[str] = []
        self.answer: str | None = "Oui"
        await self.page.goto(f"{shop.service.url}/caisse")
        await self.until("!document.getElementById('network').innerText.startsWith('Ouverture')")
        if code:
            await self.restore(code)
            await self.says("En ligne. Tout est envoyé")

    async def until(self, condition: str, *arguments: Any) -> None:
        try:
            await super().until(condition, *arguments)
        except TimeoutError as error:
            raise AssertionError((condition, arguments, await self.text("body"), self.errors)) from error

    async def restore(self, code: str) -> None:
        await self.write("#restore input", code)
        await self.click("#restore button")

    async def _answer(self, dialog: Any) -> None:
        self.asked.append(dialog.message)
        await (dialog.dismiss() if self.answer is None else dialog.accept(self.answer))

    async def says(self, text: str, selector: str = "#network") -> None:
        """Wait until the element has this text."""
        await self.until("(selector, text) => document.querySelector(selector)?.innerText.includes(text)", selector, text)

    async def tap(self, name: str, within: str = "#products") -> None:
        """Tap on the button with this name."""
        find = """(within, name) => {
          const button = [...document.querySelectorAll(`${within} button`)].find(one => one.innerText.includes(name))
          button?.click()
          return Boolean(button)
        }"""
        await self.until(find, within, name)

    async def sell(self, *names: str, given: str = "") -> str:
        """Sell these products. Return the number of the ticket."""
        for name in names:
            await self.tap(name)
        await self.click("#pay")
        if given:
            await self.write("#given", given)
        await self.click("#confirm")
        await self.says("Ticket", "#paper")
        ticket = (await self.text("#paper")).split("Ticket ")[1].split()[0]
        await self.tap("Fermer", "#ticket")
        return ticket

    async def network(self, present: bool) -> None:
        """Take the network from the page and from its service worker, or give it back."""
        conditions = {"offline": not present, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        clients = [self.page._client]
        for target in self.page.browser.targets():
            if target.type == "service_worker":
                clients.append(await target.createCDPSession())
        for client in clients:
            with suppress(NotImplementedError):
                await client.send("Network.enable")
            await client.send("Network.emulateNetworkConditions", conditions)

    async def ready_offline(self) -> None:
        """Wait until the service worker has the files of the page and serves them."""
        await self.until("navigator.serviceWorker.controller?.state === 'activated'")

    async def history(self) -> list[str]:
        await self.click("#show-history")
        await self.until("document.getElementById('history').open")
        rows = await self.page.evaluate("() => [...document.querySelectorAll('#operations li')].map(row => row.innerText)")
        await self.tap("Fermer", "#history")
        return list(rows)


def phone(executable: str, body: Any) -> None:
    """Run the body with a page of a new browser."""

    async def run(at: Visit) -> None:
        await body(Phone(at.page))

    visit(executable, run)


async def another(at: Phone, profile: bool = False) -> Phone:
    """Another tab of the browser, or a tab with a storage of its own."""
    browser = at.page.browser
    page = await (await browser.createIncognitoBrowserContext() if profile else browser).newPage()
    page.setDefaultNavigationTimeout(WAIT["timeout"])
    return Phone(page)
