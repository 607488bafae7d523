"""The page at /caisse in a real browser, driven as a cashier does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

import httpx
import psutil
from pyppeteer.errors import NetworkError, TimeoutError

from tests import builders
from tests.browser.visits import Visit, browse, new_page
from tests.conftest import connected, ok
from tests.server import until

GOODS = {"Riz": "4500", "Eau": "500", "Savon": "750"}
SENT = "En ligne. Tout est envoyé"
ROWS = "() => [...document.querySelectorAll('#operations li')].map(row => row.innerText)"
# A request that begins while the network changes may never end.
PROBE = """expected => fetch('../api/v1/health/live', {signal: AbortSignal.timeout(5000)})
  .then(() => true, () => false).then(seen => seen === expected)"""
SAYS = "(selector, text) => document.querySelector(selector)?.innerText.replace(/\\s/g, ' ').includes(text)"
STATE = """sequence => new Promise(resolve => {
  indexedDB.open('caisse').onsuccess = ({target: {result}}) => {
    const reading = result.transaction('operations').objectStore('operations').get(sequence)
    reading.onsuccess = () => resolve(reading.result.etat)
  }
})"""
SOLD = "select count(*), coalesce(sum(montant), 0)::int from finances.paiement where id_caisse = %s"


Body: TypeAlias = "Callable[[Phone], Coroutine[Any, Any, None]]"


class Shop:
    """A till of the running service, with its products and its devices."""

    def __init__(self, service: Any, url: str, admin: Any, **fields: Any) -> None:
        self.service, self.url, self.admin = service, url, admin
        with connected(url) as db:
            self.till = builders.caisse(db, **{"activite_code": "VENTE_MARCHANDISES", **fields})
            for name, price in GOODS.items():
                product = builders.produit(db, "100", price, nom=name)
                self.code = db.one("select reference from market.produit where id_produit = %s", [product])
        self.path = f"{service.url}/api/v1/finances/caisses/{self.till}"

    def inscribe(self) -> Any:
        """Inscribe a device, and return its code."""
        made = ok(self.admin.post(f"/finances/caisses/{self.till}/appareils", json={"libelle": "Téléphone"}), 201)
        self.device, self.prefix, self.key = made["id_appareil"], made["prefixe"], made["cle"]
        return f"{self.till}.{self.device}.{self.key}"

    def announce(self, sequence: int) -> None:
        """Announce the last number of the device, as the device does."""
        body = {"id_appareil": self.device, "operations": [], "derniere_sequence": sequence}
        headers = {"authorization": f"Bearer {self.key}"}
        ok(httpx.post(f"{self.path}/lots", json=body, headers=headers))

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


class Phone(Visit):
    """A page of the till: its words, and what a cashier does with it."""

    def __init__(self, page: Any) -> None:
        super().__init__(page)
        self.messages: list[str] = []
        self.answer: str | None = "Oui"  # to what the page asks, or None to refuse

    async def open(self, shop: Shop, code: str = "") -> None:
        self.page.on("dialog", lambda dialog: asyncio.ensure_future(self._answer(dialog)))
        await self.page.goto(f"{shop.service.url}/caisse")
        await self.until("!document.getElementById('network').innerText.startsWith('Ouverture')")
        if code:
            await self.restore(code)
            await self.says(SENT)

    async def until(self, condition: str, *arguments: Any) -> None:
        """As of any page; this one may load again meanwhile."""
        try:
            await super().until(condition, *arguments)
        except NetworkError:
            await self.until(condition, *arguments)
        except TimeoutError as error:
            raise AssertionError((condition, arguments, await self.text("body"), self.errors)) from error

    async def restore(self, code: str) -> None:
        await self.write("#restore input", code)
        await self.click("#restore button")

    async def _answer(self, dialog: Any) -> None:
        self.messages.append(dialog.message)
        await (dialog.dismiss() if self.answer is None else dialog.accept(self.answer))

    async def says(self, text: str, selector: str = "#network") -> None:
        """Wait until the element has this text."""
        await self.until(SAYS, selector, text)

    async def confirms(self, text: str) -> None:
        """Wait until the page has asked this."""
        await until(lambda: any(text in message for message in self.messages))

    async def tap(self, name: str, within: str = "#products") -> None:
        """Tap on the button with this name."""
        find = """(within, name) => {
          const button = [...document.querySelectorAll(`${within} button`)].find(one => one.innerText.includes(name))
          button?.click()
          return Boolean(button)
        }"""
        await self.until(find, within, name)

    async def sell(self, *names: str) -> str:
        """Sell these products. Return the number of the ticket."""
        for name in names:
            await self.tap(name)
        await self.click("#pay")
        await self.click("#confirm")
        await self.until("document.getElementById('ticket').open")
        ticket = (await self.text("#paper p:nth-child(2)")).split()[1]
        await self.tap("Fermer", "#ticket")
        return ticket

    async def network(self, present: bool) -> None:
        """Take the network from the page, or give it back. Wait until a request fails, or succeeds."""
        conditions = {"offline": not present, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        await self.page._client.send("Network.emulateNetworkConditions", conditions)
        await self.until(PROBE, present)

    async def kept(self) -> None:
        """Wait until the service worker serves the page."""
        await self.until("navigator.serviceWorker.controller?.state === 'activated'")

    async def again(self) -> None:
        """Let the page send and read now, as it does each minute."""
        await self.page.evaluate("() => dispatchEvent(new Event('online'))")

    async def operation(self, sequence: int) -> str:
        """The state of an operation in the storage of the page."""
        return str(await self.page.evaluate(STATE, sequence))

    def kill(self) -> None:
        """Kill the processes of all tabs."""
        self.page.on("error", lambda _: None)
        for process in psutil.Process(self.page.browser.process.pid).children(recursive=True):
            with suppress(psutil.Error):
                if "--type=renderer" in process.cmdline():
                    process.kill()

    async def history(self) -> list[str]:
        await self.click("#show-history")
        await self.until("document.getElementById('history').open")
        rows = await self.page.evaluate(ROWS)
        await self.tap("Fermer", "#history")
        return list(rows)


async def another(at: Phone, profile: bool = False) -> Phone:
    """Another tab of the browser, or a tab with a storage of its own."""
    browser = at.page.browser
    return Phone(await new_page(await browser.createIncognitoBrowserContext() if profile else browser))


@contextmanager
def phones(executable: str, origin: str) -> Iterator[Callable[[Body], None]]:
    """A browser for the tests of a file. Each test is the body of a page whose storage is empty."""

    async def run(browser: Any, body: Body) -> None:
        page = await new_page(browser)
        await page._client.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        try:
            await body(Phone(page))
        finally:
            for target in browser.targets():
                if target.type == "page" and target.url.startswith(origin):
                    await browser._connection.send("Target.closeTarget", {"targetId": target._targetId})

    with asyncio.Runner() as runner:
        browser = runner.run(browse(executable))
        try:
            yield lambda body: runner.run(run(browser, body))
        finally:
            runner.run(browser.close())
