"""The files of a release: migrations/ and sql/, in load order, and their hashes."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from app.base.failure import Failure
from app.base.settings import ROOT

# The folders of sql/, each once, in load order. Foreign keys point backwards in it, and code names only its own folder
# and earlier ones (tests/house/test_order.py). A folder `au_dessus` holds the operations of a slice that need later
# slices (docs/decisions/0040). `finances/reglement` holds the triggers of a settlement, which call many slices.
FOLDERS = (
    "core",
    "client",
    "auth",
    "core/au_dessus",
    "facturation",
    "finances",
    "compta",
    "tresorerie",
    "notification",
    "pressing",
    "restaurant",
    "abonnement",
    "pressing/au_dessus",
    "restaurant/au_dessus",
    "residence",
    "market",
    "achat",
    "salle_fete",
    "signalement",
    "rh",
    "auth/au_dessus",
    "facturation/au_dessus",
    "finances/au_dessus",
    "rapports",
    "compta/au_dessus",
    "tresorerie/au_dessus",
    "audit",
    "rapports/au_dessus",
    "finances/reglement",
    "evenement",
    "echange",
    "client/au_dessus",
    "jobs",
)
SLICES = tuple(name for name in FOLDERS if "/" not in name)
QUEUE = "queue"  # the schema of procrastinate's own objects; no slice contains it
PAST = "passe"  # the schema of what sql/audit/_passe.sql makes of the views; no slice contains it

SHARED = ("commentaires.sql", "grants.sql", "politiques.sql", "public.sql")  # the files of sql/ that belong to no slice

_NONTRANSACTIONAL = re.compile(
    r"^[ \t]*--[ \t]*transactional[ \t]*:[ \t]*false[ \t\r]*$", re.MULTILINE | re.IGNORECASE
)  # as yoyo reads it


class SchemaError(Failure):
    """The database could not be upgraded to these files."""


@dataclass(frozen=True)
class Release:
    """The folders migrations/ and sql/ below `root`."""

    root: Path

    @property
    def migrations(self) -> Path:
        return self.root / "migrations"

    @property
    def code(self) -> Path:
        return self.root / "sql"

    def code_files(self) -> list[Path]:
        """The files of the slices, in load order. Raises SchemaError for a file outside the known folders."""
        folders = [folder for name in FOLDERS for folder in (self.code / name, self.code / name / "portail")]
        files = [path for folder in folders for path in sorted(folder.glob("*.sql"))]
        stray = set(self.code.rglob("*.sql")) - {*files, *self._shared()}
        if stray:
            raise SchemaError(f"Fichiers hors des tranches connues : {', '.join(sorted(map(str, stray)))}")
        return files

    def code_hashes(self) -> dict[str, str]:
        return {str(path.relative_to(self.code)): _hash(path) for path in [*self.code_files(), *self._shared()]}

    def version(self) -> str:
        """The fingerprint of all files. Databases with the same one have the same tables and the same code."""
        hashes = sorted({**self.code_hashes(), **self.migration_hashes()}.items())
        return hashlib.sha256(repr(hashes).encode()).hexdigest()[:16]

    def _shared(self) -> list[Path]:
        return [self.code / name for name in SHARED]

    def migration_hashes(self) -> dict[str, str]:
        return {path.stem: _hash(path) for path in sorted(self.migrations.glob("*.sql"))}

    def nontransactional(self) -> set[str]:
        """The migrations that cannot run in a transaction, marked `-- transactional: false`."""
        return {path.stem for path in self.migrations.glob("*.sql") if _NONTRANSACTIONAL.search(path.read_text())}


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


HERE = Release(ROOT)
