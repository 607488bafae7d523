"""The job that deletes the files of an erased client from a real store, also when the store was away."""

# ruff: noqa: F401, F811 - fixtures of another file

import asyncio
import io
from pathlib import Path

from app.base.refusal import Refusal
from app.files.storage import Storage
from tests.conftest import Db
from tests.preuves.uploads.test_storage import home, settings
from tests.server import eventually, free_port, worker

KEYS = ["client-photo/1-a.png", "piece-identite/1-b.png", "piece-identite/2-other.png"]


def storage(home: Path) -> Storage:
    return Storage(settings(home))


async def stored(home: Path) -> list[str]:
    """The keys that the store still has."""
    store, keys = storage(home), []
    for key in KEYS:
        try:
            await (await store.get(key)).aclose()
            keys.append(key)
        except Refusal as refusal:
            assert refusal.status == 404
    await store.close()
    return keys


async def put(home: Path) -> None:
    store = storage(home)
    for key in KEYS:
        await store.put(key, io.BytesIO(b"x"), "image/png")
    await store.close()


DEFER = "select core._differer('effacer-fichiers', jsonb_build_object('cles', %s::text[]))"
JOB = "select status::text as status, attempts from queue.procrastinate_jobs where task_name = 'effacer-fichiers'"


def test_the_worker_deletes_the_files_of_an_erased_client_and_no_other(
    tmp_path: Path, home: Path, committed: Db, addresses: dict[str, str]
) -> None:
    asyncio.run(put(home))
    # A key without an object is no error: a job that was killed runs again.
    committed.execute(DEFER, [[*KEYS[:2], "client-photo/1-gone.png"]])
    with worker(tmp_path, **addresses, COMPTOIR_ETAT=str(home)):
        eventually(lambda: committed.all(JOB) == [{"status": "succeeded", "attempts": 1}])
    assert asyncio.run(stored(home)) == KEYS[2:]


def test_a_store_that_is_away_is_tried_again_later(tmp_path: Path, committed: Db, addresses: dict[str, str]) -> None:
    away = {"S3_ENDPOINT": f"http://127.0.0.1:{free_port()}", "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "b"}
    committed.execute(DEFER, [KEYS])
    with worker(tmp_path, **addresses, **away):
        eventually(lambda: committed.all(JOB) == [{"status": "todo", "attempts": 1}])
