"""The manifest of an export: what the folder contains, with the SHA-256 of every file."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import msgspec
from psycopg.abc import Buffer

from app.base.failure import Failure

NAME = "manifeste.json"
FORMAT = 1
SHOWN = 10  # names in a refusal


class ExportError(Failure):
    """The export or the import failed. The message is French and says what to do."""


class Column(msgspec.Struct):
    nom: str
    type: str


class TableEntry(msgspec.Struct):
    nom: str  # with its schema
    fichier: str
    lignes: int
    colonnes: list[Column]
    calculees: dict[str, str]  # columns that PostgreSQL computes, with their expressions; the file has none of them


class FileEntry(msgspec.Struct, omit_defaults=True):
    sha256: str
    octets: int
    type: str | None = None  # media type of an upload


class Manifest(msgspec.Struct):
    format: int
    version: str
    date: str
    fuseau: str
    organisation: str
    migrations: list[str]
    sans: list[str]  # parts that the export leaves out on demand
    manquants: list[str]  # documents and uploads that could not be exported
    tables: list[TableEntry]
    suites: dict[str, int | None]  # sequence → last value, null if it was never used
    fichiers: dict[str, FileEntry]


@dataclass(slots=True)
class Folder:
    """A folder that is being written. Only its owner may read it: it has password hashes and secrets."""

    root: Path
    files: dict[str, FileEntry] = field(default_factory=dict)

    @contextmanager
    def create(self, name: str, media_type: str | None = None) -> Iterator[Callable[[Buffer], None]]:
        """Write a new file. Its size and its SHA-256 enter the manifest when it is closed."""
        digest = hashlib.sha256()

        def write(block: Buffer) -> None:
            target.write(block)
            digest.update(block)

        for parent in reversed(Path(name).parents):
            (self.root / parent).mkdir(mode=0o700, exist_ok=True)
        with _new(self.root / name) as target:
            yield write
            size = target.tell()
        self.files[name] = FileEntry(digest.hexdigest(), size, media_type)

    def write(self, name: str, content: bytes) -> None:
        with self.create(name) as write:
            write(content)


def _new(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")


def write(root: Path, manifest: Manifest) -> None:
    content = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
    with _new(root / NAME) as file:
        file.write(content + b"\n")
        file.flush()
        os.fsync(file.fileno())


def read(root: Path) -> Manifest:
    """The manifest of a folder. Raises ExportError if there is none, or one of another format."""
    try:
        content = (root / NAME).read_bytes()
    except OSError:
        raise ExportError(f"{root} n'est pas un dossier d'export : il y manque {NAME}.") from None
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ExportError(f"{root / NAME} ne se lit pas ({error}) : ce n'est pas le manifeste d'un export.") from None
    if manifest.format != FORMAT:
        raise ExportError(f"{root / NAME} est du format {manifest.format}, cette version lit le format {FORMAT}.")
    return manifest


def verify(root: Path, manifest: Manifest) -> None:
    """Compare every file of the folder with the manifest. Raises ExportError that names each difference."""
    files = (path for path in sorted(root.rglob("*")) if path.is_symlink() or not path.is_dir())
    present = {path.relative_to(root).as_posix(): path for path in files}
    present.pop(NAME, None)
    expected = manifest.fichiers
    problems = [f"{name} manque" for name in expected if name not in present]
    problems += [f"{name} s'est ajouté" for name in present if name not in expected]
    both = [name for name in present if name in expected]
    problems += [f"{name} a changé" for name in both if not _same(present[name], expected[name])]
    named = {table.fichier for table in manifest.tables}
    problems += [f"{name} n'a pas de somme" for name in sorted(named - expected.keys())]
    if problems:
        text = f"Le dossier {root} n'est pas celui qui a été exporté ; rien n'est écrit."
        raise ExportError(f"{text}\n{listed(problems)}")


def listed(lines: list[str]) -> str:
    """The first lines, and how many more there are."""
    rest = [f"… et {len(lines) - SHOWN} de plus"] if len(lines) > SHOWN else []
    return "\n".join(f"  {line}" for line in [*lines[:SHOWN], *rest])


def _same(path: Path, entry: FileEntry) -> bool:
    """Whether a file has the recorded content. A link or a device has none, wherever it leads."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size != entry.octets:
        return False
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest() == entry.sha256
