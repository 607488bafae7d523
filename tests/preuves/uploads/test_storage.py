"""The object store: start and stop, several processes, settings, and failures."""

import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from app.base.settings import Settings
from app.files.storage import Storage
from app.leaves.embarque import server as embedded
from app.leaves.embarque.seaweedfs import SeaweedFS, at_hand
from tests.conftest import SECRET, Http, refusal
from tests.server import ROOT, eventually, running

JPEG = b"\xff\xd8\xff\xe0 une photo"


@pytest.fixture
def home() -> Iterator[Path]:
    """A state folder that every account may enter."""
    home = Path(tempfile.mkdtemp(prefix="comptoir-objets-"))
    home.chmod(0o711)
    yield home
    SeaweedFS(home / "objets").stop()
    shutil.rmtree(home)


def deposit(client: Any, content: bytes = JPEG) -> Any:
    return client.post("/uploads", data={"categorie": "client-photo"}, files={"file": ("a.jpg", content)})


def settings(home: Path, **extra: str) -> Settings:
    return Settings.from_environment({"NODE_ENV": "test", "JWT_SECRET": SECRET, "COMPTOIR_ETAT": str(home), **extra})


def process_of(server: SeaweedFS) -> psutil.Process:
    process = server._process()
    assert process is not None
    return process


def test_the_store_starts_on_loopback_with_private_keys_and_stops(home: Path) -> None:
    server = SeaweedFS(home / "objets")
    server.start()
    process, port = process_of(server), server.port
    assert process.uids().effective == (server.directory.stat().st_uid)
    assert server._access.stat().st_mode & 0o777 == 0o600
    listening = [c.laddr for c in process.net_connections("inet") if c.status == "LISTEN"]
    assert {address.ip for address in listening} == {"127.0.0.1"}
    assert httpx.get(f"{server.url}/comptoir").status_code == 403
    server.start()
    assert (process_of(server), server.port) == (process, port)
    server.stop()
    assert not server.running()
    assert not list(Path("/tmp").glob(f"seaweedfs-*-{port}.sock"))
    assert not list(Path("/tmp").glob(f"weed.*.{process.pid}"))  # its logs
    server.stop()


def test_a_connection_without_a_request_keeps_no_store_running(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "STOP_SECONDS", 20)  # the store's own default waits longer
    with SeaweedFS(home / "objets") as server:
        volume = server._ports(server.port)["volume.port"]
        with socket.create_connection(("127.0.0.1", volume)):
            server.stop()
        assert not server.running()


def test_stored_files_survive_a_stop_and_a_kill_of_the_store(home: Path, http: Http) -> None:
    async def scenario() -> None:
        storage = Storage(settings(home))
        server = SeaweedFS(home / "objets")
        await storage.put("etat-lieux/1-a.jpg", io.BytesIO(JPEG), "image/jpeg")
        for stop in (server.stop, lambda: process_of(server).kill()):
            stop()
            eventually(lambda: not server.running())
            chunks = await storage.get("etat-lieux/1-a.jpg")
            assert b"".join([chunk async for chunk in chunks]) == JPEG
            await chunks.aclose()
        await storage.close()

    http.runner.run(scenario())


def test_the_last_user_of_the_store_stops_it(home: Path) -> None:
    server = SeaweedFS(home / "objets")
    with at_hand(home / "objets"):
        with at_hand(home / "objets"):
            server.start()
        assert server.running()
    assert not server.running()


def test_processes_that_start_the_store_together_share_one_server(home: Path) -> None:
    script = (
        "import sys, pathlib; from app.leaves.embarque.seaweedfs import SeaweedFS\n"
        "server = SeaweedFS(pathlib.Path(sys.argv[1])); server.start()\n"
        "print(server.port, *server.credentials('comptoir'))"
    )
    argv = [sys.executable, "-c", script, str(home / "objets")]
    started = [subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = {process.communicate()[0] for process in started}
    assert len(outputs) == 1 and len(outputs.pop().split()) == 3
    assert SeaweedFS(home / "objets").running()


def test_in_production_the_store_requires_a_setting(http: Http, home: Path) -> None:
    servers = {"KVSTORE_URL": "redis://127.0.0.1", "DATABASE_URL": "postgresql://127.0.0.1/x", "MAILER": "journal"}
    http.services.storage = Storage(settings(home, NODE_ENV="production", SECRETS_CLE=SECRET, **servers))
    answer = deposit(http.as_admin())
    assert (answer.status_code, answer.json()["code"]) == (503, "STOCKAGE_INDISPONIBLE")
    assert "n'est pas réglé" in answer.json()["message"] and "retry-after" in answer.headers
    assert not (home / "objets").exists()


def test_uploads_answer_503_while_the_store_is_down_and_recover(http: Http, home: Path) -> None:
    """S3_ENDPOINT names the store, so the API process does not start it."""
    with SeaweedFS(home / "objets", "autre-seau") as server:
        access, secret = server.credentials("autre-seau")
        keys = {"S3_ENDPOINT": server.url, "S3_ACCESS_KEY": access, "S3_SECRET_KEY": secret, "S3_BUCKET": "autre-seau"}
        http.services.storage = Storage(settings(home, **keys))
        admin = http.as_admin()
        key = {"key": deposit(admin).json()["key"]}
        process = process_of(server)
        process.send_signal(signal.SIGSTOP)  # the store hangs once all of its threads have stopped
        try:
            eventually(lambda: process.status() == psutil.STATUS_STOPPED)
            answer = admin.get("/uploads", params=key)
        finally:
            process.send_signal(signal.SIGCONT)
        assert (answer.status_code, answer.json()["code"]) == (503, "STOCKAGE_INDISPONIBLE")
        assert eventually(lambda: admin.get("/uploads", params=key).content == JPEG)
        command = process.cmdline()
        server.stop()
        for answer in (deposit(admin), admin.get("/uploads", params=key)):
            assert (answer.status_code, answer.json()["code"]) == (503, "STOCKAGE_INDISPONIBLE")
            assert secret not in answer.text
        server._child = server._run(command)
        assert server._ready()
        assert eventually(lambda: admin.get("/uploads", params=key).content == JPEG)
        assert eventually(lambda: deposit(admin).status_code == 201)  # the store can read before it can write


def test_wrong_store_credentials_answer_503(http: Http, home: Path) -> None:
    with SeaweedFS(home / "objets") as server:
        keys = {"S3_ENDPOINT": server.url, "S3_ACCESS_KEY": server.credentials("comptoir")[0], "S3_SECRET_KEY": "faux"}
        http.services.storage = Storage(settings(home, **keys))
        assert refusal(deposit(http.as_admin())) == (503, "STOCKAGE_INDISPONIBLE")


def test_concurrent_uploads_over_two_workers_keep_every_file(home: Path, database_url: str, tmp_path: Path) -> None:
    server = SeaweedFS(home / "objets")
    environment = {"DATABASE_URL": database_url, "COMPTOIR_ETAT": str(home), "WEB_CONCURRENCY": "2"}
    with running(tmp_path, **environment) as service:
        assert not server.running()  # the service starts without starting the store
        client = service.login()
        contents = [JPEG + os.urandom(200_000) for _ in range(24)]
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(lambda content: deposit(client, content), contents))
        assert {answer.status_code for answer in answers} == {201}
        keys = [answer.json()["key"] for answer in answers]
        assert len(set(keys)) == len(contents)
        for key, content in zip(keys, contents, strict=True):
            assert client.get("/uploads", params={"key": key}).content == content
        large = {"content-type": "multipart/form-data; boundary=b"}
        assert client.post("/uploads", content=b"x" * 6_000_000, headers=large).status_code == 413
        process = process_of(server)
    assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    assert not server.running()
