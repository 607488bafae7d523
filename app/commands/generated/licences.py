"""docs/licences.md: under which licence each package of the lock file may be used, as its own metadata says."""

from __future__ import annotations

import re
from email.message import Message
from importlib import metadata
from typing import cast

from app.base.settings import ROOT

LOCK = ROOT / "requirements.lock"


def document(before: str) -> str:
    """The table, where a package that is not installed here, for another Python or system, keeps its row."""
    names = _locked()
    known = re.findall(r"^\| ([a-z0-9._-]+) \| (.*) \|$", before, re.MULTILINE)
    rows = {name: licence for name, licence in known if name in names}
    lines = [
        "# Les licences",
        "",
        "Généré par « comptoir generer » depuis les paquets installés de `requirements.lock`. Ne pas modifier.",
        "",
        "| Paquet | Licence |",
        "|---|---|",
    ]
    lines += [f"| {name} | {licence} |" for name, licence in sorted((rows | found()).items())]
    return "\n".join(lines) + "\n"


def _locked() -> list[str]:
    return sorted(re.findall(r"^([a-z0-9._-]+)==", LOCK.read_text(), re.MULTILINE))


def found() -> dict[str, str]:
    """The licence of each locked package that is installed: what only Windows needs is not."""
    licences = {}
    for name in _locked():
        try:
            licences[name] = _licence(cast(Message, metadata.metadata(name))) or _file(metadata.distribution(name))
        except metadata.PackageNotFoundError:
            continue
    return licences


def _licence(told: Message) -> str:
    """The expression, else the classifiers, else the first line of the free field."""
    if expression := told.get("License-Expression"):
        return str(expression)
    prefix = "License :: OSI Approved :: "
    if named := [text.removeprefix(prefix) for text in told.get_all("Classifier", []) if text.startswith(prefix)]:
        return ", ".join(sorted(named))
    return str(told.get("License") or "").strip().partition("\n")[0][:60]


def _file(package: metadata.Distribution) -> str:
    """The title of the licence that comes with a package whose metadata names none."""
    return (package.read_text("licenses/LICENSE") or "").strip().partition("\n")[0][:60]
