"""A recurring subscription is billed once for each period that begins. A suspended subscription is not billed."""

from datetime import date, timedelta

import pytest

from tests import builders
from tests.residence.test_resiliation import plus


def today(db):
    return db.one("select core.aujourdhui()")


def bill(db):
    return db.call("jobs.generer_echeances")["factures"]


def periods(db, subscription):
    rows = db.all(
        "select date_debut, date_fin, id_facture from residence.abonnement_periode where id_abonnement = %s order by 1",
        [subscription],
    )
    return [(row["date_debut"], row["date_fin"], row["id_facture"] is not None) for row in rows]


def row(db, subscription):
    return next(r for r in db.rows("residence.abonnement_lister") if r["id_abonnement"] == subscription)


def backdate(db, subscription, **columns):
    """Change stored columns, as if days had passed."""
    db.execute("set local session_replication_role = replica")
    sets = ", ".join(f"{name} = %s" for name in columns)
    db.execute(f"update residence.abonnement set {sets} where id_abonnement = %s", [*columns.values(), subscription])
    db.execute("set local session_replication_role = origin")


@pytest.mark.parametrize("kind, months", [("MENSUEL", 1), ("ANNUEL", 12)])
@pytest.mark.parametrize("months_ago", [0, 1, 3])
@pytest.mark.parametrize("first", ["exact", "veille", "31"])
def test_each_period_that_has_begun_is_billed_once(db, kind, months, months_ago, first):
    now = today(db)
    start = plus(now, -months * months_ago)
    if first == "veille":
        start += timedelta(days=1)  # the last period begins tomorrow
    elif first == "31":
        start = date(start.year - 1, 12, 31)
    expected = [start]
    while plus(start, months * len(expected)) <= now:
        expected.append(plus(start, months * len(expected)))
    subscription = builders.abonnement(db, type=kind, date_debut=start, montant="20000.50")
    assert bill(db) == len(expected) - 1
    rows = periods(db, subscription)
    assert [debut for debut, _, _ in rows] == expected
    assert all(billed for _, _, billed in rows)
    # The periods follow each other: each ends on the day before the next.
    for n, (_, fin, _) in enumerate(rows):
        assert fin == plus(start, months * (n + 1)) - timedelta(days=1)
    assert float(row(db, subscription)["reste_a_payer"]) == 20000.5 * len(expected)
    assert bill(db) == 0
    labels = db.all("select libelle from facturation.facture order by id_facture")
    last = rows[-1]
    assert labels[-1]["libelle"] == f"Abonnement Internet, {last[0]:%d/%m/%Y} au {last[1]:%d/%m/%Y}"


def test_a_subscription_of_one_period_is_billed_once(db):
    subscription = builders.abonnement(db, type="PERIODIQUE", date_debut=today(db) - timedelta(days=500))
    assert bill(db) == 0 and len(periods(db, subscription)) == 1
    assert db.one("select libelle from facturation.facture") == "Abonnement Internet"


def test_no_period_is_billed_after_the_last_day(db):
    start = plus(today(db), -5)
    last = plus(start, 2) + timedelta(days=3)
    subscription = builders.abonnement(db, date_debut=start, date_fin=last)
    assert bill(db) == 2
    assert periods(db, subscription)[-1][:2] == (plus(start, 2), last)


def test_the_periods_of_a_suspension_are_not_billed(db):
    start = plus(today(db), -3)
    subscription = builders.abonnement(db, date_debut=today(db))
    backdate(db, subscription, date_debut=start, statut="SUSPENDU")
    db.execute("update residence.abonnement_periode set date_debut = %s, date_fin = %s",
               [start, plus(start, 1) - timedelta(days=1)])  # fmt: skip
    assert bill(db) == 0
    assert [billed for _, _, billed in periods(db, subscription)] == [True, False, False, False]
    resumed = db.call("residence.abonnement_modifier", id_abonnement=subscription, champs={"statut": "ACTIF"})
    assert resumed["reste_a_payer"] == 20000 and bill(db) == 0


def test_the_periods_begun_before_a_suspension_are_due(db):
    subscription = builders.abonnement(db, date_debut=plus(today(db), -2))
    suspended = db.call("residence.abonnement_modifier", id_abonnement=subscription, champs={"statut": "SUSPENDU"})
    assert suspended["reste_a_payer"] == 60000
    assert bill(db) == 0


def test_the_oldest_invoice_of_a_subscription_is_payable_first(db):
    subscription = builders.abonnement(db, date_debut=plus(today(db), -1))
    bill(db)
    invoices = [r["id_facture"] for r in db.all("select id_facture from facturation.facture order by 1")]
    moyen = builders.moyen(db)
    for n, id_facture in enumerate(invoices):
        subscription_row = row(db, subscription)
        assert (subscription_row["id_facture_a_payer"], subscription_row["montant_paye"]) == (id_facture, 20000 * n)
        db.call("finances.paiement_creer", montant="20000", id_moyen=moyen, id_facture=id_facture)
    subscription_row = row(db, subscription)
    assert (
        subscription_row["id_facture"], subscription_row["id_facture_a_payer"], subscription_row["reste_a_payer"],
    ) == (invoices[-1], None, 0)  # fmt: skip
    assert db.all("select * from jobs._controler()") == []


def test_a_changed_price_applies_from_the_last_unpaid_period(db):
    subscription = builders.abonnement(db, date_debut=plus(today(db), -1))
    first = row(db, subscription)["id_facture"]
    db.call("finances.paiement_creer", montant="20000", id_moyen=builders.moyen(db), id_facture=first)
    bill(db)
    changed = db.call("residence.abonnement_modifier", id_abonnement=subscription, champs={"montant": "25000"})
    assert (changed["montant_paye"], changed["reste_a_payer"]) == (20000, 25000)
    assert len(periods(db, subscription)) == 2
    assert db.all("select * from jobs._controler()") == []


def test_an_expired_subscription_is_billed_until_its_end(db):
    start = plus(today(db), -4)
    subscription = builders.abonnement(db, date_debut=start, date_fin=plus(start, 2))
    db.call("jobs.expirer_abonnements")
    assert [debut for debut, _, _ in periods(db, subscription)] == [start, plus(start, 1), plus(start, 2)]
    assert row(db, subscription)["reste_a_payer"] == 60000
