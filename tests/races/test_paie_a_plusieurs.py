"""Concurrent work on payslips and attendance: a salary is paid once, sums hold, one arrival counts."""

import pytest

from tests import builders
from tests.conftest import connected
from tests.together import waiting

pytestmark = pytest.mark.promesse("Paie : à plusieurs, un bulletin n'est compté et payé qu'une fois")


def test_one_of_two_concurrent_payments_of_a_payslip_wins(shared, at_once):
    moyen = builders.moyen(shared)
    till = builders.caisse(shared)
    users = [builders.utilisateur(shared, caisse=till) for _ in range(2)]
    for _ in range(5):
        colleague = builders.utilisateur(shared, caisse=till)  # a user of a till sees the staff of that till
        paie = builders.paie(shared, builders.employe(shared, id_utilisateur=colleague))
        shared.call("rh.paie_valider", id_paie=paie)

        def pay(db, n, paie=paie):
            with db.connection.transaction():
                db.acting(users[n])
                return db.call("rh.paie_payer", id_paie=paie, id_moyen=moyen)["id_paiement"]

        before = shared.one("select count(*) from finances.paiement")
        outcomes = at_once(2, pay)
        assert outcomes.count("TRANSITION_INTERDITE") == 1
        (paid,) = [outcome for outcome in outcomes if outcome != "TRANSITION_INTERDITE"]
        row = shared.one("select * from rh.paie where id_paie = %s", [paie])
        assert (row["statut"], row["id_paiement"]) == ("PAYEE", paid)
        assert shared.one("select count(*) from finances.paiement") == before + 1


def test_a_second_payment_waits_and_succeeds_if_the_first_is_rolled_back(database_url, shared):
    """The order is fixed: the first session pays and does not commit, so the second must wait."""
    moyen, paie = builders.moyen(shared), builders.paie(shared)
    shared.call("rh.paie_valider", id_paie=paie)
    with connected(database_url) as first:
        first.call("rh.paie_payer", id_paie=paie, id_moyen=moyen)
        with waiting(shared, first, lambda: shared.call("rh.paie_payer", id_paie=paie, id_moyen=moyen)) as second:
            assert not second.done()
            first.connection.rollback()
            assert second.result()["statut"] == "PAYEE"
    assert shared.one("select count(*) from finances.paiement") == 1


def test_concurrent_elements_add_up_and_a_validated_payslip_refuses_them(shared, at_once):
    paie = builders.paie(shared)

    def act(db, n):
        if n == 8:
            return db.call("rh.paie_valider", id_paie=paie)["statut"]
        return db.call("rh.element_salaire_ajouter", id_paie=paie, type="PRIME", libelle="X", montant="10")["type"]

    outcomes = at_once(16, act)
    assert outcomes[8] == "VALIDEE" and set(outcomes) <= {"VALIDEE", "PRIME", "PAIE_FIGEE"}
    row = shared.one("select * from rh.paie where id_paie = %s", [paie])
    counted = shared.one("select count(*) from rh.element_salaire where id_paie = %s", [paie])
    assert row["total_elements"] == 10 * counted == 10 * outcomes.count("PRIME")


def test_concurrent_advances_never_exceed_the_salary(shared, at_once):
    paie = builders.paie(shared, salaire_base="100")

    def act(db, n):
        return db.call("rh.element_salaire_ajouter", id_paie=paie, type="AVANCE", libelle="X", montant="30")["type"]

    outcomes = at_once(8, act)
    assert (outcomes.count("AVANCE"), outcomes.count("NET_NEGATIF")) == (3, 5)
    assert shared.one("select montant_a_payer from rh.paie where id_paie = %s", [paie]) == 10


def test_one_of_many_concurrent_arrivals_and_departures_counts(shared, at_once):
    employe = builders.employe(shared)
    today = shared.one("select core.aujourdhui()")

    def arrive(db, n):
        return db.call("rh.pointage_arriver", id_employe=employe, date=today)["id_pointage"]

    outcomes = at_once(8, arrive)
    (pointage,) = [outcome for outcome in outcomes if not isinstance(outcome, str)]
    assert {str(outcome) for outcome in outcomes} <= {str(pointage), "pointage_existant", "pointage_deja_ouvert"}
    outcomes = at_once(8, lambda db, n: db.call("rh.pointage_partir", id_pointage=pointage)["statut"])
    assert (outcomes.count("PRESENT"), outcomes.count("DEPART_DEJA_POINTE")) == (1, 7)


def test_concurrent_payroll_jobs_create_and_update_each_payslip_once(shared, at_once):
    for _ in range(20):
        builders.employe(shared)

    def done():
        return at_once(4, lambda db, n: db.call("jobs.recalculer_paie", periode="2026-08"))

    assert sum(row["creees"] for row in done()) == shared.one("select count(*) from rh.paie") == 20
    shared.execute("update rh.employe set salaire_base = 200000")
    assert sum(row["actualisees"] for row in done()) == 20


def test_concurrent_links_bind_an_employee_to_one_account(shared, at_once):
    employe = builders.employe(shared)
    users = [builders.utilisateur(shared, role="RH") for _ in range(4)]

    def link(db, user):
        return db.call("auth.utilisateur_modifier", id_utilisateur=user, champs={"id_employe": employe})

    outcomes = at_once(4, lambda db, n: link(db, users[n])["id_utilisateur"])
    assert outcomes.count("EMPLOYE_DEJA_LIE") == 3
    (linked,) = [outcome for outcome in outcomes if outcome != "EMPLOYE_DEJA_LIE"]
    assert shared.one("select id_utilisateur from rh.employe where id_employe = %s", [employe]) == linked
