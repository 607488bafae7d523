"""A write reads the clock after it has locked the till or the counter, not when its transaction began."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db


@pytest.fixture
def shared(database_url: str) -> Iterator[Db]:
    with psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as connection:
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


@pytest.mark.parametrize("act", ["payment", "expense", "void"])
def test_a_transaction_begun_before_midnight_books_nothing_on_a_counted_day(shared: Db, early: Db, act: str) -> None:
    till = builders.caisse(shared)
    categorie = shared.call("finances.categorie_depense_creer", libelle="Achats")["id_categorie_depense"]
    fields = {"montant": "7.50", "libelle": "Savon", "id_categorie_depense": categorie, "id_caisse": till}
    early.connection.rollback()
    midnight_soon(shared)
    ending = today(shared)
    expense = shared.call("finances.depense_creer", **fields)["id_depense"]
    assert early.one("select core.aujourdhui()") == ending  # begins the transaction before midnight
    while today(shared) == ending:  # wait for midnight
        pass
    shared.call("finances.tirage_creer", montant_compte="0", id_caisse=till, date=ending)
    try:
        if act == "payment":
            early.call("finances.paiement_creer", montant="10.25", id_moyen=1, id_caisse=till)
        elif act == "expense":
            early.call("finances.depense_creer", **fields)
        else:
            early.call("finances.depense_supprimer", id_depense=expense)
    except psycopg.Error as error:
        assert error.diag.constraint_name == "JOUR_DEJA_COMPTE"
    else:
        pytest.fail("the write was booked on a day that is already counted")


def test_dates_of_one_invoice_series_rise_with_their_numbers(shared: Db, early: Db) -> None:
    builders.facture(shared)
    builders.facture(early)  # in a transaction that began earlier
    early.connection.commit()
    builders.facture(shared)
    dates = [row["date"] for row in shared.all("select date from facturation.facture order by numero")]
    assert dates == sorted(dates)
    assert shared.one("select bool_and(jour = core.jour(date)) from facturation.facture") is True
