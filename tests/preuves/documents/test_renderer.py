"""The printing browser may be missing, killed, hung, worn or busy. The next document must still be printed."""

import asyncio
import functools
import inspect
import os
import random
import signal
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.base.refusal import Refusal
from app.documents import chromium, renderer
from app.documents.chromium import BrowserLost
from app.documents.renderer import Renderer
from tests import builders
from tests.conftest import Db, Http
from tests.documents import browsers, paper
from tests.server import Service, eventually, in_a_loop, kill, running, until

PAGE = "<!doctype html><p>{}</p>"
LONG = PAGE.format("<p>Une ligne de plus.</p>" * 6000)  # takes most of a second to print


@pytest.fixture(params=browsers.each)
def executable(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each installed browser in turn."""
    monkeypatch.setenv(browsers.SETTING, request.param)
    return str(request.param)


@pytest.fixture(autouse=True)
def profiles(executable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for the browser profiles of this test. No profile and no process may remain."""
    folder = tmp_path / "profils"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []
    assert not processes(folder)


def processes(folder: Path) -> list[psutil.Process]:
    """Return the processes with the folder on their command line: the browser and its children."""
    return [p for p in psutil.process_iter(["cmdline"]) if str(folder) in " ".join(p.info["cmdline"] or ())]


def modes(folder: Path) -> list[int]:
    """Return the permissions of each entry of the folder."""
    return [path.stat().st_mode & 0o777 for path in folder.iterdir()]


def with_renderer(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run a test that is a coroutine, with a renderer as its first argument. No task of it may remain."""

    @in_a_loop
    async def run(**fixtures: Any) -> None:
        printer = Renderer(os.environ[browsers.SETTING])
        try:
            await test(printer, **fixtures)
        finally:
            await printer.close()
            await until(lambda: not any("pyppeteer" in repr(task) for task in asyncio.all_tasks()))

    signature = inspect.signature(test)
    run.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])
    return functools.update_wrapper(run, test, ["__name__", "__doc__", "__module__"])


def pid(printer: Renderer) -> int:
    assert printer._current is not None
    return printer._current._process.pid


async def wait_until_printing(printer: Renderer) -> None:
    await until(lambda: printer._current is not None and printer._current.busy)


def test_without_a_browser_only_documents_are_refused(
    http: Http, db: Db, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    db.acting(None)
    facture = builders.facture(db)
    admin = http.as_admin()
    monkeypatch.setattr(http.services, "renderer", Renderer("/nulle/part/chromium"))
    answer = admin.get(f"/facturation/factures/{facture}/pdf")
    assert (answer.status_code, answer.json()["code"]) == (503, "RENDU_INDISPONIBLE")
    sentence = "Ce serveur n'imprime pas de PDF pour le moment : prévenez l'administrateur."
    assert answer.json()["message"] == sentence and "retry-after" in answer.headers
    assert "PUPPETEER_EXECUTABLE_PATH vaut « /nulle/part/chromium »" in caplog.text
    assert admin.get(f"/facturation/factures/{facture}").status_code == 200
    assert admin.get("/facturation/factures/0/pdf").status_code == 404


@in_a_loop
async def test_a_program_that_is_no_browser_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        await Renderer("true").pdf(PAGE)
    assert (refused.value.status, refused.value.code) == (503, "RENDU_INDISPONIBLE")


@with_renderer
async def test_a_browser_killed_between_two_documents_is_replaced(printer: Renderer) -> None:
    assert (await printer.pdf(PAGE)).startswith(b"%PDF")
    os.kill(first := pid(printer), signal.SIGKILL)
    assert (await printer.pdf(PAGE)).startswith(b"%PDF")
    assert pid(printer) != first


@pytest.mark.bref
@with_renderer
async def test_a_browser_killed_while_it_prints_is_replaced_once_without_an_error(printer: Renderer) -> None:
    await printer.pdf(PAGE)
    first = pid(printer)
    task = asyncio.create_task(printer.pdf(LONG))
    await wait_until_printing(printer)
    os.kill(first, signal.SIGKILL)
    assert (await task).startswith(b"%PDF")
    assert pid(printer) != first


@with_renderer
async def test_a_browser_killed_twice_gives_a_refusal(printer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(*_: Any) -> bytes:
        raise BrowserLost("essai")

    with monkeypatch.context() as patch, pytest.raises(Refusal) as refused:
        patch.setattr(chromium.Page, "pdf", lost)
        await printer.pdf(PAGE)
    assert (refused.value.status, refused.value.message) == (503, "Le rendu du document a échoué : réessayez.")
    assert (await printer.pdf(PAGE)).startswith(b"%PDF")


@with_renderer
async def test_a_hung_browser_gives_a_refusal_in_time(printer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "PRINT_SECONDS", 1.0)
    while True:  # the first document of a cold browser may take more than this second
        try:
            await printer.pdf(PAGE)
            break
        except Refusal:
            continue
    os.kill(pid(printer), signal.SIGSTOP)
    async with asyncio.timeout(5):
        answers = await asyncio.gather(*(printer.pdf(PAGE) for _ in range(3)), return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, Refusal)]
    assert refused and all((refusal.status, refusal.code) == (503, "RENDU_INDISPONIBLE") for refusal in refused)
    monkeypatch.setattr(renderer, "PRINT_SECONDS", 20.0)
    assert (await printer.pdf(PAGE)).startswith(b"%PDF")


@in_a_loop
async def test_a_browser_that_hangs_at_its_start_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "DEADLINE_SECONDS", 0.5)
    monkeypatch.setattr(chromium, "START_SECONDS", 3.0)
    silent = tmp_path / "silencieux"
    silent.write_text("#!/bin/sh\nsleep 60\n")
    silent.chmod(0o755)
    printer = Renderer(str(silent))
    async with asyncio.timeout(5):
        answers = await asyncio.gather(*(printer.pdf(PAGE) for _ in range(6)), return_exceptions=True)
    assert [answer.status for answer in answers if isinstance(answer, Refusal)] == [503] * 6
    await printer.close()


@with_renderer
async def test_each_document_is_printed_although_the_browser_is_killed_twenty_times(printer: Renderer) -> None:
    rng = random.Random(6)
    await printer.pdf(PAGE)
    page = PAGE.format("Une ligne de plus.<br>" * 2000)
    for _ in range(20):
        task = asyncio.create_task(printer.pdf(page))
        await asyncio.sleep(rng.uniform(0, 0.15))
        if printer._current is not None:
            browser_pid = pid(printer)
            if psutil.pid_exists(browser_pid):
                os.kill(browser_pid, signal.SIGKILL)
        assert (await task).startswith(b"%PDF")


@with_renderer
async def test_a_cancelled_caller_does_not_close_the_browser_or_leak_pages(printer: Renderer) -> None:
    await printer.pdf(PAGE)
    first = pid(printer)
    for _ in range(5):
        task = asyncio.create_task(printer.pdf(LONG))
        await wait_until_printing(printer)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert (await printer.pdf(PAGE)).startswith(b"%PDF")
    assert pid(printer) == first
    browser = printer._current
    assert browser is not None
    await until(lambda: not browser.busy)
    assert len(browser._idle) <= 6


@with_renderer
async def test_browsers_are_recycled_while_four_callers_print(
    printer: Renderer, monkeypatch: pytest.MonkeyPatch, profiles: Path
) -> None:
    monkeypatch.setattr(renderer, "RECYCLED_AFTER", 5)
    pids: set[int] = set()

    async def print_ten() -> None:
        for _ in range(10):
            assert (await printer.pdf(PAGE)).startswith(b"%PDF")
            if printer._current is not None:  # no browser runs between two browsers
                pids.add(pid(printer))

    await asyncio.gather(*(print_ten() for _ in range(4)))
    assert not printer._retired and len(pids) >= 8
    assert len(os.listdir(profiles)) == 1  # noqa: PTH208


@with_renderer
async def test_at_most_four_documents_print_at_once_and_all_are_printed(printer: Renderer) -> None:
    most = 0

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, printer._current.busy if printer._current else 0)
            await asyncio.sleep(0.001)

    watcher = asyncio.create_task(watch())
    printed = await asyncio.gather(*(printer.pdf(PAGE.format(n)) for n in range(24)))
    watcher.cancel()
    assert all(pdf.startswith(b"%PDF") for pdf in printed) and most == renderer.PAGES


@with_renderer
async def test_the_memory_of_the_browser_stays_bounded(printer: Renderer) -> None:
    def family(printer: Renderer) -> list[psutil.Process]:
        browser = psutil.Process(pid(printer))
        return [browser, *browser.children(recursive=True)]

    def memory(printer: Renderer) -> int:
        total = 0
        for process in family(printer):
            with suppress(psutil.NoSuchProcess):  # a helper that ended since the list was made
                total += process.memory_full_info().uss
        return total

    sizes = []
    for _ in range(10):
        for _ in range(20):
            await printer.pdf(PAGE.format("Une ligne de plus.<br>" * 100))
        sizes.append(memory(printer))
    assert max(sizes[6:]) < 1.5 * max(sizes[:6]), sizes
    assert len(family(printer)) < 13


def listening_addresses(process: psutil.Process) -> list[Any]:
    with suppress(psutil.NoSuchProcess):  # a helper that ended since the list was made
        return [c.laddr for c in process.net_connections(kind="inet") if c.status == psutil.CONN_LISTEN]
    return []


@with_renderer
async def test_no_other_account_of_the_machine_can_connect_to_the_browser(printer: Renderer, profiles: Path) -> None:
    await printer.pdf(PAGE)
    family = processes(profiles)
    assert family
    assert [address for process in family for address in listening_addresses(process)] == []
    # Chromium keeps a socket in the profile folder, which only the service's account may open.
    assert modes(profiles) == [0o700]


@pytest.mark.bref
@with_renderer
async def test_a_printed_page_reads_no_file_of_the_machine(printer: Renderer, tmp_path: Path) -> None:
    secret, style = tmp_path / "secret.txt", tmp_path / "style.css"
    secret.write_text("Le mot que personne ne doit lire")
    style.write_text("p::after { content: 'Le mot que personne ne doit lire' }")
    page = (
        f"<!doctype html><link rel=stylesheet href='file://{style}'><style>@import url('file://{style}');</style>"
        f"<p>Un texte</p><iframe src='file://{secret}' width=600 height=100></iframe>"
        f"<object data='file://{secret}' width=600 height=100></object><embed src='file://{secret}'>"
        f"<meta http-equiv=refresh content='0; url=file://{secret}'>"
    )
    for _ in range(2):  # a second document would show what the first one left
        printed = paper.text(await printer.pdf(page))
        assert "Un texte" in printed and "personne" not in printed


@pytest.fixture
def facture(committed: Db) -> int:
    """An invoice, and an administrator who may print it."""
    builders.utilisateur(committed, role="ADMINISTRATEUR", login="awa.exemple")
    return builders.facture(committed)


def serving(database_url: str, tmp_path: Path, profiles: Path, executable: str) -> AbstractContextManager[Service]:
    settings = {"DATABASE_URL": database_url, "TMPDIR": str(profiles), browsers.SETTING: executable}
    return running(tmp_path, **settings)


def test_after_a_kill_the_next_service_prints_and_removes_old_folders(
    database_url: str, tmp_path: Path, profiles: Path, executable: str, facture: int
) -> None:
    path = f"/facturation/factures/{facture}/pdf"
    for _ in range(2):
        with serving(database_url, tmp_path, profiles, executable) as service:
            answer = service.login("awa.exemple").get(path)
            assert answer.status_code == 200 and processes(profiles), answer.text
            # The folders of the killed service are removed.
            assert sorted(path.name.split("-")[1] for path in profiles.iterdir()) == ["chromium", "mesures"]
            kill(service.process)
            eventually(lambda: not processes(profiles))
    with serving(database_url, tmp_path, profiles, executable) as service:
        assert service.login("awa.exemple").get(path).status_code == 200
        assert service.stop() == 0


@with_renderer
async def test_a_profile_folder_in_use_is_not_removed(printer: Renderer, profiles: Path) -> None:
    await printer.pdf(PAGE)
    second = Renderer(os.environ[browsers.SETTING])
    try:
        await second.pdf(PAGE)
        assert modes(profiles) == [0o700] * 2
        assert (await printer.pdf(PAGE)).startswith(b"%PDF")
    finally:
        await second.close()
