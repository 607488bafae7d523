#!/usr/bin/env python3
"""Verifies the proof of a receipt without a network, and shares no code with the service that made it.

The books of an organisation are the leaves of a tree of RFC 6962, whose signed root is a checkpoint of C2SP. This file
needs Python 3.9 or later and no package. verificateur.html beside it gives the same verdicts in a browser.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import sys
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256, sha512
from typing import Any, NamedTuple, NoReturn

USAGE = """python3 verificateur.py preuve.json --cles cles.json [--racine gardee.txt …] [--coherence coherence.json …]
       python3 verificateur.py --cles cles.json --coherence coherence.json … [--racine gardee.txt …]

  preuve.json   la preuve d'un reçu
  --cles        les clés de l'organisation : /.well-known/comptoir-sceau.json
  --racine      les racines que vous avez gardées
  --coherence   ce qui relie deux racines

Code de sortie : 0 prouvé, 1 refusé, 2 fichier inutilisable."""

LIMIT = 100_000  # bytes of a file
DEPTH = 8  # lists and objects inside one another in a file
MONTHS = (
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
    "décembre",
)  # fmt: skip

ORIGIN = r"comptoir/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
COUNT = r"0|[1-9][0-9]{0,14}"  # a number that JavaScript keeps exactly
DAY = r"[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}"
DATE = DAY + r"T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"
BYTES_32, BYTES_64, BYTES_68 = r"[A-Za-z0-9+/]{43}=", r"[A-Za-z0-9+/]{86}==", r"[A-Za-z0-9+/]{91}="
# Characters that are invisible, or that reverse the order of the others, could show another text than the proven one.
HIDDEN = (
    r"\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
)
VISIBLE = rf"[^{HIDDEN}]{{1,200}}"
ROOT = rf"(({ORIGIN})\n({COUNT})\n({BYTES_32})\ndate ({DATE})\n)\n— \2 ({BYTES_68})\n"


class Refused(Exception):
    """The files can be read, and they do not prove what they say."""


class Unusable(Exception):
    """A file is none of Comptoir, or was damaged."""


class File(NamedTuple):
    name: str
    data: bytes


class Key(NamedTuple):
    id: str
    public: bytes
    start: str
    end: str | None


class Keys(NamedTuple):
    origin: str
    organisation: str
    keys: list[Key]


class Root(NamedTuple):
    name: str
    size: int
    hash: bytes
    date: str
    key: Key


# Files


def unusable(name: str, fault: str) -> NoReturn:
    raise Unusable(f"{name} {fault} ; téléchargez ce fichier de nouveau, sans le modifier.")


def text_of(file: File) -> str:
    if len(file.data) > LIMIT:
        unusable(file.name, "est trop gros pour un fichier de Comptoir")
    try:
        return file.data.decode()
    except UnicodeDecodeError:
        unusable(file.name, "n'est pas un texte en UTF-8")


def parse(name: str, text: str) -> Any:
    """Read JSON. Programs differ on equal fields, NaN and numbers that are long or not whole: none is accepted."""
    twice = False

    def fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        if len(dict(pairs)) < len(pairs):
            twice = True
            return {str(place): value for place, (_, value) in enumerate(pairs)}  # the depth is that of every value
        return dict(pairs)

    def constant(_: str) -> NoReturn:
        raise ValueError

    def whole(digits: str) -> int | bool:
        return int(digits) if re.fullmatch(COUNT, digits) else False  # no field is a truth value

    def depth(value: Any) -> int:
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        return 0 if inside is None else 1 + max(map(depth, inside), default=0)

    try:
        value = json.loads(text, object_pairs_hook=fields, parse_constant=constant, parse_int=whole, parse_float=whole)
        if depth(value) > DEPTH:
            raise ValueError
    except (ValueError, RecursionError):
        unusable(name, "n'est pas du JSON lisible")
    if twice:
        unusable(name, "a deux fois le même champ")
    return value


def like(pattern: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def is_date(value: Any) -> bool:
    try:
        return like(DATE)(value) and datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ") is not None
    except ValueError:
        return False


def is_base64(pattern: str) -> Callable[[Any], bool]:
    """Several texts of base64 give the same bytes: only the one that an encoder writes is right."""
    return lambda value: like(pattern)(value) and base64.b64encode(base64.b64decode(value)).decode() == value


def is_path(value: Any) -> bool:
    return isinstance(value, list) and all(map(like("[0-9a-f]{64}"), value))


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def object_of(name: str, value: Any, shapes: dict[str, Callable[[Any], bool]]) -> dict[str, Any]:
    if not isinstance(value, dict) or value.keys() != shapes.keys():
        unusable(name, "n'a pas les champs attendus")
    for field, good in shapes.items():
        if not good(value[field]):
            unusable(name, f"a un champ « {field} » mal formé")
    return value


PROOF = {
    "format": like("comptoir-preuve/1"),
    "enonce": like(r"[^\ud800-\udfff]{1,10000}"),
    "sel": like("[0-9a-f]{64}"),
    "complement": like("[0-9a-f]{64}"),
    "rang": lambda value: type(value) is int,
    "chemin": is_path,
    "racine": is_text,
}
CONSISTENCY = {
    "format": like("comptoir-coherence/1"),
    "de": is_text,
    "a": is_text,
    "chemin": is_path,
}
KEYS = {
    "format": like("comptoir-cles/1"),
    "origine": like(ORIGIN),
    "organisation": like(VISIBLE),
    "cles": lambda value: isinstance(value, list) and len(value) > 0,
}
KEY = {
    "id": like("[0-9a-f]{8}"),
    "publique": is_base64(BYTES_32),
    "du": is_date,
    "au": lambda value: value is None or is_date(value),
    "signature": lambda value: value is None or is_base64(BYTES_64)(value),
}
STATEMENT = {
    "type": like("[a-z_]{1,40}"),
    "numero": like(VISIBLE),
    "montant": like(r"-?[0-9]{1,15}(\.[0-9]{1,2})?"),
}
DATED = {"jour": lambda value: like(DAY)(value) and is_date(f"{value}T00:00:00Z")}  # a payment has no day


def statement_of(name: str, text: str) -> dict[str, str]:
    """The hashed text. Fields that this file does not know are shown as they are."""
    value = parse(name, text)
    known = {**STATEMENT, **DATED} if isinstance(value, dict) and "jour" in value else STATEMENT
    more = [field for field in value if field not in known] if isinstance(value, dict) else []
    if not all(map(like("[a-z_]{1,40}"), more)):
        unusable(name, "n'a pas les champs attendus")
    return object_of(name, value, {**known, **dict.fromkeys(more, like(VISIBLE))})


# Ed25519 (RFC 8032)

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQUARE_ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)
# The y of the eight points whose order divides 8. They are no keys: some signatures are right for every message.
SMALL = {
    0, 1, P - 1,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
}  # fmt: skip

Point = tuple[int, int, int, int]  # x = X/Z, y = Y/Z, xy = T/Z


def point(data: bytes) -> Point | None:
    """The point, or None if these bytes are not the one text of a point of large order."""
    number = int.from_bytes(data, "little")
    y, sign = number % 2**255, number >> 255
    if y >= P or y in SMALL:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * v**3 * pow(u * v**7, (P - 5) // 8, P) % P
    if v * x * x % P == P - u:
        x = x * SQUARE_ROOT_OF_MINUS_1 % P
    if v * x * x % P != u:
        return None
    x = P - x if x % 2 != sign else x
    return x, y, 1, x * y % P


def added(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiplied(number: int, p: Point) -> Point:
    total = (0, 1, 1, 0)
    while number:
        if number & 1:
            total = added(total, p)
        p, number = added(p, p), number >> 1
    return total


BASE = (
    0x216936D3CD6E53FEC0A4E231FDD6DC5C692CC7609525A7B2C9562D608F25D51A,
    0x6666666666666666666666666666666666666666666666666666666666666658,
    1,
    0x67875F0FD78B766566EA4E8E64ABE37D20F09F80775152F56DDE8AB3A5B7DDA3,
)


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    a, r, s = point(public), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or a is None or r is None or s >= ORDER:
        return False
    k = int.from_bytes(sha512(signature[:32] + public + message).digest(), "little") % ORDER
    left, right = multiplied(s, BASE), added(r, multiplied(k, a))
    return all((left[i] * right[2] - right[i] * left[2]) % P == 0 for i in (0, 1))


# Keys and roots


def fault_of(key: Key, entry: dict[str, Any], origin: str, before: Key | None) -> str | None:
    if key.id != sha256(f"{origin}\n\x01".encode() + key.public).hexdigest()[:8]:
        return "a un autre identifiant que le sien"
    if point(key.public) is None:
        return "n'est pas une clé Ed25519"
    if before is None:
        return "est signée par une clé qui manque" if entry["signature"] is not None else None
    if entry["signature"] is None:
        return "n'est pas signée par la clé d'avant"
    message = f"comptoir-cle/1\n{origin}\n{entry['publique']}\n{key.start}\n".encode()
    if not is_signed(before.public, message, base64.b64decode(entry["signature"])):
        return f"porte une fausse signature de la clé d'avant ({before.id})"
    # The key before signed this start, and thereby its own end.
    if before.end != key.start or before.start >= key.start:
        return f"ne commence pas quand finit la clé d'avant ({before.id})"
    return None


def keys_of(file: File) -> Keys:
    fields = object_of(file.name, parse(file.name, text_of(file)), KEYS)
    keys: list[Key] = []
    for number, entry in enumerate(fields["cles"], 1):
        object_of(f"la clé {number} de {file.name}", entry, KEY)
        key = Key(entry["id"], base64.b64decode(entry["publique"]), entry["du"], entry["au"])
        fault = fault_of(key, entry, fields["origine"], keys[-1] if keys else None)
        if fault is None and any(key.id == other.id for other in keys):
            fault = "est écrite deux fois"
        if fault is None and number == len(fields["cles"]) and key.end is not None:
            fault = "est remplacée par une clé qui manque"
        if fault:
            raise Refused(f"dans {file.name}, la clé {key.id} {fault} : demandez à l'organisation son fichier de clés.")
        keys.append(key)
    return Keys(fields["origine"], fields["organisation"], keys)


def root_of(name: str, text: str, keys: Keys) -> Root:
    match = re.fullmatch(ROOT, text)
    if not match or not (is_base64(BYTES_32)(match[4]) and is_date(match[5]) and is_base64(BYTES_68)(match[6])):
        unusable(name, "n'a pas la forme d'une racine")
    signed, origin, size, digest, date, signature = match.groups()
    if size == "0":
        raise Unusable(f"{name} est celle de livres vides, qui ne prouve rien : retirez ce fichier.")
    if origin != keys.origin:
        raise Refused(f"{name} n'est pas de {keys.organisation} : prenez les clés de l'organisation {origin}.")
    raw = base64.b64decode(signature)
    key = next((key for key in keys.keys if key.id == raw[:4].hex()), None)
    if key is None:
        raise Refused(
            f"{name} est signée par une clé inconnue ({raw[:4].hex()}) : demandez à l'organisation son fichier de clés."
        )
    if not is_signed(key.public, signed.encode(), raw[4:]):
        raise Refused(
            f"la signature de {name} est fausse : {keys.organisation} n'a pas signé cette racine, ou elle a changé "
            "depuis ; ne vous y fiez pas."
        )
    if date < key.start or (key.end is not None and date > key.end):
        raise Refused(
            f"{name} porte une date ({moment(date)}) où la clé {key.id} ne servait pas : ne vous y fiez pas, et "
            "prévenez l'organisation."
        )
    return Root(name, int(size), base64.b64decode(digest), date, key)


# The tree (RFC 6962)


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def half(size: int) -> int:
    """The largest power of two below the size."""
    return 1 << (size - 1).bit_length() - 1


def root_above(leaf: bytes, place: int, size: int, path: list[bytes]) -> bytes | None:
    """The root that a leaf and its path lead to, or None if the path is not as long as the tree is high there."""
    if size == 1 or not path:
        return leaf if size == 1 and not path else None
    middle, *lower, beside = half(size), *path
    if place < middle:
        below = root_above(leaf, place, middle, lower)
        return below and node(below, beside)
    below = root_above(leaf, place - middle, size - middle, lower)
    return below and node(beside, below)


def roots_above(
    old: bytes, former: int, size: int, path: list[bytes], first: bool = True
) -> tuple[bytes, bytes] | None:
    """The roots of the `former` first leaves and of all, or None if the path is not as long as it must be.

    `first` means that these leaves begin with the first of the tree: the path leaves out the root of the former tree.
    """
    if former == size:
        known = [old, *path] if first else path
        return (known[0], known[0]) if len(known) == 1 else None
    if not path:
        return None
    middle, *lower, beside = half(size), *path
    if former <= middle:
        below = roots_above(old, former, middle, lower, first)
        return below and (below[0], node(below[1], beside))
    below = roots_above(old, former - middle, size - middle, lower, False)
    return below and (node(beside, below[0]), node(beside, below[1]))


# Verdicts


def count(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def entries(number: int) -> str:
    return f"{count(number)} entrée" + ("s" if number > 1 else "")


def day(date: str) -> str:
    year, month, number = date[:10].split("-")
    return f"{'1er' if number == '01' else int(number)} {MONTHS[int(month) - 1]} {year}"


def moment(date: str) -> str:
    return f"{day(date)} à {date[11:19]} UTC"


def amount(text: str) -> str:
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    units, comma, cents = digits.replace(".", ",").partition(",")
    return sign + count(int(units)) + comma + cents


def receipt(fields: dict[str, str]) -> str:
    kind, of_day = fields["type"].replace("_", " "), f" du {day(fields['jour'])}" if "jour" in fields else ""
    more = "".join(f", {name} : {value}" for name, value in fields.items() if name not in {**STATEMENT, **DATED})
    return f"{kind} {fields['numero']}{of_day}, montant {amount(fields['montant'])}{more}"


def proven(file: File, keys: Keys) -> tuple[Root, list[str]]:
    name = file.name
    fields = object_of(name, parse(name, text_of(file)), PROOF)
    statement = statement_of(f"l'énoncé de {name}", fields["enonce"])
    root = root_of(f"la racine de {name}", fields["racine"], keys)
    place, path = fields["rang"], [bytes.fromhex(part) for part in fields["chemin"]]
    if place >= root.size:
        raise Refused(
            f"{name} place le reçu à l'entrée {count(place + 1)} de livres qui en ont {count(root.size)} : "
            "demandez une nouvelle preuve."
        )
    text = sha256(bytes.fromhex(fields["sel"]) + fields["enonce"].encode()).digest()
    data = sha256(text + bytes.fromhex(fields["complement"])).digest()
    reached = root_above(sha256(b"\x00" + data).digest(), place, root.size, path)
    if reached is None:
        raise Refused(
            f"le chemin de {name} n'a pas la longueur qui mène à sa racine : il est tronqué, ou d'une autre preuve ; "
            "demandez une nouvelle preuve."
        )
    if reached != root.hash:
        raise Refused(
            f"{name} ne mène pas à sa racine : le texte du reçu, son rang ou son chemin n'est pas celui des livres ; "
            "ne vous fiez pas à ce reçu et demandez une nouvelle preuve."
        )
    until = f"au {moment(root.key.end)}" if root.key.end else "à ce jour"
    return root, [
        f"Prouvé : {receipt(statement)}.",
        f"C'est l'entrée {count(place + 1)} des livres de {keys.organisation}, qui en comptaient {count(root.size)} le "
        f"{moment(root.date)}.",
        f"Leur racine est signée par la clé {root.key.id}, en service du {moment(root.key.start)} {until}.",
    ]


def consistent(file: File, keys: Keys) -> tuple[Root, Root]:
    name = file.name
    fields = object_of(name, parse(name, text_of(file)), CONSISTENCY)
    former = root_of(f"la racine « de » de {name}", fields["de"], keys)
    latter = root_of(f"la racine « a » de {name}", fields["a"], keys)
    if former.size > latter.size:
        raise Refused(f"{name} va d'une racine à une plus petite : demandez la cohérence dans l'autre sens.")
    roots = roots_above(former.hash, former.size, latter.size, [bytes.fromhex(part) for part in fields["chemin"]])
    if roots is None:
        raise Refused(
            f"le chemin de {name} n'a pas la longueur qui relie ses deux racines : il est tronqué, ou d'un autre "
            "fichier ; demandez-le de nouveau."
        )
    if roots != (former.hash, latter.hash):
        raise Refused(
            f"{name} ne relie pas ses deux racines : rien ne montre que les livres du {moment(latter.date)} commencent "
            f"par ceux du {moment(former.date)} ; gardez les deux racines et demandez ce fichier de nouveau."
        )
    return former, latter


def refuse_two_books(roots: list[Root]) -> None:
    of_size: dict[int, Root] = {}
    for root in roots:
        other = of_size.setdefault(root.size, root)
        if root.hash != other.hash:
            raise Refused(
                f"{root.name} et {other.name} sont différentes pour les mêmes {entries(root.size)} : deux versions des "
                "livres ont été signées ; gardez ces deux fichiers, ils le prouvent."
            )


def compared(kept: Root, root: Root, links: list[tuple[Root, Root]]) -> str:
    if kept.size > root.size:
        raise Refused(
            f"{root.name} ({entries(root.size)}) est plus ancienne que {kept.name} ({entries(kept.size)}) : "
            "demandez une preuve d'aujourd'hui."
        )
    reached, grown = {(kept.size, kept.hash)}, True
    while grown:
        more = {(b.size, b.hash) for a, b in links if (a.size, a.hash) in reached} - reached
        reached, grown = reached | more, bool(more)
    if (root.size, root.hash) not in reached:
        raise Refused(
            f"rien ne relie {kept.name} ({entries(kept.size)}) à {root.name} ({entries(root.size)}) : ajoutez le "
            f"fichier de cohérence de {count(kept.size)} à {count(root.size)}."
        )
    same = "les livres sont les mêmes" if kept.size == root.size else "les livres la prolongent sans rien y changer"
    return f"Depuis {kept.name} ({entries(kept.size)}, {moment(kept.date)}), {same}."


def verify(proof: File | None, keys_file: File, kept: list[File], consistencies: list[File]) -> list[str]:
    """The sentences of what is proven. Raises Refused or Unusable with one sentence."""
    keys = keys_of(keys_file)
    roots = [root_of(f"la racine {file.name}", text_of(file), keys) for file in kept]
    links = [consistent(file, keys) for file in consistencies]
    lines: list[str] = []
    if proof:
        root, lines = proven(proof, keys)
    elif links:
        root = max((latter for _, latter in links), key=lambda root: root.size)
    else:
        raise Unusable("il manque une preuve ou une cohérence : ajoutez l'un de ces fichiers.")
    refuse_two_books([*roots, *(end for link in links for end in link), root])
    lines += [
        f"Prouvé : les livres de {keys.organisation} du {moment(latter.date)} ({entries(latter.size)}) commencent par "
        f"ceux du {moment(former.date)} ({entries(former.size)}), sans changement."
        for former, latter in links
    ]
    lines += [compared(old, root, links) for old in roots]
    if proof and not roots:
        lines.append("Aucune racine gardée n'a été comparée : gardez une racine publiée pour la prochaine fois.")
    lines.append(f"Tout repose sur {keys_file.name} : ce fichier doit venir de {keys.organisation}, et non d'un autre.")
    return lines


# Command


def opened(name: str) -> File:
    try:
        with open(name, "rb") as file:  # noqa: PTH123
            return File(name, file.read(LIMIT + 1))
    except OSError:
        raise Unusable(f"{name} ne s'ouvre pas : vérifiez le nom du fichier et vos droits.") from None


class Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"Arguments incompris.\n\nUsage : {USAGE}", file=sys.stderr)
        sys.exit(2)

    def print_help(self, file: Any = None) -> None:
        print(f"Usage : {USAGE}", file=file)


def main() -> int:
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal may lack some characters
    arguments = Arguments(allow_abbrev=False)
    arguments.add_argument("preuve", nargs="?")
    arguments.add_argument("--cles", required=True)
    arguments.add_argument("--racine", nargs="+", action="extend", default=[])
    arguments.add_argument("--coherence", nargs="+", action="extend", default=[])
    names = arguments.parse_args()
    try:
        proof = opened(names.preuve) if names.preuve else None
        kept, consistencies = list(map(opened, names.racine)), list(map(opened, names.coherence))
        print("\n".join(verify(proof, opened(names.cles), kept, consistencies)))
    except Refused as refusal:
        print(f"Refusé : {refusal}")
        return 1
    except Unusable as fault:
        print(f"Fichier inutilisable : {fault}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
