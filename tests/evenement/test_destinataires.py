"""The receivers of docs/evenements.md run as they are printed, verify the signature and store each event once."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network

import httpx
import pytest
from standardwebhooks.webhooks import Webhook

from app.auth.encrypted import WEBHOOK
from app.base.settings import ROOT
from app.jobs.webhooks import Sender, new_key
from app.leaves.embarque.server import free_port
from tests.server import SECRETS, eventually

KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = '{"id":"7","type":"paiement.recu","donnees":{"motif":"Loyer d\'août"}}'
# A signature of another version, and one of the tests of the libraries.
OTHERS = [f"{version},Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=" for version in ("v2", "v1")]
RUN = {"python": (sys.executable, "receveur.py"), "js": ("node", "receveur.mjs")}


@contextmanager
def printed(language, folder):
    """Start the receiver of the page. Yield its address."""
    program, name = RUN[language]
    [code] = re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs/evenements.md").read_text(), re.DOTALL)
    (folder / name).write_text(code)
    port = free_port()
    environment = {**os.environ, "CLE": KEY, "PORT": str(port)}
    with (folder / "journal.log").open("wb") as log:
        process = subprocess.Popen([program, name], cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        url = f"http://127.0.0.1:{port}/"
        eventually(lambda: _answers(url))
        yield url
    finally:
        process.kill()
        process.wait()


def _answers(url):
    try:
        return httpx.get(url).status_code > 0
    except httpx.HTTPError:
        return False


def send(url, *numbers, keys=(KEY,)):
    async def run():
        sender = Sender([ip_network("127.0.0.0/8")], SECRETS, encrypted=False)
        encrypted = [SECRETS.encrypt(key, WEBHOOK) for key in keys]
        try:
            return [await sender.send(url, encrypted, number, BODY) for number in numbers]
        finally:
            await sender.close()

    return [sent.code for sent in asyncio.run(run())]


def signed(number, at, key=KEY):
    """Headers as the library of Standard Webhooks makes them, at any time."""
    name, time = f"evt_{number}", str(int(at.timestamp()))
    return {"webhook-id": name, "webhook-timestamp": time, "webhook-signature": Webhook(key).sign(name, at, BODY)}


@pytest.mark.parametrize("language", RUN)
def test_a_printed_receiver_stores_each_genuine_event_once(tmp_path, language):
    if shutil.which(RUN[language][0]) is None:
        pytest.skip("Node is not installed")
    with printed(language, tmp_path) as url:
        assert send(url, 7, 8, 7) == [204] * 3
        now = datetime.now(UTC)
        headers, others = signed(10, now), " ".join([signed(9, now, new_key())["webhook-signature"], *OTHERS])
        right, ours = headers["webhook-signature"], signed(9, now)["webhook-signature"]
        sent = [(BODY, signed(9, now) | {"webhook-signature": text}) for text in (ours, f"{others} {ours} {others}")]
        sent += [
            (BODY.replace("7", "6"), headers), (f"{BODY} ", headers), (BODY, headers | {"webhook-id": "evt_11"}),
            *((BODY, signed(10, now + timedelta(minutes=minutes))) for minutes in (-6, 6)),
            *((BODY, headers | {"webhook-signature": text})
              for text in ("v1,AAAA", others, right.swapcase(), right.replace("v1", "v2"))),
        ]  # fmt: skip
        answers = [httpx.post(url, content=body.encode(), headers=headers).status_code for body, headers in sent]
        assert answers == [204] * 2 + [401] * 9
    if language == "js":
        stored = re.findall(r'"id":"(evt_\d+)"', (tmp_path / "recus.jsonl").read_text())
        assert len(stored) == 3
    else:
        stored = re.findall(r"evt_\d+", (tmp_path / "recus.db").read_bytes().decode("latin-1"))
    assert set(stored) == {"evt_7", "evt_8", "evt_9"}
