"""Two sessions at one till: one opens it, and no write falls after a closing or outside a count."""

import pytest

from tests import builders
from tests.conftest import connected, refused
from tests.together import assert_waits, waiting

pytestmark = pytest.mark.promesse(
    "Caisse : une seule ouverture à la fois, et rien ne s'écrit derrière une fermeture ni à côté d'un comptage"
)


@pytest.fixture
def sessions(database_url):
    with connected(database_url) as first, connected(database_url) as second:
        yield first, second


@pytest.fixture
def till(shared):
    return builders.caisse(shared)


def pay(db, till):
    db.call("finances.paiement_creer", montant="100", id_moyen=1, id_caisse=till)


def test_a_closing_by_hand_waits_for_an_uncommitted_payment(sessions, till):
    cashier, manager = sessions
    pay(cashier, till)
    closing = "update finances.periode_caisse set fermeture = clock_timestamp() where id_caisse = %s"
    assert_waits(manager, cashier, closing, [till])
    cashier.connection.commit()
    manager.execute(closing, [till])


def test_the_closing_time_is_after_the_payment_that_the_closing_waited_for(sessions, till):
    cashier, manager = sessions
    pay(cashier, till)
    with waiting(manager, cashier, lambda: manager.call("finances.caisse_fermer", id_caisse=till)) as closing:
        assert not closing.done()
        paid = cashier.one("select clock_timestamp()")
        cashier.connection.commit()
        assert closing.result()["fermee"] is True
    assert manager.one("select fermeture from finances.periode_caisse where id_caisse = %s", [till]) > paid


def test_a_payment_during_a_closing_waits_and_is_refused(sessions, till):
    cashier, manager = sessions
    manager.call("finances.caisse_fermer", id_caisse=till)
    with waiting(cashier, manager, lambda: pay(cashier, till)) as paying:
        assert not paying.done()
        manager.connection.commit()
        with refused("PERIODE_CAISSE_FERMEE", status=409, connection=manager.connection):
            paying.result()


def test_deleting_an_expense_during_a_closing_waits_and_is_refused(sessions, shared, till):
    cashier, manager = sessions
    depense = builders.depense(shared, id_caisse=till)["id_depense"]
    manager.call("finances.caisse_fermer", id_caisse=till)
    assert_waits(cashier, manager, "select finances.depense_supprimer(%s)", [depense])
    manager.connection.commit()
    with refused("PERIODE_CAISSE_FERMEE", status=409, connection=cashier.connection):
        cashier.call("finances.depense_supprimer", id_depense=depense)


def test_payments_of_one_till_do_not_wait_for_each_other(sessions, till):
    for db in sessions:
        db.execute("set local lock_timeout = '200ms'")
        pay(db, till)
    for db in sessions:
        db.connection.commit()
    assert sessions[0].one("select finances._montant_attendu(%s, core.aujourdhui())", [till]) == 200
