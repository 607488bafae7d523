"""Reads the statement of a bank or an operator: camt.053, MT940, OFX, or a sheet. The first bytes decide, not the name.

    read(file, name, words) -> Statement

`file` is an open file: an upload is spooled, and may be on the disk. `words` maps headers of a provider's own sheets to
the fields of FIELDS. Nothing is judged here: SQL adds up the lines.

mt-940 reads its format. The packages for camt.053 bring a web framework or pandas, and the licence of ofxtools (GPL 3)
would bind the service, so both formats are read here, without entities: a document type is refused.
"""

import io
import logging
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from html import unescape
from typing import Any, BinaryIO

import msgspec

from app.base.failure import Failure
from app.database.catalogue import Attribute, PgType

LINES = 100_000
_MARKS = 2_000_000  # of a marked-up file: each makes an object
_DEEP = 64  # elements inside each other
_BLOCKS = 10_000  # statements of a file of MT940
_LONG = 4096  # bytes of a line of MT940: the patterns of mt-940 look at a line again and again
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
_SHEET = PgType("tresorerie", "releve", "composite")
_SHEET.attributes = [Attribute(name, kind, label) for name, (label, kind) in FIELDS.items()]
_AMOUNT = re.compile(r"[+-]?[0-9]{1,15}(?:[.,][0-9]{0,2}0{0,4})?")
_TAG = re.compile(r"<(/?)([A-Z0-9._]+)>([^<]*)")
_NO_REFERENCE = frozenset(("", "0", "NONREF", "NOTPROVIDED", "NOTAVAILABLE"))
_UNREADABLE = "Ce relevé n'est pas lisible : demandez-en un autre fichier à votre banque."
_TOO_LONG = "Ce relevé est trop long : demandez-en un pour chaque mois."


class BadStatement(Failure):
    """The file cannot be used. The message says to the user what to do."""


class Line(msgspec.Struct, omit_defaults=True):
    """Amounts are texts of decimals; what leaves the account is negative."""

    jour: str
    libelle: str
    montant: str
    ligne: int  # of the sheet, or its rank in the statement
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


@dataclass(frozen=True, slots=True)
class Statement:
    format: str  # tresorerie.format_releve
    parties: list[Part]


def read(file: BinaryIO, name: str, words: Mapping[str, str]) -> Statement:
    """The statement of a file. Raises BadStatement."""
    file.seek(0)
    start = file.read(4096).replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xfe\xff \t\r\n")
    file.seek(0)
    if start[:9].upper() == b"OFXHEADER" or b"<OFX" in start.upper():
        statement = Statement("OFX", _tried(_ofx, file.read()))
    elif start.startswith(b"<"):
        statement = Statement("CAMT_053", _tried(_camt, file.read()))
    elif re.search(rb"(?m)^:20:", start):
        statement = Statement("MT940", _tried(_mt940, file.read()))
    else:
        statement = Statement("FEUILLE", [_sheet(file, words)])
    if not statement.parties:
        raise BadStatement("Ce fichier n'a pas de relevé de compte.")
    if sum(len(part.lignes) for part in statement.parties) > LINES:
        raise BadStatement(_TOO_LONG)
    return statement


def _tried(parse: Callable[[bytes], Iterable[Part]], data: bytes) -> list[Part]:
    """The parts that a parser finds in a file. The file is at fault in whatever the parser raises."""
    if data.count(b"<") > _MARKS:
        raise BadStatement(_TOO_LONG)
    try:
        return list(parse(data))
    except BadStatement:
        raise
    except Exception:
        raise BadStatement(_UNREADABLE) from None


# ---- camt.053


class _Tree(ET.TreeBuilder):
    """Elements by their local names. A document type is refused before any of its entities is declared."""

    depth = 0

    def doctype(self, *_: object) -> None:
        raise BadStatement(_UNREADABLE)

    def start(self, tag: Any, attributes: dict[Any, Any], /) -> ET.Element:
        self.depth += 1
        if self.depth > _DEEP:
            raise BadStatement(_UNREADABLE)
        return super().start(tag.rpartition("}")[2], attributes)

    def end(self, tag: str, /) -> ET.Element:
        self.depth -= 1
        return super().end(tag.rpartition("}")[2])


def _camt(data: bytes) -> Iterator[Part]:
    parser = ET.XMLParser(target=_Tree())  # noqa: S314 - _Tree knows no entities
    parser.feed(data)
    for statement in parser.close().iterfind("BkToCstmrStmt/Stmt"):
        balances = {_at(one, "Tp/CdOrPrtry/Cd"): _signed(one) for one in statement.iterfind("Bal")}
        entries = (one for one in statement.iterfind("Ntry") if _at(one, "Sts/Cd", "Sts") in ("BOOK", None))
        yield Part(
            [_camt_line(entry, rank) for rank, entry in enumerate(entries, 1)],
            compte=_at(statement, "Acct/Id/IBAN", "Acct/Id/Othr/Id"),
            devise=next((one.get("Ccy") for one in statement.iterfind("Bal/Amt")), None),
            ouverture=balances.get("OPBD", balances.get("PRCD")),
            cloture=balances.get("CLBD"),
        )


def _camt_line(entry: ET.Element, rank: int) -> Line:
    details = entry.findall("NtryDtls/TxDtls")
    alone = details[0] if len(details) == 1 else entry
    paths = ("RmtInf/Ustrd", "AddtlTxInf", "RltdPties/*/Pty/Nm", "RltdPties/*/Nm")
    texts = [one.text for path in paths for one in entry.iterfind(f"NtryDtls/TxDtls/{path}")]
    day = _at(entry, "BookgDt/Dt", "BookgDt/DtTm", "ValDt/Dt", "ValDt/DtTm")
    reference = _at(alone, "Refs/EndToEndId"), _at(alone, "Refs/InstrId"), _at(entry, "NtryRef")
    identifier = _at(entry, "AcctSvcrRef"), _at(alone, "Refs/AcctSvcrRef"), _at(alone, "Refs/TxId")
    return _line(rank, (day or "")[:10], _signed(entry), [*texts, _at(entry, "AddtlNtryInf")], reference, identifier)


def _at(element: ET.Element, *paths: str) -> str | None:
    """The text at the first of these paths that has one."""
    texts = (element.findtext(path, "").strip() for path in paths)
    return next(filter(None, texts), None)


def _signed(element: ET.Element) -> str:
    amount = Decimal(_amount(_at(element, "Amt")))
    return str(-amount if _at(element, "CdtDbtInd") == "DBIT" else amount)


# ---- MT940


def _mt940(data: bytes) -> Iterator[Part]:
    import mt940

    logging.getLogger("mt940").setLevel(logging.CRITICAL + 1)  # it logs the lines that it does not understand
    if max(map(len, data.splitlines())) > _LONG or data.count(b":20:") > _BLOCKS or data.count(b"\n:") > 3 * LINES:
        raise BadStatement(_TOO_LONG)
    for block in mt940.parse_statements(io.BytesIO(data), "utf-8"):
        balances = {
            end: next((block.data[name] for kind in ("final_", "", "intermediate_")
                       if (name := f"{kind}{end}_balance") in block.data), None) for end in ("opening", "closing")
        }  # fmt: skip
        opening, closing = (one and _amount(str(one.amount.amount)) for one in balances.values())
        yield Part(
            [_mt940_line(one.data, rank) for rank, one in enumerate(block, 1) if "amount" in one.data],
            compte=block.data.get("account_identification"),
            devise=balances["opening"] and balances["opening"].amount.currency,
            ouverture=opening,
            cloture=closing,
        )


def _mt940_line(data: Mapping[str, Any], rank: int) -> Line:
    texts = [data.get(name) for name in ("transaction_details", "purpose", "applicant_name", "extra_details")]
    day = str(data.get("entry_date") or data["date"])
    reference, identifier = [data.get("customer_reference")], [data.get("bank_reference")]
    return _line(rank, day, _amount(str(data["amount"].amount)), texts, reference, identifier)


# ---- OFX


def _ofx(data: bytes) -> Iterator[Part]:
    plain = re.sub(rb"<!\[CDATA\[([^<>\]]*)\]\]>", rb"\1", data[data.upper().index(b"<OFX") :])
    if b"<!" in plain:
        raise BadStatement(_UNREADABLE)
    try:
        text = plain.decode()
    except UnicodeDecodeError:
        text = plain.decode("cp1252", "replace")
    root = _ofx_tree(text)
    for statement in (one for kind in ("STMTRS", "CCSTMTRS") for one in root.iter(kind)):
        balance = _at(statement, ".//LEDGERBAL//BALAMT")
        yield Part(
            [_ofx_line(entry, rank) for rank, entry in enumerate(statement.iter("STMTTRN"), 1)],
            compte=_at(statement, "BANKACCTFROM//ACCTID", "CCACCTFROM//ACCTID"),
            devise=_at(statement, "CURDEF"),
            cloture=balance and _amount(balance),
        )


def _ofx_tree(text: str) -> ET.Element:
    """The first form of OFX closes no element that has a value, and the second one is XML."""
    tree, opened = _Tree(), list[str]()
    for closing, tag, value in _TAG.findall(text):
        if not closing:
            tree.start(tag, {})
            if value.strip():
                tree.data(unescape(value.strip()))
                tree.end(tag)
            else:
                opened.append(tag)
        elif tag in opened:
            while (last := opened.pop()) != tag:
                tree.end(last)  # an element without a value, never closed
            tree.end(tag)
    return tree.close()


def _ofx_line(entry: ET.Element, rank: int) -> Line:
    values = {one.tag: one.text for one in entry.iter()}
    day = values.get("DTPOSTED") or ""
    texts = [values.get(name) for name in ("NAME", "MEMO")]
    reference, identifier = [values.get("CHECKNUM"), values.get("REFNUM")], [values.get("FITID")]
    amount = _amount(values.get("TRNAMT"))
    return _line(rank, f"{day[:4]}-{day[4:6]}-{day[6:8]}", amount, texts, reference, identifier)


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
        named = columns.recognise(headers, _SHEET, given)
        fields = [(place, name, cells.converter(FIELDS[name][1])) for place, header in enumerate(headers)
                  if (name := named.get(header))]  # fmt: skip
        known = {name for _, name, _ in fields}
        if "date" not in known or not known & {"debit", "credit", "montant"}:
            raise BadStatement("Un relevé a les colonnes date, libelle, reference, debit, credit, solde.")
        lines = []
        for number, row in rows:
            try:
                values = {name: convert(row[place]) for place, name, convert in fields if row[place] != ""}
                if values.keys() & {"debit", "credit", "montant", "solde"}:  # a row without any is a remark
                    lines.append(_sheet_line(number, values))
            except (cells.BadCell, BadStatement) as problem:
                raise BadStatement(f"Ligne {number} : {problem}") from None
        return Part(lines)
    except guard.BadSheet as problem:
        raise BadStatement(str(problem)) from None


def _sheet_line(number: int, values: Mapping[str, str]) -> Line:
    """A row with a balance alone is a line of 0, whose balance SQL compares too."""
    debit, credit, amount = (Decimal(_amount(values.get(name, "0"))) for name in ("debit", "credit", "montant"))
    line = _line(number, values.get("date", ""), str(credit - abs(debit) + amount), [values.get("libelle")],
                 [values.get("reference")], [values.get("identifiant")])  # fmt: skip
    line.solde = _amount(values["solde"]) if "solde" in values else None
    return line


# ---- values


def _line(
    rank: int, day: str, amount: str, texts: Iterable[str | None], reference: Iterable[str | None],
    identifier: Iterable[str | None],
) -> Line:  # fmt: skip
    try:
        date.fromisoformat(day)
    except ValueError:
        raise BadStatement(f"« {day[:40]} » n'est pas une date.") from None
    return Line(day, _text(*texts) or "Sans libellé", amount, rank, _named(reference), _named(identifier))


def _amount(text: str | None) -> str:
    if not _AMOUNT.fullmatch(text or ""):
        raise BadStatement(f"« {(text or '')[:40]} » n'est pas un montant.")
    return (text or "").replace(",", ".").lstrip("+").removesuffix(".")


def _text(*texts: str | None) -> str:
    """Different texts as one, on one line."""
    parts = dict.fromkeys(" ".join(text.split()) for text in texts if text)
    return "".join(char for char in " ".join(parts) if char.isprintable())[:500].strip()


def _named(texts: Iterable[str | None]) -> str | None:
    """The first text that is a reference."""
    return next((text for text in (_text(text)[:200] for text in texts) if text.upper() not in _NO_REFERENCE), None)
