"""Leaves: packages in app/leaves/ that the core finds and never imports by name. Without their folders it runs.

A leaf `app/leaves/<name>/` says in LEAF what it adds to the program (docs/decisions/0039). It names functions instead
of importing them, so that only what runs is loaded.
"""

from __future__ import annotations

import argparse
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TypeAlias

from app.base.settings import ROOT, Settings

Options: TypeAlias = Callable[[argparse.ArgumentParser], None]
Hook: TypeAlias = Callable[[Callable[[Settings, argparse.Namespace], int], Settings, argparse.Namespace], int]


@dataclass(frozen=True)
class Leaf:
    commands: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # the function of each, and what it does
    before: str = ""  # the command of the core that follows these in the help
    routes: Mapping[str, str] = field(default_factory=dict)  # slice → module, as the modules of app/routes/
    options: Mapping[str, Options] = field(default_factory=dict)  # by command of the core, or "" for all commands
    hook: Hook | None = None  # runs a command, or another in its place
    servers: str = ""  # the module with the servers of development (app/base/embedded.py)


@cache
def leaves() -> tuple[Leaf, ...]:
    """The leaves of this installation."""
    names = [module.name for module in pkgutil.iter_modules([str(ROOT / "app" / "leaves")])]
    return tuple(import_module(f"app.leaves.{name}").LEAF for name in names)
