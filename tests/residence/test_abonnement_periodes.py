"""A recurring subscription is billed once for each period that begins. A suspended subscription is not billed."""

from datetime import date, timedelta

import pytest

from tests import builders
from tests.residence.leases import subscription
from tests.residence.test_resiliation import plus


def bill(db):
    return db.call("jobs.generer_echeances")["factures"]


def periods(db, key):
    query = (
        "select date_debut, date_fin, id_facture from residence.abonnement_periode where id_abonnement = %s order by 1"
    )
    return [(row["date_debut"], row["date_fin"], row["id_facture"] is not None) for row in db.all(query, [key])]


def modifier(db, key, **champs):
    return db.call("residence.abonnement_modifier", id_abonnement=key, champs=champs)


@pytest.mark.parametrize(("kind", "months", "months_ago", "first"), [
    ("MENSUEL", 1, 0, "exact"), ("MENSUEL", 1, 3, "exact"), ("MENSUEL", 1, 3, "veille"), ("MENSUEL", 1, 1, "31"),
    ("ANNUEL", 12, 1, "exact"), ("ANNUEL", 12, 1, "veille"),
])  # fmt: skip
def test_each_period_that_has_begun_is_billed_once(db, kind, months, months_ago, first):
    start = plus(db.today(), -months * months_ago)
    if first == "veille":
        start += timedelta(days=1)  # the last period begins tomorrow
    elif first == "31":
        start = date(start.year - 1, 12, 31)
    expected = [start]
    while plus(start, months * len(expected)) <= db.today():
        expected.append(plus(start, months * len(expected)))
    key = builders.abonnement(db, type=kind, date_debut=start, montant="20000.50")
    assert bill(db) == len(expected) - 1
    # The periods follow each other: each ends on the day before the next.
    assert periods(db, key) == [
        (debut, plus(start, months * (n + 1)) - timedelta(days=1), True) for n, debut in enumerate(expected)
    ]
    assert float(subscription(db, key)["reste_a_payer"]) == 20000.5 * len(expected)
    assert bill(db) == 0
    label = db.one("select libelle from facturation.facture order by id_facture desc limit 1")
    debut, fin, _ = periods(db, key)[-1]
    assert label == f"Abonnement Internet, {debut:%d/%m/%Y} au {fin:%d/%m/%Y}"


def test_a_subscription_of_one_period_is_billed_once(db):
    key = builders.abonnement(db, type="PERIODIQUE", date_debut=db.today() - timedelta(days=500))
    assert bill(db) == 0 and len(periods(db, key)) == 1
    assert db.one("select libelle from facturation.facture") == "Abonnement Internet"


def test_no_period_is_billed_after_the_last_day(db):
    start = plus(db.today(), -5)
    last = plus(start, 2) + timedelta(days=3)
    key = builders.abonnement(db, date_debut=start, date_fin=last)
    assert bill(db) == 2
    assert periods(db, key)[-1][:2] == (plus(start, 2), last)


def test_the_periods_of_a_suspension_are_not_billed(db):
    start = plus(db.today(), -3)
    key = builders.abonnement(db, date_debut=db.today())
    db.tamper("update residence.abonnement set date_debut = %s, statut = 'SUSPENDU'", start)
    last = plus(start, 1) - timedelta(days=1)
    db.tamper("update residence.abonnement_periode set date_debut = %s, date_fin = %s", start, last)
    assert bill(db) == 0
    assert [billed for _, _, billed in periods(db, key)] == [True, False, False, False]
    assert modifier(db, key, statut="ACTIF")["reste_a_payer"] == 20000 and bill(db) == 0


def test_the_periods_begun_before_a_suspension_are_due(db):
    key = builders.abonnement(db, date_debut=plus(db.today(), -2))
    assert modifier(db, key, statut="SUSPENDU")["reste_a_payer"] == 60000
    assert bill(db) == 0


def test_the_oldest_invoice_of_a_subscription_is_payable_first(db):
    key = builders.abonnement(db, date_debut=plus(db.today(), -1))
    bill(db)
    invoices = [row["id_facture"] for row in db.all("select id_facture from facturation.facture order by 1")]
    for n, id_facture in enumerate(invoices):
        row = subscription(db, key)
        assert (row["id_facture_a_payer"], row["montant_paye"]) == (id_facture, 20000 * n)
        db.call("finances.paiement_creer", montant="20000", id_moyen=builders.moyen(db), id_facture=id_facture)
    row = subscription(db, key)
    assert (row["id_facture"], row["id_facture_a_payer"], row["reste_a_payer"]) == (invoices[-1], None, 0)
    assert db.all("select * from jobs._controler()") == []


def test_a_changed_price_applies_from_the_last_unpaid_period(db):
    key = builders.abonnement(db, date_debut=plus(db.today(), -1))
    first = subscription(db, key)["id_facture"]
    db.call("finances.paiement_creer", montant="20000", id_moyen=builders.moyen(db), id_facture=first)
    bill(db)
    changed = modifier(db, key, montant="25000")
    assert (changed["montant_paye"], changed["reste_a_payer"]) == (20000, 25000)
    assert len(periods(db, key)) == 2
    assert db.all("select * from jobs._controler()") == []


def test_an_expired_subscription_is_billed_until_its_end(db):
    start = plus(db.today(), -4)
    key = builders.abonnement(db, date_debut=start, date_fin=plus(start, 2))
    db.call("jobs.expirer_abonnements")
    assert [debut for debut, _, _ in periods(db, key)] == [start, plus(start, 1), plus(start, 2)]
    assert subscription(db, key)["reste_a_payer"] == 60000
