"""Concurrent stays in one room, and two ways to pay one invoice."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from tests import builders

pytestmark = pytest.mark.promesse(
    "Séjours : un logement n'a jamais deux occupants, un séjour n'est jamais payé en trop"
)

ARRIVEE = datetime(2026, 3, 10, 20, tzinfo=UTC)


def ouvrir(db, logement, jour=0):
    return db.one(
        "select (s.sejour).id_sejour from residence.sejour_creer(p_type_prestation => 'NUITEE', p_id_logement => %s,"
        " p_date_heure_arrivee => %s, p_tarif => 1000) s",
        [logement, ARRIVEE + timedelta(days=jour)],
    )


def test_one_of_many_concurrent_stays_in_a_room_wins(shared, at_once):
    logement = builders.logement(shared)
    outcomes = at_once(12, lambda db, n: ouvrir(db, logement))
    assert sorted(map(str, outcomes))[1:] == ["LOGEMENT_INDISPONIBLE"] * 11
    assert shared.one("select count(*) from residence.sejour_court") == 1


def test_the_exclusion_constraint_allows_one_stay_in_a_room(shared, at_once):
    logement = builders.logement(shared)

    def write(db, n):
        return db.one(
            "insert into residence.sejour_court (type_prestation, id_logement, date_heure_arrivee, tarif)"
            " values ('NUITEE', %s, %s, 1000) returning id_sejour",
            [logement, ARRIVEE + timedelta(minutes=n)],
        )

    outcomes = at_once(8, write)
    assert sum(isinstance(outcome, int) for outcome in outcomes) == 1, outcomes
    assert set(outcomes) - {"logement_deja_occupe", "40P01"} == {o for o in outcomes if isinstance(o, int)}


def test_concurrent_payments_never_overpay_a_stay_and_issue_one_invoice(shared, at_once):
    sejour, moyen = ouvrir(shared, builders.logement(shared)), builders.moyen(shared)

    def pay(db, n):
        return db.call("residence.sejour_payer", id_sejour=sejour, montant="300", id_moyen=moyen)["id_paiement"]

    outcomes = at_once(8, pay)
    assert outcomes.count("SURPAIEMENT") == 5
    assert shared.one("select count(*) from facturation.facture") == 1
    assert shared.one("select sum(montant) from finances.paiement") == 900


def test_paying_a_stay_and_its_invoice_concurrently_never_deadlocks(shared, at_once):
    sejour, moyen = ouvrir(shared, builders.logement(shared)), builders.moyen(shared)
    facture = shared.one("select (s.facture).id_facture from residence.sejour_payer(%s, 10, %s) s", [sejour, moyen])

    def pay(db, n):
        for _ in range(5):
            if n % 2:
                db.call("residence.sejour_payer", id_sejour=sejour, montant="10", id_moyen=moyen)
            else:
                db.call("finances.paiement_creer", id_facture=facture, montant="10", id_moyen=moyen)
        return "paid"

    assert at_once(10, pay) == ["paid"] * 10
    assert shared.one("select montant_paye from facturation.facture where id_facture = %s", [facture]) == 510


@pytest.mark.parametrize("first_paid", [False, True])
def test_concurrent_payments_leave_no_money_on_a_cancelled_stay(shared, at_once, first_paid):
    logement, moyen = builders.logement(shared), builders.moyen(shared)
    sejour = ouvrir(shared, logement)

    def pay(db):
        return db.call("residence.sejour_payer", id_sejour=sejour, montant="100", id_moyen=moyen)["id_paiement"]

    if first_paid:
        pay(shared)

    def act(db, n):
        if n == 0:
            return db.call("residence.sejour_modifier", id_sejour=sejour, champs={"statut": "ANNULE"})["statut"]
        return pay(db)

    outcomes = at_once(8, act)
    assert outcomes[0] == "ANNULE"
    assert all(outcome == "SEJOUR_ANNULE" or isinstance(outcome, int) for outcome in outcomes[1:]), outcomes
    assert shared.one("select coalesce(sum(montant), 0) from finances.imputation_vue") == 0
    assert shared.one("select statut from residence.logement where id_logement = %s", [logement]) == "DISPONIBLE"


def test_a_category_is_never_deleted_while_a_subscription_takes_it(shared, at_once):
    client = builders.client(shared)
    categories = [shared.call("abonnement.categorie_abonnement_creer", libelle=f"Essai {n}") for n in range(8)]

    def act(db, n):
        for key in [{"id_categorie_abonnement": row["id_categorie_abonnement"]} for row in categories]:
            try:
                if n:
                    db.call("abonnement.categorie_abonnement_supprimer", **key)
                else:
                    builders.abonnement(db, id_client=client, **key)
            except psycopg.Error as error:
                assert error.diag.constraint_name in {"CATEGORIE_ABONNEMENT_UTILISEE", "abonnement_categorie_inconnue"}
        return "done"

    assert at_once(2, act) == ["done", "done"]
    used = "select count(*) from residence.abonnement join abonnement.categorie_abonnement c using ({})"
    used = used.format("id_categorie_abonnement")
    assert shared.one(used) == shared.one("select count(*) from residence.abonnement")
