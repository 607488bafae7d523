"""Concurrent credit notes: the last unit is credited once, the credit of a client is used once, numbers have no gap."""

import pytest

from tests import builders
from tests.conftest import Db
from tests.together import AtOnce

pytestmark = pytest.mark.promesse(
    "Avoirs : à plusieurs, jamais plus que ce qui est facturé, ni plus que le crédit du client"
)


def billed(db: Db, client: int, paid: str) -> tuple[int, int]:
    """An invoice of five shirts, and its line."""
    made = db.call(
        "facturation.prestation_facturer", id_prestation=builders.prestation(db), montant=paid, id_moyen=1,
        id_client=client, lignes=[{"libelle": "Chemise", "quantite": 5, "prix_unitaire": "500"}],
    )  # fmt: skip
    key = int(made["id_facture"])
    return key, int(db.one("select id_ligne from facturation.facture_ligne where id_facture = %s", [key]))


def test_the_last_unit_of_a_line_is_credited_once(shared: Db, at_once: AtOnce) -> None:
    key, line = billed(shared, builders.client(shared), "2500")

    def credit(db: Db, n: int) -> object:
        lines = [{"id_ligne": line, "quantite": 1}]
        back = {"remboursement": {"id_moyen": 1}} if n % 2 else {}
        return db.call("facturation.avoir_creer", id_facture=key, lignes=lines, motif="rendu", **back)["paiements"]

    outcomes = at_once(16, credit)
    assert outcomes.count("AVOIR_EXCESSIF") == 11
    row = shared.one(
        "select montant_avoirs::integer as a, reste::integer as r from facturation.facture where id_facture = %s", [key]
    )
    assert row == {"a": 2500, "r": 0}
    numbers = shared.all("select numero from facturation.avoir order by id_avoir")
    assert sorted(int(row["numero"][-3:]) for row in numbers) == [1, 2, 3, 4, 5]


def test_the_credit_of_a_client_is_used_once(shared: Db, at_once: AtOnce) -> None:
    client = builders.client(shared)
    key, line = billed(shared, client, "2500")
    shared.call("facturation.avoir_creer", id_facture=key, lignes=[{"id_ligne": line, "quantite": 2}], motif="rendu")
    invoices = [billed(shared, client, "0")[0] for _ in range(8)]
    method = builders.moyen(shared, "Crédit client")

    def pay(db: Db, n: int) -> object:
        return db.call("finances.paiement_creer", montant="300", id_moyen=method, id_facture=invoices[n])["montant"]

    outcomes = at_once(8, pay)
    assert outcomes.count("CREDIT_INSUFFISANT") == 5
    assert shared.one("select sum(montant)::integer from finances.mouvement_credit") == 100


def test_cancellations_credits_and_payments_of_one_client_never_deadlock(shared: Db, at_once: AtOnce) -> None:
    client = builders.client(shared)
    method = builders.moyen(shared, "Crédit client")
    for turn in range(8):
        invoices = [billed(shared, client, "2500") for _ in range(4)]
        for key, line in invoices[2:]:
            lines = [{"id_ligne": line, "quantite": 1}]
            shared.call("facturation.avoir_creer", id_facture=key, lignes=lines, motif="rendu")
        owed = billed(shared, client, "0")[0]
        shared.call("finances.paiement_creer", montant="100", id_moyen=method, id_facture=owed)

        def act(db: Db, n: int, invoices: list[tuple[int, int]] = invoices, owed: int = owed) -> object:
            [key, line], cancelled = invoices[0], owed if n == 0 else invoices[n - 2][0]
            match n:
                case 1:
                    return db.call("finances.paiement_creer", montant="50", id_moyen=method, id_facture=owed)["montant"]
                case 2:
                    back = {"id_facture": key, "lignes": [{"id_ligne": line, "quantite": 1}]}
                    return db.call("facturation.avoir_creer", motif="x", **back)["paiements"]
            return db.call("facturation.facture_annuler", id_facture=cancelled, motif="erreur")["statut"]

        assert set(map(str, at_once(6, act))) <= {"ANNULEE", "50.00", "[]", "FACTURE_ANNULEE"}, turn
