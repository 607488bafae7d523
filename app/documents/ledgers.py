"""The ledger as a file for hledger or beancount, made in parts.

Each document is one transaction. An account is declared before the first one that names it. Both programs refuse a file
whose transactions do not balance.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

# The root of an account in beancount, by the beginning of its number.
_ROOTS = {"1": "Equity", "2": "Assets", "3": "Assets", "4": "Assets", "5": "Assets", "6": "Expenses", "7": "Income"}
_ROOTS |= {"8": "Expenses", "9": "Assets", **dict.fromkeys(("82", "84", "86", "88"), "Income")}
_ROOTS |= dict.fromkeys(("16", "17", "18", "19", "40", "42", "43", "44"), "Liabilities")

# The head of a file, the declaration of an account and the head of a transaction.
_FORMS = {
    "beancount": (
        'option "operating_currency" "{currency}"\n',
        "\n{date} open {account}\n",
        '\n{date} * "{piece}" "{label}"\n',
    ),
    "hledger": ("commodity 1000.00 {currency}\n", "\naccount {account}\n", "\n{date} ({piece}) {label}\n"),
}


class Ledger:
    """Writes the rows of compta.ecriture_lister, in their order."""

    def __init__(self, file_format: str, currency: str) -> None:
        self._head, self._open, self._begin = _FORMS[file_format]
        self._rooted = file_format == "beancount"
        letters = re.sub("[^A-Z]", "", currency.upper())
        self._currency = letters if 2 <= len(letters) <= 20 else "XXX"  # as beancount wants it
        self._rows: list[dict[str, Any]] = []  # of the document that may go on
        self._declared: set[str] = set()

    def head(self) -> bytes:
        return self._head.format(currency=self._currency).encode()

    def part(self, page: Sequence[dict[str, Any]]) -> bytes:
        lines: list[str] = []
        for row in page:
            if self._rows and _document(row) != _document(self._rows[0]):
                lines += self._transaction()
            self._rows.append(row)
        return "".join(lines).encode()

    def end(self) -> bytes:
        return "".join(self._transaction()).encode()

    def drop(self) -> None:
        pass

    def _transaction(self) -> Iterator[str]:
        rows, self._rows = self._rows, []
        for row in rows:
            if row["compte"] not in self._declared:
                self._declared.add(row["compte"])
                yield self._open.format(date=row["date"], account=self._name(row["compte"]))
        for row in rows[:1]:
            yield self._begin.format(date=row["date"], piece=_text(row["piece"]), label=_text(row["libelle"]))
        for row in rows:
            amount = Decimal(row["debit"] or 0) - Decimal(row["credit"] or 0)
            yield f"  {self._name(row['compte'])}  {amount} {self._currency}\n"

    def _name(self, account: str) -> str:
        return f"{_ROOTS.get(account[:2]) or _ROOTS[account[0]]}:{account}" if self._rooted else account


def _document(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["date"], row["type"], row["id_document"]


def _text(text: str) -> str:
    """A text on one line, without the signs that end a description or a string."""
    return re.sub(r'[\s";|()\\]+', " ", text).strip()
