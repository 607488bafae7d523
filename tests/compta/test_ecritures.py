"""The ledger over HTTP: its lines, its accounts, its files, and what it answers before there is anything."""

import csv
import io
from datetime import timedelta
from decimal import Decimal

import pytest
from openpyxl import load_workbook

from tests import builders, livre
from tests.conftest import refusal, refused

HEADER = "journal;date;piece;compte;libelle;debit;credit;reference"


@pytest.fixture
def month(db):
    return str(db.one("select to_char(core.aujourdhui(), 'YYYY-MM')"))


def entry(rows, piece):
    return [(r["journal"], r["compte"], r["debit"], r["credit"]) for r in rows if r["piece"] == piece]


def sold(db, total="5000", paid="5000", **more):
    return builders.facturer(db, total, montant=paid, **more)


def ledger(http, **params):
    return http.as_admin().get("/compta/ecritures", params=params).json()


def test_the_ledger_is_empty_before_any_document(http):
    admin = http.as_admin()
    answer = admin.get("/compta/ecritures")
    assert (answer.status_code, answer.json(), answer.headers["x-total-count"]) == (200, [], "0")
    assert admin.get("/compta/periodes").json() == []
    file = admin.get("/compta/ecritures", params={"periode": "2020-01", "format": "csv"})
    assert file.content.decode("utf-8-sig") == f"{HEADER}\r\n"


def test_a_sale_is_an_invoice_in_the_sales_and_a_payment_in_the_till(http, db, month):
    made = sold(db, "5000", "3000", id_client=builders.client(db, nom="Kouassi"))
    rows = ledger(http, periode=month)
    assert entry(rows, made["numero"]) == [("VE", "4111", "5000.00", None), ("VE", "706", None, "5000.00")]
    assert rows[0]["libelle"] == "Location de chaises, Kouassi" and rows[0]["numero"] is None
    payment = f"PAI-{made['id_paiement']}"
    assert entry(rows, payment) == [("CA", "571", "3000.00", None), ("CA", "4111", None, "3000.00")]
    assert rows[-1]["reference"] == made["numero"] and rows[0]["date"][:7] == month


def test_money_goes_to_the_account_of_its_method(http, db):
    for method, journal, account in (
        ("Espèces", "CA", "571"),
        ("Mobile Money", "BQ", "552"),
        ("Virement", "BQ", "521"),
        ("Chèque", "BQ", "513"),
    ):
        made = sold(db, id_moyen=builders.moyen(db, method))
        assert entry(ledger(http), f"PAI-{made['id_paiement']}")[0] == (journal, account, "5000.00", None)


def test_cash_goes_to_the_account_of_its_till(http, db):
    till = builders.caisse(db)
    admin = http.as_admin()
    assert admin.get(f"/compta/comptes/CAISSES-{till}").json()["compte"] is None
    changed = admin.patch(f"/compta/comptes/CAISSES-{till}", json={"compte": "5713", "libelle": "Caisse du pressing"})
    assert (changed.status_code, changed.json()["compte"], changed.json()["a_defaut"]) == (200, "5713", "CAISSES")
    for method in ("Espèces", "Mobile Money"):
        builders.paiement(db, id_moyen=builders.moyen(db, method), id_caisse=till)
    assert [r["compte"] for r in ledger(http) if r["debit"]] == ["5713", "552"]


def test_a_kept_part_of_a_deposit_is_income_and_the_rest_is_paid_back(http, db):
    lease = {"id_contrat": builders.contrat(db)}
    db.call("residence.caution_creer", **lease, montant="1000")
    db.call("residence.caution_encaisser", **lease, id_moyen=1)
    db.call("residence.caution_rembourser", **lease, id_moyen=1, retenue="300", motif_retenue="Vitre")
    rows = ledger(http)
    deposit = db.one("select id_caution from residence.caution")
    assert entry(rows, f"CAUTION-{deposit}") == [("OD", "165", "300.00", None), ("OD", "758", None, "300.00")]
    assert sum(Decimal(r["credit"] or 0) - Decimal(r["debit"] or 0) for r in rows if r["compte"] == "165") == 0
    assert livre.wrong(db) == []


def test_a_payslip_is_a_charge_when_it_is_valid_and_a_debt_until_it_is_paid(http, db):
    slip = builders.paie(db, periode="2026-08", salaire_base="1000")
    for kind, amount in (("PRIME", "200"), ("AVANCE", "300"), ("RETENUE", "50")):
        db.call("rh.element_salaire_ajouter", id_paie=slip, type=kind, libelle="x", montant=amount)
    assert ledger(http, periode="2026-08") == []
    db.call("rh.paie_valider", id_paie=slip)
    rows = ledger(http, periode="2026-08")
    assert {r["date"] for r in rows} == {"2026-08-31"}
    assert entry(rows, f"PAIE-{slip}") == [
        ("OD", "6611", "1000.00", None),
        ("OD", "6612", "200.00", None),
        ("OD", "422", None, "850.00"),
        ("OD", "421", None, "300.00"),
        ("OD", "428", None, "50.00"),
    ]
    db.call("rh.paie_payer", id_paie=slip, id_moyen=builders.moyen(db))
    assert [(r["journal"], r["debit"]) for r in ledger(http, compte="422")] == [("CA", "850.00")]
    assert livre.wrong(db) == []


def test_a_credit_note_reverses_the_sale_and_leaves_its_excess_to_the_client(http, db):
    made = sold(db, id_client=builders.client(db))
    line = db.one("select id_ligne from facturation.facture_ligne where id_facture = %s", [made["id_facture"]])
    lines = [{"id_ligne": line, "montant": "2000"}]
    db.call("facturation.avoir_creer", id_facture=made["id_facture"], lignes=lines, motif="rendu")
    rows = ledger(http)
    number = db.one("select numero from facturation.avoir")
    assert entry(rows, number) == [("VE", "706", "2000.00", None), ("VE", "4191", None, "2000.00")]
    assert {r["reference"] for r in rows if r["piece"] == number} == {made["numero"]}
    assert livre.wrong(db) == []


def test_a_deleted_expense_leaves_the_ledger(http, db):
    category = builders.categorie_depense(db)
    http.as_admin().patch(f"/compta/comptes/DEPENSES-{category}", json={"compte": "6051"})
    made = builders.depense(db, "700")["id_depense"]
    assert entry(ledger(http), f"DEP-{made}") == [("BQ", "6051", "700.00", None), ("BQ", "521", None, "700.00")]
    db.execute("select finances.depense_supprimer(%s)", [made])
    assert ledger(http) == []


def test_an_invoice_that_was_void_before_there_were_credit_notes_counts_on_no_day(http, db):
    made = sold(db, paid="0")
    db.tamper("update facturation.facture set annulee = true where id_facture = %s", made["id_facture"])
    assert ledger(http) == []


def test_the_file_has_the_layout_of_accountants_and_the_lines_of_the_list(http, db, month):
    sold(db, id_client=builders.client(db))
    sold(db, "700", "1", id_client=builders.client(db))
    rows = ledger(http, periode=month)

    def file(kind):
        return http.as_admin().get("/compta/ecritures", params={"periode": month, "format": kind}).content

    text = file("csv").decode("utf-8-sig")
    assert text.startswith(f"{HEADER}\r\n")
    read = list(csv.DictReader(io.StringIO(text), delimiter=";"))
    assert [{k: v or None for k, v in line.items()} for line in read] == [
        {name: row[name] for name in HEADER.split(";")} for row in rows
    ]
    assert len(read) == 8 and all(bool(line["debit"]) != bool(line["credit"]) for line in read)
    [sheet] = load_workbook(io.BytesIO(file("xlsx"))).worksheets
    titles, *cells = sheet.iter_rows(values_only=True)
    assert ";".join(map(str, titles)) == "Journal;Date;Pièce;Compte;Libellé;Débit;Crédit;Référence" and len(cells) == 8
    assert sum(row[5] or 0 for row in cells) == sum(row[6] or 0 for row in cells) == 10701


def test_a_period_is_a_month_or_days_and_not_both(http, db, month):
    admin = http.as_admin()
    sold(db)
    today = str(db.today())
    assert len(ledger(http, du=today, au=today)) == 4
    assert ledger(http, du="2020-01-01", au="2020-02-01") == []
    assert refusal(admin.get("/compta/ecritures", params={"periode": month, "du": today})) == (400, "PERIODE_OU_DATES")
    for wrong in ("2026-13", "2026", "x"):
        assert admin.get("/compta/ecritures", params={"periode": wrong}).status_code == 400


def test_a_used_case_without_an_account_is_named_and_the_ledger_waits_for_it(http, db, month):
    admin = http.as_admin()
    sold(db)
    for case in ("CLIENTS", "HORS_CAISSE", "CAUTIONS"):
        assert admin.patch(f"/compta/comptes/{case}", json={"compte": None}).json()["compte"] is None
    for format_ in ("json", "csv", "xlsx"):
        refusal = admin.get("/compta/ecritures", params={"periode": month, "format": format_})
        assert (refusal.status_code, refusal.json()["code"]) == (409, "COMPTE_MANQUANT")
    # No entry uses the account of deposits, so it is not named.
    assert [c["cas"] for c in refusal.json()["details"]["comptes"]] == ["CLIENTS", "HORS_CAISSE"]
    assert "« Ce que doivent les clients »" in refusal.json()["message"]
    assert ledger(http, periode="2020-01") == []


def test_a_new_method_uses_the_account_of_its_case(http, db):
    admin = http.as_admin()
    method = admin.post("/finances/moyens-paiement", json={"libelle": "Bon d'achat"}).json()["id_moyen"]
    made = sold(db, id_moyen=method)
    assert entry(ledger(http), f"PAI-{made['id_paiement']}")[0][1] == "571"
    cases = {row["cas"]: row for row in admin.get("/compta/comptes").json()}
    assert cases[f"MOYENS-{method}"]["compte"] is None and cases[f"MOYENS-{method}"]["a_defaut"] == "CAISSES"
    assert len(cases) > 25 and {c["a_defaut"] for c in cases.values()} == {None, "VENTES", "CAISSES"}


def test_a_wrong_account_number_is_refused(http):
    admin = http.as_admin()
    for number in ("0411", "41 1", "4", "", "41-1", "4" * 21):
        assert admin.patch("/compta/comptes/CLIENTS", json={"compte": number}).status_code == 400, number
    assert admin.patch("/compta/comptes/CLIENTS-9", json={"compte": "411"}).status_code == 404
    assert admin.get("/compta/comptes/CLIENTS").json()["compte"] == "4111"


def test_an_account_bound_to_a_till_sees_the_entries_of_its_till(http, db):
    till, other = builders.caisse(db), builders.caisse(db)
    for place in (till, other, None):
        builders.paiement(db, id_caisse=place)
    cashier = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR", caisse=till))
    assert [row["id_caisse"] for row in cashier.get("/compta/ecritures").json()] == [str(till)] * 2
    pressing = http.as_user(builders.utilisateur(db, role="DIRIGEANT", activite=builders.activite(db)))
    assert len(pressing.get("/compta/ecritures").json()) == 4


def test_the_pages_of_a_long_ledger_make_the_whole(http, db):
    """More lines than the capped count, several documents a day, days without any."""
    today = db.today()
    db.execute(
        """insert into finances.paiement (date, montant, id_moyen)
           select %s::timestamptz - make_interval(days => (n * n) %% 90), n, %s from generate_series(1, 1300) n""",
        [today, builders.moyen(db)],
    )
    admin = http.as_admin()
    start = {"du": str(today - timedelta(days=400)), "au": str(today)}
    query = "select * from compta.ecriture_vue where date >= %s order by date, type, id_ligne"
    expected = [str(row["id_ligne"]) for row in db.all(query, [today - timedelta(days=400)])]
    assert len(expected) == 2600
    for size in (1000, 333):
        page = admin.get("/compta/ecritures", params=start | {"limit": size})
        assert (page.headers["x-total-count"], page.headers["x-total-capped"]) == ("2000", "true")
        read = page.json()
        while "link" in page.headers:
            page = admin.get(page.headers["link"].partition(">")[0][1:])
            read += page.json()
        assert [row["id_ligne"] for row in read] == expected
    assert [row["id_ligne"] for row in ledger(http, **start, offset=2590)] == expected[2590:]
    file = admin.get("/compta/ecritures", params=start | {"format": "csv"}).content.decode("utf-8-sig").splitlines()
    assert len(file) == 2601


def test_a_frozen_line_is_never_rewritten(db):
    builders.paiement(db, date="2020-01-05 10:00:00Z")
    db.call("compta.periode_cloturer", periode="2020-01")
    changes = {"compta.ecriture": "date = date", "compta.periode": "nombre = nombre", "compta.cumul": "nombre = 0"}
    for table, change in changes.items():
        for statement in (f"update {table} set {change}", f"delete from {table}", f"truncate {table}"):
            with refused("ECRITURE_FIGEE", status=409):
                db.execute(statement)


def test_a_file_of_a_period_twice_as_long_reads_twice_the_documents(http, db):
    """The cost of a page does not grow with the period, whatever the filter."""
    db.tamper(
        "insert into finances.depense (libelle, montant, id_categorie_depense, id_activite, jour, date, id_utilisateur)"
        " select 'Essai ' || n, 100, 1, 1, date '2020-01-01' + n / 50, date '2020-01-01' + n / 50, 1"
        " from generate_series(0, 11999) n"
    )
    db.execute("analyze finances.depense")
    admin = http.as_admin()

    def reads(until, lines, chosen):
        counter = "select sum(seq_tup_read + idx_tup_fetch) from pg_stat_xact_user_tables where relname = 'depense'"
        before = db.one(counter)
        given = {"du": "2020-01-01", "au": until, "format": "csv", **chosen}
        assert len(admin.get("/compta/ecritures", params=given).text.splitlines()) == 1 + lines
        return int(db.one(counter) - before)

    for chosen, lines in (({}, 2), ({"compte": "6", "recherche": "essai"}, 1)):
        half = reads("2020-04-29", 6000 * lines, chosen)
        whole = reads("2020-08-27", 12_000 * lines, chosen)
        assert whole - half < 1.6 * half, f"{chosen}: {half} documents, then {whole}"
