"""docs/licences.md: the licence of each package of the lock file, from the package's metadata."""

from __future__ import annotations

import re
from email.message import Message
from importlib import metadata
from typing import cast

from app.base.settings import ROOT

LOCK = ROOT / "requirements.lock"


def document(before: str) -> str:
    """The table of licences. A package of another Python or system is not installed here and keeps its former row."""
    names = _locked()
    former_rows = re.findall(r"^\| ([a-z0-9._-]+) \| (.*) \|$", before, re.MULTILINE)
    rows = {name: licence for name, licence in former_rows if name in names}
    lines = [
        "# Les licences",
        "",
        "Généré par « python -m outils generer » depuis les paquets installés de `requirements.lock`. Ne pas modifier.",
        "",
        "| Paquet | Licence |",
        "|---|---|",
    ]
    lines += [f"| {name} | {licence} |" for name, licence in sorted((rows | installed()).items())]
    return "\n".join(lines) + "\n"


def _locked() -> list[str]:
    return sorted(re.findall(r"^([a-z0-9._-]+)==", LOCK.read_text(), re.MULTILINE))


def installed() -> dict[str, str]:
    """The licence of each locked package that is installed."""
    licences = {}
    for name in _locked():
        try:
            licences[name] = _licence(cast(Message, metadata.metadata(name))) or _file(metadata.distribution(name))
        except metadata.PackageNotFoundError:
            continue
    return licences


def _licence(package: Message) -> str:
    """The licence expression, else the classifiers, else the first line of the free field."""
    if expression := package.get("License-Expression"):
        return str(expression)
    prefix = "License :: OSI Approved :: "
    if classifiers := [
        text.removeprefix(prefix) for text in package.get_all("Classifier", []) if text.startswith(prefix)
    ]:
        return ", ".join(sorted(classifiers))
    return str(package.get("License") or "").strip().partition("\n")[0][:60]


def _file(package: metadata.Distribution) -> str:
    """The title of the licence file, for a package whose metadata names no licence."""
    return (package.read_text("licenses/LICENSE") or "").strip().partition("\n")[0][:60]
