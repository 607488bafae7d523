"""Reports as files, read back with Python's csv and with openpyxl. No cell is ever a formula."""

import csv
import io
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from openpyxl import load_workbook

from app import routes
from app.database.catalogue import Attribute, PgType
from app.documents.document import MEDIA
from app.documents.exports import to_csv
from app.documents.tables import Table, local, tables
from app.documents.workbook import to_xlsx
from tests import builders
from tests.conftest import refusal
from tests.tresorerie.argent import compte

HOSTILE = ["=1+1", "+225 07", "-2", "@SUM(A1)", "\t=1", '=HYPERLINK("http://exemple.ci")', 'a;b\n"c"', "é\x07x"]


def read(answer):
    """The tables of a CSV file: title (the first table has none), header and rows."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""), delimiter=";"))
    blocks, block = [], []
    for row in [*rows, []]:
        if row:
            block.append(row)
        elif block:
            blocks.append(block)
            block = []
    return blocks


def book(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == MEDIA["xlsx"]
    return load_workbook(io.BytesIO(answer.content))


@pytest.fixture
def payments(db):
    for amount, day, motif in [("100.50", "2026-07-31", "=1+1"), ("250", "2026-08-01", None)]:
        builders.paiement(db, amount, id_activite=2, date=day, motif=motif)


YEAR = {"du": "2026-01-01", "au": "2026-12-31"}


def test_a_list_is_exported_as_one_csv_table(http, payments):
    answer = http.as_admin().get("/rapports/series", params=YEAR | {"format": "csv"})
    assert answer.headers["content-disposition"] == 'attachment; filename="series-2026-01-01-2026-12-31.csv"'
    assert read(answer) == [
        [
            ["Période", "Encaissements", "Décaissements", "Dépenses", "Sorties", "Solde"],
            ["2026-07", "100.50", "0.00", "0.00", "0.00", "100.50"],
            ["2026-08", "250.00", "0.00", "0.00", "0.00", "250.00"],
        ]
    ]


def test_an_object_is_exported_as_several_csv_tables(http, db, payments):
    today = db.today()
    answer = http.as_admin().get("/rapports/synthese-globale", params={"format": "csv"})
    assert answer.headers["content-disposition"] == f'attachment; filename="synthese-globale-{today}.csv"'
    head, takings, *_ = read(answer)
    values = {row[0]: row[1] for row in head[1:]}
    assert head[0] == ["Champ", "Valeur"]
    assert (values["Total des recettes"], values["Impayés, nombre"], values["Période, du"]) == ("350.50", "0", "")
    assert takings[:2] == [["Recettes par activité"], ["Code", "Libellé", "Total encaissé"]]
    assert ["PRESSING", "Pressing", "350.50"] in takings


def test_an_export_writes_a_formula_as_text_and_a_number_as_a_number(http, payments):
    csv_answer = http.as_admin().get("/rapports/financier", params=YEAR | {"format": "csv"})
    table = next(block for block in read(csv_answer) if block[0] == ["Encaissements"])
    assert [row[table[1].index("Motif")] for row in table[2:]] == ["'=1+1", ""]
    sheet = book(http.as_admin().get("/rapports/financier", params=YEAR | {"format": "xlsx"}))["Encaissements"]
    header, first, second = sheet.iter_rows()
    cells = dict(zip([cell.value for cell in header], first, strict=True))
    assert (cells["Motif"].value, cells["Motif"].data_type) == ("=1+1", "s") and cells["Motif"].quotePrefix
    assert (cells["Montant"].value, cells["Montant"].number_format) == (100.5, "#,##0.00")
    assert isinstance(cells["Date"].value, datetime) and cells["Identifiant"].data_type == "n"
    assert sheet.freeze_panes == "A2" and header[0].font.b
    amount = second[cells["Montant"].column - 1]
    assert (amount.value, amount.number_format) == (250, "#,##0")


@pytest.mark.parametrize("decimals, whole", [("0", "#,##0"), ("2", "#,##0.00")])
def test_a_workbook_shows_the_cents_of_a_currency_that_has_some(http, db, request, decimals, whole):
    db.execute("update core.parametre set valeur = %s where cle = 'DEVISE_DECIMALES'", [decimals])
    request.getfixturevalue("payments")
    for path, column in (("/rapports/series", "Encaissements"), ("/finances/paiements", "Montant")):
        header, *rows = book(http.as_admin().get(path, params=YEAR | {"format": "xlsx"})).worksheets[0].iter_rows()
        position = [cell.value for cell in header].index(column)
        shown = {row[position].value: row[position].number_format for row in rows}
        assert shown == {100.5: "#,##0.00", 250: whole}, path


def test_rows_without_a_group_say_so(http):
    table = Table("taxes")
    table.add({"id_activite": None, "activite": None, "id_facture": None})
    table.add({"id_activite": 2, "activite": "Pressing", "id_facture": None})
    assert [row["activite"] for row in table.rows] == ["Sans activité", "Pressing"]
    assert to_csv([table]).decode("utf-8-sig").splitlines()[1] == ";Sans activité;"


def test_an_export_writes_times_in_the_time_zone_of_the_organisation(http, db, request):
    """Noon in Abidjan is one o'clock in Douala."""
    db.execute("update core.parametre set valeur = 'Africa/Douala' where cle = 'FUSEAU_HORAIRE'")
    request.getfixturevalue("payments")
    admin = http.as_admin()
    noon = db.one("select p.date from finances.paiement p order by p.date limit 1")
    expected = f"{noon + timedelta(hours=1):%Y-%m-%d %H:%M:%S}"
    assert expected in admin.get("/rapports/financier", params=YEAR | {"format": "csv"}).text


def test_each_report_is_exported_in_each_of_its_formats(http, db, payments):
    admin = http.as_admin()
    account = {"id_compte": str(compte(db)), "compte": "571"}  # for the reports that ask for one
    reports = [route for route in routes.load().routes if route.report]
    assert len(reports) == 20
    for route in reports:
        path = route.path.replace("{code}", "PRESSING")
        for kind in ("csv", "xlsx"):
            answer = admin.get(path, params={"format": kind} | account)
            if kind not in route.formats:
                assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
            else:
                assert read(answer) if kind == "csv" else book(answer).sheetnames, path
        assert admin.get(path, params={"format": "json"} | account).json() is not None
        assert admin.get(path, params={"format": "exe"} | account).status_code == 400


def test_the_name_of_a_file_tells_its_kind_and_its_period(http, db, payments):
    admin, today = http.as_admin(), db.today()
    month = today.replace(day=1)
    for path, expected in (
        ("rapports/activites/PRESSING?du=2026-01-01&", f"activites-PRESSING-2026-01-01-{today}"),
        ("rapports/synthese-globale?au=2026-06-30&", "synthese-globale-2026-06-30"),
        ("dashboard?", f"dashboard-{month}-{today}"),
        ("dashboard/tableau-de-bord?", f"dashboard-tableau-de-bord-{month}-{today}"),
        ("finances/tableau-de-bord?", f"finances-tableau-de-bord-{today}"),
        ("rapports/taxes/detail?au=2026-06-30&", "taxes-detail-2026-06-01-2026-06-30"),
        ("finances/paiements?du=2026-01-01&", "finances-paiements-2026-01-01"),
        ("finances/tableau-de-bord?periodo=mois_dernier&", f"finances-tableau-de-bord-mois_dernier-{today}"),
        ("finances/impayes?periode=2026-07&", "finances-impayes-2026-07"),
        ("compta/ecritures?periode=2026-07&", "compta-ecritures-2026-07"),
        ("residence/charges?periode=2026-07&", "residence-charges-2026-07"),
    ):
        answer = admin.get(f"/{path}format=xlsx")
        assert answer.headers["content-disposition"] == f'attachment; filename="{expected}.xlsx"'


def test_a_format_is_refused_where_there_is_none(http, db, payments):
    admin = http.as_admin()
    for path in ("/finances/consolidation", "/auth/me", "/finances/tableau-de-bord", "/client/clients"):
        assert refusal(admin.get(path, params={"format": "docx"})) == (400, "VALIDATION_ERROR"), path
    assert admin.get("/finances/consolidation", params={"format": "json"}).status_code == 200
    before = db.one("select count(*) from finances.categorie_depense")
    written = admin.post("/finances/categories-depenses?format=csv", json={"libelle": "Eau"})
    assert (written.status_code, db.one("select count(*) from finances.categorie_depense")) == (400, before)


def test_an_export_refuses_the_values_that_the_list_refuses(http):
    for query in ("offset=false", "limit=0", "du=hier"):
        assert refusal(http.as_admin().get(f"/audit/journal?format=csv&{query}")) == (400, "VALIDATION_ERROR")


def test_the_export_of_the_journal_holds_every_row(http, db):
    db.execute("insert into finances.categorie_depense (libelle) select 'Essai ' || n from generate_series(1, 1200) n")
    admin = http.as_admin()
    params = {"format": "xlsx", "entite": "categorie_depense"}
    assert book(admin.get("/audit/journal", params=params)).worksheets[0].max_row >= 1201
    assert book(admin.get("/audit/journal", params=params | {"limit": "10"})).worksheets[0].max_row == 11


def kind(name, labels="base", **fields):
    return PgType("essai", name, labels, **fields)


def row_type(**attributes):
    return kind("ligne", "composite", attributes=[Attribute(n, t, None, nullable=False) for n, t in attributes.items()])


def test_hostile_text_stays_text_in_csv_and_xlsx():
    ligne = row_type(nom=kind("text"), montant=kind("numeric"))
    export_tables = tables([{"nom": text, "montant": "-40.00"} for text in HOSTILE], ligne, "essai")
    header, *rows = csv.reader(io.StringIO(to_csv(export_tables).decode("utf-8-sig"), newline=""), delimiter=";")
    assert header == ["Nom", "Montant"]
    _, *cells = load_workbook(io.BytesIO(to_xlsx(export_tables))).worksheets[0].iter_rows()
    for text, (name, number), (cell, amount) in zip(HOSTILE, rows, cells, strict=True):
        assert name in (text, f"'{text}") and not name.lstrip(" ").startswith(("=", "+", "-", "@", "\t"))
        assert cell.data_type == "s" and cell.value == text.replace("\x07", "")
        assert (number, amount.data_type, amount.value) == ("-40.00", "n", -40)


def test_nested_values_are_exported_as_columns():
    ligne = row_type(jour=kind("date"), id=kind("int8"), dedans=row_type(a=kind("text")), libre=kind("jsonb"))
    free = {"par": {"PAYEE": "10.00"}, "n": [1, True]}
    rows = [
        {"jour": "2026-08-01", "id": "7", "dedans": {"a": "x"}, "libre": free},
        {"jour": None, "id": "12345678901234567", "dedans": None, "libre": None},
    ]
    table = tables(rows, ligne, "essai")[0]
    assert table.columns == ["jour", "id", "dedans.a", "libre.par.PAYEE", "libre.n.0", "libre.n.1"]
    assert list(table.rows[0].values()) == [date(2026, 8, 1), 7, "x", Decimal("10.00"), 1, True]
    assert table.rows[1] == {"jour": None, "id": "12345678901234567"}  # a spreadsheet rounds a number of so many digits


def test_a_list_of_texts_is_one_cell():
    ligne = row_type(comptes=kind("_text", "array", element=kind("text")))
    table = tables([{"comptes": ["6011", "6015"]}, {"comptes": []}], ligne, "essai")[0]
    assert table.rows == [{"comptes": "6011, 6015"}, {"comptes": None}]


def test_an_empty_export_is_a_valid_file():
    assert load_workbook(io.BytesIO(to_xlsx([]))).sheetnames == ["Vide"]
    assert to_csv(tables([], row_type(x=kind("text"), y=kind("int4")), "essai")) == b"\xef\xbb\xbfX;Y\r\n"


def test_each_sheet_has_the_styles_of_its_own_cells():
    first = Table("a", ["a"], [{"a": date(2026, 8, 1)}])
    second = Table("b", ["=b"], [{"=b": Decimal("1.50")}])
    book = load_workbook(io.BytesIO(to_xlsx([first, second])))
    [[title], [day]], [[formula], [amount]] = (list(sheet.iter_rows()) for sheet in book.worksheets)
    assert [(cell.font.b, cell.quotePrefix) for cell in (title, formula)] == [(True, False), (True, True)]
    assert (day.number_format, amount.number_format) == ("dd/mm/yyyy", "#,##0.00")
    assert {cell.font.name for cell in (day, amount)} == {"Calibri"}


def test_an_instant_after_the_last_year_stays_a_text():
    last = datetime(9999, 12, 31, 23, tzinfo=UTC)
    assert local(last, ZoneInfo("Pacific/Kiritimati")) == "9999-12-31T23:00:00+00:00"
    assert local(last, ZoneInfo("Africa/Abidjan")) == datetime(9999, 12, 31, 23)


def test_a_workbook_accepts_old_dates_long_texts_and_equal_titles():
    old = Table("x" * 40, ["jour", "texte"], [{"jour": date(1850, 1, 1), "texte": "y" * 40_000}])
    book_ = load_workbook(io.BytesIO(to_xlsx([old, Table("x" * 40, ["a"])])))
    assert len(book_.sheetnames) == 2 and all(len(name) <= 31 for name in book_.sheetnames)
    cells = list(book_.worksheets[0].iter_rows())[1]
    assert cells[0].value == "1850-01-01" and len(cells[1].value) == 32_767
