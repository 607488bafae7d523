"""One Chromium process and its pages: no network, no script, nothing kept from one document to the next."""

from __future__ import annotations

import asyncio
import base64
import logging
import os
import platform
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from app.base.scratch import Scratch

if TYPE_CHECKING:
    from app.documents.pipe import Pipe, Session

NAMES = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome")
# Debian's script starts the headless shell as a child, which neither dies with the script nor with the service.
WRAPPED = {"/usr/bin/chromium-headless-shell": "/usr/lib/chromium/chromium-headless-shell"}
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
FLAGS = (
    "--headless",
    "--remote-debugging-pipe",  # a port would be open to every account of the machine
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # a container's is too small
    "--disable-background-networking",
    "--disable-breakpad",  # its crash handler outlives a killed browser and writes into the profile
    "--disable-crash-reporter",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--mute-audio",
    "--font-render-hinting=none",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # no name resolves: the second lock behind Fetch
)
START_SECONDS = 15.0
MM = 96 / 25.4  # CSS pixels
A4 = {"paperWidth": 210 / 25.4, "paperHeight": 297 / 25.4, "preferCSSPageSize": True}

log = logging.getLogger("comptoir.documents")


class BrowserLost(Exception):
    """The browser is gone, or does not answer as one; the document may be tried again with another."""


def find(configured: str | None) -> str | None:
    """The path of a Chromium: the configured one, else one on PATH, the headless shell first."""
    names = NAMES if configured is None else (configured,)
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        return str(MAC) if configured is None and MAC.exists() else None
    behind = WRAPPED.get(found, found)
    return str(Path(behind if Path(behind).exists() else found).absolute())


class Chromium:
    """A browser that was started, and its idle pages; `busy` counts those that print."""

    def __init__(self, process: asyncio.subprocess.Process, profile: Scratch, pipe: Pipe) -> None:
        self._process = process
        self._profile = profile
        self._pipe = pipe
        self._exit = asyncio.create_task(process.wait())
        self._complaint = asyncio.create_task(_last_words(cast(asyncio.StreamReader, process.stderr)))
        self._browser: Any = None
        self._idle: list[Page] = []
        self._works: set[asyncio.Task[bytes]] = set()
        self._closing: asyncio.Task[None] | None = None
        self.printed = 0

    @classmethod
    async def start(cls, path: str, sandbox: bool) -> Chromium:
        # Imported with the first document: a service that prints nothing does without pyppeteer.
        from pyppeteer.browser import Browser

        from app.documents import pipe

        profile = await asyncio.to_thread(Scratch, "comptoir-chromium-")
        try:
            process = await pipe.spawn(_command(path, profile.path, sandbox), profile.path)
        except BaseException:
            profile.remove()
            raise
        chromium = cls(process, profile, pipe.Pipe(process))
        try:
            async with asyncio.timeout(START_SECONDS):
                chromium._browser = await Browser.create(chromium._pipe, [], False, None)
        except Exception as error:
            await chromium.close()
            said = await chromium._complaint or str(error) or "il ne répond pas"
            raise BrowserLost(f"{path} ne démarre pas : {said}") from error
        except BaseException:
            await chromium.close()
            raise
        return chromium

    @property
    def alive(self) -> bool:
        return not self._exit.done()

    @property
    def busy(self) -> int:
        return len(self._works)

    async def pdf(self, html: str, width: int | None, tagged: bool) -> bytes:
        """The document on A4 pages, or on one page of a roll of `width` millimetres, as long as what is on it."""
        self.printed += 1
        # A caller who gives up leaves the work to end by itself: the page is then known to be idle again.
        work = asyncio.create_task(self._work(html, width, tagged))
        self._works.add(work)
        work.add_done_callback(self._done)
        await asyncio.wait({work, self._exit}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise BrowserLost("il s'est arrêté")
        return work.result()

    async def close(self) -> None:
        """Kill it: there is nothing in it that deserves a farewell. Once begun, this is done to its end."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._exit
        await self._pipe.dispose()
        for work in self._works:
            work.cancel()
        await asyncio.gather(*self._works, self._complaint, return_exceptions=True)
        await asyncio.to_thread(self._profile.remove)

    async def _work(self, html: str, width: int | None, tagged: bool) -> bytes:
        try:
            page = self._idle.pop() if self._idle else await self._open()
            printed = await page.pdf(html, width, tagged)
        except Exception as error:  # a lost connection has many names, some of them TypeError
            raise BrowserLost(str(error)) from error
        self._idle.append(page)
        return printed

    def _done(self, work: asyncio.Task[bytes]) -> None:
        self._works.discard(work)
        if not work.cancelled():
            work.exception()  # nobody may be waiting for it any more

    async def _open(self) -> Page:
        page = await self._browser.newPage()
        await page.setJavaScriptEnabled(False)
        client = await page.target.createCDPSession()

        def refuse(event: dict[str, Any]) -> None:
            client.send("Fetch.failRequest", {"requestId": event["requestId"], "errorReason": "BlockedByClient"})

        client.on("Fetch.requestPaused", refuse)
        await client.send("Fetch.enable", {})
        await client.send("Emulation.setEmulatedMedia", {"media": "print"})
        tree = await client.send("Page.getFrameTree")
        return Page(client, tree["frameTree"]["frame"]["id"])


def _command(path: str, profile: Path, sandbox: bool) -> list[str]:
    command = [path, *FLAGS, f"--user-data-dir={profile}"]
    if platform.system() == "Linux":
        if not sandbox or os.geteuid() == 0:  # Chromium's own rule: as root it has none
            command.append("--no-sandbox")
        if setpriv := shutil.which("setpriv"):
            command = [setpriv, "--pdeathsig", "KILL", *command]  # a service that is killed leaves no browser behind
    return [*command, "about:blank"]


async def _last_words(stream: asyncio.StreamReader) -> str:
    """Read what the browser writes to stderr, to its end; the last of it says why it did not start."""
    said = b""
    while block := await stream.read(65536):
        said = (said + block)[-500:]
    return said.decode(errors="replace").strip()


class Page:
    """A tab that prints one document after the other."""

    def __init__(self, client: Session, frame: str) -> None:
        self._client = client
        self._frame = frame

    async def pdf(self, html: str, width: int | None, tagged: bool) -> bytes:
        client = self._client
        await client.send("Page.setDocumentContent", {"frameId": self._frame, "html": html})
        # A page prints with the fonts that it has: wait for those in the style sheet.
        ready = {"expression": "document.fonts.ready.then(() => 0)", "awaitPromise": True}
        await client.send("Runtime.evaluate", ready)
        paper = A4 if width is None else await self._roll(width)
        options = {"printBackground": True, "generateTaggedPDF": tagged, **paper}
        printed = await client.send("Page.printToPDF", options)
        await client.send("Page.setDocumentContent", {"frameId": self._frame, "html": ""})
        return base64.b64decode(printed["data"])

    async def _roll(self, width: int) -> dict[str, Any]:
        client = self._client
        screen = {"width": int(width * MM), "height": 1, "deviceScaleFactor": 1, "mobile": False}
        await client.send("Emulation.setDeviceMetricsOverride", screen)
        metrics = await client.send("Page.getLayoutMetrics")
        await client.send("Emulation.clearDeviceMetricsOverride")
        height = metrics["cssContentSize"]["height"]
        margins = dict.fromkeys(("marginTop", "marginBottom", "marginLeft", "marginRight"), 0)
        return {"paperWidth": screen["width"] / 96, "paperHeight": (height + 1) / 96, **margins}
