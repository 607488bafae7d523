"""HTML to PDF or PNG with one running Chromium, replaced when it dies, hangs, or has made RECYCLED_AFTER documents."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from app.base.refusal import Refusal, unavailable
from app.documents.chromium import BrowserLost, Chromium, Page, find

CODE = "RENDU_INDISPONIBLE"
PAGES = 4
PRINT_SECONDS = 20.0
DEADLINE_SECONDS = 30.0  # in total: waiting, starting a browser, a retry
RECYCLED_AFTER = 250  # documents; a new browser frees leaked memory

log = logging.getLogger("comptoir.documents")

Print = Callable[[Page], Awaitable[bytes]]


class Renderer:
    """Prints the documents of one process. The first document starts the browser."""

    def __init__(self, executable: str | None, sandbox: bool = True) -> None:
        self._executable = executable
        self._sandbox = sandbox
        self._places = asyncio.Semaphore(PAGES)
        self._starting: asyncio.Task[Chromium] | None = None
        self._current: Chromium | None = None
        self._retired: set[Chromium] = set()

    async def pdf(self, html: str, width: int | None = None, *, tagged: bool = True) -> bytes:
        """Print a page. `width` is the width of a roll in millimetres; `tagged` adds tags for screen readers."""
        return await self._document(lambda page: page.pdf(html, width, tagged))

    async def png(self, html: str) -> bytes:
        """Take a picture of a page, as large as its content."""
        return await self._document(lambda page: page.png(html))

    async def _document(self, work: Print) -> bytes:
        """Run the work with an idle page.

        After DEADLINE_SECONDS, or when no browser works, it raises the refusal RENDU_INDISPONIBLE.
        """
        try:
            async with asyncio.timeout(DEADLINE_SECONDS), self._places:
                try:
                    return await self._print(work)
                except BrowserLost:  # retry once, with another browser
                    return await self._print(work)
        except TimeoutError:
            raise unavailable(CODE, "Le rendu du document a pris trop de temps : réessayez.") from None
        except BrowserLost as error:
            log.error("Chromium : %s", error)
            raise unavailable(CODE, "Le rendu du document a échoué : réessayez.") from error

    async def close(self) -> None:
        if self._starting is not None:
            await asyncio.wait([self._starting])
        for browser in [*self._retired, *filter(None, [self._current])]:
            await self._discard(browser)

    async def _print(self, work: Print) -> bytes:
        browser = await self._browser()
        try:
            async with asyncio.timeout(PRINT_SECONDS):
                return await browser.print(work)
        except (TimeoutError, BrowserLost) as error:
            if isinstance(error, TimeoutError):
                log.error("Chromium ne répond plus depuis %d s : il est remplacé.", PRINT_SECONDS)
            await self._discard(browser)
            raise
        finally:
            await self._sweep()

    async def _browser(self) -> Chromium:
        await self._sweep()
        current = self._current
        if current is not None and current.alive and current.printed < RECYCLED_AFTER:
            return current
        if current is not None:
            self._current = None
            self._retired.add(current)
        if self._starting is None:
            path = find(self._executable)
            if path is None:
                raise _missing(self._executable)
            self._starting = asyncio.create_task(self._start(path))
            self._starting.add_done_callback(lambda start: start.cancelled() or start.exception())
        # A cancelled caller does not cancel the launch: the next caller uses it, and an interrupted launch would leak
        # a process.
        return await asyncio.shield(self._starting)

    async def _start(self, path: str) -> Chromium:
        try:
            self._current = await Chromium.start(path, self._sandbox)
            return self._current
        finally:
            self._starting = None

    async def _sweep(self) -> None:
        """Close the replaced browsers that no longer print."""
        for browser in [browser for browser in self._retired if not browser.busy]:
            await self._discard(browser)

    async def _discard(self, browser: Chromium) -> None:
        if self._current is browser:
            self._current = None
        self._retired.discard(browser)
        await browser.close()


def _missing(executable: str | None) -> Refusal:
    """The refusal without a browser. Only the log names the setting, because the user cannot change it."""
    if executable is None:
        log.error("Pas de Chromium : installez-le, ou donnez son chemin dans PUPPETEER_EXECUTABLE_PATH.")
    else:
        log.error("PUPPETEER_EXECUTABLE_PATH vaut « %s », qui n'est pas un programme.", executable)
    return unavailable(CODE, "Ce serveur n'imprime pas de PDF pour le moment : prévenez l'administrateur.")
