"""Lists as files: all rows page by page, the bounds and refusals of the list, and nothing left behind."""

import csv
import io
from typing import Any

import httpx
import pytest
from openpyxl import load_workbook

from app.base.formulas import harmless, original
from app.documents import workbook
from tests import builders
from tests.conftest import Db, Http, refusal

SETTINGS = "/core/parametres"
HOSTILE = [
    "=1+1", "+225 07", "-2", "@SUM(A1)", "\t=1", " =1", "'=1", "''=1", "'texte", "l'eau", "＝1", 'a;b\n"c"', "é", "'",
    "' ='",
]  # fmt: skip


def sheets(answer: httpx.Response) -> list[Any]:
    return load_workbook(io.BytesIO(answer.content)).worksheets


def read(answer: httpx.Response) -> list[dict[str, str]]:
    """The rows of a CSV file as texts before the prefix of formulas."""
    assert answer.status_code == 200, answer.text
    lines = csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""), delimiter=";")
    header, *rows = lines
    return [{name: original(cell) for name, cell in zip(header, row, strict=True)} for row in rows]


@pytest.fixture
def settings(db: Db) -> int:
    """2,345 settings whose key begins with LONG_."""
    db.execute("insert into core.parametre (cle, valeur) select 'LONG_' || n, n::text from generate_series(1, 2345) n")
    return 2345


def test_a_file_has_all_rows_and_with_a_limit_its_page(http: Http, settings: int) -> None:
    admin = http.as_admin()
    whole = [row["cle"] for row in read(admin.get(SETTINGS, params={"cle": "long_", "format": "csv"}))]
    assert len(whole) == settings and whole == sorted(set(whole))
    for params, expected in [
        ({"limit": "10"}, whole[:10]),
        ({"limit": "10", "offset": "5"}, whole[5:15]),
        ({"offset": "2000"}, whole[2000:]),
    ]:
        answer = admin.get(SETTINGS, params={"cle": "long_", "format": "csv"} | params)
        assert [row["cle"] for row in read(answer)] == expected, params
    page = admin.get(SETTINGS, params={"cle": "long_", "limit": "1000"})
    address = page.headers["link"].partition(">")[0][1:]
    assert [row["cle"] for row in read(admin.get(f"{address}&format=csv"))] == whole[1000:2000]
    rest = address.replace("limit=1000&", "")
    assert [row["cle"] for row in read(admin.get(f"{rest}&format=csv"))] == whole[1000:]


def test_a_csv_file_is_sent_page_by_page(http: Http, settings: int) -> None:
    admin = http.as_admin()
    sent: list[dict[str, Any]] = []
    admin.runner.run(exchange(admin, f"{SETTINGS}?cle=long_&format=csv", sent))
    head, *parts = sent
    assert head["status"] == 200 and b"content-length" not in dict(head["headers"])
    assert [part.get("body", b"").count(b"\n") for part in parts] == [1001, 1000, 345, 0]
    assert [part.get("more_body", False) for part in parts] == [True, True, True, False]


def test_a_disconnect_ends_the_work(http: Http, settings: int) -> None:
    """No page is read after it, and the next file of the user waits for nothing."""
    admin = http.as_admin()
    sent: list[dict[str, Any]] = []
    admin.runner.run(exchange(admin, f"{SETTINGS}?cle=long_&format=csv", sent, leave_after=2))
    assert len(sent) < 5 and all(part.get("more_body", True) for part in sent)
    assert len(read(admin.get(SETTINGS, params={"cle": "long_", "format": "csv"}))) == settings


async def exchange(client: Http, address: str, sent: list[dict[str, Any]], leave_after: int = 100) -> None:
    """One request over plain ASGI. The caller disconnects after so many messages."""
    import asyncio

    left = asyncio.Event()
    path, _, query = f"/api/v1{address}".partition("?")

    async def receive() -> dict[str, Any]:
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)
        if len(sent) >= leave_after:
            left.set()
            await asyncio.Event().wait()  # until the disconnect cancels the work: no statement runs at that moment

    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path,
        "raw_path": path.encode(), "root_path": "", "query_string": query.encode(), "client": ("127.0.0.1", 1),
        "server": ("essai", 80), "headers": [(b"authorization", f"Bearer {client.token}".encode())],
    }  # fmt: skip
    await client.transport.app(scope, receive, send)


def test_a_text_comes_back_from_csv_as_it_was(http: Http, db: Db) -> None:
    for n, text in enumerate(HOSTILE):
        db.execute("insert into core.parametre (cle, valeur) values (%s, %s)", [f"HOSTILE_{n:02}", text])
    admin = http.as_admin()
    rows = read(admin.get(SETTINGS, params={"cle": "hostile", "format": "csv"}))
    assert [row["valeur"] for row in rows] == HOSTILE
    [sheet] = sheets(admin.get(SETTINGS, params={"cle": "hostile", "format": "xlsx"}))
    column = [cell.value for cell in sheet[1]].index("Valeur")
    cells = [row[column] for row in sheet.iter_rows(min_row=2)]
    assert [cell.value for cell in cells] == HOSTILE and {cell.data_type for cell in cells} == {"s"}


@pytest.mark.parametrize("text", HOSTILE)
def test_a_prefix_against_formulas_is_removed_exactly(text: str) -> None:
    assert original(harmless(text)) == text
    assert not harmless(text).lstrip(" ").startswith(("=", "+", "-", "@", "\t"))


def test_an_amount_of_a_workbook_is_a_number(http: Http, db: Db) -> None:
    db.call("finances.paiement_creer", montant="1500.50", id_moyen=1, id_activite=2)
    [sheet] = sheets(http.as_admin().get("/finances/paiements?format=xlsx"))
    header, line = sheet.iter_rows(values_only=True)
    assert dict(zip(header, line, strict=True))["Montant"] == 1500.5


def test_a_file_keeps_the_bounds_of_its_caller(http: Http, db: Db) -> None:
    till, other = builders.caisse(db), builders.caisse(db)
    for each, motif in ((till, "la mienne"), (other, "une autre")):
        db.acting(builders.utilisateur(db, caisse=each))
        db.call("finances.paiement_creer", montant="100", id_moyen=1, motif=motif)
    db.acting(None)
    cashier = http.as_user(builders.utilisateur(db, caisse=till))
    assert [row["motif"] for row in read(cashier.get("/finances/paiements?format=csv"))] == ["la mienne"]
    assert [sheet.max_row for sheet in sheets(cashier.get("/finances/paiements?format=xlsx"))] == [2]


def test_a_file_refuses_as_its_list_does(http: Http, db: Db) -> None:
    admin = http.as_admin()
    clerk = http.as_user(builders.utilisateur(db, role="RH"))
    for kind in ("csv", "xlsx"):
        for client, query, expected in [
            (admin, "sort=rien", (400, "TRI_INCONNU")),
            (admin, "limit=0", (400, "VALIDATION_ERROR")),
            (admin, "apres=x", (400, "CURSEUR_INVALIDE")),
            (clerk, "", (403, "FORBIDDEN")),
        ]:
            assert refusal(client.get(f"/finances/paiements?format={kind}&{query}")) == expected, (kind, query)
    for query, name in (("format=pdf", "format"), ("%66ormat=pdf", "format"), ("%69nstant=2026-01-01", "instant")):
        answer = admin.get(f"{SETTINGS}?{query}")
        assert (answer.status_code, answer.json()["details"][0]["property"]) == (400, name)


def test_an_empty_list_is_a_file_with_a_header(http: Http) -> None:
    admin = http.as_admin()
    params = {"cle": "aucune telle", "format": "csv"}
    assert admin.get(SETTINGS, params=params).text.startswith("\ufeffid_parametre;cle;valeur;")
    assert [sheet.max_row for sheet in sheets(admin.get(SETTINGS, params=params | {"format": "xlsx"}))] == [1]


def test_a_long_list_continues_on_another_sheet(http: Http, settings: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "ROWS", 1500)
    both = sheets(http.as_admin().get(SETTINGS, params={"cle": "long_", "format": "xlsx"}))
    assert [sheet.max_row for sheet in both] == [1501, 846]
    assert {sheet["B1"].value for sheet in both} == {"Clé"}


def test_a_workbook_is_sent_as_it_is_written(http: Http, settings: int) -> None:
    admin = http.as_admin()
    sent: list[dict[str, Any]] = []
    admin.runner.run(exchange(admin, f"{SETTINGS}?cle=long_&format=xlsx", sent))
    assert len([part for part in sent[1:] if part.get("body")]) > 2
    body = b"".join(part.get("body", b"") for part in sent[1:])
    [sheet] = load_workbook(io.BytesIO(body)).worksheets
    assert (sheet.max_row, sheet.freeze_panes, sheet["A1"].font.b) == (settings + 1, "A2", True)
    interrupted: list[dict[str, Any]] = []
    admin.runner.run(exchange(admin, f"{SETTINGS}?cle=long_&format=xlsx", interrupted, leave_after=2))
    assert len(interrupted) < 5
