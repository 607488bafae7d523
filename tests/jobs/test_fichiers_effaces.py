"""The job that deletes the files of an erased client from a real store, also when the store was away."""

# ruff: noqa: F401, F811 - fixtures of another file

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import psycopg

from app.base.refusal import Refusal
from app.base.settings import Settings
from app.files.storage import Storage
from tests.preuves.uploads.test_storage import home
from tests.server import SECRET, environment, eventually, free_port, worker

KEYS = ["client-photo/1-a.png", "piece-identite/1-b.png", "piece-identite/2-other.png"]


def stored(home: Path) -> list[str]:
    """The keys that the store still has."""
    settings = Settings.from_environment({"NODE_ENV": "test", "JWT_SECRET": SECRET, "COMPTOIR_ETAT": str(home)})

    async def read() -> list[str]:
        storage, keys = Storage(settings), []
        for key in KEYS:
            try:
                await (await storage.get(key)).aclose()
                keys.append(key)
            except Refusal as refusal:
                assert refusal.status == 404
        await storage.close()
        return keys

    return asyncio.run(read())


def put(home: Path) -> None:
    settings = Settings.from_environment({"NODE_ENV": "test", "JWT_SECRET": SECRET, "COMPTOIR_ETAT": str(home)})

    async def write() -> None:
        storage = Storage(settings)
        for key in KEYS:
            await storage.put(key, io.BytesIO(b"x"), "image/png")
        await storage.close()

    asyncio.run(write())


DEFER = "select core._differer('effacer-fichiers', jsonb_build_object('cles', %s::text[]))"
JOB = "select status::text, attempts from queue.procrastinate_jobs where task_name = 'effacer-fichiers'"


def test_the_worker_deletes_the_files_of_an_erased_client_and_no_other(
    tmp_path: Path, home: Path, database_url: str, valkey_url: str
) -> None:
    put(home)
    with psycopg.connect(database_url, autocommit=True) as connection:
        # A key without an object is no error: a job that was killed runs again.
        connection.execute(DEFER, [[*KEYS[:2], "client-photo/1-gone.png"]])
        with worker(tmp_path, DATABASE_URL=database_url, KVSTORE_URL=valkey_url, COMPTOIR_ETAT=str(home)):
            eventually(lambda: connection.execute(JOB).fetchone() == ("succeeded", 1))
    assert stored(home) == KEYS[2:]


def test_a_store_that_is_away_is_tried_again_later(tmp_path: Path, database_url: str, valkey_url: str) -> None:
    away = {
        "S3_ENDPOINT": f"http://127.0.0.1:{free_port()}",
        "S3_ACCESS_KEY": "a",
        "S3_SECRET_KEY": "b",
    }
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(DEFER, [KEYS])
        with worker(tmp_path, DATABASE_URL=database_url, KVSTORE_URL=valkey_url, **away):
            eventually(lambda: connection.execute(JOB).fetchone() == ("todo", 1))
