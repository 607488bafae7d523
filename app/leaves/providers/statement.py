"""Reads the statement of a bank or an operator: camt.053, MT940, OFX, or a sheet. The first bytes decide, not the name.

    read(file, sheet, words) -> the label of tresorerie.format_releve, and the parts of the file

`file` may be on the disk. The fields of the type `sheet` are the columns of a sheet, and `words` maps headers of a
provider's own sheets to them. sql/tresorerie/_releve.sql says what a part is, reads its values and adds up its lines.

mt-940 reads its format. The packages for camt.053 bring a web framework or pandas, and the licence of ofxtools (GPL 3)
would bind the service, so both formats are read here, without entities: a document type is refused.
"""

import io
import logging
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape, unescape
from typing import Any, BinaryIO

from app.base.failure import Failure
from app.database.catalogue import PgType

Part = dict[str, Any]
LINES = 100_000
_MARKS = 2_000_000  # of a marked-up file: each makes an object
_DEEP = 64  # elements inside each other
_BLOCKS = 10_000  # statements of a file
# Elements that are read once each, so none may be inside another of its name: a descendant would be read for each.
_READ_ONCE = {"Stmt": _BLOCKS, "STMTRS": _BLOCKS, "CCSTMTRS": _BLOCKS, "Ntry": LINES, "STMTTRN": LINES}
_LONG = 4096  # bytes of a line of MT940: the patterns of mt-940 look at a line again and again
_VALUE = re.compile(r"<([A-Z0-9._]+)>\s*([^<\s][^<]*)(?:</\1>)?")
_OPENED, _CLOSED = re.compile(r"<([A-Z0-9._]+)>"), re.compile(r"</([A-Z0-9._]+)>")
_UNREADABLE = "Ce relevé n'est pas lisible : demandez-en un autre fichier à votre banque."
_TOO_LONG = "Ce relevé est trop long : demandez-en un pour chaque mois."

# Where camt.053 and OFX have what. No tag is of both, so one reader takes the first path that leads to a text.
_BALANCE, _DETAIL = "Bal/Tp/CdOrPrtry[Cd='{}']/../..", "NtryDtls/TxDtls/"
_NAMED = ("RmtInf/Ustrd", "AddtlTxInf", "RltdPties/*/Pty/Nm", "RltdPties/*/Nm")
_PARTS, _ENTRIES = ("BkToCstmrStmt/Stmt", ".//STMTRS", ".//CCSTMTRS"), ("Ntry", ".//STMTTRN")
_PART = {"compte": ("Acct/Id/IBAN", "Acct/Id/Othr/Id", "BANKACCTFROM//ACCTID", "CCACCTFROM//ACCTID"),
         "devise": ("Bal/Amt@Ccy", "CURDEF")}  # fmt: skip
_BALANCES = {"ouverture": (_BALANCE.format("OPBD"), _BALANCE.format("PRCD")),
             "cloture": (_BALANCE.format("CLBD"), ".//LEDGERBAL")}  # fmt: skip
_ENTRY = {
    "libelle": (*(_DETAIL + path for path in _NAMED), "AddtlNtryInf", ".//NAME", ".//MEMO"),
    "reference": (_DETAIL + "Refs/EndToEndId", _DETAIL + "Refs/InstrId", "NtryRef", ".//CHECKNUM", ".//REFNUM"),
    "identifiant": ("AcctSvcrRef", _DETAIL + "Refs/AcctSvcrRef", _DETAIL + "Refs/TxId", ".//FITID"),
}
_DAY = ("BookgDt/Dt", "BookgDt/DtTm", "ValDt/Dt", "ValDt/DtTm", ".//DTPOSTED")
_AMOUNT = ("Amt", ".//TRNAMT", ".//BALAMT")


def read(file: BinaryIO, sheet: PgType, words: Mapping[str, str]) -> tuple[str, list[Part]]:
    """Raises Failure, whose message says to the user what to do."""
    file.seek(0)
    start = file.read(4096).replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xfe\xff \t\r\n")
    file.seek(0)
    if start[:9].upper() == b"OFXHEADER" or b"<OFX" in start.upper():
        kind, parts = "OFX", _tried(_ofx, file.read())
    elif start.startswith(b"<"):
        kind, parts = "CAMT_053", _tried(_camt, file.read())
    elif re.search(rb"(?m)^:20:", start):
        kind, parts = "MT940", _tried(_mt940, file.read().replace(b"\0", b""))
    else:
        kind, parts = "FEUILLE", [{"lignes": _sheet(file, sheet, words)}]
    if not parts:
        raise Failure("Ce fichier n'a pas de relevé de compte.")
    if sum(len(part["lignes"]) for part in parts) > LINES:
        raise Failure(_TOO_LONG)
    return kind, parts


def _tried(parse: Callable[[bytes], Iterable[Part]], data: bytes) -> list[Part]:
    """The parts that a parser finds in a file. The file is at fault in whatever the parser raises."""
    if data.count(b"<") > _MARKS:
        raise Failure(_TOO_LONG)
    try:
        return list(parse(data))
    except Exception as error:
        raise error if isinstance(error, Failure) else Failure(_UNREADABLE) from None


class _Tree(ET.TreeBuilder):
    """Elements by their local names. A document type is refused before any of its entities is declared."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.open: set[str] = set()
        self.counts: Counter[str] = Counter()

    def doctype(self, *_: object) -> None:
        raise Failure(_UNREADABLE)

    def start(self, tag: Any, attributes: dict[Any, Any], /) -> ET.Element:
        name = tag.rpartition("}")[2]
        self.depth += 1
        if self.depth > _DEEP or name in self.open:
            raise Failure(_UNREADABLE)
        if name in _READ_ONCE:
            self.open.add(name)
            self.counts[name] += 1
            if self.counts[name] > _READ_ONCE[name]:
                raise Failure(_TOO_LONG)
        return super().start(name, attributes)

    def end(self, tag: str, /) -> ET.Element:
        name = tag.rpartition("}")[2]
        self.depth -= 1
        self.open.discard(name)
        return super().end(name)


def _camt(data: bytes | str) -> Iterator[Part]:
    return _marked(ET.fromstring(data, ET.XMLParser(target=_Tree())))  # noqa: S314 - _Tree knows no entities


def _ofx(data: bytes) -> Iterator[Part]:
    """The second form of OFX is XML. The first one closes no element that has a value, and may close none without."""
    plain = re.sub(rb"<!\[CDATA\[([^<>\]]*)\]\]>", rb"\1", data[data.upper().index(b"<OFX") : data.rindex(b">") + 1])
    try:
        text = plain.decode()
    except UnicodeDecodeError:
        text = plain.decode("cp1252", "replace")
    text = _VALUE.sub(lambda match: f"<{match[1]}>{escape(unescape(match[2]))}</{match[1]}>", text)
    closed = frozenset(_CLOSED.findall(text))
    return _camt(_OPENED.sub(lambda match: match[0] if match[1] in closed else "", text))


def _marked(root: ET.Element) -> Iterator[Part]:
    for part in _elements(root, _PARTS):
        entries = (one for one in _elements(part, _ENTRIES) if _first(one, ("Sts/Cd", "Sts")) in ("BOOK", None))
        balances = {name: next(_elements(part, paths), None) for name, paths in _BALANCES.items()}
        read = {name: _first(part, paths) for name, paths in _PART.items()}
        read |= {name: total for name, one in balances.items() if one is not None and (total := _sum(one))}
        yield {"lignes": [*map(_entry, entries)], **read}


def _entry(entry: ET.Element) -> Part:
    if len(details := entry.findall(_DETAIL[:-1])) > 1:  # of several payments in one line none gives its reference
        for one in details:
            one[:] = [part for part in one if part.tag != "Refs"]
    texts = {name: [text for path in paths for text in _texts(entry, path)] for name, paths in _ENTRY.items()}
    return {"jour": _first(entry, _DAY) or "", "montant": _sum(entry), **texts}


def _elements(element: ET.Element, paths: Iterable[str]) -> Iterator[ET.Element]:
    return (one for path in paths for one in element.iterfind(path))


def _texts(element: ET.Element, path: str) -> list[str]:
    place, _, attribute = path.partition("@")
    values = ((one.get(attribute) if attribute else one.text) or "" for one in element.iterfind(place))
    return [value.strip() for value in values if value.strip()]


def _first(element: ET.Element, paths: Iterable[str]) -> str | None:
    return next((text for path in paths for text in _texts(element, path)), None)


def _sum(element: ET.Element) -> str:
    return ("-" if _first(element, ["CdtDbtInd"]) == "DBIT" else "") + (_first(element, _AMOUNT) or "")


def _mt940(data: bytes) -> Iterator[Part]:
    import mt940

    logging.getLogger("mt940").setLevel(logging.CRITICAL + 1)  # it logs the lines that it does not understand
    if max(map(len, data.splitlines())) > _LONG or data.count(b":20:") > _BLOCKS or data.count(b"\n:") > 3 * LINES:
        raise Failure(_TOO_LONG)
    for block in mt940.parse_statements(io.BytesIO(data), "utf-8"):
        part = {"lignes": [_booked(one.data) for one in block if "amount" in one.data],
                "compte": block.data.get("account_identification")}  # fmt: skip
        for kind in ("intermediate_", "", "final_"):
            for end, name in (("opening", "ouverture"), ("closing", "cloture")):
                if balance := block.data.get(f"{kind}{end}_balance"):
                    part |= {name: str(balance.amount.amount), "devise": balance.amount.currency}
        yield part


def _booked(data: Mapping[str, Any]) -> Part:
    texts = [data.get(name) for name in ("transaction_details", "purpose", "applicant_name", "extra_details")]
    return {"jour": str(data.get("entry_date") or data["date"]), "montant": str(data["amount"].amount),
            "libelle": texts, "reference": data.get("customer_reference"),
            "identifiant": data.get("bank_reference")}  # fmt: skip


def _sheet(file: BinaryIO, sheet: PgType, words: Mapping[str, str]) -> list[Part]:
    try:
        from app.leaves.echange.sheets import rows
    except ModuleNotFoundError:
        raise Failure("Cette installation ne lit pas les feuilles : envoyez un fichier de votre banque.") from None
    known, lines = rows.read(file, sheet, words)
    if "jour" not in known or not known & {"debit", "credit", "montant"}:
        raise Failure("Un relevé a les colonnes date, libelle, reference, debit, credit, solde.")
    return [{"jour": "", **row, "ligne": line} for line, row in lines]
