"""Transfers on several connections at once: no till goes below zero, and no two transfers deadlock."""

import psycopg
import pytest

from tests import builders
from tests.conftest import connected
from tests.together import waiting
from tests.tresorerie.argent import caisse, compte, en_caisse, solde, virer

pytestmark = pytest.mark.promesse("Virements : à plusieurs, une caisse ne donne jamais plus qu'elle n'a")


def test_sixteen_transfers_at_once_never_take_more_than_a_till_has(committed, at_once):
    bank, till = compte(committed, "Virement"), caisse(committed, "50")

    def act(db, n):
        if n % 4 == 3:  # expenses take from the same till meanwhile
            builders.depense(db, "1", id_caisse=till)
        else:
            virer(db, {"id_caisse": till}, {"id_compte": bank}, "10")
        return "done"

    builders.depense(committed, "1", id_caisse=till)
    outcomes = at_once(16, act)
    assert set(outcomes) == {"done", "CAISSE_INSUFFISANTE"}
    assert outcomes.count("done") == 8  # four expenses and four transfers
    assert (en_caisse(committed, till), solde(committed, bank)) == (5, 40)


def test_opposite_transfers_between_two_tills_never_deadlock(committed, at_once):
    tills = [caisse(committed, "100"), caisse(committed, "100")]

    def act(db, n):
        for _ in range(10):
            virer(db, {"id_caisse": tills[n % 2]}, {"id_caisse": tills[1 - n % 2]}, "1")
        return "done"

    assert at_once(16, act) == ["done"] * 16
    assert [en_caisse(committed, till) for till in tills] == [100, 100]
    # The numbers have no gap.
    assert committed.all("select * from jobs._controler_par_nom()") == []


def test_a_transfer_waits_for_an_expense_of_its_till_and_sees_it(committed, database_url):
    bank, till = compte(committed, "Virement"), caisse(committed, "100")
    with connected(database_url) as cashier, connected(database_url) as manager:
        builders.depense(cashier, "60", id_caisse=till)
        with waiting(
            manager, cashier, lambda: virer(manager, {"id_caisse": till}, {"id_compte": bank}, "50")
        ) as moving:
            cashier.connection.commit()
            with pytest.raises(psycopg.Error) as refusal:
                moving.result()
    assert refusal.value.diag.constraint_name == "CAISSE_INSUFFISANTE"
    assert (en_caisse(committed, till), solde(committed, bank)) == (40, 0)


def test_of_cancellations_at_once_one_succeeds(committed, at_once):
    accounts = [compte(committed, "Virement"), compte(committed)]
    made = virer(committed, {"id_compte": accounts[0]}, {"id_compte": accounts[1]}, "10")["id_virement"]

    def act(db, _):
        db.call("tresorerie.virement_annuler", id_virement=made)
        return "done"

    assert sorted(at_once(8, act)) == ["done"] + ["virement_deja_annule"] * 7
    assert [solde(committed, account) for account in accounts] == [0, 0]
