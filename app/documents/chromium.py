"""One Chromium process and its pages: no network, no script, no state between two documents."""

import asyncio
import base64
import logging
import os
import platform
import shutil
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from app.base.files import Scratch

NAMES = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome")
# Debian's script starts the headless shell as a child, which outlives the script and the service.
WRAPPED = {"/usr/bin/chromium-headless-shell": "/usr/lib/chromium/chromium-headless-shell"}
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
FLAGS = (
    "--headless",
    "--remote-debugging-pipe",  # every account of the machine could connect to a port
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # /dev/shm of a container is too small
    "--disable-background-networking",
    "--disable-breakpad",  # its crash handler outlives a killed browser and writes into the profile
    "--disable-crash-reporter",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--mute-audio",
    "--font-render-hinting=none",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # no name resolves: a second barrier behind Fetch
)
START_SECONDS = 15.0
MM = 96 / 25.4  # CSS pixels
PNG_SCALE = 4  # pixels for one of CSS
BODY_SIZE = """(({width, height}) => ({width: Math.ceil(width), height: Math.ceil(height)}))
 (document.body.getBoundingClientRect())"""
A4 = {"paperWidth": 210 / 25.4, "paperHeight": 297 / 25.4, "preferCSSPageSize": True}

log = logging.getLogger("comptoir.documents")


class BrowserLost(Exception):
    """The browser is gone or does not answer. The caller may retry the document with another browser."""


def find(configured: str | None) -> str | None:
    """The path of a Chromium: the configured one, else one on PATH, the headless shell first."""
    names = NAMES if configured is None else (configured,)
    path = next((candidate for name in names if (candidate := shutil.which(name))), None)
    if path is None:
        return str(MAC) if configured is None and MAC.exists() else None
    program = WRAPPED.get(path, path)
    return str(Path(program if Path(program).exists() else path).absolute())


class Chromium:
    """A running browser and its idle pages. `busy` is the number of pages that print."""

    def __init__(self, process: asyncio.subprocess.Process, profile: Scratch, pipe: Any) -> None:
        self._process = process
        self._profile = profile
        self._pipe = pipe
        self._exit = asyncio.create_task(process.wait())
        self._stderr = asyncio.create_task(_read_tail(cast(asyncio.StreamReader, process.stderr)))
        self._browser: Any = None
        self._idle: list[Page] = []
        self._prints: set[asyncio.Task[bytes]] = set()
        self._closing: asyncio.Task[None] | None = None
        self.printed = 0

    @classmethod
    async def start(cls, path: str, sandbox: bool) -> "Chromium":
        # pyppeteer takes 60 ms to import, and a service that prints nothing does not need it.
        pipe = await asyncio.to_thread(import_module, "app.documents.pipe")
        profile = await asyncio.to_thread(Scratch, "comptoir-chromium-")
        try:
            process = await pipe.spawn(_command(path, profile.path, sandbox), profile.path)
        except BaseException:
            profile.remove()
            raise
        chromium = cls(process, profile, pipe.Pipe(process))
        try:
            async with asyncio.timeout(START_SECONDS):
                chromium._browser = await chromium._pipe.browser()
        except BaseException as error:
            await chromium.close()
            if not isinstance(error, Exception):
                raise
            cause = await chromium._stderr or str(error) or "il ne répond pas"
            raise BrowserLost(f"{path} ne démarre pas : {cause}") from error
        return chromium

    @property
    def alive(self) -> bool:
        return not self._exit.done()

    @property
    def busy(self) -> int:
        return len(self._prints)

    async def print(self, document: "Callable[[Page], Awaitable[bytes]]") -> bytes:
        """Make a document with an idle page."""
        self.printed += 1
        # A cancelled caller does not cancel the print: the page must end it before it is idle again.
        work = asyncio.create_task(self._work(document))
        self._prints.add(work)
        work.add_done_callback(self._prints.discard)
        work.add_done_callback(lambda done: done.cancelled() or done.exception())  # the caller may be gone
        await asyncio.wait({work, self._exit}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise BrowserLost("il s'est arrêté")
        return work.result()

    async def close(self) -> None:
        """Kill the browser, which holds no state to save. A cancelled caller does not interrupt this."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._exit
        await self._pipe.dispose()
        for work in self._prints:
            work.cancel()
        await asyncio.gather(*self._prints, self._stderr, return_exceptions=True)
        await asyncio.to_thread(self._profile.remove)

    async def _work(self, document: "Callable[[Page], Awaitable[bytes]]") -> bytes:
        try:
            page = self._idle.pop() if self._idle else await self._open()
            body = await document(page)
        except Exception as error:  # pyppeteer raises many exceptions for a lost connection, even TypeError
            raise BrowserLost(str(error)) from error
        self._idle.append(page)
        return body

    async def _open(self) -> "Page":
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
        if not sandbox or os.geteuid() == 0:  # Chromium refuses to run its sandbox as root
            command.append("--no-sandbox")
        if setpriv := shutil.which("setpriv"):
            command = [setpriv, "--pdeathsig", "KILL", *command]  # the kernel kills the browser when the service dies
    return [*command, "about:blank"]


async def _read_tail(stream: asyncio.StreamReader) -> str:
    """Read the browser's stderr to its end and return the last characters: they say why it did not start."""
    tail = b""
    while block := await stream.read(65536):
        tail = (tail + block)[-500:]
    return tail.decode(errors="replace").strip()


class Page:
    """A tab that prints one document after the other."""

    def __init__(self, client: Any, frame: str) -> None:
        self._client = client
        self._frame = frame

    async def pdf(self, html: str, width: int | None, tagged: bool) -> bytes:
        """Print on A4 pages, or on one page `width` millimetres wide (a roll), as long as its content."""
        await self._show(html)
        paper = A4 if width is None else await self._roll(width)
        return await self._take("Page.printToPDF", {"printBackground": True, "generateTaggedPDF": tagged, **paper})

    async def png(self, html: str) -> bytes:
        """Take a picture of the body, which has a fixed size, for printers of 384 dots an inch or less."""
        client = self._client
        await self._show(html)
        size = await client.send("Runtime.evaluate", {"expression": BODY_SIZE, "returnByValue": True})
        screen = {**size["result"]["value"], "deviceScaleFactor": PNG_SCALE, "mobile": False}
        await client.send("Emulation.setDeviceMetricsOverride", screen)
        picture = await self._take("Page.captureScreenshot", {"format": "png"})
        await client.send("Emulation.clearDeviceMetricsOverride")
        return picture

    async def _show(self, html: str) -> None:
        await self._client.send("Page.setDocumentContent", {"frameId": self._frame, "html": html})
        # Chromium prints without waiting for fonts: wait for the fonts of the style sheet.
        ready = {"expression": "document.fonts.ready.then(() => 0)", "awaitPromise": True}
        await self._client.send("Runtime.evaluate", ready)

    async def _take(self, command: str, options: dict[str, Any]) -> bytes:
        """The file that Chromium makes of the shown page, which is empty afterwards."""
        answer = await self._client.send(command, options)
        await self._client.send("Page.setDocumentContent", {"frameId": self._frame, "html": ""})
        return base64.b64decode(answer["data"])

    async def _roll(self, width: int) -> dict[str, Any]:
        client = self._client
        screen = {"width": int(width * MM), "height": 1, "deviceScaleFactor": 1, "mobile": False}
        await client.send("Emulation.setDeviceMetricsOverride", screen)
        metrics = await client.send("Page.getLayoutMetrics")
        await client.send("Emulation.clearDeviceMetricsOverride")
        height = metrics["cssContentSize"]["height"]
        margins = dict.fromkeys(("marginTop", "marginBottom", "marginLeft", "marginRight"), 0)
        return {"paperWidth": screen["width"] / 96, "paperHeight": (height + 1) / 96, **margins}
