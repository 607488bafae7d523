"""What the clock says once the till or the counter is held, not what it said when the transaction began."""

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
    """A transaction that is open."""
    with psycopg.connect(database_url, row_factory=dict_row) as connection:
        connection.execute("select 1")
        yield Db(connection)


def midnight_soon(db: Db) -> None:
    """The organisation's day ends at the second after the next."""
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
def test_transaction_from_before_midnight_books_nothing_on_a_counted_day(shared: Db, early: Db, act: str) -> None:
    till = builders.caisse(shared)
    categorie = shared.call("finances.categorie_depense_creer", libelle="Achats")["id_categorie_depense"]
    spent = {"montant": "7.50", "libelle": "Savon", "id_categorie_depense": categorie, "id_caisse": till}
    early.connection.rollback()
    midnight_soon(shared)
    ending = today(shared)
    expense = shared.call("finances.depense_creer", **spent)["id_depense"]
    assert early.one("select core.aujourdhui()") == ending  # its transaction begins
    while today(shared) == ending:  # until midnight has passed
        pass
    shared.call("finances.tirage_creer", montant_compte="0", id_caisse=till, date=ending)
    try:
        if act == "payment":
            early.call("finances.paiement_creer", montant="10.25", id_moyen=1, id_caisse=till)
        elif act == "expense":
            early.call("finances.depense_creer", **spent)
        else:
            early.call("finances.depense_supprimer", id_depense=expense)
    except psycopg.Error as error:
        assert error.diag.constraint_name == "JOUR_DEJA_COMPTE"
    else:
        pytest.fail("booked on a day that is counted")


def test_invoices_of_one_series_never_go_back_in_time(shared: Db, early: Db) -> None:
    builders.facture(shared)
    builders.facture(early)  # its transaction is older
    early.connection.commit()
    builders.facture(shared)
    dates = [row["date"] for row in shared.all("select date from facturation.facture order by numero")]
    assert dates == sorted(dates)
    assert shared.one("select bool_and(jour = core.jour(date)) from facturation.facture") is True
