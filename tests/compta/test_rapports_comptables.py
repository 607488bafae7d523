"""Balance, general ledger, result and balance sheet: their figures, over random ledgers too."""

from datetime import date

import pytest

from tests import addition, builders, etats
from tests.facturation import test_taxe as taxe
from tests.preuve import selon

FIRST = date(2023, 11, 1)


@pytest.mark.promesse("Aucune suite d'écritures ne donne un bilan dont les deux côtés diffèrent.")
@pytest.mark.parametrize("tenth", range(10))
def test_no_ledger_makes_a_balance_sheet_whose_sides_differ(db, tenth):
    for seed in range(tenth, selon(20, 2000), 10):
        with db.connection.transaction(force_rollback=True):
            etats.write(db, seed, FIRST, 3 + seed % 16, 5 + seed % 60)
            assert etats.wrong(db, date(2023, 12, 31), date(2024, 2, 29), date(2024, 5, 12), date(2026, 1, 1)) == []
            assert etats.wrong_pages(db, date(2024, 1 + seed % 6, 20), 1 + seed % 9) == []


@pytest.mark.promesse("hledger et beancount additionnent le livre exporté comme la balance, compte par compte.")
@pytest.mark.parametrize("program", addition.PROGRAMS)
def test_other_programs_add_up_random_years_as_the_balance_does(http, db, program):
    admin = http.as_admin()
    for seed in range(selon(5, 50)):
        with db.connection.transaction(force_rollback=True):
            etats.write(db, seed, FIRST, 14, 200)
            assert [line for year in (2023, 2024) for line in addition.differences(admin, program, year)] == []


@pytest.mark.parametrize(
    ("day", "before"),
    [
        ("2024-02-29", "2023-02-28"),
        ("2025-02-28", "2024-02-29"),
        ("2026-12-31", "2025-12-31"),
        ("2026-02-27", "2025-02-27"),
    ],
)
def test_a_year_before_the_end_of_a_month_is_the_end_of_a_month(db, day, before):
    assert str(db.one("select compta._an_avant(%s)", [day])) == before


def claims(db, day):
    query = """select client, factures, de_0_a_30_jours, de_31_a_60_jours, de_61_a_90_jours, plus_de_90_jours, total
                 from compta.creances(%s)"""
    return [tuple(map(str, row.values())) for row in db.all(query, [day])]


def test_the_ledger_of_a_result_opens_with_its_year_as_the_balance_does(horloge):
    for day, amount in ((date(2026, 12, 10), "1000"), (date(2027, 1, 10), "200"), (date(2027, 2, 10), "30")):
        horloge.le(day)
        builders.facturer(horloge, amount)
    month = {"du": "2027-02-01", "au": "2027-02-28"}
    pages = horloge.rows("compta.grand_livre", compte="706", limit=10, offset=0, **month)
    assert [row["solde"] for row in pages] == [-200, -230]
    [opening] = [row["ouverture_credit"] for row in horloge.rows("compta.balance", **month) if row["compte"] == "706"]
    assert opening == 200


def test_a_payment_that_is_applied_after_its_month_makes_the_tax_due_on_the_day_of_the_application(horloge):
    taxe.rate(horloge)
    taxe.setting(horloge, "TAXES_DUES", "ENCAISSEMENT")
    horloge.le(date(2026, 2, 10))
    client = builders.client(horloge)
    payment = builders.payer(horloge, "23600", id_activite=builders.activite(horloge))
    old = taxe.bill(horloge, "11800", id_client=client)
    horloge.le(date(2026, 3, 10))
    horloge.call("compta.periode_cloturer", periode="2026-02")
    new = taxe.bill(horloge, "11800", id_client=client)
    for bill in (old, new):
        horloge.call("finances.paiement_appliquer", id_paiement=payment, id_facture=bill["id_facture"])
    due = [(row["periode"], row["due"]) for row in horloge.rows("rapports.taxes", du="2026-02-01", au="2026-03-31")]
    assert due == [("2026-02", 0), ("2026-03", 3600)]
    assert horloge.rows("rapports.taxes", du="2026-02-01", au="2026-02-28")[0]["due"] == 0


def test_the_stock_of_a_past_day_is_the_stock_of_the_ledger_after_the_zone_changed(horloge):
    taxe.setting(horloge, "FUSEAU_HORAIRE", "Africa/Lagos")
    product = builders.produit(horloge, stock="0")
    horloge.le(date(2027, 2, 10), "23:30:00Z")  # the eleventh in Lagos
    entry = {"type": "ENTREE", "quantite": "3", "cout_unitaire": "100"}
    horloge.call("market.mouvement_stock_creer", id_produit=product, **entry)
    taxe.setting(horloge, "FUSEAU_HORAIRE", "Africa/Abidjan")
    for day, value in (("2027-02-10", 0), ("2027-02-11", 300)):
        assert sum(row["valeur_stock"] for row in horloge.rows("market.rapport_stock", au=day)) == value
        balance = horloge.rows("compta.balance", du="2027-01-01", au=day)
        assert sum(row["solde_debit"] for row in balance if row["compte"] == "31") == value


def test_the_claims_of_a_past_day_are_those_of_that_evening(horloge):
    client = builders.client(horloge, nom="Kouassi", prenoms="Awa")
    horloge.le(date(2026, 1, 10))
    old = builders.facturer(horloge, "1000", id_client=client)
    paid = builders.facturer(horloge, "70", montant="70", id_client=client)
    horloge.le(date(2026, 3, 20))
    new = builders.facturer(horloge, "500", id_client=client)
    horloge.le(date(2026, 4, 25))
    builders.paiement(horloge, "400", id_facture=old["id_facture"])
    for invoice, amount in ((new, "100"), (paid, "30")):
        key = invoice["id_facture"]
        line = horloge.one("select id_ligne from facturation.facture_ligne where id_facture = %s", [key])
        credited = [{"id_ligne": line, "montant": amount}]
        horloge.call("facturation.avoir_creer", id_facture=key, motif="rendu", lignes=credited)
    assert claims(horloge, "2026-01-09") == []
    assert claims(horloge, "2026-03-31") == [("Kouassi Awa", "2", "500.00", "0.00", "1000.00", "0.00", "1500.00")]
    assert claims(horloge, "2026-04-25") == [("Kouassi Awa", "2", "0.00", "400.00", "0.00", "600.00", "1000.00")]
    assert horloge.one("select solde_debit from compta.balance('2026-04-01') where compte = '4111'") == 1000
