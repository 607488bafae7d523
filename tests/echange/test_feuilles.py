"""Reading sheets: separators, encodings, French numbers and dates, formulas; and files that are refused."""

import io
import re
import tracemalloc
import warnings
import zipfile
from datetime import date, datetime
from decimal import Decimal
from time import process_time

import pytest
from openpyxl import Workbook

from app.database.catalogue import Attribute, PgType
from app.http.values import InvalidValue
from app.http.values import converter as checker
from app.leaves.echange.sheets import cells, columns, guard, reading
from app.leaves.echange.sheets.cells import BadCell
from app.leaves.echange.sheets.guard import BadSheet
from tests.sheets import counts, errors, problem, saved, send, text, tried, workbook

HEADER = ("Nom", "Prénoms", "Téléphone")
ROW = ("Kouassi", "Aya", "0701020304")


def lines(content):
    headers, rows = reading.read(io.BytesIO(content))
    return headers, list(rows)


def refusal(content):
    with pytest.raises(BadSheet) as error:
        lines(content)
    return str(error.value)


# ---- texts


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_a_text_is_read_whatever_its_separator_and_encoding(separator, encoding, end):
    content = end.join(separator.join(row) for row in (HEADER, ROW)).encode(encoding)
    assert lines(content) == (list(HEADER), [(2, list(ROW))])


def test_separators_inside_quotes_do_not_count():
    headers, rows = lines(b'"a, b, c, d";e\n"x;y\n2nd line";"say ""hi"""\n;\n\n3;4\n')
    assert headers == ["a, b, c, d", "e"]
    assert rows == [(2, ["x;y\n2nd line", 'say "hi"']), (5, ["3", "4"])]


def test_the_apostrophe_of_an_export_is_taken_off():
    rows = lines(b"Nom;Tel\n'=A;'+2250701020304\n'30;l'eau\n")[1]
    assert rows == [(2, ["=A", "+2250701020304"]), (3, ["'30", "l'eau"])]


def test_the_header_may_follow_empty_lines_and_rows_keep_the_line_of_the_sheet():
    assert lines(b"sep=,\nNom,Tel\na,1\n")[0] == ["Nom", "Tel"]
    assert lines(b"\n;\nNom;Tel\n\na;1\n") == (["Nom", "Tel"], [(5, ["a", "1"])])


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "vide"),
        (b"\n\n;;\n", "vide"),
        (b"Nom;Tel;nom\na;b;c\n", "« nom »"),
        (b"Nom\0;Tel\na;b\n", "ni un classeur"),
        (b"\x89PNG\r\n\x1a\n\x00\x01\x02", "ni un classeur"),
        (b"%PDF-1.7\n\x01\x02", "ni un classeur"),
        (b'Nom;Tel\n"a;b\n', "guillemet"),
        (b"a" * 300 + b";b\nx;y\n", "200 caract"),
        (b";".join(b"c%d" % n for n in range(201)) + b"\nx\n", "plus de 200 colonnes"),
        (b"Nom;Tel\na;b;c\n", "ligne 2"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "mot de passe"),
    ],
)
def test_a_text_that_is_no_sheet_is_refused(content, word):
    assert word in refusal(content)


def test_a_long_text_without_a_line_is_refused(admin):
    assert "trop longue" in problem(send(admin, b"x" * (20 << 20)))[1]
    assert "La ligne 2 est trop longue" in problem(send(admin, b"Nom;Tel\n" + b"x" * (19 << 20)))[1]
    assert "La ligne 2 est trop longue" in refusal(workbook(("a", "b", "c"), ["x" * 30_000] * 3))


def test_a_long_row_is_refused_before_the_rest_is_read():
    """Fifteen million separators, in one line or behind open quotes, would become as many cells."""
    quoted = (b"x" + b";" * 1000 + b'"\n"') * (15 << 10)
    for rest in (b";" * (15 << 20), b'";' * (7 << 20), quoted, b"a;b\n" + b";" * 300):
        tracemalloc.start()
        before = process_time()
        assert "ligne" in refusal(b"Nom;Tel\n" + rest)
        assert process_time() - before < 1 and tracemalloc.get_traced_memory()[1] < 50 << 20
        tracemalloc.stop()


def test_a_file_beyond_the_limit_is_refused(admin):
    answer = send(admin, b"x" * (20 << 20) + b"x")
    assert (answer.status_code, answer.json()["code"]) == (413, "CORPS_TROP_GRAND")


def test_more_than_a_hundred_thousand_rows_are_refused():
    rows = b"".join(b"%d;b\n" % n for n in range(reading.ROWS + 1))
    assert "100000 lignes" in refusal(b"Nom;Tel\n" + rows)
    assert len(lines(b"Nom;Tel\n" + rows[: rows.rindex(b"\n", 0, -1)])[1]) == reading.ROWS


# ---- workbooks


def part(name, change, content=None):
    """A workbook with one part changed."""
    source, target = io.BytesIO(content or workbook(HEADER, ROW)), io.BytesIO()
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.namelist():
            new.writestr(entry, change(old.read(entry)) if entry == name else old.read(entry))
    return target.getvalue()


def added(name, content):
    target = io.BytesIO(workbook(HEADER, ROW))
    with zipfile.ZipFile(target, "a", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name that is there twice
        archive.writestr(name, content)
    return target.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


def test_cells_keep_their_types_and_formulas_their_values():
    book = Workbook()
    sheet = book.active
    sheet.append(["Texte", "Nombre", "Date", "Oui", "Vide"])
    sheet.append(["é", 12.5, datetime(2026, 3, 12), True, None])
    sheet.append(["=1+1", 3, date(2026, 3, 13), False, None])
    headers, rows = lines(
        part(SHEET, lambda xml: re.sub(rb"(1\+1</f>)<v ?/?>(</v>)?", rb"\1<v>2</v>", xml), saved(book))
    )
    assert headers == ["Texte", "Nombre", "Date", "Oui", "Vide"]
    assert rows[0] == (2, ["é", 12.5, date(2026, 3, 12), True, ""])
    assert rows[1][1][0] == 2 and rows[1][1][2] == date(2026, 3, 13)


def test_a_sheet_that_begins_lower_and_further_right_keeps_its_lines():
    book = Workbook()
    for column, values in ((3, ("Nom", "Koffi")), (4, ("Tel", "0701"))):
        for row, value in zip((4, 6), values, strict=True):
            book.active.cell(row, column, value)
    headers, rows = lines(saved(book))
    assert [header for header in headers if header] == ["Nom", "Tel"]
    assert [(line, [cell for cell in cells if cell]) for line, cells in rows] == [(6, ["Koffi", "0701"])]


def bomb():
    return part(SHEET, lambda xml: xml.replace(b"<sheetData>", b"<sheetData>" + b" " * (guard.SIZE + 1)))


def lying_bomb():
    """The directory says that the part is small."""
    content = bytearray(bomb())
    at = content.rindex(SHEET.encode()) - 46
    content[at + 24 : at + 28] = (1000).to_bytes(4, "little")
    return bytes(content)


def far_cell(xml):
    return xml.replace(b"</sheetData>", b'<row r="900000"><c r="XFD900000"><v>1</v></c></row></sheetData>')


def moved(name, change, *rows):
    """A workbook whose changed sheet is another part: the parser follows the relations of the workbook anywhere."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook(*rows))) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.namelist():
            if entry == SHEET:
                new.writestr(name, change(old.read(entry)))
            else:
                new.writestr(entry, old.read(entry).replace(f"/{SHEET}".encode(), f"/{name}".encode()))
    return target.getvalue()


def test_a_sheet_in_another_part_has_the_same_bounds():
    wide = [f"c{number}" for number in range(reading.COLUMNS + 1)]
    assert lines(moved("xl/feuille.xml", bytes, HEADER, ROW)) == (list(HEADER), [(2, list(ROW))])
    assert "200 colonnes" in refusal(moved("xl/feuille.xml", bytes, wide))
    assert "lignes" in refusal(moved("xl/feuille.xml", far_cell, HEADER, ROW))
    assert "pas lisible" in refusal(moved("xl/feuille.bin", far_cell, HEADER, ROW))


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (lambda: b"PK\x03\x04 not a zip", "pas lisible"),
        (lambda: workbook(), "vide"),
        (lambda: workbook(HEADER)[:-200], "pas lisible"),
        (lambda: added("xl/vbaProject.bin", b"x"), "macros"),
        (lambda: added("EncryptedPackage", b"x"), "mot de passe"),
        (lambda: added("xl/worksheets/sheet1.xml", b"<x/>"), "pas lisible"),
        (bomb, "décompressé"),
        (lying_bomb, "pas lisible"),
        (lambda: part(SHEET, far_cell), "lignes"),
        (lambda: part(SHEET, lambda x: x.replace(b'r="A1"', b'r="XFD1"')), "200 colonnes"),
        (lambda: part(SHEET, lambda x: x.replace(b'r="A1"', b'r="A99999999999"')), "pas lisible"),
        (lambda: part(SHEET, lambda x: x.replace(b"<sheetData>", b"<sheetData><row>")), "pas lisible"),
        (lambda: part(SHEET, lambda x: b'<!DOCTYPE x [<!ENTITY a "b">]>' + x[x.index(b"<worksheet") :]), "pas lisible"),
        (lambda: part("xl/workbook.xml", lambda x: b"<nothing/>"), "pas lisible"),
    ],
)
def test_a_workbook_that_is_broken_or_too_large_is_refused(content, word, monkeypatch):
    monkeypatch.setattr(guard, "SIZE", 1 << 20)
    assert word in refusal(content())


def test_a_million_rows_are_refused_before_they_are_parsed():
    rows = b"".join(b'<row r="%d"><c r="A%d"><v>1</v></c></row>' % (n, n) for n in range(3, 200_000))
    assert "100000 lignes" in refusal(part(SHEET, lambda x: x.replace(b"</sheetData>", rows + b"</sheetData>")))


def test_dimensions_that_lie_change_nothing():
    content = part(SHEET, lambda x: x.replace(b'<dimension ref="A1:C2"', b'<dimension ref="A1:XFD1048576"'))
    assert lines(content) == (list(HEADER), [(2, list(ROW))])


def test_many_cells_are_refused_and_a_zip_of_anything_else_too():
    rows = b"".join(b'<row r="%d"><c r="GR%d"><v>1</v></c></row>' % (n, n) for n in range(3, 16_000))
    assert "cellules" in refusal(part(SHEET, lambda x: x.replace(b"</sheetData>", rows + b"</sheetData>")))
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("a.txt", "x")
    assert "ni un classeur" in refusal(other.getvalue())


def with_shared(cells, texts=(10, 10), around=("", "")):
    """A workbook whose cells name shared texts of these lengths."""
    shared = "".join(f"<si><t>{chr(97 + place) * length}</t></si>" for place, length in enumerate(texts))
    rows = around[0] + "".join(f'<row><c t="s"><v>{cell}</v></c></row>' for cell in cells) + around[1]
    content = added("xl/sharedStrings.xml", f"<sst>{shared}</sst>")
    return part(SHEET, lambda xml: re.sub(rb"(?s)(?<=<sheetData>).*(?=</sheetData>)", rows.encode(), xml), content)


def test_texts_that_many_cells_share_are_counted_for_each_cell(monkeypatch):
    monkeypatch.setattr(guard, "SIZE", 1 << 20)
    assert lines(with_shared([0, *[1] * 1000], (3, 1000)))[1][-1] == (1001, ["b" * 1000])
    for cell in ("1", "1<!-- -->0", "1&#48;", "1<![CDATA[0]]>"):
        assert "décompressé" in refusal(with_shared([0, *[cell] * 1000], (3, 2000)))
    assert "décompressé" in refusal(with_shared([0, *[1] * 1000], (3, 2000), ("<si>", "</si>")))
    assert "pas lisible" in refusal(with_shared([0, " 1"]))  # the parser would take it for the first text
    assert "pas lisible" in refusal(with_shared([0, 99]))


def test_a_workbook_is_read_as_no_other_format():
    names = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("office", "table", "text")}
    declared = " ".join(f'xmlns:{name}="{uri}"' for name, uri in names.items())
    row = '<table:table-row><table:table-cell office:value-type="string"><text:p>Nom</text:p></table:table-cell>'
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("xl/workbook.xml", "<a/>")
        archive.writestr(
            "content.xml",
            f'<office:document-content {declared}><office:body><office:spreadsheet><table:table table:name="a">{row}'
            "</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>",
        )
    assert "pas lisible" in refusal(target.getvalue())


def test_a_part_in_utf_16_is_refused():
    """The parser reads bytes: between these two tags it would find cells, where only letters are counted."""
    opened, closed = (b"\xff\xfe<\0a\0>\0", b"<\0/\0a\0>\0")
    assert "pas lisible" in refusal(part(SHEET, lambda xml: opened + xml + b"\n" * (len(xml) % 2) + closed))


def test_merged_cells_are_refused_by_their_place(admin):
    book = Workbook()
    for row in (HEADER, ROW, ROW):
        book.active.append(row)
    book.active.merge_cells("A2:A3")
    assert "A2:A3" in problem(send(admin, saved(book)))[1]


# ---- cells


def of(name, kind="base", schema="core", base=None, **more):
    return PgType(schema, name, kind, base=base, **more)


NUMERIC, TEXT, DATE, BOOL = (of(name, schema="pg_catalog") for name in ("numeric", "text", "date", "bool"))
AMOUNT = of("montant", "domain", base=NUMERIC, modifier=(14 << 16 | 2) + 4)
WEIGHT = of("poids", "domain", base=NUMERIC, modifier=(9 << 16 | 3) + 4)
WHOLE = of("int4", schema="pg_catalog")
PHONE = of("telephone", "domain", base=TEXT)


@pytest.mark.parametrize(
    ("kind", "cell", "value"),
    [
        (kind, cell, value)
        for kind, cases in [
            (NUMERIC, [
                ("1 234,50", "1234.50"), ("1 234,5", "1234.5"), ("1 234 567 FCFA", "1234567"),
                ("1.234,50 €", "1234.50"), ("1,234.50", "1234.50"), ("-12,5", "-12.5"), ("12 F", "12"),
                (0.1 + 0.2, "0.3"), (1234.0, "1234"), (1e300, "1e+300"), ("douze", "douze"),
            ]),
            (DATE, [
                ("12/03/2026", "2026-03-12"), ("1.3.26", "2026-03-01"), ("2026-03-12", "2026-03-12"),
                ("2026-03-12T10:00:00Z", "2026-03-12"), ("12/03/2026 00:00:00", "2026-03-12"),
                ("12 mars 2026", "2026-03-12"), ("1er août 2026", "2026-08-01"), (datetime(2026, 3, 12), "2026-03-12"),
                (46093.0, "2026-03-12"), ("46093", "2026-03-12"), ("31/02/2026", "31/02/2026"), ("03/2026", "03/2026"),
            ]),
            (BOOL, [
                ("Oui", "true"), ("NON", "false"), (True, "true"), (0.0, "false"), ("peut-être", "peut-être"),
            ]),
            (TEXT, [
                (12.0, "12"), (date(2026, 3, 12), "2026-03-12"),
            ]),
            (PHONE, [
                (701020304.0, "0701020304"), (2250701020304, "+2250701020304"), ("07.01 02-03/04", "0701020304"),
                ("00225 0701020304", "+2250701020304"), ("voir Awa", "voir Awa"),
            ]),
            (of("sexe", "enum", "client", labels=["M", "F"]), [("Féminin", "F")]),
        ]
        for cell, value in cases
    ],
)  # fmt: skip
def test_a_cell_becomes_the_text_of_its_type(kind, cell, value):
    assert cells.converter(kind)(cell) == value


@pytest.mark.parametrize(
    ("kind", "cell", "value"),
    [
        (kind, cell, value)
        for kind, cases in [
            (AMOUNT, [
                ("25 000", "25000"), ("25\u202f000 F CFA", "25000"), ("25\u00a0000\u00a0€", "25000"),
                ("1'234'567", "1234567"), ("1’234’567,5", "1234567.5"), ("1.234.567", "1234567"),
                ("1,234,567", "1234567"), ("1.234.567,89", "1234567.89"), ("12.000,50", "12000.50"),
                ("12,000.00", "12000.00"), ("12 000.5", "12000.5"), ("− 1 500", "-1500"), ("0,500", "0.500"),
                ("-0.500", "-0.500"), (",5", ".5"), ("1500,00", "1500.00"), (1.5, "1.5"), (25.0, "25"),
            ]),
            (WEIGHT, [
                ("1,500", "1.500"), ("1.500", "1.500"), ("1 500,250", "1500.250"), ("1.500,250", "1500.250"),
            ]),
            (WHOLE, [("1 500", "1500")]),
        ]
        for cell, value in cases
    ],
)  # fmt: skip
def test_a_number_with_one_reading_is_accepted(kind, cell, value):
    converted = cells.converter(kind)(cell)
    assert converted == value and Decimal(checker(kind)(converted)) == Decimal(value)


@pytest.mark.parametrize("kind", [AMOUNT, WHOLE])
@pytest.mark.parametrize(
    ("cell", "readings"),
    [
        ("25.000 FCFA", "« 25.000 » se lit 25000 ou 25 :"),
        ("25,000", "« 25,000 » se lit 25000 ou 25 :"),
        ("1.500", "« 1.500 » se lit 1500 ou 1,5 :"),
        ("1,505", "« 1,505 » se lit 1505 ou 1,505 :"),
        ("-1.500", "« -1.500 » se lit -1500 ou -1,5 :"),
        ("100.000\u202f€", "« 100.000 » se lit 100000 ou 100 :"),
        ("1000.000", "« 1000.000 » se lit 1000000 ou 1000 :"),
        ("1 500,000", "« 1 500,000 » se lit 1500000 ou 1500 :"),
        ("1\u202f500.000", "« 1 500.000 » se lit 1500000 ou 1500 :"),
        ("1.500,000", "« 1.500,000 » se lit 1500000 ou 1500 :"),
        ("1,500.250", "« 1,500.250 » se lit 1500250 ou 1500,25 :"),
    ],
)
def test_a_number_with_two_readings_is_refused_with_both(kind, cell, readings):
    with pytest.raises(BadCell, match=re.escape(readings)):
        cells.converter(kind)(cell)


@pytest.mark.parametrize("cell", ["2 5000", "1.23.456", "12,34.50", "1.234.56", "0.500.000", "1,234,56", "1.234 567"])
def test_a_number_whose_groups_are_broken_is_refused(cell):
    converted = cells.converter(AMOUNT)(cell)
    with pytest.raises(InvalidValue, match="nombre décimal"):
        checker(AMOUNT)(converted)


def test_the_trial_names_both_readings_of_an_amount_and_no_price_is_divided(admin):
    rows = [("Savon", "25.000 FCFA", "1,500"), ("Riz", "25 000 FCFA", "1,5"), ("Thé", "25.000", "3")]
    answer = tried(admin, text(("Nom", "Prix de vente", "Quantité"), *rows), "produits")
    assert counts(answer) == (1, 0, 2)
    assert errors(answer) == [(2, "prix_vente"), (2, "quantite_initiale"), (4, "prix_vente")]
    assert answer["erreurs"][0]["message"].startswith("« 25.000 » se lit 25000 ou 25 :")


def test_a_name_of_the_api_beats_a_label_and_a_label_a_word():
    kind = of("stock", "composite", "echange")
    kind.attributes = [
        Attribute("reference", TEXT, "Référence : d'un produit.", True),
        Attribute("quantite", NUMERIC, "Quantité : comptée.", False),
    ]
    recognised = {"reference": "reference", "Réf": None, "Qté": "quantite"}
    assert columns.recognise(["reference", "Réf", "Qté"], kind, {}) == recognised
    assert columns.recognise(["RÉFÉRENCE ", "x"], kind, {}) == {"RÉFÉRENCE ": "reference", "x": None}
    with pytest.raises(BadSheet, match="« Référence » et « Réf »"):
        columns.recognise(["Référence", "Réf"], kind, {})
    with pytest.raises(BadSheet, match="Aucune colonne"):
        columns.recognise(["x", "y"], kind, {})


def test_a_workbook_is_tried_like_a_text(admin, db):
    sheet = workbook((*HEADER, "Né le"), (*ROW, date(1990, 5, 1)), ("Bad", "", "0701020304", "hier"))
    answer = tried(admin, sheet)
    assert counts(answer) == (1, 0, 1)
    assert errors(answer) == [(3, "prenoms"), (3, "date_naissance")]
