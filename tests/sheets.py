"""Sheets for the tests of imports, and the requests that send them."""

import io
from collections.abc import Sequence
from typing import Any

import httpx
from openpyxl import Workbook

from tests.conftest import Db, Http, ok


def text(*rows: Sequence[Any], separator: str = ";") -> bytes:
    return "".join(separator.join(str(cell) for cell in row) + "\r\n" for row in rows).encode()


def workbook(*rows: Sequence[Any]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(list(row))
        for cell in book.active[book.active.max_row]:
            if isinstance(cell.value, str):
                cell.data_type = "s"  # never a formula
    return saved(book)


def saved(book: Workbook) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def send(http: Http, content: bytes, entite: str = "clients", name: str = "feuille", **fields: str) -> httpx.Response:
    return http.request("POST", "/imports", data={"entite": entite, **fields}, files={"file": (name, content)})


def tried(http: Http, content: bytes, entite: str = "clients", **fields: str) -> Any:
    """The answer to a trial that was made."""
    return ok(send(http, content, entite, **fields))


def done(http: Http, content: bytes, entite: str = "clients", **fields: str) -> Any:
    """Import the accepted rows of a sheet."""
    return ok(http.post(f"/imports/{tried(http, content, entite, **fields)['id_import']}/valider"))


def counts(answer: Any) -> tuple[int, int, int]:
    return answer["acceptees"], answer["deja"], answer["refusees"]


def errors(answer: Any) -> list[tuple[int, str | None]]:
    """The line and the property of each error."""
    return [(error["ligne"], error["champ"]) for error in answer["erreurs"]]


def problem(answer: httpx.Response) -> tuple[str, str]:
    """The property and the message of a refused sheet."""
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR"), answer.text
    detail = answer.json()["details"][0]
    return detail["property"], detail["messages"][0]


def fingerprint(db: Db) -> dict[str, str]:
    """A hash of every table but the tables of the import itself."""
    tables = db.all(
        """select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind in ('r', 'p') and not c.relispartition and c.relowner = 'comptoir_owner'::regrole
              and n.nspname not in ('echange', 'migration')"""
    )
    digest = "select md5(coalesce(string_agg(x::text, '|' order by x::text), '')) from {} x"
    return {row["name"]: db.one(digest.format(row["name"])) for row in tables}
