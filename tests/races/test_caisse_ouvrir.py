"""Two sessions at one till: one opens it, and no write falls after a closing or outside a count."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db, refused
from tests.together import assert_waits

pytestmark = pytest.mark.promesse(
    "Caisse : une seule ouverture à la fois, et rien ne s'écrit derrière une fermeture ni à côté d'un comptage"
)


@pytest.fixture
def sessions(database_url):
    with (
        psycopg.connect(database_url, row_factory=dict_row) as first,
        psycopg.connect(database_url, row_factory=dict_row) as second,
    ):
        yield Db(first), Db(second)


@pytest.fixture
def caisse(sessions):
    def create(**fields):
        till = builders.caisse(sessions[0], **fields)
        sessions[0].connection.commit()
        return till

    return create


def test_one_of_two_concurrent_openings_wins(sessions, caisse):
    id_caisse = caisse(ouverte=False)
    start = Barrier(2)

    def attempt(db):
        start.wait()
        try:
            db.call("finances.caisse_ouvrir", id_caisse=id_caisse)
            db.connection.commit()
        except psycopg.errors.UniqueViolation as error:
            db.connection.rollback()
            return error.diag.constraint_name
        return "opened"

    with ThreadPoolExecutor(2) as pool:
        outcomes = sorted(pool.map(attempt, sessions))
    assert outcomes == ["caisse_deja_ouverte", "opened"]
    assert sessions[0].one("select count(*) from finances.periode_caisse where fermeture is null") == 1


@pytest.mark.parametrize(
    "statement",
    [
        "select finances.caisse_fermer(%s)",
        "update finances.periode_caisse set fermeture = clock_timestamp() where id_caisse = %s",
        "select finances.tirage_creer(100, p_id_caisse => %s)",
    ],
)
def test_closing_and_counting_wait_for_an_uncommitted_payment(sessions, caisse, statement):
    cashier, manager = sessions
    id_caisse = caisse()
    cashier.call("finances.paiement_creer", montant="100", id_moyen=1, id_caisse=id_caisse)
    assert_waits(manager, cashier, statement, [id_caisse])
    cashier.connection.commit()
    manager.execute(statement, [id_caisse])
    manager.connection.commit()
    assert manager.one("select count(*) from finances.tirage where ecart <> 0") == 0


def test_the_closing_time_is_after_the_payment_that_the_closing_waited_for(sessions, caisse):
    cashier, manager = sessions
    id_caisse = caisse()
    cashier.call("finances.paiement_creer", montant="100", id_moyen=1, id_caisse=id_caisse)
    with ThreadPoolExecutor(1) as pool:
        closing = pool.submit(manager.call, "finances.caisse_fermer", id_caisse=id_caisse)
        waiting = (
            "select exists (select from pg_locks l join pg_database d on d.oid = l.database"
            " where d.datname = current_database() and l.locktype = 'advisory' and not l.granted)"
        )
        while not cashier.one(waiting):
            pass
        paid = cashier.one("select clock_timestamp()")
        cashier.connection.commit()
        assert closing.result(timeout=10)["fermee"] is True
    assert manager.one("select fermeture from finances.periode_caisse where id_caisse = %s", [id_caisse]) > paid


def test_a_payment_during_a_closing_waits_and_is_refused(sessions, caisse):
    cashier, manager = sessions
    id_caisse = caisse()
    manager.call("finances.caisse_fermer", id_caisse=id_caisse)
    assert_waits(cashier, manager, "select finances.paiement_creer(100, 1, p_id_caisse => %s)", [id_caisse])
    with ThreadPoolExecutor(1) as pool:
        paying = pool.submit(cashier.call, "finances.paiement_creer", montant="100", id_moyen=1, id_caisse=id_caisse)
        manager.connection.commit()
        with refused("PERIODE_CAISSE_FERMEE", status=409, connection=manager.connection):
            paying.result(timeout=10)


def test_deleting_an_expense_during_a_closing_waits_and_is_refused(sessions, caisse):
    cashier, manager = sessions
    id_caisse = caisse()
    categorie = cashier.call("finances.categorie_depense_creer", libelle="Course")["id_categorie_depense"]
    depense = cashier.call(
        "finances.depense_creer",
        montant="100",
        libelle="Taxi",
        id_categorie_depense=categorie,
        id_caisse=id_caisse,
    )["id_depense"]
    cashier.connection.commit()
    manager.call("finances.caisse_fermer", id_caisse=id_caisse)
    assert_waits(cashier, manager, "select finances.depense_supprimer(%s)", [depense])
    manager.connection.commit()
    with refused("PERIODE_CAISSE_FERMEE", status=409, connection=cashier.connection):
        cashier.call("finances.depense_supprimer", id_depense=depense)


def test_payments_of_one_till_do_not_wait_for_each_other(sessions, caisse):
    id_caisse = caisse()
    for db in sessions:
        db.execute("set local lock_timeout = '200ms'")
        db.call("finances.paiement_creer", montant="100", id_moyen=1, id_caisse=id_caisse)
    for db in sessions:
        db.connection.commit()
    expected = sessions[0].one("select finances._montant_attendu(%s, core.aujourdhui())", [id_caisse])
    assert expected == 200
