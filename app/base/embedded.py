"""The servers of development, which a leaf runs in the project's own folder. Without the leaf there are none."""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from app.base.failure import Failure
from app.base.leaf import leaves


class EmbeddedError(Failure):
    """An embedded server cannot run. Its message is French and says what to do."""


class Store(Protocol):
    """An S3 store. `start` adopts a running one."""

    @property
    def url(self) -> str: ...

    def running(self) -> bool: ...

    def start(self) -> None: ...

    def credentials(self, bucket: str) -> tuple[str, str]: ...


class Servers(Protocol):
    # The address of the database, if its server runs.
    def running_url(self, state: Path) -> str | None: ...

    # Runs the database inside the context, for one process alone. The refusal of a second process names the `user`.
    def database(self, state: Path, user: str) -> AbstractContextManager[str]: ...

    # psql, pg_dump and the other programs, if this system has them.
    def program(self, name: str) -> Path | None: ...

    def store(self, state: Path, *buckets: str) -> Store: ...

    # Requests may start the store inside this context.
    def store_at_hand(self, state: Path) -> AbstractContextManager[None]: ...


def servers() -> Servers | None:
    for leaf in leaves():
        if leaf.servers:
            return cast(Servers, import_module(leaf.servers))
    return None
