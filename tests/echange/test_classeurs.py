"""The model of each entity and the report of a trial, as a spreadsheet reads them."""

import io
import zipfile
from datetime import date

import pytest
from openpyxl import load_workbook

from app.documents.tables import Table
from app.documents.workbook import to_xlsx
from app.leaves.echange.sheets import workbooks
from tests.echange.test_droits import PERMISSIONS
from tests.sheets import counts, problem, send, tried, workbook


def opened(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].endswith('.xlsx"')
    return load_workbook(io.BytesIO(answer.content))


@pytest.mark.parametrize("entite", PERMISSIONS)
def test_every_column_of_a_model_is_recognised(admin, entite):
    answer = admin.get(f"/imports/modeles/{entite}")
    book = opened(answer)
    assert "pas de ligne" in problem(send(admin, answer.content, entite))[1]
    labels = [cell.value for cell in book.worksheets[0][1]]
    explained = {row[0]: row for row in book["Explications"].iter_rows(min_row=2, values_only=True)}
    assert list(explained) == labels and all(row[2] for row in explained.values())
    fields = tried(admin, workbook(labels, ["x"] * len(labels)), entite)["colonnes"]
    assert fields == {label: row[4] for label, row in explained.items()}


def test_a_model_offers_the_values_of_a_list(admin):
    sheet = opened(admin.get("/imports/modeles/clients")).worksheets[0]
    offered = {str(rule.sqref): rule.formula1 for rule in sheet.data_validations.dataValidation}
    assert offered["E2:E1000"] == '"LOCATAIRE,PASSAGE,AUTRE"'
    assert admin.get("/imports/modeles/inconnue").status_code == 400


def test_the_report_is_the_sheet_with_the_wrong_cells_in_colour(admin):
    sheet = workbook(
        ("Nom", "Prénoms", "Téléphone", "Né le", "Note"),
        ("Koffi", "Ama", "0701020304", date(1990, 5, 1), "=danger"),
        ("Bamba", "Ali", "abc", date(1991, 5, 1), 12.5),
        ("Koffi", "Ama", "0701020304", None, None),
        ("Yao", "", "x", None, None),
    )
    number = tried(admin, sheet)["id_import"]
    report = opened(admin.get(f"/imports/{number}/rapport")).active
    rows = [[cell.value for cell in row] for row in report.iter_rows()]
    assert rows[0] == ["Nom", "Prénoms", "Téléphone", "Né le", "Note", "À corriger"]
    assert rows[1][:3] == ["Koffi", "Ama", "0701020304"] and not rows[1][5]
    assert rows[1][3].date() == date(1990, 5, 1) and rows[2][4] == 12.5
    assert report["E2"].data_type == "s"
    assert rows[2][5].startswith("Téléphone : Le numéro de téléphone")
    assert rows[3][5] == "Existe déjà."
    assert "Prénoms : Ce champ est obligatoire." in rows[4][5] and "Téléphone :" in rows[4][5]
    fills = {place: report[place].fill.fgColor.rgb for place in ("A2", "A3", "C3", "F3", "B5", "C5", "A5")}
    assert fills["A2"] == "00000000"
    assert fills["C3"] == fills["F3"] == fills["B5"] == fills["C5"] != fills["A3"] == fills["A5"] != "00000000"


@pytest.mark.parametrize("value", ["NaN", "-inf", "1e400"])
def test_a_day_that_is_no_finite_number_is_refused(admin, value):
    sheet = workbook(("Nom", "Prénoms", "Téléphone", "Né le"), ("Koffi", "Ama", "0701020304", 76543))
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sheet)) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"76543", value.encode()))
    refused = tried(admin, changed.getvalue())["erreurs"]
    assert [(error["champ"], "date AAAA-MM-JJ" in error["message"]) for error in refused] == [("date_naissance", True)]


@pytest.mark.parametrize("start", "=+-@#\t\r\n＝＋－＠")
@pytest.mark.parametrize("write", ["report", "export"])
def test_a_cell_that_a_spreadsheet_would_compute_stays_a_text(write, start):
    text = f"{start}1"
    if write == "report":
        rows = [{"cellules": [text, f"a{text}"], "issue": "ACCEPTEE", "erreurs": []}]
        content = workbooks.report(["Note", "Autre"], {"Note": None, "Autre": None}, rows)
    else:
        content = to_xlsx([Table("Notes", ["Note", "Autre"], [{"Note": text, "Autre": f"a{text}"}])])
    sheet = load_workbook(io.BytesIO(content)).active
    assert sheet["A2"].data_type == sheet["B2"].data_type == "s"
    assert sheet["A2"].quotePrefix and not sheet["B2"].quotePrefix


def test_the_report_is_imported_again_once_it_is_corrected(admin):
    number = tried(admin, workbook(("Nom", "Prénoms", "Tel"), ("Koffi", "Ama", "abc")))["id_import"]
    book = opened(admin.get(f"/imports/{number}/rapport"))
    book.active["C2"] = "0701020304"
    out = io.BytesIO()
    book.save(out)
    answer = tried(admin, out.getvalue())
    assert counts(answer) == (1, 0, 0) and answer["colonnes"]["À corriger"] is None
