"""Deliveries to webhooks: one worker sends waiting events to a receiver on the loopback interface."""

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from app.auth.encrypted import WEBHOOK, Secrets
from app.jobs.webhooks import new_key
from app.leaves.embarque.server import free_port
from bench.goal import ROUNDS, Bench, Goal, say
from bench.service import SECRET, environment, eventually

WEBHOOKS = 4
EVENTS = 5_000  # sent to each of them
ANSWER = b"HTTP/1.1 204 No Content\r\n\r\n"


class Receiver(asyncio.Protocol):
    """Answers every request, and reads nothing of it but its length."""

    def __init__(self) -> None:
        self._waiting = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        while True:
            head, separator, rest = self._waiting.partition(b"\r\n\r\n")
            if not separator:
                return
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            if len(rest) < length:
                return
            self._waiting = rest[length:]
            self._transport.write(ANSWER)


async def receive(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Receiver, "127.0.0.1", port)
    await server.serve_forever()


@contextmanager
def running(*command: str, **settings: str) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        env=environment(settings),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def deliveries(bench: Bench) -> Iterator[Goal]:
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    settings = {"DATABASE_URL": bench.url, "KVSTORE_URL": bench.store.url, "WEBHOOK_RESEAUX": "127.0.0.1/32"}
    rounds = []
    with psycopg.connect(bench.url, autocommit=True) as connection:
        connection.execute(
            "insert into evenement.evenement (type, id_entite, donnees)"
            " select 'client.cree', n, json_build_object('id_client', n::text, 'nom', repeat('x', 300))"
            " from generate_series(1, %s) n",
            [EVENTS],
        )
        connection.execute("select set_config('comptoir.utilisateur', '1', false)")
        connection.execute(  # a webhook asks for a recent sign-in
            "with j as (insert into auth.jeton_rafraichissement (hash, id_utilisateur, famille, date_expiration)"
            " values ('bench', 1, gen_random_uuid(), now() + interval '1 hour') returning famille)"
            " select set_config('comptoir.famille', famille::text, false) from j"
        )
        for _ in range(WEBHOOKS):
            key = Secrets(SECRET).encrypt(new_key(), WEBHOOK)
            connection.execute("select evenement.webhook_creer(%s, '{client.cree}', %s)", [url, key])
        start = "update evenement.webhook_suite set jusqu_a = evenement._dernier() - %s"
        left = "select count(*) from evenement.webhook_suite where jusqu_a < evenement._dernier()"
        with running("bench.webhooks", str(port)), running("app", "worker", **settings):
            for _ in range(ROUNDS):
                connection.execute(start, [EVENTS])
                began = time.monotonic()
                eventually(lambda: connection.execute(left).fetchone() == (0,), 300)
                seconds = time.monotonic() - began
                rounds.append({"seconds": seconds, "value": WEBHOOKS * EVENTS / seconds})
                say(f"livraisons : {rounds[-1]['value']:.0f}/s")
        connection.execute("delete from evenement.webhook")
    text = f"Événements envoyés par seconde par un travailleur à {WEBHOOKS} webhooks de la même machine, dans l'ordre."
    rate = statistics.median(turn["value"] for turn in rounds)
    yield Goal("deliveries", rate, 1000, text, unit="/s", rounds=rounds)


if __name__ == "__main__":
    asyncio.run(receive(int(sys.argv[1])))
