"""Reads the statement of a bank or an operator: camt.053, MT940, OFX, or a sheet. The first bytes decide, not the name.

    read(file, name, words) -> Statement

`file` is a file at any place, which stays open: an upload is spooled, and may be on the disk. `words` maps the headers of
a provider's own sheets to the fields of FIELDS. Nothing is judged here: SQL adds up the lines of each part.

mt-940 and ofxtools read their formats. The packages for camt.053 bring a web framework or pandas with them, so it is
read here. No parser of this module knows entities: a document type is refused.
"""

import io
import logging
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from html import unescape
from typing import Any, BinaryIO, TypeVar

import msgspec

from app.base.failure import Failure
from app.database.catalogue import Attribute, PgType

T = TypeVar("T")

LINES = 100_000
_MARKS = 2_000_000  # of a marked-up file: each makes an object
_LONG = 4096  # characters of a line of MT940: its patterns look at a line again and again
_TEXT = PgType("pg_catalog", "text", "base")
_NUMBER = PgType("pg_catalog", "numeric", "base", modifier=(14 << 16 | 2) + 4)
FIELDS = {
    "date": ("Date", PgType("pg_catalog", "date", "base")),
    "libelle": ("Libellé", _TEXT),
    "reference": ("Référence", _TEXT),
    "debit": ("Débit", _NUMBER),
    "credit": ("Crédit", _NUMBER),
    "montant": ("Montant", _NUMBER),
    "solde": ("Solde", _NUMBER),
    "identifiant": ("Identifiant", _TEXT),
}
SHEET = PgType("tresorerie", "releve", "composite",
               attributes=[Attribute(name, kind, comment) for name, (comment, kind) in FIELDS.items()])  # fmt: skip
_AMOUNT = re.compile(r"[+-]?[0-9]{1,15}(?:[.,][0-9]{0,2}0{0,4})?")
_NO_REFERENCE = frozenset(("", "NONREF", "NOTPROVIDED", "NOTAVAILABLE"))
_UNREADABLE = "Ce relevé n'est pas lisible : demandez-en un autre fichier à votre banque."


class BadStatement(Failure):
    """The file cannot be used. The message says to the user what to do."""


class Line(msgspec.Struct, omit_defaults=True):
    """A line of a statement. Amounts are texts of decimals; what leaves the account is negative."""

    jour: str
    libelle: str
    montant: str
    ligne: int | None = None  # of the sheet, or rank in the file
    reference: str | None = None
    identifiant: str | None = None
    solde: str | None = None  # written beside the line


class Part(msgspec.Struct, omit_defaults=True):
    """One statement of a file, with its own balances."""

    lignes: list[Line]
    compte: str | None = None
    devise: str | None = None
    ouverture: str | None = None
    cloture: str | None = None


@dataclass(slots=True)
class Statement:
    format: str  # tresorerie.format_releve
    parties: list[Part] = field(default_factory=list)


def read(file: BinaryIO, name: str, words: Mapping[str, str]) -> Statement:
    """The statement of a file. Raises BadStatement."""
    file.seek(0)
    start = file.read(4096)
    file.seek(0)
    bare = start.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xfe\xff \t\r\n")
    if bare[:9].upper() == b"OFXHEADER" or b"<OFX" in bare.upper():
        statement = Statement("OFX", _tried(_ofx, file.read()))
    elif bare.startswith(b"<"):
        statement = Statement("CAMT_053", _tried(_camt, file.read()))
    elif re.search(rb"(?m)^:20:", bare) and b":25" in bare:
        statement = Statement("MT940", _tried(_mt940, file.read()))
    else:
        statement = Statement("FEUILLE", [_sheet(file, words)])
    if not statement.parties:
        raise BadStatement("Ce fichier n'a pas de relevé de compte.")
    if sum(len(part.lignes) for part in statement.parties) > LINES:
        raise BadStatement(f"Ce relevé a plus de {LINES} lignes : coupez-le en plusieurs fichiers.")
    return statement


def _tried(parse: Callable[[bytes], Iterable[Part]], data: bytes) -> list[Part]:
    """What a parser makes of a file. Whatever it raises is the fault of the file."""
    try:
        return list(parse(data))
    except BadStatement:
        raise
    except Exception:
        raise BadStatement(_UNREADABLE) from None


# ---- camt.053


class _Tree(ET.TreeBuilder):
    """Elements by their local names. A document type is refused before any of its entities is declared."""

    def doctype(self, *_: object) -> None:
        raise BadStatement(_UNREADABLE)

    def start(self, tag: Any, attributes: dict[Any, Any], /) -> ET.Element:
        return super().start(tag.rpartition("}")[2], attributes)

    def end(self, tag: str, /) -> ET.Element:
        return super().end(tag.rpartition("}")[2])


def _camt(data: bytes) -> Iterator[Part]:
    _few(data)
    parser = ET.XMLParser(target=_Tree())  # noqa: S314 - _Tree knows no entities
    parser.feed(data)
    for statement in parser.close().iterfind("BkToCstmrStmt/Stmt"):
        balances = {_at(one, "Tp/CdOrPrtry/Cd"): _signed(one) for one in statement.iterfind("Bal")}
        entries = [one for one in statement.iterfind("Ntry") if _at(one, "Sts/Cd", "Sts") in ("BOOK", None)]
        first = statement.find("Bal/Amt")
        yield Part(
            [_camt_line(entry, rank) for rank, entry in enumerate(entries, 1)],
            compte=_at(statement, "Acct/Id/IBAN", "Acct/Id/Othr/Id"),
            devise=_at(statement, "Acct/Ccy") or (None if first is None else first.get("Ccy")),
            ouverture=next((balances[code] for code in ("OPBD", "PRCD", "OPAV") if code in balances), None),
            cloture=balances.get("CLBD") or balances.get("CLAV"),
        )


def _camt_line(entry: ET.Element, rank: int) -> Line:
    details = entry.findall("NtryDtls/TxDtls")
    alone = details[0] if len(details) == 1 else entry
    texts = [text for path in ("NtryDtls/TxDtls/RmtInf/Ustrd", "AddtlNtryInf", "NtryDtls/TxDtls/AddtlTxInf",
                               "NtryDtls/TxDtls/RltdPties/*/Pty/Nm", "NtryDtls/TxDtls/RltdPties/*/Nm")
             for one in entry.iterfind(path) if (text := one.text)]  # fmt: skip
    day = _at(entry, "BookgDt/Dt", "BookgDt/DtTm", "ValDt/Dt", "ValDt/DtTm") or ""
    return Line(
        _day(day[:10]), _text(*texts) or "Sans libellé", _signed(entry), rank,
        reference=_named(_at(alone, "Refs/EndToEndId"), _at(alone, "Refs/InstrId"), _at(entry, "NtryRef")),
        identifiant=_named(_at(entry, "AcctSvcrRef"), _at(alone, "Refs/AcctSvcrRef"), _at(alone, "Refs/TxId")),
    )  # fmt: skip


def _at(element: ET.Element, *paths: str) -> str | None:
    """The text at the first of these paths that has one."""
    found = (element.findtext(path) for path in paths)
    return next((text.strip() for text in found if text and text.strip()), None)


def _signed(element: ET.Element) -> str:
    amount = _amount(_at(element, "Amt") or "")
    return _negative(amount) if _at(element, "CdtDbtInd") == "DBIT" else amount


def _few(data: bytes) -> None:
    if data.count(b"<") > _MARKS:
        raise BadStatement("Ce relevé est trop long : demandez-en un pour chaque mois.")


# ---- MT940


def _mt940(data: bytes) -> Iterator[Part]:
    import mt940

    logging.getLogger("mt940").setLevel(logging.CRITICAL + 1)  # it logs the lines that it does not understand
    if max(map(len, data.splitlines())) > _LONG:
        raise BadStatement(_UNREADABLE)
    for block in mt940.parse_statements(io.BytesIO(data), "utf-8"):
        opening, closing = (
            next((block.data[name] for name in (f"final_{end}", end, f"intermediate_{end}") if name in block.data), None)
            for end in ("opening_balance", "closing_balance")
        )
        lines = [_mt940_line(one.data, rank) for rank, one in enumerate(block, 1) if "amount" in one.data]
        yield Part(
            lines, compte=block.data.get("account_identification"), devise=opening and opening.amount.currency,
            ouverture=opening and _amount(str(opening.amount.amount)),
            cloture=closing and _amount(str(closing.amount.amount)),
        )  # fmt: skip


def _mt940_line(data: Mapping[str, Any], rank: int) -> Line:
    texts = (data.get(name) for name in ("transaction_details", "purpose", "applicant_name", "extra_details"))
    return Line(
        str(data.get("entry_date") or data["date"]), _text(*texts) or "Sans libellé",
        _amount(str(data["amount"].amount)), rank, reference=_named(data.get("customer_reference")),
        identifiant=_named(data.get("bank_reference")),
    )  # fmt: skip


# ---- OFX


def _ofx(data: bytes) -> Iterator[Part]:
    from ofxtools.Parser import OFXTree

    _few(data)
    # The pattern of ofxtools looks at the rest of the line for each of these.
    plain = re.sub(rb"<!\[CDATA\[([^<>\]]*)\]\]>", rb"\1", data)
    if b"<![CDATA[" in plain or b"<!DOCTYPE" in plain.upper() or b"<!ENTITY" in plain.upper():
        raise BadStatement(_UNREADABLE)
    tree = OFXTree()
    tree.parse(io.BytesIO(plain))
    root = tree.getroot()
    for statement in (one for kind in ("STMTRS", "CCSTMTRS") for one in root.iter(kind)):
        entries = statement.iterfind("BANKTRANLIST/STMTTRN")
        balance = _at(statement, "LEDGERBAL/BALAMT")
        yield Part(
            [_ofx_line(entry, rank) for rank, entry in enumerate(entries, 1)],
            compte=_at(statement, "BANKACCTFROM/ACCTID", "CCACCTFROM/ACCTID"), devise=_at(statement, "CURDEF"),
            cloture=balance and _amount(balance),
        )  # fmt: skip


def _ofx_line(entry: ET.Element, rank: int) -> Line:
    day = _at(entry, "DTPOSTED") or ""
    texts = (unescape(text) for name in ("NAME", "PAYEE/NAME", "MEMO") if (text := _at(entry, name)))
    return Line(
        _day(f"{day[:4]}-{day[4:6]}-{day[6:8]}"), _text(*texts) or "Sans libellé", _amount(_at(entry, "TRNAMT") or ""),
        rank, reference=_named(_at(entry, "CHECKNUM"), _at(entry, "REFNUM")), identifiant=_named(_at(entry, "FITID")),
    )  # fmt: skip


# ---- sheets


def _sheet(file: BinaryIO, words: Mapping[str, str]) -> Part:
    try:
        from app.leaves.echange.sheets import cells, columns, guard, reading
    except ModuleNotFoundError:
        raise BadStatement("Cette installation ne lit pas les feuilles : envoyez un fichier de votre banque.") from None
    try:
        headers, rows = reading.read(file)
        folded = {cells.folded(word): name for word, name in words.items()}
        given = {header: folded[cells.folded(header)] for header in headers if cells.folded(header) in folded}
        named = columns.recognise(headers, SHEET, given)
        places = {name: (place, cells.converter(FIELDS[name][1])) for place, header in enumerate(headers)
                  if (name := named.get(header))}  # fmt: skip
        if "date" not in places or not {"debit", "credit", "montant"} & places.keys():
            raise BadStatement("Un relevé a les colonnes date, libelle, reference, debit, credit, solde.")
        return Part([line for number, row in rows if (line := _sheet_line(places, number, row)) is not None])
    except guard.BadSheet as problem:
        raise BadStatement(str(problem)) from None


def _sheet_line(places: Mapping[str, tuple[int, Callable[[Any], str]]], number: int, row: list[Any]) -> Line | None:
    """A line of a sheet. One with a balance and without an amount is a balance; one without either is a remark."""
    from app.leaves.echange.sheets.cells import BadCell

    try:
        value = {name: convert(row[place]) for name, (place, convert) in places.items() if row[place] != ""}
        if not value.keys() & {"debit", "credit", "montant", "solde"}:
            return None
        debit, credit, amount = (_amount(value.get(name, "0")) for name in ("debit", "credit", "montant"))
        total = Decimal(credit) - abs(Decimal(debit)) + Decimal(amount)
        return Line(
            _day(value.get("date", "")), _text(value.get("libelle")) or "Sans libellé", str(total), number,
            reference=_named(value.get("reference")), identifiant=_named(value.get("identifiant")),
            solde=_amount(value["solde"]) if "solde" in value else None,
        )  # fmt: skip
    except (BadCell, BadStatement) as problem:
        raise BadStatement(f"Ligne {number} : {problem}") from None


# ---- values


def _amount(text: str) -> str:
    if not _AMOUNT.fullmatch(text):
        raise BadStatement(f"« {text[:40]} » n'est pas un montant.")
    return text.replace(",", ".").lstrip("+").removesuffix(".")


def _negative(amount: str) -> str:
    return amount[1:] if amount.startswith("-") else f"-{amount}"


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise BadStatement(f"« {text[:40]} » n'est pas une date.") from None


def _text(*texts: str | None) -> str:
    """Different texts as one, on one line."""
    parts = dict.fromkeys(" ".join(text.split()) for text in texts if text and text.strip())
    return "".join(char for char in " ".join(parts) if char.isprintable())[:500].strip()


def _named(*texts: str | None) -> str | None:
    """The first text that is a reference."""
    clean = (_text(text)[:200] for text in texts)
    return next((text for text in clean if text.upper() not in _NO_REFERENCE), None)
