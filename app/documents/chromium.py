"""One Chromium process and its pages: no network, no script, nothing kept from one document to the next."""

from __future__ import annotations

import asyncio
import base64
import logging
import os
import platform
import re
import shutil
import signal
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

NAMES = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome")
# Debian's script starts the browser as a child, which neither dies with it nor with the service.
WRAPPED = {"/usr/bin/chromium-headless-shell": "/usr/lib/chromium/chromium-headless-shell"}
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
FLAGS = (
    "--headless",
    "--remote-debugging-port=0",
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # a container's is too small
    "--disable-background-networking",
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
# What pyppeteer says when a browser goes away is told once, by whoever needed it.
logging.getLogger("pyppeteer").setLevel(logging.CRITICAL)


class BrowserLost(Exception):
    """The browser is gone, or does not answer as one; the document may be tried again with another."""


def find(configured: str | None) -> str | None:
    """The path of a Chromium: the configured one, else one on PATH, the headless shell first."""
    names = NAMES if configured is None else (configured,)
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        return str(MAC) if configured is None and MAC.exists() else None
    behind = WRAPPED.get(found, found)
    return behind if Path(behind).exists() else found


class Chromium:
    """A browser that was started, and its idle pages; `busy` counts those that print."""

    def __init__(self, process: asyncio.subprocess.Process, profile: tempfile.TemporaryDirectory[str]) -> None:
        self._process = process
        self._profile = profile
        self._exit = asyncio.create_task(process.wait())
        self._browser: Any = None
        self._idle: list[Any] = []
        self._works: set[asyncio.Task[bytes]] = set()
        self._stderr: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self.printed = 0

    @classmethod
    async def start(cls, path: str, sandbox: bool) -> Chromium:
        profile = tempfile.TemporaryDirectory(prefix="comptoir-chromium-", ignore_cleanup_errors=True)
        process = await asyncio.create_subprocess_exec(
            *_command(path, profile.name, sandbox),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # the terminal's Ctrl+C is ours to answer
        )
        chromium = cls(process, profile)
        try:
            import pyppeteer  # while the browser starts: a service that prints nothing does without

            async with asyncio.timeout(START_SECONDS):
                chromium._browser = await pyppeteer.connect(
                    browserWSEndpoint=await chromium._endpoint(), defaultViewport=None
                )
        except Exception as error:
            await chromium.close()
            raise BrowserLost(f"{path} ne démarre pas : {error}") from error
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

    async def pdf(self, html: str, width: int | None) -> bytes:
        """The document on A4 pages, or on one page of a roll of `width` millimetres, as long as what is on it."""
        self.printed += 1
        # pyppeteer survives no cancelled answer and may wait for ever for those of a dead browser: whoever gives up
        # leaves the work to end by itself, and the end of the process ends the wait.
        work = asyncio.create_task(self._work(html, width))
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
        if self._browser is not None:
            with suppress(Exception):
                await self._browser.disconnect()
            # What pyppeteer was about to send waits for a connection in a busy loop: let it find a closed one.
            self._browser._connection._connected = True
        for work in self._works:
            work.cancel()
        tasks = [*self._works, *filter(None, [self._stderr])]
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self._profile.cleanup)

    async def _work(self, html: str, width: int | None) -> bytes:
        try:
            page = self._idle.pop() if self._idle else await self._open()
            printed = await _print(page, html, width)
        except Exception as error:  # a lost connection has many names, some of them TypeError
            raise BrowserLost(str(error)) from error
        self._idle.append(page)
        return printed

    def _done(self, work: asyncio.Task[bytes]) -> None:
        self._works.discard(work)
        if not work.cancelled():
            work.exception()  # nobody may be waiting for it any more

    async def _open(self) -> Any:
        page = await self._browser.newPage()
        await page.setJavaScriptEnabled(False)
        client = page._client

        def refuse(event: dict[str, Any]) -> None:
            with suppress(Exception):  # the page may be gone meanwhile
                client.send("Fetch.failRequest", {"requestId": event["requestId"], "errorReason": "BlockedByClient"})

        client.on("Fetch.requestPaused", refuse)
        await client.send("Fetch.enable", {})
        await client.send("Emulation.setEmulatedMedia", {"media": "print"})
        return page

    async def _endpoint(self) -> str:
        """The address that Chromium tells on stderr; what it says later is read and dropped."""
        said = b""
        stderr = cast(asyncio.StreamReader, self._process.stderr)
        async for line in stderr:
            if found := re.search(rb"ws://127\.0\.0\.1:\d+/\S+", line):
                self._stderr = asyncio.create_task(_drain(stderr))
                return found[0].decode()
            said = (said + line)[-500:]
        raise BrowserLost(said.decode(errors="replace").strip() or "il se termine sans rien dire")


def _command(path: str, profile: str, sandbox: bool) -> list[str]:
    command = [path, *FLAGS, f"--user-data-dir={profile}"]
    if platform.system() == "Linux":
        if not sandbox or os.geteuid() == 0:  # Chromium's own rule: as root it has none
            command.append("--no-sandbox")
        if setpriv := shutil.which("setpriv"):
            command = [setpriv, "--pdeathsig", "KILL", *command]  # a service that is killed leaves no browser behind
    return [*command, "about:blank"]


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.read(65536):
        pass


async def _print(page: Any, html: str, width: int | None) -> bytes:
    client = page._client
    frame = page.mainFrame._id
    await client.send("Page.setDocumentContent", {"frameId": frame, "html": html})
    # A page prints with the fonts that it has: wait for those in the style sheet.
    await client.send("Runtime.evaluate", {"expression": "document.fonts.ready.then(() => 0)", "awaitPromise": True})
    paper = A4 if width is None else await _roll(client, width)
    printed = await client.send("Page.printToPDF", {"printBackground": True, "generateTaggedPDF": True, **paper})
    await client.send("Page.setDocumentContent", {"frameId": frame, "html": ""})
    return base64.b64decode(printed["data"])


async def _roll(client: Any, width: int) -> dict[str, Any]:
    screen = {"width": int(width * MM), "height": 1, "deviceScaleFactor": 1, "mobile": False}
    await client.send("Emulation.setDeviceMetricsOverride", screen)
    metrics = await client.send("Page.getLayoutMetrics")
    await client.send("Emulation.clearDeviceMetricsOverride")
    height = metrics["cssContentSize"]["height"]
    margins = dict.fromkeys(("marginTop", "marginBottom", "marginLeft", "marginRight"), 0)
    return {"paperWidth": screen["width"] / 96, "paperHeight": (height + 1) / 96, **margins}
