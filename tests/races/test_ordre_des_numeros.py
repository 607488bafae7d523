"""Each operation locks the numbers of invoices, then the numbers of credit notes, then the payments that it refunds."""

from contextlib import contextmanager
from datetime import timedelta

import pytest

from tests import builders
from tests.conftest import connected
from tests.together import waiting

pytestmark = pytest.mark.promesse("Numéros et paiements : verrouillés dans un seul ordre, sans attente croisée")


@contextmanager
def blocked(shared, database_url, series, function, **fields):
    """Hold the numbers of this series while `shared` calls this function and waits for them."""
    with connected(database_url) as holder:
        holder.execute("select core._rang(%s, extract(year from core.aujourdhui())::integer)", [series])
        with waiting(shared, holder, lambda: shared.call(function, **fields)) as call:
            yield holder
            holder.connection.rollback()
            call.result()


def test_a_refund_of_rent_waits_for_the_numbers_before_it_locks_a_payment(database_url, shared):
    today = shared.one("select core.aujourdhui()")
    lease = builders.contrat(shared, date_debut=today, date_fin_prevue=today + timedelta(days=365))
    rents = shared.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="500000", id_moyen=1)
    shared.call("residence.contrat_resilier", id_contrat=lease)
    with blocked(shared, database_url, "AVO", "residence.contrat_rembourser", id_contrat=lease, id_moyen=1) as holder:
        payment = "select from finances.paiement where id_paiement = %s for no key update nowait"
        holder.execute(payment, [rents["id_paiement"]])


@pytest.mark.parametrize("champs", [{"montant": "30000"}, {"montant": "30000", "statut": "SUSPENDU"}])
def test_a_changed_subscription_takes_the_number_of_its_invoice_before_that_of_the_credit_note(
    database_url, shared, champs
):
    today = shared.one("select core.aujourdhui()")
    subscription = builders.abonnement(shared, date_debut=today - timedelta(days=400))
    shared.call("facturation.facture_annuler", id_facture=builders.facture(shared), motif="Erreur")
    operation = {"id_abonnement": subscription, "champs": champs}
    with blocked(shared, database_url, "FAC", "residence.abonnement_modifier", **operation) as holder:
        holder.execute("select from core.compteur where type = 'AVO' for no key update nowait")
