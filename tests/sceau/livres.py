"""Books of an invented organisation: entries, keys that replace one another, signed roots, proofs and consistencies."""

import base64
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests import merkle

DATE = "2026-11-23T00:00:03Z"


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


@dataclass
class Key:
    """A private key that serves from its start."""

    seed: bytes
    start: str
    private: Ed25519PrivateKey = field(init=False)

    def __post_init__(self) -> None:
        self.private = Ed25519PrivateKey.from_private_bytes(self.seed)

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def id(self, origin: str) -> bytes:
        return sha256(f"{origin}\n\x01".encode() + self.public).digest()[:4]


class Books:
    def __init__(self, seed: int, size: int, organisation: str = "Maison Exemple") -> None:
        draw = random.Random(seed)
        self.organisation = organisation
        self.origin = f"comptoir/{UUID(bytes=draw.randbytes(16), version=4)}"
        self.keys = [Key(draw.randbytes(32), "2026-01-01T00:00:00Z"), Key(draw.randbytes(32), "2026-07-01T08:30:00Z")]
        self.statements = [
            {"type": "facture", "numero": f"FAC-2026-{number:06}",
             "jour": f"2026-{draw.randint(1, 11):02}-{draw.randint(1, 28):02}",
             "montant": f"{draw.randint(1, 10**7)}.{draw.randint(0, 99):02}"}
            for number in range(size)
        ]  # fmt: skip
        self.salts = [draw.randbytes(32) for _ in range(size)]
        self.complements = [draw.randbytes(32) for _ in range(size)]

    def statement(self, place: int) -> str:
        return json.dumps(self.statements[place], ensure_ascii=False)

    def leaves(self, size: int | None = None) -> list[bytes]:
        places = range(len(self.statements) if size is None else size)
        return [
            sha256(sha256(self.salts[i] + self.statement(i).encode()).digest() + self.complements[i]).digest()
            for i in places
        ]

    def keys_file(self) -> dict[str, Any]:
        entries = []
        for before, key, after in zip([None, *self.keys], self.keys, [*self.keys[1:], None], strict=False):
            message = f"comptoir-cle/1\n{self.origin}\n{text(key.public)}\n{key.start}\n".encode()
            entries.append({
                "id": key.id(self.origin).hex(), "publique": text(key.public), "du": key.start,
                "au": after and after.start, "signature": before and text(before.private.sign(message)),
            })  # fmt: skip
        return {"format": "comptoir-cles/1", "origine": self.origin, "organisation": self.organisation, "cles": entries}

    def note(self, size: int, root: bytes, date: str = DATE, key: Key | None = None) -> str:
        """The signed text of a root, be it the root of the tree or another. The key of its date signs it."""
        key = key or [key for key in self.keys if key.start <= date][-1]
        signed = f"{self.origin}\n{size}\n{text(root)}\ndate {date}\n"
        return f"{signed}\n— {self.origin} {text(key.id(self.origin) + key.private.sign(signed.encode()))}\n"

    def root(self, size: int, date: str = DATE, key: Key | None = None) -> str:
        return self.note(size, merkle.root(self.leaves(size)), date, key)

    def proof(self, place: int, size: int, date: str = DATE) -> dict[str, Any]:
        path = [part.hex() for part in merkle.path(place, self.leaves(size))]
        return {
            "format": "comptoir-preuve/1", "enonce": self.statement(place), "sel": self.salts[place].hex(),
            "complement": self.complements[place].hex(), "rang": place, "chemin": path,
            "racine": self.root(size, date),
        }  # fmt: skip

    def consistency(self, former: int, size: int, dates: Sequence[str] = (DATE, DATE)) -> dict[str, Any]:
        path = [part.hex() for part in merkle.consistency(former, self.leaves(size))]
        roots = {"de": self.root(former, dates[0]), "a": self.root(size, dates[1])}
        return {"format": "comptoir-coherence/1", **roots, "chemin": path}
