"""Statements and matches on several connections at once: a line is there once, and is one thing."""

import psycopg
import pytest

from tests import builders
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


CHANGES = {
    "another amount": ("-100", "finances.depense_modifier", {"champs": '{"montant": "150"}'}),
    "a deletion": ("-100", "finances.depense_supprimer", {}),
    "another method": ("100", "finances.paiement_modifier", {"champs": '{"id_moyen": 1}'}),
}


@pytest.fixture(params=CHANGES)
def changed(request, committed):
    """An account, its line, the document of the line, and the call that changes the document."""
    amount, change, values = CHANGES[request.param]
    wave = compte(committed)
    if amount < "0":
        document = {"id_depense": builders.depense(committed, "100", id_compte=wave)["id_depense"]}
    else:
        document = {"id_paiement": paid(committed, "100", date=str(ago(committed, 1)))}
    received(committed, wave, line(ago(committed, 10), amount, solde="0"))  # too far to be matched without a person
    key = committed.one("select id_ligne from tresorerie.ligne")
    return wave, key, document, lambda db: db.call(change, **document, **values)


def unmatched(db, wave):
    state(db, wave)
    return db.one("select count(*) from tresorerie.rapprochement") == 0


def match(db, key, document):
    named = {"id_paiements": [document["id_paiement"]]} if "id_paiement" in document else document
    db.call("tresorerie.ligne_rapprocher", id_ligne=key, **named)


def test_a_document_that_changes_after_its_match_is_detached(committed, database_url, changed):
    wave, key, document, change = changed
    with connected(database_url) as clerk, connected(database_url) as other:
        match(clerk, key, document)
        with waiting(other, clerk, lambda: change(other)) as changing:
            clerk.connection.commit()
            changing.result()
        other.connection.commit()
    assert unmatched(committed, wave)


def begins_again(database_url, change, act):
    """Check that a match ends in a conflict, which the API retries, while another session changes the document."""
    with connected(database_url) as clerk, connected(database_url) as other:
        change(other)
        with waiting(clerk, other, lambda: act(clerk)) as matching:
            other.connection.commit()
            with pytest.raises(psycopg.errors.SerializationFailure):
                matching.result()


def test_a_match_of_a_document_that_is_being_changed_begins_again(committed, database_url, changed):
    wave, key, document, change = changed
    begins_again(database_url, change, lambda clerk: match(clerk, key, document))
    assert unmatched(committed, wave)


def test_an_automatic_match_of_a_document_that_is_being_changed_begins_again(committed, database_url):
    wave = compte(committed)
    received(committed, wave, line(ago(committed, 1), -100, solde="0"))
    key = builders.depense(committed, "100", id_compte=wave)["id_depense"]
    begins_again(
        database_url,
        lambda db: db.call("finances.depense_modifier", id_depense=key, champs='{"montant": "150"}'),
        lambda db: db.call("tresorerie.compte_rapprocher", id_compte=wave),
    )
    assert unmatched(committed, wave)


def test_an_account_that_takes_over_payments_waits_for_a_match_and_detaches_it(committed, database_url):
    wave = compte(committed)
    shop = builders.activite(committed)
    payment = paid(committed, "100", id_activite=shop)
    received(committed, wave, line(ago(committed, 10), 100, solde="0"))
    key = committed.one("select id_ligne from tresorerie.ligne")
    with connected(database_url) as clerk, connected(database_url) as owner:
        match(clerk, key, {"id_paiement": payment})
        opened = lambda: compte(owner, libelle="Compte d'une activité", id_activite=shop)  # noqa: E731
        with waiting(owner, clerk, opened) as opening:
            clerk.connection.commit()
            opening.result()
        owner.connection.commit()
    assert unmatched(committed, wave)
