"""Closing a month while others write, and while another one closes it. Real commits."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import psycopg
import pytest

from tests import builders, livre
from tests.compta.test_operation import record
from tests.conftest import Db, refused
from tests.together import SLEEPS, connect, together, until_it_waits

PAYMENT = "select finances.paiement_creer(p_montant => 100, p_id_moyen => 1, p_date => %s)"
CLOSING = "select nombre from compta.periode_cloturer(%s)"
OLD = "2020-03-10 10:00:00Z"


def refusal(future):
    error = future.exception()
    return error.diag.constraint_name if isinstance(error, psycopg.Error) else repr(error)


@pytest.fixture(autouse=True)
def sound(committed):
    yield
    assert livre.wrong(committed) == []


def test_two_closings_at_once_close_the_month_once(committed, database_url):
    for _ in range(50):
        committed.execute(PAYMENT, [OLD])
    results = together(database_url, 4, lambda db, n: db.one(CLOSING, ["2020-03"]))
    assert sorted(map(str, results)) == ["100", *["PERIODE_CLOTUREE"] * 3]


def test_closings_of_several_months_at_once_leave_no_hole(committed, database_url):
    for month in range(1, 6):
        committed.execute(PAYMENT, [f"2020-{month:02}-15 10:00:00Z"])
    for _ in range(5):
        results = together(database_url, 5, lambda db, n: db.one(CLOSING, [f"2020-0{n + 1}"]))
        assert {str(r) for r in results} <= {"2", "PERIODE_CLOTUREE", "PERIODE_PRECEDENTE_OUVERTE"}, results
    assert committed.one("select count(*) from compta.periode") == 5


def test_a_closing_waits_for_a_payment_of_its_month_and_counts_it(database_url):
    with connect(database_url) as writer, connect(database_url) as closer, ThreadPoolExecutor(1) as thread:
        with writer.transaction():
            writer.execute(PAYMENT, [OLD])
            closing = thread.submit(Db(closer).one, CLOSING, ["2020-03"])
            until_it_waits(Db(writer), closer, SLEEPS)
        assert closing.result() == 2


def test_a_payment_that_waits_for_a_closing_is_refused(committed, database_url):
    with connect(database_url) as writer, connect(database_url) as closer, ThreadPoolExecutor(1) as thread:
        with closer.transaction():
            closer.execute(CLOSING, ["2020-03"])
            late = thread.submit(writer.execute, PAYMENT, [OLD])
            until_it_waits(Db(closer), writer)
            # A payment of today, and one of a later day of the past, are not of the month that closes.
            committed.execute("set lock_timeout = '500ms'")
            committed.execute(PAYMENT, ["now"])
        assert refusal(late) == "PERIODE_CLOTUREE"


def test_a_closing_gives_up_when_a_write_lasts_and_leaves_the_month_open(database_url):
    with connect(database_url) as writer, connect(database_url) as closer:
        with writer.transaction():
            writer.execute(PAYMENT, ["now"])
            with refused("ECRITURES_EN_COURS", 409, closer):
                closer.execute(CLOSING, ["2020-03"])
        assert Db(closer).one("select count(*) from compta.periode") == 0
        assert Db(closer).one(CLOSING, ["2020-03"]) == 0


def test_settlements_go_on_while_months_close(database_url):
    """Sales of today, payments of the past and closings together: everything that was committed is in the ledger."""

    passing = ("PERIODE_CLOTUREE", "PERIODE_PRECEDENTE_OUVERTE", "ECRITURES_EN_COURS")

    def act(db, n):
        done = 0
        for step in range(25):
            month = f"20{10 + step // 12}-{step % 12 + 1:02}"
            try:
                if n == 0:
                    db.one(CLOSING, [month])
                elif n == 1:
                    db.execute(PAYMENT, [f"{month}-10 10:00:00Z"])
                else:
                    service = builders.prestation(db, "500")
                    db.call("facturation.prestation_facturer", id_prestation=service, montant="200", id_moyen=1)
                done += 1
            except psycopg.Error as error:
                assert error.diag.constraint_name in passing
        return done

    results = together(database_url, 4, act)
    assert results[2:] == [25, 25] and results[0] > 0, results


def test_a_write_of_the_last_second_of_a_month_is_in_the_month_that_closes_after_midnight(midnight_url):
    """The writer saw the month as running, so it took no lock. It commits after midnight, while the month closes."""
    changes = (
        (6, lambda db, *_: builders.paiement(db, "11")),
        (4, lambda db, payment, _: move(db, payment, {"date": str(db.one("select core.aujourdhui() - 20"))})),
        (4, lambda db, payment, _: move(db, payment, {"id_moyen": "4"})),
        (2, lambda db, _, expense: db.execute("select finances.depense_supprimer(%s)", [expense])),
        (6, lambda db, *_: receive(db)),
        (6, lambda db, *_: record(db, date=str(db.today()))),
    )
    with connect(midnight_url) as writer, connect(midnight_url) as closer, ThreadPoolExecutor(1) as thread:
        db = Db(writer)
        for month, (lines, act) in enumerate(changes, start=2):
            first = date(2026, month, 1)
            last = first - timedelta(days=1)
            writer.execute("select set_config('essai.instant', %s, false)", [f"{last} 23:59:59Z"])
            closer.execute("select set_config('essai.instant', %s, false)", [f"{first} 00:00:01Z"])
            payment = builders.paiement(db, "7")["id_paiement"]
            expense = builders.depense(db)["id_depense"]
            with writer.transaction():
                act(db, payment, expense)
                closing = thread.submit(Db(closer).one, CLOSING, [f"{last:%Y-%m}"])
                until_it_waits(db, closer, SLEEPS)
            assert closing.result() == lines
            assert livre.wrong(Db(closer)) == []


def test_a_movement_of_a_transaction_that_outlives_its_month_is_refused_after_the_closing(midnight_url):
    """The transaction began before midnight, so its movements are of the month that has closed since."""
    with connect(midnight_url) as writer, connect(midnight_url) as closer:
        writer.execute("select set_config('essai.instant', '2026-01-31 23:59:59Z', false)")
        closer.execute("select set_config('essai.instant', '2026-02-01 00:00:01Z', false)")
        product = builders.produit(Db(writer), "0")
        assert Db(closer).one(CLOSING, ["2026-01"]) == 0
        writer.execute(
            """create or replace function pg_catalog.clock_timestamp() returns timestamptz language sql volatile
                parallel safe return now() + interval '2 seconds'"""
        )
        with refused("PERIODE_CLOTUREE", 409, writer):
            receive(Db(writer), product)


def receive(db, product=None):
    key = product or builders.produit(db, "0")
    db.call("market.mouvement_stock_creer", id_produit=key, type="ENTREE", quantite="2", cout_unitaire="50")


def move(db, payment, change):
    db.call("finances.paiement_modifier", id_paiement=payment, champs=change)
