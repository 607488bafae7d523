"""Every list: pages by cursor in each of its orders, and the files of ?format=. The catalogue names the lists."""

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from itertools import cycle
from typing import Any
from urllib.parse import parse_qs, urlsplit

from openpyxl import load_workbook

from app import routes
from app.base.formulas import original
from app.database.catalogue import Function
from app.database.words import label
from app.http.route import Route
from tests.conftest import Db, Http
from tests.house.rule import holds
from tests.preuve import selon
from tests.witness import Witness, key, required

KEY = re.compile(r"v\.(id_\w+|cle)( desc)?")
CALL = re.compile(r"core\._liste\('([\w.]+)',.*?'(v\.[^']*)',\s*(?:p_sort|null)", re.DOTALL)


def lists(http: Http) -> Iterator[tuple[Route, Function]]:
    """The routes of JSON for users whose function returns rows."""
    for route in routes.load().routes:
        if route.method == "GET" and route.function and not (route.handler or route.media or route.public):
            function = http.services.catalogue.functions[route.function]
            if function.returns_set:
                yield route, function


def place(http: Http, document: Any, keys: dict[str, str], route: Route) -> tuple[Http, str, dict[str, str]]:
    """A client that may read the list, the path with existing rows, and the parameters that it requires."""
    path = re.sub(r"{(\w+)}", lambda match: str(key(keys, route.path, match[1])), route.path)
    client = http.as_user(keys["resident"]) if "/portail" in path else http
    return client, path, required(document["paths"][route.path]["get"], keys)


def test_every_list_documents_its_cursor_and_its_files(http: Http, document: Any) -> None:
    for route, function in lists(http):
        operation = document["paths"][route.path]["get"]
        parameters = {p.get("name"): p for p in operation["parameters"]}
        assert {"csv", "xlsx"} < set(parameters["format"]["schema"]["enum"]), route.path
        assert {"text/csv; charset=utf-8", "application/json"} < operation["responses"]["200"]["content"].keys()
        if function.paged:
            assert "apres" in parameters and "CURSEUR_INVALIDE" in operation["x-refus"], route.path


def test_every_list_by_pages_has_an_order_that_a_cursor_can_continue(http: Http, db: Db) -> None:
    """A cursor needs an order that ends in a key. Its ascending columns are never null, for null would come last."""
    broken = []
    for _, function in lists(http):
        if not function.paged:
            continue
        body = db.one("select prosrc from pg_proc where oid = %s::regproc", [function.qualified])
        calls = CALL.findall(re.sub(r"\$filtre\$.*?\$filtre\$", "''", body, flags=re.DOTALL))
        if len(calls) != 1:
            # One sorts by the expressions of an index, the other carries a balance in its cursor.
            if function.qualified not in ("residence.suivi_lister", "compta.grand_livre"):
                broken.append(f"{function.qualified} does not call core._liste once, with an order in its text")
            continue
        view, order = calls[0]
        columns = order.split(", ")
        if not KEY.fullmatch(columns[-1]):
            broken.append(f"{function.qualified} does not end its order in a key: {order}")
        nullable = {a.name for a in function.returns.attributes if a.nullable}
        broken += [
            f"{function.qualified} sorts {view} by {column}, which may be null"
            for column in columns
            if not column.endswith(" desc") and column.removeprefix("v.") in nullable
        ]
    holds("a list by pages has an order that a cursor can continue", broken, "end the order in the key of the rows")


def test_the_pages_of_every_list_in_every_order_make_the_whole(
    http: Http, document: Any, witness: Witness, keys: dict[str, str]
) -> None:
    """The short form sorts one column of each type, null and not null, in turns up and down."""
    walked = 0
    for route, function in lists(http):
        if not function.paged:
            continue
        client, path, needed = place(witness.http, document, keys, route)
        columns = [a for a in function.returns.attributes if a.type.kind not in ("composite", "array")]
        kinds = {(a.type.root.name, a.nullable): a.name for a in columns}
        sorts: list[dict[str, str]] = [{}]
        if any(parameter.name == "sort" for parameter in function.parameters):
            few = zip(kinds.values(), cycle(("asc", "desc")))
            every = [(name, order) for name in (a.name for a in columns) for order in ("asc", "desc")]
            sorts += [{"sort": name, "order": order} for name, order in selon([*few], every)]
        for sort in sorts:
            whole = client.get(path, params=needed | sort)
            assert whole.status_code == 200, (path, sort, whole.text)
            rows = whole.json()
            size = max(1, len(rows) // 3)
            page = client.get(path, params=needed | sort | {"limit": str(size)})
            pages = page.json()
            while "link" in page.headers:
                address = page.headers["link"].partition(">")[0][1:]
                assert "apres" in parse_qs(urlsplit(address).query), (path, sort)
                page = client.get(address)
                assert page.status_code == 200, (path, sort, page.text)
                pages += page.json()
                walked += 1
            assert pages == rows, (path, sort)
    assert walked > selon(150, 500)


def test_every_list_answers_its_rows_as_csv_and_xlsx(
    http: Http, document: Any, witness: Witness, keys: dict[str, str]
) -> None:
    for route, function in lists(http):
        if route.report is not None and not function.paged:
            continue  # it has the layout of a report
        client, path, needed = place(witness.http, document, keys, route)
        rows = client.get(path, params=needed).json()
        names = [*route.columns] or [attribute.name for attribute in function.returns.attributes] or ["valeur"]
        answer = client.get(path, params=needed | {"format": "csv"})
        assert answer.status_code == 200, (path, answer.text)
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.headers["content-disposition"].endswith('.csv"')
        assert answer.content.startswith(b"\xef\xbb\xbf"), path
        header, *lines = csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""), delimiter=";")
        assert header == names, path
        answers = [row if isinstance(row, dict) else {"valeur": row} for row in rows]
        if route.path != "/api/v1/audit/journal":  # reading a list may add to it
            assert [
                [same(cell, row[name]) for cell, name in zip(line, names, strict=True)]
                for line, row in zip(lines, answers, strict=True)
            ] == [[True] * len(names)] * len(rows), path
        answer = client.get(path, params=needed | {"format": "xlsx"})
        assert answer.status_code == 200, (path, answer.text)
        [sheet] = load_workbook(io.BytesIO(answer.content)).worksheets
        first, *cells = sheet.iter_rows(values_only=True)
        assert list(first) == [label(name) for name in names] and len(cells) == len(rows), path
        for cell_row, row in zip(cells, answers, strict=True):
            for cell, name in zip(cell_row, names, strict=True):
                assert typed(cell, row[name]), (path, name, cell, row[name])
        assert client.get(path, params=needed | {"format": "exe"}).status_code == 400, path


def same(cell: str, value: Any) -> bool:
    """Whether a CSV cell is the JSON value."""
    if value is None:
        return cell == ""
    if isinstance(value, bool):
        return cell == ("true" if value else "false")
    if isinstance(value, dict | list):
        return bool(json.loads(cell) == value)
    if isinstance(value, int | float):
        return Decimal(cell) == Decimal(str(value))
    return cell == value or original(cell) == value


def typed(cell: Any, value: Any) -> bool:
    """Whether a cell of a workbook is the JSON value, typed."""
    if isinstance(cell, datetime):
        return str(value).startswith(f"{cell:%Y-%m-%d}") or str(value).endswith("Z")
    if isinstance(value, dict | list):
        return bool(json.loads(cell) == value)
    if cell is None:
        return value in (None, "")
    if isinstance(cell, bool):
        return cell is value
    if isinstance(cell, int | float):
        return Decimal(str(cell)) == Decimal(str(value))
    if isinstance(cell, date):
        return cell.isoformat() == value
    return str(cell).replace("\n", "") == str(value).replace("\r", "").replace("\n", "")
