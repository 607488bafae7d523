"""A purchase that is entered late counts on the day of its paper, in the stock as in the books."""

import pytest

from tests import builders, livre
from tests.achat.achats import article, crediter, facture, fournisseur, recevoir, stock
from tests.conftest import ok
from tests.market.test_cout_moyen import last, move


@pytest.fixture
def days(db):
    """A day of the month before last, the day before today, and today."""
    month = "(date_trunc('month', core.aujourdhui()::timestamp) - interval '1 month 1 day')::date"
    return [str(db.one(f"select {day}")) for day in (month, "core.aujourdhui() - 1", "core.aujourdhui()")]


def value(http, day):
    """The value of the stock, the same in its report and in the balance sheet, and the profits of all years."""
    report = ok(http.as_admin().get("/market/rapports/stock", params={"au": day}))
    sheet = ok(http.as_admin().get("/compta/bilan", params={"au": day}))
    rows = {row["code"]: row["net"] for row in sheet["actif"] + sheet["passif"]}
    assert rows["BZ"] == rows["DZ"]
    assert rows["BB"] == f"{sum(float(row['valeur_stock']) for row in report):.2f}"
    return float(rows["BB"]), float(rows["CI"]) + float(rows["CJ"])


def test_goods_of_a_bill_that_comes_late_are_in_stock_on_its_date(http, db, days):
    product = builders.produit(db, "0")
    facture(db, article(product, 10, 100), date=days[0])
    # Nothing is sold: what was bought is in the stock, and makes no loss on any day.
    assert [value(http, day) for day in days] == [(1000, 0)] * 3
    movement = last(db)
    assert str(movement["jour"]) == days[0] and str(movement["date"].date()) != days[0]
    move(db, product, "SORTIE", 4)
    assert [value(http, day) for day in days] == [(1000, 0), (1000, 0), (600, -400)]
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_a_closed_month_keeps_the_value_of_its_stock(http, db, days):
    product = builders.produit(db, "0")
    facture(db, article(product, 10, 100), date=days[0])
    db.call("compta.periode_cloturer", periode=days[0][:7])
    facture(db, article(product, 10, 300), date=days[0])
    assert [value(http, day) for day in (days[0], days[2])] == [(1000, 0), (4000, 0)]
    assert str(last(db)["jour"]) == days[2]
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_a_late_price_counts_on_the_date_of_its_bill_and_never_before_the_delivery(http, db, days):
    product, supplier = builders.produit(db, "0"), fournisseur(db)
    reception = recevoir(db, product, 10, 100, id_fournisseur=supplier, date=days[0])
    move(db, product, "SORTIE", 5)
    facture(db, article(product, 10, 120, id_reception=reception), id_fournisseur=supplier, date=days[1])
    assert str(last(db)["jour"]) == days[1]
    # The five articles that went cost 600, of which 100 is known since yesterday.
    assert [value(http, day) for day in days] == [(1000, 0), (1100, -100), (600, -600)]
    report = ok(http.as_admin().get("/market/rapports/ventes", params={"du": days[1], "au": days[1]}))
    assert report["ecarts_de_cout"] == "100.00"
    late = recevoir(db, product, 1, 100, id_fournisseur=supplier)
    facture(db, article(product, 1, 150, id_reception=late), id_fournisseur=supplier, date=days[0])
    assert str(last(db)["jour"]) == days[2] and livre.wrong(db) == []


def test_goods_that_go_back_count_today_and_a_rebate_on_its_date(http, db, days):
    product = builders.produit(db, "0")
    bill = facture(db, article(product, 10, 100), date=days[0])
    line = db.one("select id_ligne from achat.facture_ligne")
    crediter(db, bill, {"id_ligne": line, "montant": "100"}, date=days[1])
    assert [value(http, day) for day in days] == [(1000, 0), (900, 0), (900, 0)]
    crediter(db, bill, {"id_ligne": line, "quantite": "5"}, date=days[1])
    assert [value(http, day) for day in days] == [(1000, 0), (900, 0), (450, 0)]
    dates = db.all("select date::text, jour::text from achat.avoir order by id_avoir")
    assert [tuple(row.values()) for row in dates] == [(days[1], days[1]), (days[1], days[2])]
    assert stock(db, product) == (5, 450) and livre.wrong(db) == []
