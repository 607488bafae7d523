"""The browser that prints: missing, killed, hung, worn, in use by many at once. What matters is the next answer."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
from psycopg.rows import dict_row

from app.base.refusal import Refusal
from app.documents import chromium, renderer
from app.documents.chromium import BrowserLost
from app.documents.renderer import Renderer
from tests import builders, server
from tests.conftest import Db, Http
from tests.documents import browsers, paper
from tests.server import Service, eventually, running

until = partial(server.until, patience=15)

PAGE = "<!doctype html><p>{}</p>"
LONG = PAGE.format("<p>Une ligne de plus.</p>" * 6000)  # most of a second of printing


@pytest.fixture(params=browsers.each)
def executable(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each browser of this machine in turn."""
    monkeypatch.setenv(browsers.SETTING, request.param)
    return str(request.param)


@pytest.fixture(autouse=True)
def profiles(executable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the browsers of this test keep their profiles; none is left there."""
    folder = tmp_path / "profils"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []
    assert not processes(folder)


def processes(folder: Path) -> list[psutil.Process]:
    """The processes whose command line names the folder: the browser and its children."""
    return [p for p in psutil.process_iter(["cmdline"]) if str(folder) in " ".join(p.info["cmdline"] or ())]


def modes(folder: Path) -> list[int]:
    """The permissions of each folder in it."""
    return [path.stat().st_mode & 0o777 for path in folder.iterdir()]


def with_renderer(story: Callable[[Renderer], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        found = Renderer(os.environ[browsers.SETTING])
        try:
            return await story(found)
        finally:
            await found.close()
            # Nothing that the connection began goes on after it.
            await until(lambda: not any("pyppeteer" in repr(task) for task in asyncio.all_tasks()))

    return asyncio.run(run())


def pid(found: Renderer) -> int:
    assert found._current is not None
    return found._current._process.pid


async def printing(found: Renderer) -> None:
    """Until the browser is at work."""
    await until(lambda: found._current is not None and found._current.busy)


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


def test_what_is_no_browser_is_refused() -> None:
    async def story() -> None:
        with pytest.raises(Refusal) as refused:
            await Renderer("true").pdf(PAGE)
        assert (refused.value.status, refused.value.code) == (503, "RENDU_INDISPONIBLE")

    asyncio.run(story())


def test_a_browser_killed_between_two_documents_is_replaced() -> None:
    async def story(found: Renderer) -> None:
        assert (await found.pdf(PAGE)).startswith(b"%PDF")
        first = pid(found)
        os.kill(first, signal.SIGKILL)
        assert (await found.pdf(PAGE)).startswith(b"%PDF")
        assert pid(found) != first

    with_renderer(story)


def test_a_browser_killed_in_a_document_is_replaced_once_and_silently() -> None:
    async def story(found: Renderer) -> None:
        await found.pdf(PAGE)
        first = pid(found)
        task = asyncio.create_task(found.pdf(LONG))
        await printing(found)
        os.kill(first, signal.SIGKILL)
        assert (await task).startswith(b"%PDF")
        assert pid(found) != first

    with_renderer(story)


def test_a_browser_killed_in_both_tries_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(*_: Any) -> bytes:
        raise BrowserLost("essai")

    async def story(found: Renderer) -> None:
        with monkeypatch.context() as patch, pytest.raises(Refusal) as refused:
            patch.setattr(chromium.Page, "pdf", lost)
            await found.pdf(PAGE)
        assert (refused.value.status, refused.value.message) == (503, "Le rendu du document a échoué : réessayez.")
        assert (await found.pdf(PAGE)).startswith(b"%PDF")

    with_renderer(story)


def test_a_hung_browser_is_refused_in_time_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "PRINT_SECONDS", 1.0)

    async def story(found: Renderer) -> None:
        while True:  # the first document of a cold browser may take more than this second
            try:
                await found.pdf(PAGE)
                break
            except Refusal:
                continue
        os.kill(pid(found), signal.SIGSTOP)
        async with asyncio.timeout(5):
            answers = await asyncio.gather(*(found.pdf(PAGE) for _ in range(3)), return_exceptions=True)
        refused = [answer for answer in answers if isinstance(answer, Refusal)]
        assert refused and all((refusal.status, refusal.code) == (503, "RENDU_INDISPONIBLE") for refusal in refused)
        monkeypatch.setattr(renderer, "PRINT_SECONDS", 20.0)
        assert (await found.pdf(PAGE)).startswith(b"%PDF")

    with_renderer(story)


def test_a_browser_that_hangs_while_it_starts_ends_with_the_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renderer, "DEADLINE_SECONDS", 0.5)
    monkeypatch.setattr(chromium, "START_SECONDS", 3.0)
    silent = tmp_path / "silencieux"
    silent.write_text("#!/bin/sh\nsleep 60\n")
    silent.chmod(0o755)

    async def story() -> None:
        found = Renderer(str(silent))
        async with asyncio.timeout(5):
            answers = await asyncio.gather(*(found.pdf(PAGE) for _ in range(6)), return_exceptions=True)
        assert [answer.status for answer in answers if isinstance(answer, Refusal)] == [503] * 6
        await found.close()

    asyncio.run(story())


def test_killed_twenty_times_at_random_it_answers_each_time_at_last() -> None:
    chance = random.Random(6)

    async def story(found: Renderer) -> None:
        await found.pdf(PAGE)
        page = PAGE.format("Une ligne de plus.<br>" * 2000)
        for _ in range(20):
            task = asyncio.create_task(found.pdf(page))
            await asyncio.sleep(chance.uniform(0, 0.15))
            if found._current is not None:
                with_pid = pid(found)
                if psutil.pid_exists(with_pid):
                    os.kill(with_pid, signal.SIGKILL)
            assert (await task).startswith(b"%PDF")

    with_renderer(story)


def test_whoever_gives_up_takes_no_page_along() -> None:
    async def story(found: Renderer) -> None:
        await found.pdf(PAGE)
        first = pid(found)
        for _ in range(5):
            task = asyncio.create_task(found.pdf(LONG))
            await printing(found)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert (await found.pdf(PAGE)).startswith(b"%PDF")
        assert pid(found) == first
        browser = found._current
        assert browser is not None
        await until(lambda: not browser.busy)
        assert len(browser._idle) <= 6

    with_renderer(story)


def test_worn_browsers_are_replaced_while_four_print(monkeypatch: pytest.MonkeyPatch, profiles: Path) -> None:
    monkeypatch.setattr(renderer, "RECYCLED_AFTER", 5)
    seen: set[int] = set()

    async def story(found: Renderer) -> None:
        async def many() -> None:
            for _ in range(10):
                assert (await found.pdf(PAGE)).startswith(b"%PDF")
                if found._current is not None:  # between two browsers there is none
                    seen.add(pid(found))

        await asyncio.gather(*(many() for _ in range(4)))
        assert not found._retired and len(seen) >= 8
        assert len(os.listdir(profiles)) == 1  # noqa: PTH208

    with_renderer(story)


def test_no_more_than_four_print_at_once_and_none_waits_for_ever() -> None:
    most = 0

    async def story(found: Renderer) -> None:
        async def watch() -> None:
            nonlocal most
            while True:
                most = max(most, found._current.busy if found._current else 0)
                await asyncio.sleep(0.001)

        watcher = asyncio.create_task(watch())
        printed = await asyncio.gather(*(found.pdf(PAGE.format(n)) for n in range(24)))
        watcher.cancel()
        assert all(pdf.startswith(b"%PDF") for pdf in printed) and most == renderer.PAGES

    with_renderer(story)


def test_its_memory_is_steady() -> None:
    def family(found: Renderer) -> list[psutil.Process]:
        browser = psutil.Process(pid(found))
        return [browser, *browser.children(recursive=True)]

    def memory(found: Renderer) -> int:
        total = 0
        for process in family(found):
            with suppress(psutil.NoSuchProcess):  # a helper that ended since the list was made
                total += process.memory_full_info().uss
        return total

    async def story(found: Renderer) -> None:
        seen = []
        for _ in range(10):
            for _ in range(20):
                await found.pdf(PAGE.format("Une ligne de plus.<br>" * 100))
            seen.append(memory(found))
        assert max(seen[6:]) < 1.5 * max(seen[:6]), seen
        assert len(family(found)) < 13

    with_renderer(story)


def listening(process: psutil.Process) -> list[Any]:
    """The addresses at which it waits for connections."""
    with suppress(psutil.NoSuchProcess):  # a helper that ended since the list was made
        return [c.laddr for c in process.net_connections(kind="inet") if c.status == psutil.CONN_LISTEN]
    return []


def test_no_account_of_the_machine_can_connect_to_the_browser(profiles: Path) -> None:
    async def story(found: Renderer) -> None:
        await found.pdf(PAGE)
        family = processes(profiles)
        assert family
        assert [address for process in family for address in listening(process)] == []
        # The profile folder, where Chromium keeps a socket of its own, opens to the service's account only.
        assert modes(profiles) == [0o700]

    with_renderer(story)


def test_a_page_reads_no_file_of_the_machine(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("Le mot que personne ne doit lire")
    style = tmp_path / "style.css"
    style.write_text("p::after { content: 'Le mot que personne ne doit lire' }")
    page = (
        f"<!doctype html><link rel=stylesheet href='file://{style}'><style>@import url('file://{style}');</style>"
        f"<p>Un texte</p><iframe src='file://{secret}' width=600 height=100></iframe>"
        f"<object data='file://{secret}' width=600 height=100></object><embed src='file://{secret}'>"
        f"<meta http-equiv=refresh content='0; url=file://{secret}'>"
    )

    async def story(found: Renderer) -> None:
        for _ in range(2):  # whatever the first leaves behind, the second finds
            printed = paper.text(await found.pdf(page))
            assert "Un texte" in printed and "personne" not in printed

    with_renderer(story)


@pytest.fixture
def facture(database_url: str) -> int:
    """An invoice, and an administrator who may print it."""
    with psycopg.connect(database_url, row_factory=dict_row) as connection:
        db = Db(connection)
        builders.utilisateur(db, role="ADMINISTRATEUR", login="awa.exemple")
        return builders.facture(db)


def serving(database_url: str, tmp_path: Path, profiles: Path, executable: str) -> AbstractContextManager[Service]:
    settings = {"DATABASE_URL": database_url, "TMPDIR": str(profiles), browsers.SETTING: executable}
    return running(tmp_path, **settings)


def test_after_a_killed_service_the_next_one_prints_and_tidies_up(
    database_url: str, tmp_path: Path, profiles: Path, executable: str, facture: int
) -> None:
    path = f"/facturation/factures/{facture}/pdf"
    for _ in range(2):
        with serving(database_url, tmp_path, profiles, executable) as service:
            answer = service.login("awa.exemple").get(path)
            assert answer.status_code == 200 and processes(profiles), answer.text
            # The folders of the service that was killed are gone.
            assert sorted(path.name.split("-")[1] for path in profiles.iterdir()) == ["chromium", "mesures"]
            service.process.send_signal(signal.SIGKILL)
            service.process.wait()
            eventually(lambda: not processes(profiles))
    with serving(database_url, tmp_path, profiles, executable) as service:
        assert service.login("awa.exemple").get(path).status_code == 200
        assert service.stop() == 0


def test_a_folder_in_use_is_never_tidied_up(profiles: Path) -> None:
    async def story(first: Renderer) -> None:
        await first.pdf(PAGE)
        second = Renderer(os.environ[browsers.SETTING])
        try:
            await second.pdf(PAGE)
            assert modes(profiles) == [0o700] * 2
            assert (await first.pdf(PAGE)).startswith(b"%PDF")
        finally:
            await second.close()

    with_renderer(story)


def test_a_stopped_service_leaves_neither_process_nor_folder(
    database_url: str, tmp_path: Path, profiles: Path, executable: str, facture: int
) -> None:
    with serving(database_url, tmp_path, profiles, executable) as service:
        assert service.login("awa.exemple").get(f"/facturation/factures/{facture}/pdf").status_code == 200
        assert processes(profiles) and service.stop() == 0
    assert not processes(profiles) and not list(profiles.iterdir())
