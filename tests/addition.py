"""Adds up an exported ledger by programs of others: hledger (Debian) and beancount (PyPI)."""

import csv
import io
import shutil
import subprocess
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from beancount import loader
from beancount.core import realization


def by_hledger(text: str) -> dict[str, Decimal]:
    """The balance of each account. hledger refuses an entry that does not balance, and what is not declared."""
    command = [
        "hledger",
        "--file",
        "-",
        "balance",
        "--strict",
        "--flat",
        "--no-total",
        "--empty",
        "--output-format",
        "csv",
    ]
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=False, env={"LC_ALL": "C.UTF-8"})
    assert run.returncode == 0, run.stderr[:2000]
    [_, *rows] = csv.reader(io.StringIO(run.stdout))
    return {account: Decimal(amount.split()[0].replace(",", "")) for account, amount in rows}


def by_beancount(text: str) -> dict[str, Decimal]:
    """The balance of each account, without the root that beancount puts before its number."""
    entries, errors, _ = loader.load_string(text)
    assert errors == [], errors[:5]
    ledger: Any = realization  # it has no types
    leaves = ledger.iter_children(ledger.realize(entries), leaf_only=True)
    return {
        leaf.account.partition(":")[2]: sum((position.units.number for position in leaf.balance), Decimal())
        for leaf in leaves
    }


ADDERS = {"beancount": by_beancount, "hledger": by_hledger}
_MISSING = pytest.mark.skipif(not shutil.which("hledger"), reason="hledger manque : apt-get install hledger")
PROGRAMS = [pytest.param("hledger", marks=_MISSING), "beancount"]


def balances(http: Any, last: date) -> dict[str, Decimal]:
    """The balance of each account at the evening of a day."""
    rows = http.get("/compta/balance", params={"au": str(last)}).json()
    # No line is on 130 here: it shows the result of the years before.
    shown = [row for row in rows if row["compte"] not in ("TOTAL", "130")]
    return {row["compte"]: Decimal(row["solde_debit"]) - Decimal(row["solde_credit"]) for row in shown}


def differences(http: Any, program: str, year: int) -> list[str]:
    """The accounts whose lines of a year a program adds up otherwise than the balances at both ends of the year say."""
    last = date(year, 12, 31)
    before = balances(http, date(year - 1, 12, 31))
    lines = {
        account: amount - (0 if account[0] in "678" else before.get(account, 0))
        for account, amount in (dict.fromkeys(before, Decimal()) | balances(http, last)).items()
    }
    file = http.get("/compta/export", params={"du": f"{year}-01-01", "au": str(last), "format": program})
    assert file.status_code == 200, file.text
    added = ADDERS[program](file.text)
    return [
        f"compte {account} : {added.get(account)} au lieu de {amount}"
        for account, amount in (dict.fromkeys(added, Decimal()) | lines).items()
        if added.get(account, 0) != amount
    ]
