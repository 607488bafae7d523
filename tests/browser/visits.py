"""A page in a real browser, with its requests and its errors."""

import asyncio
import os

from pyppeteer import launch

from tests.server import PATIENCE

OPTIONS = [
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--disable-dev-shm-usage", "--disable-extensions", "--disable-sync", "--no-first-run", "--lang=fr",
]  # fmt: skip
WAIT = {"timeout": PATIENCE * 1000}
PHONE = {"width": 360, "height": 740, "isMobile": True, "hasTouch": True}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async tags => (await axe.run({runOnly: tags, resultTypes: ['violations'], preload: false})).violations.flatMap(
  rule => rule.nodes.map(node => `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary.split('\\n')[1]}`))"""


class Visit:
    """A page with its requests and its errors."""

    axe = ""  # the script of axe-core, where npm has it

    def __init__(self, page):
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", lambda request: self.errors.append(f"failed: {request.url}"))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)

    def _console(self, message):
        if message.type == "error":
            self.errors.append(message.text)

    async def text(self, selector):
        await self.page.waitForSelector(selector, WAIT)
        return str(await self.page.evaluate("s => document.querySelector(s).innerText", selector))

    async def shot(self, name, schemes=("light", "dark")):
        """axe-core finds no violation, and the page is as wide as the screen. Pictures go to the folder CAPTURES."""
        for scheme in schemes:
            await self.prefer(scheme)
            if self.axe:
                await self.page.evaluate(self.axe, force_expr=True)
                violations = "\n".join(await self.page.evaluate(RUN, TAGS))
                assert not violations, f"{name}, {scheme}\n{violations}"
            if folder := os.environ.get("CAPTURES"):
                await self.page.screenshot({"path": f"{folder}/{name}-{scheme}.png", "fullPage": True})
        assert await self.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), name

    async def prefer(self, scheme):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        await self.page._client.send("Emulation.setEmulatedMedia", {"features": [feature]})

    async def click(self, selector):
        await self.page.waitForSelector(selector, WAIT)
        await self.page.evaluate("s => document.querySelector(s).click()", selector)

    async def until(self, condition, *arguments):
        """Wait until this expression, or this function of the arguments, is true in the page."""
        await self.page.waitForFunction(condition, WAIT, *arguments)

    async def write(self, selector, text):
        """Type into a React field as a user does: select all, then type."""
        await self.page.waitForSelector(selector, WAIT)
        await self.page.focus(selector)
        await self.page.evaluate("s => document.querySelector(s).select()", selector)
        await self.page.keyboard.sendCharacter(text)

    async def violations(self) -> int:
        """Add a script, an image and a request as an attacker would. None runs: return how often the policy refuses."""
        await self.page.evaluate(
            """() => {
              const script = document.createElement('script')
              script.textContent = 'window.ran = 1'
              document.body.append(script)
              document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/x" onerror="window.ran = 2">')
              return fetch('http://127.0.0.1:9/').catch(() => 0)
            }"""
        )
        assert await self.page.evaluate("() => window.ran") is None
        return sum("Content Security Policy" in error for error in self.errors)


async def browse(executable):
    """A new browser, which the caller closes."""
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    return await launch(
        executablePath=executable, args=[*OPTIONS, *root], autoClose=False,
        handleSIGINT=False, handleSIGTERM=False, handleSIGHUP=False,
    )  # fmt: skip


async def new_page(browser):
    """A page of the browser with the screen of a phone."""
    page = await browser.newPage()
    page.setDefaultNavigationTimeout(WAIT["timeout"])
    await page.setViewport(PHONE)
    return page


def visit(executable, body):
    async def run():
        browser = await browse(executable)
        try:
            await body(Visit(await new_page(browser)))
        finally:
            await browser.close()

    asyncio.run(run())
