"""A write reads the clock after it has locked the till or the counter, not when its transaction began."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db, refused
from tests.together import connect


@pytest.fixture
def shared(database_url: str) -> Iterator[Db]:
    with connect(database_url) as connection:
        yield Db(connection)


@pytest.fixture
def early(database_url: str) -> Iterator[Db]:
    """A connection with an open transaction."""
    with psycopg.connect(database_url, row_factory=dict_row) as connection:
        connection.execute("select 1")
        yield Db(connection)


def midnight_soon(db: Db) -> None:
    """Set the organisation's time zone so that its day ends in one to two seconds."""
    db.execute("set session_replication_role = replica")
    db.execute(
        "update core.parametre set valeur = '<soon>' || to_char("
        "  (date_trunc('second', clock_timestamp() at time zone 'UTC') + interval '2 seconds')::time, 'HH24:MI:SS')"
        " where cle = 'FUSEAU_HORAIRE'"
    )
    db.execute("set session_replication_role = origin")


def today(db: Db) -> object:
    return db.one("select core.jour(clock_timestamp())")


ACTS = {
    "payment": lambda db, till, _: builders.paiement(db, "10.25", id_caisse=till),
    "expense": lambda db, till, _: builders.depense(db, "7.50", id_caisse=till),
    "void": lambda db, _, expense: db.call("finances.depense_supprimer", id_depense=expense),
}


@pytest.mark.parametrize("act", ACTS)
def test_a_transaction_begun_before_midnight_books_nothing_on_a_counted_day(shared: Db, early: Db, act: str) -> None:
    till = builders.caisse(shared)
    builders.categorie_depense(shared)
    early.connection.rollback()
    midnight_soon(shared)
    ending = today(shared)
    expense = builders.depense(shared, id_caisse=till)["id_depense"]
    assert early.one("select core.aujourdhui()") == ending  # begins the transaction before midnight
    while today(shared) == ending:  # wait for midnight
        pass
    shared.call("finances.tirage_creer", montant_compte="0", id_caisse=till, date=ending)
    with refused("JOUR_DEJA_COMPTE", connection=early.connection):
        ACTS[act](early, till, expense)


def test_dates_of_one_invoice_series_rise_with_their_numbers(shared: Db, early: Db) -> None:
    builders.facture(shared)
    builders.facture(early)  # in a transaction that began earlier
    early.connection.commit()
    builders.facture(shared)
    dates = [row["date"] for row in shared.all("select date from facturation.facture order by numero")]
    assert dates == sorted(dates)
    assert shared.one("select bool_and(jour = core.jour(date)) from facturation.facture") is True
