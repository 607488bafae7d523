"""A refused handshake, as the JavaScript client of Socket.IO reads it."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from tests import server
from tests.conftest import _clone
from tests.server import Service, running

CLIENT = "socket.io-client@4.8.1"
OFFLINE = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|ERR_SOCKET|CERT|network", re.IGNORECASE)
# Reports the events of the first connection, and whether the library comes back by itself.
SCRIPT = """
const { io } = require("socket.io-client");
const [url, token] = process.argv.slice(2);
const socket = io(url + "/notifications", { transports: ["websocket"], auth: { token }, reconnectionDelay: 50 });
const events = [];
const end = (name, reason) => {
  events.push(name, reason);
  console.log(JSON.stringify({ events, returns: socket.active }));
  process.exit(0);
};
socket.on("notifications:error", ({ message }) => events.push("notifications:error", message));
socket.on("disconnect", (reason) => end("disconnect", reason));
socket.on("connect_error", (error) => end("connect_error", error.message));
"""


@pytest.fixture(scope="module")
def service(worker_id: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with _clone(f"essai_{worker_id}_refus") as url, running(tmp_path_factory.mktemp("refus"), DATABASE_URL=url) as api:
        yield api


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the library."""
    folder = tmp_path_factory.mktemp("socket")
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("node or npm is not installed")
    command = ("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--fetch-retries=1",
               "--fetch-timeout=20000", CLIENT)  # fmt: skip
    installed = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if installed.returncode and OFFLINE.search(installed.stderr):
        pytest.skip("the npm registry cannot be reached")
    assert installed.returncode == 0, installed.stderr
    return folder


@pytest.mark.parametrize("token", ["faux", ""])
def test_the_javascript_client_reads_a_refusal_and_does_not_come_back(
    service: Service, folder: Path, token: str
) -> None:
    script = folder / "client.cjs"
    script.write_text(SCRIPT)
    run = subprocess.run(["node", str(script), service.url, token], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    story = json.loads(run.stdout)
    assert story["events"][-2:] == ["disconnect", "io server disconnect"]
    assert "jeton absent, expiré ou révoqué" in story["events"][1]
    assert story["returns"] is False


def test_no_refusal_of_a_handshake_has_a_payload(service: Service) -> None:
    async def frames(*messages: str) -> list[str]:
        received: list[str] = []
        async with aiohttp.ClientSession() as session:
            url = f"{service.url}/socket.io/?EIO=4&transport=websocket"
            async with session.ws_connect(url) as socket:
                for message in messages:
                    await socket.send_str(message)
                while (frame := await socket.receive(server.PATIENCE)).type is aiohttp.WSMsgType.TEXT:
                    received.append(frame.data)
                    if frame.data.startswith("41"):
                        break
        return received

    for auth in ("", '{"token":"faux"}', '["faux"]'):
        assert asyncio.run(frames("40/notifications," + auth))[-1] == "41/notifications,"
