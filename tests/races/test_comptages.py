"""Counts of a till during payments: every franc is in exactly one count."""

import pytest

from tests import builders
from tests.preuve import selon

pytestmark = pytest.mark.promesse("Comptages : chaque franc d'une caisse est dans un seul comptage, à plusieurs aussi")


def test_concurrent_counts_and_payments_count_every_franc_once(committed, at_once):
    for _ in range(selon(3, 30)):
        till = builders.caisse(committed)
        days = committed.one("select array(select core.aujourdhui() - n from generate_series(0, 2) n) as days")

        def act(db, n, till=till, days=days):
            if n < 3:  # three concurrent counts, each of another day
                db.call("finances.tirage_creer", montant_compte="0", id_caisse=till, date=days[n])
                return "counted"
            for _ in range(5):
                db.call("finances.paiement_creer", montant="10.05", id_moyen=1, id_caisse=till)
            return "paid"

        outcomes = at_once(8, act)
        assert sorted(outcomes) == ["counted"] * 3 + ["paid"] * 5
        # A till has one count a day, so the test moves the rows one day back and counts the rest.
        committed.execute("set session_replication_role = replica")
        committed.execute("update finances.tirage set date = date - 100000 where id_caisse = %s", [till])
        committed.execute("update finances.tirage set date = date + 99999 where id_caisse = %s", [till])
        committed.execute("update finances.paiement set jour = jour - 1 where id_caisse = %s", [till])
        committed.execute("set session_replication_role = origin")
        committed.call("finances.tirage_creer", montant_compte="0", id_caisse=till)
        total = committed.one("select sum(montant_attendu)::text from finances.tirage where id_caisse = %s", [till])
        assert total == "251.25"
    # The journal has no entry of the rows that the test moved.
    assert committed.all("select * from jobs._controler_par_nom() where controle <> 'journal'") == []
