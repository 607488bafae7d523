"""The embedded servers as the core asks for them (app/base/leaf.py). `state` is the project's own folder."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from app.base.leaf import EmbeddedError
from app.base.settings import ROOT
from app.leaves.embarque import seaweedfs
from app.leaves.embarque.postgres import Postgres
from app.leaves.embarque.seaweedfs import SeaweedFS
from app.leaves.embarque.server import project_lock


def running_url(state: Path) -> str | None:
    server = Postgres(state / "postgres")
    return server.url() if server.running() else None


@contextmanager
def database(state: Path, user: str) -> Iterator[str]:
    with project_lock(state, user), Postgres(state / "postgres") as server:
        yield server.url()


def program(name: str) -> Path | None:
    with suppress(EmbeddedError):  # some systems have no wheel
        if (path := Postgres(ROOT).bin / name).exists():
            return path
    return None


def store(state: Path, *buckets: str) -> SeaweedFS:
    return SeaweedFS(state / "objets", *buckets)


def store_at_hand(state: Path) -> AbstractContextManager[None]:
    return seaweedfs.at_hand(state / "objets")
