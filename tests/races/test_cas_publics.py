"""Concurrency cases that users of other software reported in public, re-enacted here under their numbers.

Odoo: seven cases of pull request 104647, where a second transaction failed or both blocked each other.
ERPNext: five cases of closing a till.
"""

import psycopg
import pytest

from tests import builders
from tests.conftest import connected, refused
from tests.together import waiting

pytestmark = pytest.mark.promesse("Cas publics : ce que d'autres logiciels ont vu échouer à deux passe ici")


@pytest.fixture
def sessions(database_url):
    with connected(database_url) as first, connected(database_url) as second:
        for db in (first, second):
            db.execute("set deadlock_timeout = '50ms'")
            db.connection.commit()
        yield first, second


ACTS = {
    "issue": lambda db, *_: builders.facture(db),
    "pay": lambda db, *_: builders.payer(db),
    "rename": lambda db, key, _: db.call("facturation.facture_modifier", id_facture=key, champs={"libelle": "Bis"}),
    "correct": lambda db, _, key: db.call("finances.paiement_modifier", id_paiement=key, champs={"motif": "Bis"}),
    "reconcile": lambda db, key, paid: db.call("finances.paiement_appliquer", id_paiement=paid, id_facture=key),
}


# The first acts stay uncommitted while the second run. Only the next number of an invoice waits for the one before.
@pytest.mark.parametrize(
    ("first", "second", "waits"),
    [
        pytest.param("issue", "issue", True, id="1-creating-invoices"),
        pytest.param("pay", "pay", False, id="2-creating-payments"),
        pytest.param("issue pay", "pay issue", True, id="3-payment-against-invoice"),
        pytest.param("rename", "issue", False, id="4-editing-the-last-invoice"),
        pytest.param("correct", "pay", False, id="5-editing-the-last-payment"),
        pytest.param("reconcile", "issue", False, id="6-reconciling-the-last-invoice"),
        pytest.param("reconcile", "pay", False, id="7-reconciling-the-last-payment"),
    ],
)
def test_odoo_104647_two_transactions_both_pass(shared, sessions, first, second, waits):
    one, other = sessions
    rows = builders.facture(shared), builders.payer(shared, id_activite=1)
    for name in first.split():
        ACTS[name](one, *rows)
    with waiting(other, one, lambda: [ACTS[name](other, *rows) for name in second.split()]) as acting:
        assert acting.done() is not waits
        one.connection.commit()
        acting.result()
    other.connection.commit()
    numbers = shared.all("select numero from facturation.facture order by id_facture")
    assert [int(row["numero"].rsplit("-", 1)[1]) for row in numbers] == list(range(1, len(numbers) + 1))


@pytest.fixture
def till(shared):
    return builders.caisse(shared)


def count(db, till):
    return db.call("finances.tirage_creer", montant_compte="0", id_caisse=till)


def cut(shared, db):
    """End the session of this transaction."""
    shared.one("select pg_terminate_backend(%s, 60000)", [db.connection.info.backend_pid])
    db.connection.close()


def test_erpnext_57157_a_failed_closing_blocks_no_cancellation(shared, sessions, till):
    """There, a closing that failed could not be cancelled, nor could the invoices and the opening that it named."""
    one, _ = sessions
    payment = builders.payer(shared, "500", id_caisse=till)
    one.call("finances.caisse_fermer", id_caisse=till)
    cut(shared, one)
    assert shared.call("finances.caisse_detail", id_caisse=till)["ouverte"]
    shared.call("finances.paiement_annuler", id_paiement=payment, motif="Erreur", id_caisse=till)
    assert shared.call("finances.caisse_fermer", id_caisse=till)["fermee"]
    assert shared.call("finances.caisse_ouvrir", id_caisse=till)["fermeture"] is None


@pytest.mark.parametrize("number", ["41514-at-the-instant-of-the-closing", "43855-before-it-was-listed"])
def test_erpnext_a_payment_under_way_is_in_the_closing_and_in_the_count(shared, sessions, till, number):
    """There, such a sale stayed outside for ever. Here closing and counting wait for it, and a later one is refused."""
    cashier, manager = sessions
    paid = builders.payer(cashier, "500", id_caisse=till)
    act = "finances.caisse_fermer" if number.startswith("41514") else None
    close = (lambda: manager.call(act, id_caisse=till)) if act else (lambda: count(manager, till))
    with waiting(manager, cashier, close) as closing:
        assert not closing.done()
        cashier.connection.commit()
        answer = closing.result()
    manager.connection.commit()
    period = shared.one("select id_periode from finances.paiement where id_paiement = %s", [paid])
    if act:
        assert int(answer["id_periode"]) == period
        with refused("PERIODE_CAISSE_FERMEE", status=409, connection=cashier.connection):
            builders.payer(cashier, id_caisse=till)
        answer = count(shared, till)
    assert float(answer["montant_attendu"]) == 500


def test_erpnext_41351_a_count_that_is_cut_and_repeated_skips_no_payment(shared, sessions, till):
    """There, a user who left the page during the closing lost invoices from it. Here a cut count leaves nothing."""
    one, other = sessions
    for _ in range(5):
        builders.payer(shared, "100", id_caisse=till)
    count(one, till)
    cut(shared, one)
    assert shared.one("select count(*) from finances.tirage where id_caisse = %s", [till]) == 0
    assert float(count(other, till)["montant_attendu"]) == 500
    other.connection.commit()


def test_erpnext_25656_two_openings_never_share_a_payment(shared, sessions):
    """There, two openings named the same invoices, and neither could be closed."""
    one, other = sessions
    till = builders.caisse(shared, ouverte=False)
    first = one.call("finances.caisse_ouvrir", id_caisse=till)["id_periode"]
    with waiting(other, one, lambda: other.call("finances.caisse_ouvrir", id_caisse=till)) as opening:
        assert not opening.done()
        one.connection.commit()
        with pytest.raises(psycopg.errors.UniqueViolation, match="caisse_deja_ouverte"):
            opening.result()
    builders.payer(shared, "500", id_caisse=till)
    shared.call("finances.caisse_fermer", id_caisse=till)
    second = shared.call("finances.caisse_ouvrir", id_caisse=till)["id_periode"]
    builders.payer(shared, "700", id_caisse=till)
    shared.call("finances.caisse_fermer", id_caisse=till)
    rows = shared.all("select id_periode, montant from finances.paiement order by id_paiement")
    assert [(row["id_periode"], float(row["montant"])) for row in rows] == [(int(first), 500), (int(second), 700)]
