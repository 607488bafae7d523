"""Every package of the lock file says under which licence it is, and docs/licences.md says the same."""

from __future__ import annotations

import re

from app.commands import generated
from app.commands.generated import licences

# Of these a service that links them would have to take the terms, source included.
COPYLEFT = re.compile(r"AGPL|Affero|(?<!L)GPL(?!.*(Lesser|LGPL))", re.IGNORECASE)


def rows() -> dict[str, str]:
    return dict(re.findall(r"^\| ([a-z0-9._-]+) \| (.*) \|$", generated.LICENCES.read_text(), re.MULTILINE))


def test_each_package_has_its_licence() -> None:
    """What is installed here; a package that only another system needs may be missing, or stand there in addition."""
    found = licences.found()
    assert found and not [name for name, licence in found.items() if not licence]
    assert {name: rows().get(name) for name in found} == found


def test_none_takes_the_service_with_it() -> None:
    assert not {name: licence for name, licence in licences.found().items() if COPYLEFT.search(licence)}


def test_every_package_of_the_lock_has_its_hashes() -> None:
    lock = licences.LOCK.read_text()
    packages = re.findall(
        r"^[a-z0-9._-]+==[^\n]*\\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", lock, re.MULTILINE
    )
    assert len(packages) == len(re.findall(r"^[a-z0-9._-]+==", lock, re.MULTILINE)) > 80
    assert "://" not in lock and "git+" not in lock
