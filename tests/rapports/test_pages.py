"""Reports as PDF pages and as charts: the text read back is complete, and no script runs in them."""

import io
import re
import shutil
import subprocess
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

import pytest
from openpyxl import load_workbook

from app.documents import exports, reports
from app.documents.charts import Series, graduations, series, to_svg
from app.documents.chromium import find
from app.documents.document import Chart, Report
from app.documents.tables import Table
from app.documents.texts import axis
from app.documents.workbook import to_xlsx
from app.routes.rapports import DASHBOARD
from tests import builders
from tests.documents import paper

ORGANISATION = dict.fromkeys(("adresse", "ville", "telephone", "email", "mentions")) | {
    "nom": "Maison <b>", "devise": "FCFA", "fuseau": "Africa/Abidjan", "decimales": 0,
}  # fmt: skip
HOSTILE = ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", 'a\nb;c"d', "</svg><img src=x onerror=1>", "{{ 7*7 }}"]

printed = pytest.mark.skipif(
    find(None) is None or shutil.which("pdftotext") is None, reason="Chromium ou poppler-utils manque"
)


def text(answer):
    """The text of a PDF, with each run of white space replaced by one space."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    command = ["pdftotext", "-layout", "-", "-"]
    words = subprocess.run(command, input=answer.content, capture_output=True, check=True).stdout.decode()
    return " ".join(words.split())


@pytest.fixture
def payments(db):
    for amount, day, activite in [("95000", "2026-07-31", 2), ("12500.50", "2026-08-01", 3), ("300", "2026-08-02", 2)]:
        builders.paiement(db, amount, id_activite=activite, date=day, motif="Essai")


YEAR = {"du": "2026-01-01", "au": "2026-12-31"}


@printed
@pytest.mark.parametrize(
    "path, title, figures",
    [
        ("/rapports/synthese-globale", "Synthèse globale", ["Total des recettes", "107 800,50 FCFA", "Pressing"]),
        ("/rapports/financier", "Rapport financier", ["107 800,50 FCFA", "95 000", "31/07/2026"]),
        ("/rapports/activites/PRESSING", "Rapport d’activité", ["95 300 FCFA", "Pressing – Du 1er janvier 2026"]),
        ("/rapports/series", "Évolution", ["juillet 2026", "12 800,50", "Total"]),
        ("/dashboard", "Tableau de bord", ["Chiffre d’affaires", "107 800,50 FCFA", "Page 1 / 1"]),
        ("/audit/journal", "Journal", ["Création : Paiement n° "]),
    ],
)
def test_each_report_shows_its_title_period_and_figures(http, db, payments, path, title, figures):
    until = "2099" if path == "/audit/journal" else "2026"  # the journal holds the writes of this test, dated today
    pdf_text = text(http.as_admin().get(path, params=YEAR | {"au": f"{until}-12-31", "format": "pdf"}))
    period = f"Du 1er janvier 2026 au 31 décembre {until}"
    for words in ("Groupe Services Généraux", title, period, "Page 1 / ", *figures):
        assert words in pdf_text, pdf_text


@printed
def test_the_page_number_stays_on_one_line_beside_long_legal_notices(http, db, payments):
    notices = "RCCM CI-ABJ-0000-B-00000 · Compte contribuable 0000000 X · Régime réel simplifié · Siège : Abidjan"
    db.execute("update core.parametre set valeur = %s where cle = 'MENTIONS_LEGALES'", [notices])
    pdf = http.as_admin().get("/rapports/series", params=YEAR | {"format": "pdf"}).content
    out = subprocess.run(["pdftotext", "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
    assert "Page 1 / 1" in out.splitlines()


@printed
def test_the_journal_page_shows_its_filters_and_an_empty_list(http, db, payments):
    admin = http.as_admin()
    params = {"format": "pdf", "entite": "paiement", "operation": "INSERT"}
    pdf_text = text(admin.get("/audit/journal", params=params))
    assert "Entité : paiement · Opération : Création" in pdf_text and pdf_text.count("Création : Paiement n° ") == 3
    assert "Rien à montrer" in text(admin.get("/audit/journal", params={"format": "pdf", "entite": "rien"}))


@printed
def test_the_totals_of_a_report_are_the_sums_of_its_rows(http, db, payments, monkeypatch):
    builders.facture(db, "15000.50")
    tables = []
    monkeypatch.setattr(exports, "_page", lambda page_tables, *_: tables.extend(page_tables) or "<p>Essai</p>")
    for path, names in {
        "/rapports/financier": {"montant", "montant_du", "montant_paye", "reste"},
        "/finances/tableau-de-bord": {"encaissements", "decaissements", "depenses", "sorties", "marge_nette"},
    }.items():
        tables.clear()
        text(http.as_admin().get(path, params=YEAR | {"format": "pdf"}))
        assert names <= {name for table in tables for name in table.totals}
        for table in tables:
            for name, total in table.totals.items():
                amounts = [row[name] for row in table.rows]
                assert total == (sum(amounts) if amounts else None), (table.title, name)


MOTIFS = (
    "Séjour du 27/10/2026, logement GSG-ME14-A", "Pressing CPR-2026-0014", "Vente 19",
    "30 pièces lavées et repassées, du 29/10/2026 au 27/12/2026",
)  # fmt: skip
WIDE = ["libelle", *(f"mesure_{n}" for n in range(8))]
TABLES = {
    "payments, of which few have a reference": [
        {"date": datetime(2026, 10, 27, 14, n), "montant": Decimal(9000 + n),
         "reference": None if n % 9 else f"LOYER-CON-2026-0{n + 10}-11-2026", "motif": MOTIFS[n % 4],
         "activite": "Location résidentielle", "moyen": "Mobile Money"}
        for n in range(33)
    ],
    "two columns of sentences": [
        {"description": "Fuite d’eau sous l’évier de la cuisine, qui a mouillé le placard du bas",
         "resolution": "Joint changé, placard séché et remonté le lendemain", "statut": "RESOLU", "quantite": n}
        for n in range(5)
    ],
    "as many columns as the page has": [dict.fromkeys(WIDE, Decimal(16200000)) | {"libelle": "Location résidentielle"}],
}  # fmt: skip


@printed
@pytest.mark.parametrize("name", TABLES)
def test_a_printed_table_breaks_no_word_and_keeps_each_in_its_place(http, name):
    """A reference longer than a rare column is broken at a hyphen; no other word is broken."""
    rows = TABLES[name]
    page = html([Table("lignes", list(rows[0]), rows)])
    pdf = http.runner.run(http.services.renderer.pdf(page))
    assert paper.misplaced(pdf) == []
    assert [word for word in paper.broken(page, pdf) if not word.startswith("LOYER-CON-")] == []


@printed
def test_a_motif_keeps_one_line_beside_a_reference_that_few_payments_have(http):
    rows = TABLES["payments, of which few have a reference"]
    page = html([Table("lignes", list(rows[0]), rows)])
    lines = "\n".join(paper.pages(http.runner.run(http.services.renderer.pdf(page))))
    assert lines.count(MOTIFS[0]) == sum(row["motif"] == MOTIFS[0] for row in rows)


# ---- the page alone


PLAIN = Report("Essai")


def html(tables, report=PLAIN, **query):
    return reports.page(tables, report, ORGANISATION, query)


BARS = Report("Essai", (Chart("Par libellé", ("lignes",), values=("montant",)),), ("montant",))


def test_hostile_labels_stay_text_in_pages_and_workbooks():
    for bad in HOSTILE:
        rows = [{"libelle": bad, "montant": Decimal(5)}]
        tables = [Table("lignes", ["libelle", "montant"], rows), Table("autres", [bad], [])]
        page = html(tables, BARS, recherche=bad)
        assert "<script" not in page.lower() and "<img" not in page and "<b>" not in page
        assert page.count("<svg") == 1 and ">49<" not in page
        cell = load_workbook(io.BytesIO(to_xlsx(tables, series(BARS.charts, tables))))["Graphiques"]["A2"]
        assert cell.data_type == "s" and cell.value == bad


def test_a_chart_is_an_svg_without_script():
    months, amounts = [f"2026-{n:02}" for n in range(1, 13)], [Decimal(n * 95000) for n in range(12)]
    svg = to_svg(Series("Essai", True, months, {"Entrées": amounts}))
    assert svg.startswith("<svg") and "<path" in svg and "<script" not in svg
    assert set(re.findall(r"https?://[^\"' ]+", svg)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "1\N{NO-BREAK SPACE}250\N{NO-BREAK SPACE}000" in svg  # French amounts on the axis
    assert len({color.lower() for color in re.findall(r"fill:\s*(#\w+)", svg)}) >= 1


def test_a_table_too_wide_for_the_page_shows_its_rows_as_columns():
    columns = ["libelle", *(f"mesure_{n}" for n in range(reports.WIDEST))]
    rows = [
        {"libelle": name} | {column: Decimal(7) for column in columns[1:]}
        for name in ("Lingerie", "Cuisine", "Accueil", "Salle", "Boutique", "Sécurité")
    ]
    totals = {column: Decimal(42) for column in columns[1:]}
    page = html([Table("services", columns, rows, totals)], Report("Essai", totals=tuple(columns[1:])))
    heads = [re.findall(r"<th[^>]*>([^<]*)</th>", head) for head in re.findall(r"<thead>.*?</thead>", page)]
    assert heads == [["Libellé", "Lingerie", "Cuisine", "Accueil", "Salle", "Boutique", "Sécurité", "Total"]]
    assert re.search(r"<td>Mesure 8</td>(<td class=n>7</td>){6}<td class=n>42</td>", page)
    rows += [{"libelle": f"Service {n}"} | {column: Decimal(7) for column in columns[1:]} for n in range(6)]
    page = html([Table("services", columns, rows, totals)], Report("Essai", totals=tuple(columns[1:])))
    assert [head.count("<th") for head in re.findall(r"<thead>.*?</thead>", page)] == [9, 8]  # heading columns included


@printed
def test_the_staff_report_breaks_no_word(http, db):
    """Without the special layout, names of services break into letters and the last columns leave the paper."""
    for name in ("Hébergement et accueil des résidents", "Lingerie"):
        service = db.one("insert into rh.service (libelle) values (%s) returning id_service", [name])
        builders.paie(db, builders.employe(db, id_service=service))
    pdf_text = text(http.as_admin().get("/rapports/rh", params=YEAR | {"format": "pdf"}))
    for words in ("Hébergement et accueil des résidents", "Lingerie", "Salaires versés", "Heures travaillées"):
        assert words in pdf_text, pdf_text


def test_a_page_shows_the_cents_of_a_currency_that_has_some():
    rows = [{"libelle": "a", "montant": Decimal("1500.00"), "quantite": Decimal("2.00")}]
    tables = [Table("lignes", ["libelle", "montant", "quantite"], rows, {"montant": Decimal("1500.00")})]
    for decimals, words in ((0, "1 500"), (2, "1 500,00")):
        page = reports.page(tables, PLAIN, ORGANISATION | {"decimales": decimals}, {})
        page = page.replace("\N{NO-BREAK SPACE}", " ")
        assert f"<td class=n>{words}</td><td class=n>2</td>" in page and f"{words} FCFA" in page


def test_a_page_leaves_out_columns_without_values():
    rows = [{"motif": "Vente 1", "reference": None, "montant": Decimal(5)}]
    page = html([Table("lignes", ["motif", "reference", "montant"], rows)])
    assert "Motif" in page and "Référence" not in page


def test_short_texts_keep_one_line_beside_a_column_with_few_values():
    rows = [
        {"motif": "Séjour du 3 juin 2026, logement A", "reference": f"LOYER-CON-2026-00{n}-6-2026" if not n else None,
         "activite": "Location résidentielle", "moyen": "Mobile Money"} for n in range(9)
    ]  # fmt: skip
    page = html([Table("lignes", ["motif", "reference", "activite", "moyen"], rows)])
    assert "<td class=bref>Location résidentielle</td>" in page and "<td class=bref>Mobile Money</td>" in page
    assert "<td>Séjour du" in page and "<td>LOYER-CON" in page


def test_most_rows_get_the_room_of_a_column_that_few_of_them_fill():
    reference = "LOYER-CON-2026-001-10-2026"
    rows = [
        {"date": date(2026, 10, 27), "reference": None if n else reference,
         "motif": "Séjour du 27/10/2026, logement GSG-ME14-A, rue", "activite": "Location résidentielle"}
        for n in range(9)
    ]  # fmt: skip
    page = html([Table("lignes", ["date", "reference", "motif", "activite"], rows)])
    assert f"<td class=rare>{reference}</td>" in page and " dense" in page
    assert "<td class=bref>Location résidentielle</td>" in page
    for row in rows:
        row["reference"] = reference
    assert f"<td>{reference}</td>" in html([Table("lignes", ["date", "reference", "motif", "activite"], rows)])


def test_a_text_that_wraps_breaks_no_short_reference():
    rows = [{"motif": "Séjour du 27/10/2026, logement GSG-ME14-A, petit-déjeuner"}]
    page = html([Table("lignes", ["motif"], rows)])
    assert "logement <span class=bref>GSG-ME14-A</span>, petit-déjeuner<" in page.replace('"', "")


def test_apostrophes_are_typographic_everywhere_on_a_page():
    rows = [{"libelle": "Mot de passe de l'utilisateur", "montant": Decimal(5)}]
    page = html(
        [Table("lignes", ["libelle", "montant"], rows)], replace(BARS, title="Rapport d'essai"), recherche="l'eau"
    )
    assert page.count("l’utilisateur") == 2 and "Rapport d’essai" in page and "l’eau" in page
    assert r"Rapport d\2019 essai" in page and "&#39;" not in page and "l'utilisateur" not in page
    assert "'Source Sans 3'" in page


def test_a_part_that_has_only_its_day_says_it_beside_its_list():
    head = [{"champ": "market.jour", "valeur": date(2026, 11, 26)}, {"champ": "impayes.nombre", "valeur": 2}]
    alerts = Table("market.stock.alertes", ["nom", "stock"], [{"nom": "Sucre", "stock": Decimal(6)}])
    page = html([Table("synthese", ["champ", "valeur"], head), alerts])
    assert "<h2>Stock, alertes – 26/11/2026</h2>" in page and "Boutique" not in page and "<h2>Impayés</h2>" in page
    head.append({"champ": "market.ventes", "valeur": 3})
    page = html([Table("synthese", ["champ", "valeur"], head), alerts])
    assert "<h2>Stock, alertes</h2>" in page and "<h2>Boutique</h2>" in page


@pytest.mark.parametrize(("word", "whole"), [("Restauration", True), ("R" * 90, False)])
def test_headings_break_no_word_that_has_room(word, whole):
    page = html([Table("lignes", [word, "montant"], [{word: "a", "montant": Decimal(1)}])])
    assert ('mots"' in page) is whole


def test_the_footer_escapes_its_text_for_css():
    page = html([Table("lignes", ["libelle"], [{"libelle": "x"}])], Report("Rapport d’activité"))
    assert r"Rapport d\2019 activit" in page and r"\26 \23 39" not in page


def test_an_axis_shows_few_short_dates():
    days = [f"2026-{month:02}-{day:02}" for month in (8, 9, 10) for day in range(1, 29)]
    svg = to_svg(Series("Essai", True, days, {"Entrées": [Decimal(5)] * len(days)}))
    labels = re.findall(r">(\d\d/\d\d)</text>", svg)
    assert labels[0] == "01/08" and 8 <= len(labels) <= 20 and "2026-08" not in svg
    assert axis(["2025-12", "2026-01"]) == ["déc. 2025", "janv. 2026"]
    assert axis(["2025-12-31", "2026-01-01"]) == ["31/12/25", "01/01/26"]
    assert axis(["2026-W32", "Espèces"]) == ["S32", "Espèces"]


def test_a_label_that_resembles_a_month_is_drawn_as_it_is():
    assert axis(["2026-00", "2026-13", "Pressing"]) == ["2026-00", "2026-13", "Pressing"]


def test_bars_lie_flat_below_the_last_mark_of_the_axis():
    names = [f"Location résidentielle {n}" for n in range(7)]
    for bars in (1, 7):
        svg = to_svg(Series("Essai", False, names[:bars], {"Entrées": [Decimal(1_620_000)] * bars}))
        drawn = [float(width) for width in re.findall(r'<rect[^>]* width="([\d.]+)"[^>]*class="rect', svg)]
        heights = [float(height) for height in re.findall(r'<rect[^>]* height="([\d.]+)"[^>]*class="rect', svg)]
        assert "rotate(" not in svg and len(drawn) == bars and max(heights) < 60
        assert "2\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}000" in svg
    first, last = svg.index(names[0]), svg.index(names[-1])
    assert first > last  # the first label is the highest


def test_marks_of_an_axis_are_round_and_contain_every_value():
    for values, marks in (
        (["7", "93"], [0, 20, 40, 60, 80, 100]),
        (["-40", "120"], [-50, 0, 50, 100, 150]),
        (["0.03"], [0, 0.01, 0.02, 0.03]),
        (["16200000.50"], [0, 5000000, 10000000, 15000000, 20000000]),
        (["-1"], [-1, -0.8, -0.6, -0.4, -0.2, 0]),
    ):
        assert graduations([Decimal(value) for value in values]) == pytest.approx(marks)


def test_the_chart_of_the_month_leaves_out_figures_of_the_day():
    rows = [
        {"champ": "finances.recettes_jour", "valeur": Decimal(5)},
        {"champ": "finances.solde_mois", "valeur": Decimal(70)},
    ]
    (chart,) = series(DASHBOARD.charts, [Table("tableau", ["champ", "valeur"], rows)])
    assert chart.labels == ["Solde"]


def test_a_long_report_is_cut_and_names_the_number_of_missing_rows():
    rows = [{"libelle": f"Ligne {n}", "montant": Decimal(1)} for n in range(reports.ROWS + 500)]
    total = {"montant": Decimal("987654.32")}  # the sum of the database, which differs from the sum of these rows
    page = html([Table("lignes", ["libelle", "montant"], rows, total)], Report("Essai", totals=("montant",)))
    assert f"Ligne {reports.ROWS - 1}<" in page and f"Ligne {reports.ROWS}<" not in page
    assert "500 lignes de plus" in page and "987\N{NO-BREAK SPACE}654,32" in page


def test_a_printed_page_of_a_list_names_the_number_of_rows_that_it_lacks():
    rows = [{"libelle": f"Ligne {n}"} for n in range(10)]
    more = {"10": None, "11": "1 ligne de plus n’est pas", "2000+": "Au moins 1 990 lignes de plus"}
    for length, words in more.items():
        page = html([Table("lignes", ["libelle"], rows, length=length)]).replace("\N{NO-BREAK SPACE}", " ")
        assert (words in page) if words else "de plus" not in page
        assert "les totaux" not in page


def test_an_empty_report_says_that_it_is_empty():
    assert "Rien à montrer" in html([Table("lignes", ["libelle", "montant"])])


def test_the_page_writes_the_period_in_words():
    since, until = {"du": "2026-08-01"}, {"au": "2026-08-31"}
    for query, words in (
        ({}, "Toutes les dates"),
        (since, "Depuis le 1er août 2026"),
        (until, "Jusqu’au 31 août 2026"),
        (since | until, "Du 1er août 2026 au 31 août 2026"),
    ):
        assert words in html([], **query)
    assert "Mois en cours" in html([], Report("Essai", month=True))
    for query, words in (({}, "À ce jour"), (until, "Au 31 août 2026")):
        assert words in html([], Report("Essai", day=True), **query)


# ---- charts in workbooks


def test_the_workbook_holds_the_charts_of_the_page(http, db, payments):
    answer = http.as_admin().get("/rapports/series", params=YEAR | {"format": "xlsx"})
    book = load_workbook(io.BytesIO(answer.content))
    assert book.sheetnames == ["Évolution", "Graphiques"]
    sheet = book["Graphiques"]
    (chart,) = sheet._charts
    assert type(chart).__name__ == "LineChart" and len(chart.series) == 3
    assert chart.series[0].val.numRef.f == "'Graphiques'!$B$2:$B$3"
    assert [[cell.value for cell in row[:2]] for row in sheet["A1:B3"]] == [
        ["Argent entré et sorti", "Encaissements"], ["2026-07", 95000], ["2026-08", 12800.5],
    ]  # fmt: skip
    assert (book["Évolution"]["B2"].data_type, book["Évolution"]["B2"].number_format) == ("n", "#,##0")


def test_a_workbook_shows_dates_as_the_pages_do_in_columns_wide_enough():
    """A spreadsheet shows #### in the place of a date that is wider than its column."""
    moment = datetime(2026, 10, 31, 20, 52, 3)
    table = Table("essai", ["jour", "date"], [{"jour": moment.date(), "date": moment}])
    sheet = load_workbook(io.BytesIO(to_xlsx([table])))["Essai"]
    assert [cell.number_format for cell in sheet[2]] == ["dd/mm/yyyy", "dd/mm/yyyy hh:mm:ss"]
    assert sheet.column_dimensions["B"].width > len("31/10/2026 20:52:03")


def test_a_chart_sums_its_values_by_label_in_order():
    rows = [
        {"date": date(2026, 8, 2), "montant": Decimal(3)},
        {"date": date(2026, 8, 1), "montant": Decimal(1)},
        {"date": date(2026, 8, 2), "montant": Decimal(4)},
    ]
    chart = Chart("Essai", ("depenses", "absente"), "date", ("montant",), lines=True)
    (result,) = series((chart,), [Table("depenses", ["date", "montant"], rows)])
    assert result.labels == ["2026-08-01", "2026-08-02"] and result.values["Dépenses"] == [1, 7]
    head = Table("x", ["champ", "valeur"], [{"champ": "etats.PAYEE", "valeur": 2}, {"champ": "etats.a.b", "valeur": 9}])
    (result,) = series((Chart("Essai", ("etats",)),), [head])
    assert (result.labels, result.values) == (["Payée"], {"Valeur": [2]})


def test_a_report_without_figures_has_no_chart_sheet(http, db):
    answer = http.as_admin().get("/rapports/series", params={"format": "xlsx", "du": "2031-01-01"})
    assert load_workbook(io.BytesIO(answer.content)).sheetnames == ["Évolution"]
