"""Files as a customer or an accountant gives them to the verifier: good ones, and every forgery with its sentence."""

import base64
import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from tests import merkle
from tests.sceau.livres import DATE, Books, Key, text

Content = dict[str, Any] | str | bytes
SIZE, PLACE, KEPT = 700, 321, 450
BEFORE = "2026-11-20T00:00:01Z"
BOOKS = Books(1, SIZE + 1)
OTHER = Books(2, SIZE, "Maison Voisine")

PROOF = BOOKS.proof(PLACE, SIZE)
KEYS = BOOKS.keys_file()
STATEMENT = BOOKS.statements[PLACE]
OLD = BOOKS.root(KEPT, BEFORE)
LINK = BOOKS.consistency(KEPT, SIZE, (BEFORE, DATE))

PROVEN, REFUSED, UNUSABLE = 0, 1, 2  # the exit codes of the Python file


@dataclass
class Case:
    """The files of one verification, and how its verdict must begin or what it must say."""

    name: str
    state: int
    says: str
    proof: Content | None = field(default_factory=lambda: PROOF)
    keys: Content = field(default_factory=lambda: KEYS)
    kept: Sequence[Content] = ()
    consistencies: Sequence[Content] = ()

    def files(self) -> dict[str, Any]:
        """The names and bytes, as both verifiers take them."""

        def named(stem: str, contents: Sequence[Content]) -> list[tuple[str, bytes]]:
            return [(f"{stem}{number}", raw(content)) for number, content in enumerate(contents, 1)]

        return {
            "proof": None if self.proof is None else ("preuve.json", raw(self.proof)),
            "keys": ("cles.json", raw(self.keys)),
            "kept": named("gardee", self.kept),
            "consistencies": named("coherence", self.consistencies),
        }


def raw(content: Content) -> bytes:
    if isinstance(content, dict):
        return json.dumps(content, ensure_ascii=False).encode()
    return content.encode() if isinstance(content, str) else content


def altered(content: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**deepcopy(content), **fields}


def statement(**fields: Any) -> dict[str, Any]:
    """The proof with another statement."""
    return altered(PROOF, enonce=json.dumps({**STATEMENT, **fields}, ensure_ascii=False))


def joined(content: dict[str, Any], first: str, second: str) -> dict[str, Any]:
    """The content with two fields under one name, which a list of names with commas does not show."""
    return {**{name: value for name, value in content.items() if name not in (first, second)}, f"{first},{second}": ""}


def key_altered(number: int, **fields: Any) -> dict[str, Any]:
    keys = deepcopy(KEYS)
    keys["cles"][number] |= fields
    return keys


def resigned(root: str, start: int, new: bytes) -> str:
    """The root with bytes of its signature replaced, counted from the id of the key."""
    head, _, tail = root.rpartition(" ")
    data = bytearray(base64.b64decode(tail))
    data[start : start + len(new)] = new
    return f"{head} {text(bytes(data))}\n"


def good() -> Iterator[Case]:
    yield Case("proof alone", PROVEN, "Aucune racine gardée n'a été comparée")
    yield Case("proof of the only entry", PROVEN, "entrée 1 des livres", proof=BOOKS.proof(0, 1))
    yield Case(
        "proof under the former key", PROVEN, "au 1er juillet 2026", proof=BOOKS.proof(3, 9, "2026-06-30T23:59:59Z")
    )
    yield Case("proof with the kept root", PROVEN, "les livres sont les mêmes", kept=[PROOF["racine"]])
    yield Case("older root kept", PROVEN, "sans rien y changer", kept=[OLD], consistencies=[LINK])
    chain = [BOOKS.consistency(600, SIZE), BOOKS.consistency(512, 600), BOOKS.consistency(KEPT, 512)]
    yield Case("chain of three consistencies", PROVEN, "sans rien y changer", kept=[OLD], consistencies=chain)
    again = BOOKS.root(SIZE, "2026-11-24T00:00:00Z")
    yield Case("root of the same books signed twice", PROVEN, "les livres sont les mêmes", kept=[again])
    for name, key in (("first", 1), ("last", 0)):
        note = BOOKS.note(SIZE, merkle.root(BOOKS.leaves(SIZE)), BOOKS.keys[1].start, BOOKS.keys[key])
        yield Case(f"root of the {name} second of a key", PROVEN, "Prouvé", proof=altered(PROOF, racine=note))
    yield Case("several roots kept", PROVEN, "gardee2", kept=[OLD, BOOKS.root(600)], consistencies=chain)
    yield Case("consistency alone", PROVEN, "Prouvé : les livres de Maison Exemple", proof=None, consistencies=[LINK])
    yield Case("consistency and kept root", PROVEN, "gardee1", proof=None, kept=[OLD], consistencies=[LINK])
    same = BOOKS.consistency(SIZE, SIZE)
    yield Case("consistency of a root with itself", PROVEN, "sans changement", proof=None, consistencies=[same])
    more = Books(3, 9)
    more.statements[4] |= {"type": "recu_de_caisse", "montant": "-0.5", "devise": "XOF", "__proto__": "é \U0001f600"}
    payment = Books(4, 2)
    payment.statements[1] = {"type": "paiement", "numero": "PAI-2026-000007", "montant": "1000.00"}
    says = "Prouvé : paiement PAI-2026-000007, montant 1\u202f000,00."
    yield Case("payment, which has no day", PROVEN, says, proof=payment.proof(1, 2), keys=payment.keys_file())
    yield Case("statement with more fields", PROVEN, "recu de caisse", proof=more.proof(4, 9), keys=more.keys_file())


def refused(name: str, says: str, **files: Any) -> Case:
    return Case(name, REFUSED, says, **files)


def unusable(name: str, says: str, **files: Any) -> Case:
    return Case(name, UNUSABLE, says, **files)


def forged() -> Iterator[Case]:
    """Files that are well formed and prove nothing."""
    leads_elsewhere = "preuve.json ne mène pas à sa racine"
    yield refused("altered amount", leads_elsewhere, proof=statement(montant="1.00"))
    yield refused("space added to the statement", leads_elsewhere, proof=altered(PROOF, enonce=PROOF["enonce"] + " "))
    neighbour = BOOKS.proof(PLACE + 1, SIZE)
    yield refused("path of another receipt", leads_elsewhere, proof=altered(PROOF, chemin=neighbour["chemin"]))
    yield refused("rank of another receipt", leads_elsewhere, proof=altered(PROOF, rang=PLACE + 1))
    yield refused("swapped leaf", leads_elsewhere, proof=altered(neighbour, enonce=PROOF["enonce"]))
    yield refused("other salt", leads_elsewhere, proof=altered(PROOF, sel="0" * 64))
    yield refused("other complement", leads_elsewhere, proof=altered(PROOF, complement="0" * 64))
    no_length = "le chemin de preuve.json n'a pas la longueur"
    yield refused("truncated path", no_length, proof=altered(PROOF, chemin=PROOF["chemin"][:-1]))
    yield refused("empty path", no_length, proof=altered(PROOF, chemin=[]))
    yield refused("longer path", no_length, proof=altered(PROOF, chemin=[*PROOF["chemin"], "0" * 64]))
    yield refused("rank beyond the end", "place le reçu à l'entrée 701", proof=altered(PROOF, rang=SIZE))
    yield refused("rank of fifteen digits", "place le reçu", proof=altered(PROOF, rang=10**15 - 1))

    false = "la signature de la racine de preuve.json est fausse"
    root = PROOF["racine"]
    forger = Key(b"f" * 32, BOOKS.keys[-1].start)
    unknown = altered(PROOF, racine=BOOKS.note(SIZE, merkle.root(BOOKS.leaves(SIZE)), key=forger))
    yield refused("root signed by an unknown key", "est signée par une clé inconnue", proof=unknown)
    disguised = resigned(unknown["racine"], 0, BOOKS.keys[-1].id(BOOKS.origin))
    yield refused("forged signature under a known key", false, proof=altered(PROOF, racine=disguised))
    yield refused("changed date", false, proof=altered(PROOF, racine=root.replace("11-23", "11-24")))
    yield refused("changed size", false, proof=altered(PROOF, racine=root.replace("\n700\n", "\n701\n")))
    yield refused("changed hash", false, proof=altered(PROOF, racine=altered_hash(root)))
    order = 2**252 + 27742317777372353535851937790883648493
    s = int.from_bytes(base64.b64decode(root.rpartition(" ")[2])[36:], "little") + order
    long = altered(PROOF, racine=resigned(root, 36, s.to_bytes(32, "little")))
    yield refused("signature with an S above the order", false, proof=long)
    for name, y in {"identity": 1, "order two": 2**255 - 20, "not canonical": 2**255 - 18, "off the curve": 2}.items():
        point = altered(PROOF, racine=resigned(root, 4, y.to_bytes(32, "little")))
        yield refused(f"signature whose R is {name}", false, proof=point)

    early = "porte une date"
    for name, date, key in (("before", "2026-07-01T08:29:59Z", 1), ("after", "2026-07-01T08:30:01Z", 0)):
        note = BOOKS.root(SIZE, date, BOOKS.keys[key])
        yield refused(f"root dated {name} its key", early, proof=altered(PROOF, racine=note))
    yield refused("proof of another organisation", "n'est pas de Maison Exemple", proof=OTHER.proof(3, SIZE))
    yield refused("keys of another organisation", "n'est pas de Maison Voisine", keys=OTHER.keys_file())
    yield refused("kept root of another organisation", "la racine gardee1 n'est pas", kept=[OTHER.root(9)])
    yield from forged_keys()
    yield from forged_histories()


def altered_hash(root: str) -> str:
    lines = root.split("\n")
    lines[2] = text(b"x" * 32)
    return "\n".join(lines)


def forged_keys() -> Iterator[Case]:
    unsigned = key_altered(1, signature=None)
    yield refused("key without the signature of the one before", "n'est pas signée par la clé d'avant", keys=unsigned)
    own = BOOKS.keys[1]
    message = f"comptoir-cle/1\n{BOOKS.origin}\n{text(own.public)}\n{own.start}\n".encode()
    self_signed = key_altered(1, signature=text(own.private.sign(message)))
    yield refused("key signed by itself", "porte une fausse signature", keys=self_signed)
    moved = key_altered(1, du="2026-06-01T00:00:00Z")
    yield refused("key with a changed start", "porte une fausse signature", keys=moved)
    longer = key_altered(0, au="2026-12-31T00:00:00Z")
    yield refused("former key made to last", "ne commence pas quand finit", keys=longer)
    yield refused("last key replaced", "est remplacée par une clé qui manque", keys=key_altered(1, au=DATE))
    yield refused("first key left out", "est signée par une clé qui manque", keys=altered(KEYS, cles=KEYS["cles"][1:]))
    yield refused("key with another id", "a un autre identifiant", keys=key_altered(1, id="00000000"))
    again = Books(1, 1)
    again.keys = [again.keys[0], Key(again.keys[0].seed, "2026-07-01T08:30:00Z")]
    yield refused("key written twice", "est écrite deux fois", keys=again.keys_file())
    points = {"not canonical": 2**255 - 16, "off the curve": 2}
    points |= {f"of small order, {y:x}": y for y in small_order()}
    backwards = Books(1, 1)
    backwards.keys.reverse()
    yield refused("keys in another order", "ne commence pas quand finit", keys=backwards.keys_file())
    for name, y in points.items():
        public = y.to_bytes(32, "little")
        identifier = sha256(f"{BOOKS.origin}\n\x01".encode() + public).hexdigest()[:8]
        keys = key_altered(0, publique=text(public), id=identifier)
        yield refused(f"key whose point is {name}", "n'est pas une clé Ed25519", keys=keys)


def small_order() -> list[int]:
    """The eight points that some verifiers accept as keys, and with them the same signature of every message."""
    prime, of_order_8 = 2**255 - 19, 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
    with_two_signs = (0, of_order_8, prime - of_order_8)
    return [1, prime - 1, *with_two_signs, *(y + 2**255 for y in with_two_signs)]


def forged_histories() -> Iterator[Case]:
    yield refused("replayed old root", "demandez une preuve d'aujourd'hui", kept=[BOOKS.root(SIZE + 1)])
    rewritten = Books(1, SIZE + 1)
    rewritten.statements[5]["montant"] = "1.00"
    fork = "deux versions des livres ont été signées"
    yield refused("two roots of one size", fork, kept=[rewritten.root(SIZE)])
    unlinked = "ajoutez le fichier de cohérence de 450 à 700"
    yield refused("older root kept without a consistency", unlinked, kept=[OLD])
    yield refused("chain that stops before the end", unlinked, kept=[OLD], consistencies=[BOOKS.consistency(KEPT, 600)])
    backwards = rewritten.root(KEPT)
    yield refused("rewritten books", fork, kept=[backwards], consistencies=[LINK])
    yield refused("rewritten books without a consistency", unlinked, kept=[backwards])
    yield refused("two kept roots of one size", fork, kept=[OLD, backwards], consistencies=[LINK])
    other = rewritten.consistency(KEPT, SIZE, (BEFORE, DATE))
    yield refused("consistency of other books", fork, consistencies=[other])
    yield refused("consistencies of two books", fork, proof=None, consistencies=[LINK, other])
    forced = altered(LINK, de=backwards)
    not_linked = "coherence1 ne relie pas ses deux racines"
    yield refused("consistency of rewritten books", not_linked, kept=[backwards], consistencies=[forced])
    wrong = altered(LINK, chemin=[*LINK["chemin"][:-1], "0" * 64])
    yield refused("consistency with another path", not_linked, consistencies=[wrong])
    short = altered(LINK, chemin=LINK["chemin"][:-1])
    yield refused("truncated consistency", "le chemin de coherence1 n'a pas la longueur", consistencies=[short])
    swapped = altered(LINK, de=LINK["a"], a=LINK["de"])
    yield refused("consistency backwards", "dans l'autre sens", consistencies=[swapped])
    same = altered(LINK, de=rewritten.root(SIZE), chemin=[])
    yield refused("consistency of two roots of one size", not_linked, consistencies=[same])
    unsigned = altered(LINK, de=resigned(LINK["de"], 40, b"xxxx"))
    yield refused(
        "consistency with a false signature", "racine « de » de coherence1 est fausse", consistencies=[unsigned]
    )


def malformed() -> Iterator[Case]:
    """Files that are none of Comptoir, or that programs could read in different ways."""
    unreadable, fields, damaged = "n'est pas du JSON lisible", "n'a pas les champs attendus", "mal formé"
    body = raw(PROOF).decode()
    rank = f'"rang": {PLACE}'
    texts: dict[str, tuple[str, Content]] = {
        "empty file": (unreadable, ""),
        "no JSON": (unreadable, "bonjour"),
        "bytes after the end": (unreadable, body + "x"),
        "byte order mark": (unreadable, "\ufeff" + body),
        "not UTF-8": ("n'est pas un texte en UTF-8", b"\xff" + body.encode()),
        "huge file": ("est trop gros", body + " " * 100_000),
        "deep lists": (unreadable, "[" * 40_000 + "]" * 40_000),
        "lists nine deep": (unreadable, "[" * 9 + "]" * 9),
        "lists eight deep": (fields, "[" * 8 + "]" * 8),
        "NaN": (unreadable, body.replace(rank, '"rang": NaN')),
        "infinity": (unreadable, body.replace(rank, '"rang": -Infinity')),
        "rank with a zero before it": (unreadable, body.replace(rank, '"rang": 0321')),
        "raw line break in a text": (unreadable, body.replace('"sel": "', '"sel": "\n')),
        "comma at the end": (unreadable, body[:-1] + ",}"),
        "field without a name": (unreadable, body[:-1] + ', 1: 2}'),
        "lists nine deep in one of two equal fields": (unreadable, '{"a": ' + "[" * 9 + "]" * 9 + ', "a": 1}'),
        "equal fields": ("a deux fois le même champ", body.replace(rank, f'{rank}, "r\\u0061ng": 4')),
        "list": (fields, "[]"),
        "null": (fields, "null"),
        "proof of keys": (fields, altered(KEYS)),
        "other format": (damaged, altered(PROOF, format="comptoir-preuve/2")),
        "extra field": (fields, altered(PROOF, note="")),
        "missing field": (fields, {name: PROOF[name] for name in PROOF if name != "sel"}),
        "name that joins two others": (fields, joined(PROOF, "chemin", "complement")),
        "prototype field": (fields, body[:-1] + ', "__proto__": {}}'),
        "negative rank": (damaged, altered(PROOF, rang=-1)),
        "minus zero as rank": (damaged, body.replace(rank, '"rang": -0')),
        "rank with a point": (damaged, body.replace(rank, '"rang": 321.0')),
        "rank with an exponent": (damaged, body.replace(rank, '"rang": 321e0')),
        "rank as text": (damaged, altered(PROOF, rang="321")),
        "rank as truth": (damaged, altered(PROOF, rang=True)),
        "rank of sixteen digits": (damaged, altered(PROOF, rang=10**15)),
        "rank of many digits": (damaged, body.replace(rank, '"rang": ' + "9" * 5_000)),
        "short salt": (damaged, altered(PROOF, sel="0" * 62)),
        "uppercase salt": (damaged, altered(PROOF, sel="A" * 64)),
        "salt with a line break": (damaged, altered(PROOF, sel=PROOF["sel"] + "\n")),
        "salt in other digits": (damaged, altered(PROOF, sel="٣" * 64)),
        "uppercase path": (damaged, altered(PROOF, chemin=[part.upper() for part in PROOF["chemin"]])),
        "path with a number": (damaged, altered(PROOF, chemin=[1])),
        "path as text": (damaged, altered(PROOF, chemin="")),
        "half a character": (damaged, json.dumps(altered(PROOF, enonce="\ud800"))),
        "statement that is no JSON": ("l'énoncé de preuve.json n'est pas", altered(PROOF, enonce="FAC-1")),
        "statement with equal fields": ("a deux fois", altered(PROOF, enonce='{"jour": "", "jour": ""}')),
        "statement without a number": (fields, altered(PROOF, enonce='{"type": "facture"}')),
        "statement as a list": (fields, altered(PROOF, enonce="[]")),
        "statement with a strange field": (fields, statement(**{"Montant dû": "0"})),
        "statement with a number": (damaged, statement(montant=15000)),
        "amount in letters": (damaged, statement(montant="quinze")),
        "amount with an exponent": (damaged, statement(montant="1e9")),
        "day that is in no calendar": (damaged, statement(jour="2026-02-30")),
        "day with an hour": (damaged, statement(jour="2026-02-20T00:00:00Z")),
        "reversed characters": (damaged, statement(numero="FAC\u202e321")),
        "escape of a terminal": (damaged, statement(numero="FAC\u001b[2K")),
        "statement with a hidden field": (damaged, statement(lieu="a\u200bb")),
    }  # fmt: skip
    for name, (says, content) in texts.items():
        yield unusable(f"proof: {name}", says, proof=content)

    shape, root = "n'a pas la forme d'une racine", PROOF["racine"]
    roots = {
        "empty": "",
        "no last line break": root[:-1],
        "line break more": root + "\n",
        "Windows line breaks": root.replace("\n", "\r\n"),
        "second signature": root + root.splitlines()[-1] + "\n",
        "second extension": root.replace("\ndate", "\nnote x\ndate"),
        "no date": root.replace(f"date {DATE}\n", ""),
        "date that is in no calendar": root.replace("11-23", "11-31"),
        "hour 24": root.replace("T00", "T24"),
        "second 60": root.replace("00:03Z", "00:60Z"),
        "size with a zero before it": root.replace("\n700\n", "\n0700\n"),
        "size of sixteen digits": root.replace("\n700\n", "\n1000000000000700\n"),
        "signed under another name": root.replace(f"— {BOOKS.origin}", f"— {OTHER.origin}"),
        "hyphen for the dash": root.replace("—", "-"),
        "longer hash": root.replace("=\ndate", "==\ndate"),
        "uppercase origin": root.upper(),
    }
    for name, content in roots.items():
        yield unusable(f"root: {name}", shape, proof=altered(PROOF, racine=content))
        yield unusable(f"kept root: {name}", shape, kept=[content])
    lines = root.split("\n")
    for number in (2, 5):
        yield unusable(
            f"root: bits beyond the end of line {number}", shape, proof=altered(PROOF, racine=loose(lines, number))
        )
    yield unusable("kept root of empty books", "est celle de livres vides", kept=[BOOKS.note(0, merkle.root([]))])

    public = KEYS["cles"][1]["publique"]
    keys: dict[str, tuple[str, Content]] = {
        "no JSON": (unreadable, "{"),
        "proof instead": (fields, PROOF),
        "equal fields in a key": ("a deux fois", raw(KEYS).replace(b'"id":', b'"id": "0", "id":', 1)),
        "no key": (damaged, altered(KEYS, cles=[])),
        "key as text": (fields, altered(KEYS, cles=[public])),
        "hidden character in the name": (damaged, altered(KEYS, organisation="Maison\u2066")),
        "no name": (damaged, altered(KEYS, organisation="")),
        "strange origin": (damaged, altered(KEYS, origine="comptoir/maison")),
        "uppercase id": (damaged, key_altered(1, id="ABCDEF00")),
        "short public key": (damaged, key_altered(1, publique=text(b"x" * 31))),
        "base64 of the web": (damaged, key_altered(1, publique="-" * 43 + "=")),
        "bits beyond the end": (damaged, key_altered(1, publique="A" * 42 + "B=")),
        "long signature": (damaged, key_altered(1, signature=text(b"x" * 65))),
        "date with an offset": (damaged, key_altered(1, du="2026-07-01T08:30:00+00:00")),
        "year zero": (damaged, key_altered(1, du="0000-07-01T08:30:00Z")),
        "end that is no whole number": (damaged, raw(KEYS).replace(b'"au": null', b'"au": 1.5')),
        "signature that is a negative number": (damaged, raw(KEYS).replace(b'"signature": null', b'"signature": -1')),
        "extra field": (fields, key_altered(1, algorithme="none")),
    }
    for name, (says, content) in keys.items():
        yield unusable(f"keys: {name}", says, keys=content)

    links: dict[str, tuple[str, Content]] = {
        "no JSON": (unreadable, ""),
        "proof instead": (fields, PROOF),
        "root as number": (damaged, altered(LINK, de=3)),
        "uppercase path": (damaged, altered(LINK, chemin=["A" * 64])),
        "no root": (shape, altered(LINK, a="")),
    }
    for name, (says, content) in links.items():
        yield unusable(f"consistency: {name}", says, consistencies=[content])
    yield unusable("keys alone", "il manque une preuve", proof=None)
    yield unusable("keys and a kept root alone", "il manque une preuve", proof=None, kept=[OLD])


def loose(lines: list[str], number: int) -> str:
    """The root with bits set in base64 that no byte uses: decoders that are not strict read the same bytes."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    line = lines[number]
    last = alphabet[alphabet.index(line[-2]) + 1]
    return "\n".join([*lines[:number], f"{line[:-2]}{last}=", *lines[number + 1 :]])


CASES = [*good(), *forged(), *malformed()]


def case_named(name: str) -> Case:
    return next(case for case in CASES if case.name == name)
