"""docs/licences.md: the licence of each package of the lock file, from the package's metadata."""

from __future__ import annotations

import re
from contextlib import suppress
from email.message import Message
from importlib import metadata
from typing import cast

from app.base.settings import ROOT

LOCK = ROOT / "requirements.lock"


def document(before: str) -> str:
    """The table of licences. A package of another Python or system is not installed here and keeps its former row."""
    names = _locked()
    former = re.findall(r"^\| ([a-z0-9._-]+) \| (.*) \|$", before, re.MULTILINE)
    rows = {name: licence for name, licence in former if name in names}
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
    return re.findall(r"^([a-z0-9._-]+)==", LOCK.read_text(), re.MULTILINE)


def installed() -> dict[str, str]:
    """The licence of each locked package that is installed."""
    licences = {}
    for name in _locked():
        with suppress(metadata.PackageNotFoundError):
            licences[name] = _licence(metadata.distribution(name))
    return licences


def _licence(package: metadata.Distribution) -> str:
    """The licence expression, else the classifiers, else the first line of the free field or of the licence file."""
    fields = cast(Message, package.metadata)
    if expression := fields.get("License-Expression"):
        return str(expression)
    prefix = "License :: OSI Approved :: "
    texts = [text.removeprefix(prefix) for text in fields.get_all("Classifier", []) if text.startswith(prefix)]
    free = (str(fields.get("License") or "").strip(), (package.read_text("licenses/LICENSE") or "").strip())
    return ", ".join(sorted(texts)) or next((text.partition("\n")[0][:60] for text in free if text), "")
