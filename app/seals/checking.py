"""Compares the database with roots that were kept outside of it.

A root is a signed note (https://c2sp.org/tlog-checkpoint). sql/audit/_tete.sql writes it.
"""

import base64
import binascii
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import psycopg
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from app.base.failure import Failure

LARGEST = 10_000  # bytes of a root
_ROOT = re.compile(
    r"(?P<text>(?P<origin>\S+)\n(?P<size>[1-9][0-9]{0,17})\n(?P<root>[A-Za-z0-9+/]{43}=)\ndate (?P<date>\S+)\n)"
    r"\n— (?P=origin) (?P<signature>[A-Za-z0-9+/]{91}=)\n"
)


@dataclass(frozen=True, slots=True)
class KeptRoot:
    text: str  # the signed lines
    origin: str
    size: int
    root: bytes
    date: str
    key: bytes  # four bytes that name the key
    signature: bytes

    @classmethod
    def read(cls, file: Path) -> Self:
        """The root in a file. Raises Failure when the file is not one."""
        try:
            with file.open("rb") as stream:
                note = _ROOT.fullmatch(stream.read(LARGEST).decode())
            if note is None:
                raise ValueError
            signed, root = _bytes(note["signature"]), _bytes(note["root"])
        except OSError as error:
            raise Failure(f"{file} ne se lit pas : {error.strerror}.") from None
        except (ValueError, binascii.Error):
            raise Failure(f"{file} n'est pas une racine signée : donnez le fichier tel qu'il a été reçu.") from None
        return cls(note["text"], note["origin"], int(note["size"]), root, note["date"], signed[:4], signed[4:])


def _bytes(text: str) -> bytes:
    """The bytes of the one text of base64 that an encoder writes for them: decoders accept others."""
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError
    return data


def problems(connection: psycopg.Connection[Any], kept: KeptRoot) -> list[str]:
    """How the tree of the database differs from a kept root, in French. Nothing when it goes on from this root."""
    place = f"Racine du {kept.date}"
    (origin,) = connection.execute("select audit._origine()").fetchone() or (None,)
    if kept.origin != origin:
        return [f"{place} : elle est d'un autre arbre ({kept.origin}) ; celui de cette base est {origin or 'vide'}."]
    if not _is_signed(connection, kept):
        return [f"{place} : aucune clé de cette base ne l'a signée."]
    known = connection.execute(
        "select s.taille, case when s.taille >= %(size)s then audit._racine_entre(0, %(size)s) end"
        "  from audit.sceau s where s.taille is not null order by s.rang desc limit 1",
        {"size": kept.size},
    ).fetchone()
    size, root = known or (0, None)
    if root is None:
        return [f"{place} : elle couvre {kept.size} entrées, et l'arbre n'en a que {size} : des entrées ont disparu."]
    if root != kept.root:
        return [f"{place} : les {kept.size} premières entrées ne sont plus celles qu'elle couvrait."]
    return []


def _is_signed(connection: psycopg.Connection[Any], kept: KeptRoot) -> bool:
    keys = connection.execute("select publique from audit.cle_sceau where audit._cle_nom(publique) = %s", [kept.key])
    for (public,) in keys.fetchall():
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(kept.signature, kept.text.encode())
        except InvalidSignature:
            continue
        return True
    return False
