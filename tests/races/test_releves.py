"""Statements and matches on several connections at once: a line is there once, and is one thing."""

import pytest

from tests.conftest import connected
from tests.together import waiting
from tests.tresorerie.argent import compte
from tests.tresorerie.releve import ago, line, paid, received, state

pytestmark = pytest.mark.promesse("Relevés : envoyés et rapprochés à plusieurs, chaque ligne y est une fois")


def test_one_file_sent_eight_times_at_once_adds_each_line_once(committed, at_once):
    wave = compte(committed)
    for amount in ("100", "30"):
        paid(committed, amount, date=str(ago(committed, 1)))
    lines = [
        line(ago(committed, 1), amount, solde=str(balance)) for amount, balance in ((100, 100), (30, 130), (5, 135))
    ]

    def act(db, n):
        return str(received(db, wave, *lines[: 2 + n % 2])["nouvelles"])

    counts = at_once(8, act)
    assert sum(map(int, counts)) == 3
    answer = state(committed, wave)
    assert (len(answer["rapproches"]), answer["solde_releve"], answer["difference"]) == (2, 135, -5)


def test_of_matches_of_one_line_at_once_one_succeeds(committed, at_once):
    wave = compte(committed)
    payments = [paid(committed, "100", date=str(ago(committed, 1))) for _ in range(4)]
    received(committed, wave, line(ago(committed, 1), 100))
    key = committed.one("select id_ligne from tresorerie.ligne")

    def act(db, n):
        db.call("tresorerie.ligne_rapprocher", id_ligne=key, id_paiements=[payments[n % 4]])
        return "done"

    assert sorted(at_once(8, act)) == ["LIGNE_DEJA_RAPPROCHEE"] * 7 + ["done"]
    assert committed.one("select count(*) from tresorerie.rapprochement") == 1


def test_of_two_lines_that_take_one_payment_at_once_one_succeeds(committed, at_once):
    wave = compte(committed)
    payment = paid(committed, "100", date=str(ago(committed, 20)))
    received(committed, wave, line(ago(committed, 1), 100), line(ago(committed, 1), 100))
    keys = [row["id_ligne"] for row in committed.all("select id_ligne from tresorerie.ligne order by 1")]

    def act(db, n):
        db.call("tresorerie.ligne_rapprocher", id_ligne=keys[n % 2], id_paiements=[payment])
        return "done"

    assert at_once(2, act).count("done") == 1


def test_a_closing_month_waits_for_a_match_and_keeps_it(committed, database_url):
    wave = compte(committed)
    paid(committed, "100", date="2020-03-30")
    with connected(database_url) as clerk, connected(database_url) as accountant:
        received(clerk, wave, line("2020-03-31", 100))
        close = lambda: accountant.call("compta.periode_cloturer", periode="2020-03")  # noqa: E731
        with waiting(accountant, clerk, close) as closing:
            clerk.connection.commit()
            closing.result()
        accountant.connection.commit()
    assert len(state(committed, wave)["rapproches"]) == 1
