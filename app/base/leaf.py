"""Leaves: packages in app/leaves/ that the core finds and never imports by name. Without their folders it runs.

A leaf `app/leaves/<name>/` says in LEAF what it adds to the program (docs/decisions/0039). It names functions instead
of importing them, so that only what runs is loaded.
"""

import argparse
import pkgutil
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol, TypeAlias, cast

from app.base.failure import Failure
from app.base.settings import ROOT, Settings

Options: TypeAlias = Callable[[argparse.ArgumentParser], object]
Hook: TypeAlias = Callable[[Callable[[Settings, argparse.Namespace], int], Settings, argparse.Namespace], int]


@dataclass(frozen=True)
class Leaf:
    commands: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # the function of each, and what it does
    before: str = ""  # the command of the core that follows these in the help
    routes: Mapping[str, str] = field(default_factory=dict)  # slice → module, as the modules of app/routes/
    pages: str = ""  # the module whose `pages` gives Starlette routes beside the table
    options: Mapping[str, Options] = field(default_factory=dict)  # by command of the core, or "" for all commands
    hook: Hook | None = None  # runs a command, or another in its place
    tasks: str = ""  # the module whose `add` gives tasks to the worker (app/jobs/tasks.py)
    servers: str = ""  # the module with the servers of development: Servers


@cache
def leaves() -> tuple[Leaf, ...]:
    """The leaves of this installation."""
    names = [module.name for module in pkgutil.iter_modules([str(ROOT / "app" / "leaves")])]
    return tuple(import_module(f"app.leaves.{name}").LEAF for name in names)


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
    """The servers of development, which a leaf runs in the project's own folder."""

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
    """The servers of development. Without the leaf there are none."""
    for leaf in leaves():
        if leaf.servers:
            return cast(Servers, import_module(leaf.servers))
    return None
