"""A write reads the clock after it has locked the till or the counter, not when its transaction began."""

import pytest

from tests import builders
from tests.conftest import connected, refused


@pytest.fixture
def early(database_url):
    """A connection with an open transaction."""
    with connected(database_url) as db:
        db.execute("select 1")
        yield db


def midnight_soon(db):
    """Set the organisation's time zone so that its day ends in one to two seconds."""
    db.execute("set session_replication_role = replica")
    db.execute(
        "update core.parametre set valeur = '<soon>' || to_char("
        "  (date_trunc('second', clock_timestamp() at time zone 'UTC') + interval '2 seconds')::time, 'HH24:MI:SS')"
        " where cle = 'FUSEAU_HORAIRE'"
    )
    db.execute("set session_replication_role = origin")


def today(db):
    return db.one("select core.jour(clock_timestamp())")


ACTS = {
    "payment": lambda db, till, _: builders.paiement(db, "10.25", id_caisse=till),
    "expense": lambda db, till, _: builders.depense(db, "7.50", id_caisse=till),
    "void": lambda db, _, expense: db.call("finances.depense_supprimer", id_depense=expense),
}


@pytest.mark.parametrize("act", ACTS)
def test_a_transaction_begun_before_midnight_books_nothing_on_a_counted_day(committed, early, act):
    till = builders.caisse(committed)
    builders.categorie_depense(committed)
    early.connection.rollback()
    midnight_soon(committed)
    ending = today(committed)
    expense = builders.depense(committed, id_caisse=till)["id_depense"]
    assert early.today() == ending  # begins the transaction before midnight
    while today(committed) == ending:  # wait for midnight
        pass
    committed.call("finances.tirage_creer", montant_compte="0", id_caisse=till, date=ending)
    with refused("JOUR_DEJA_COMPTE", connection=early.connection):
        ACTS[act](early, till, expense)


def test_dates_of_one_invoice_series_rise_with_their_numbers(committed, early):
    builders.facture(committed)
    builders.facture(early)  # in a transaction that began earlier
    early.connection.commit()
    builders.facture(committed)
    dates = [row["date"] for row in committed.all("select date from facturation.facture order by numero")]
    assert dates == sorted(dates)
    assert committed.one("select bool_and(jour = core.jour(date)) from facturation.facture") is True
