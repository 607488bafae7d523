"""Prepaid quotas used by several sessions at once: no unit is spent twice, no balance goes below zero."""

from datetime import timedelta
from typing import Any

import pytest

from tests import builders
from tests.conftest import Db
from tests.preuve import selon
from tests.together import AtOnce, calling

pytestmark = pytest.mark.promesse("Abonnements prépayés : à plusieurs, une unité ne sert qu'une fois")


def order(db: Db, client: int, dish: int, quantity: str = "1") -> str:
    lines = [{"id_plat": dish, "quantite": quantity}]
    db.call("restaurant.commande_creer", type="SUR_PLACE", lignes=lines, id_client=client)
    return "ordered"


def balance(db: Db, subscription: int) -> Any:
    return db.call("abonnement.souscription_detail", id_souscription=subscription)["solde"]


def test_one_of_many_orders_gets_the_last_unit(shared: Db, at_once: AtOnce) -> None:
    dish = builders.plat(shared)
    for _ in range(selon(3, 30)):
        client = builders.client(shared)
        subscription = builders.souscription(shared, id_client=client, offre={"quota": "1"})
        outcomes = at_once(6, lambda db, n, c=client: order(db, c, dish))
        # An order that comes later finds a used-up subscription and must be paid.
        assert sorted(outcomes) == ["PAIEMENT_DIFFERENT_DU_TOTAL"] * 5 + ["ordered"]
        assert balance(shared, subscription) == 0


def test_orders_and_cancellations_never_spend_a_unit_twice(shared: Db, at_once: AtOnce) -> None:
    dish = builders.plat(shared)
    client = builders.client(shared)
    first = builders.souscription(shared, id_client=client, offre={"quota": "4"})
    second = builders.souscription(shared, id_client=client, offre={"quota": "3"})
    for _ in range(selon(3, 30)):
        order(shared, client, dish, "4")
        order(shared, client, dish, "3")
        orders = shared.all("select id_commande from restaurant.commande where statut = 'EN_COURS'")

        def act(db: Db, n: int, orders: Any = orders) -> Any:
            if n < 2:
                return db.call("restaurant.commande_annuler", id_commande=orders[n]["id_commande"])["statut"]
            return order(db, client, dish, "2")

        outcomes = at_once(6, act)
        assert outcomes[:2] == ["ANNULEE", "ANNULEE"]
        assert set(outcomes[2:]) <= {"ordered", "ABONNEMENT_EXCEDENT", "PAIEMENT_DIFFERENT_DU_TOTAL"}
        assert balance(shared, first) + balance(shared, second) == 7 - 2 * outcomes.count("ordered")
        assert min(balance(shared, first), balance(shared, second)) >= 0
        for row in shared.all("select id_commande from restaurant.commande where statut = 'EN_COURS'"):
            shared.call("restaurant.commande_annuler", id_commande=row["id_commande"])
        assert (balance(shared, first), balance(shared, second)) == (4, 3)


def test_laundry_and_meals_of_one_client_wait_without_deadlock(shared: Db, at_once: AtOnce) -> None:
    dish, client = builders.plat(shared), builders.client(shared)
    service = shared.call("pressing.prestation_creer", libelle="Lavage")["id_prestation"]
    washing = {"activite": "PRESSING", "unite": "PIECE", "quota": "4", "id_prestation": service}
    shirt = {"type_vetement": "Chemise", "quantite": 1, "prestation": "Lavage", "tarif": "500"}
    for _ in range(selon(3, 30)):
        linen = builders.souscription(shared, id_client=client, offre=washing)
        meals = builders.souscription(shared, id_client=client, offre={"quota": "4"})

        def act(db: Db, n: int) -> str:
            if n % 2:
                return order(db, client, dish)
            db.call("pressing.commande_creer", id_client=client, lignes=[shirt])
            return "washed"

        assert sorted(at_once(8, act)) == ["ordered"] * 4 + ["washed"] * 4
        assert (balance(shared, linen), balance(shared, meals)) == (0, 0)


def test_one_of_two_collections_of_an_order_wins(shared: Db, at_once: AtOnce) -> None:
    dish, client = builders.plat(shared), builders.client(shared)
    subscription = builders.souscription(shared, id_client=client)
    with shared.connection.transaction():
        number = shared.one("select nextval('restaurant.commande_id_commande_seq')")
        line = "insert into restaurant.commande_ligne (id_commande, id_plat, quantite, prix_unitaire)"
        shared.execute(f"{line} values (%s, %s, 2, 500)", [number, dish])
        kept = "insert into restaurant.commande (id_commande, id_client, type) overriding system value"
        shared.execute(f"{kept} values (%s, %s, 'LIVRAISON')", [number, client])
    outcomes = at_once(4, calling("restaurant.commande_encaisser", id_commande=number, montant="0"))
    assert sorted(outcomes) == ["COMMANDE_DEJA_REGLEE"] * 3 + ["done"]
    assert balance(shared, subscription) == 8


def test_a_sale_and_the_deactivation_of_its_offer_follow_one_another(shared: Db, at_once: AtOnce) -> None:
    for _ in range(selon(3, 50)):
        offer, client = builders.offre(shared), builders.client(shared)
        sell = calling("abonnement.souscription_creer", id_client=client, id_offre=offer)
        deactivate = calling("abonnement.offre_modifier", id_offre=offer, champs={"actif": False, "quota": "99"})
        first, *others = at_once(4, lambda db, n, acts=(deactivate, sell): acts[min(n, 1)](db, n))
        assert first == "done" and set(others) <= {"done", "OFFRE_INACTIVE"}
        rows = shared.all("select quota from abonnement.souscription where id_offre = %s", [offer])
        assert [row["quota"] for row in rows] == [10] * others.count("done")


def test_a_sale_and_the_deletion_of_its_offer_follow_one_another(shared: Db, at_once: AtOnce) -> None:
    for _ in range(selon(3, 50)):
        offer, client = builders.offre(shared), builders.client(shared)
        sell = calling("abonnement.souscription_creer", id_client=client, id_offre=offer)
        delete = calling("abonnement.offre_supprimer", id_offre=offer)
        outcomes = at_once(2, lambda db, n, acts=(delete, sell): acts[n](db, n))
        assert outcomes in (["done", "OFFRE_INCONNUE"], ["OFFRE_VENDUE", "done"])


def test_a_remainder_is_carried_over_or_lost_once(shared: Db, at_once: AtOnce) -> None:
    today = shared.one("select core.aujourdhui()")
    for _ in range(selon(3, 30)):
        client = builders.client(shared)
        source = builders.souscription(shared, id_client=client, date_debut=today - timedelta(days=30))
        targets = [builders.souscription(shared, id_client=client) for _ in range(2)]

        def decide(db: Db, n: int, source: int = source, targets: list[int] = targets) -> str:
            carried_over = {"decision": "REPORTE", "id_souscription_cible": targets[n % 2]}
            fields = {"decision": "PERDU"} if n == 2 else carried_over
            db.call("abonnement.souscription_decider_reliquat", id_souscription=source, **fields)
            return "decided"

        assert sorted(at_once(5, decide)) == ["RELIQUAT_SANS_OBJET"] * 4 + ["decided"]
        assert balance(shared, source) == 0
        assert sum(balance(shared, target) for target in targets) in (20, 30)


def test_a_sale_is_used_or_voided_never_both(shared: Db, at_once: AtOnce) -> None:
    dish = builders.plat(shared)
    for _ in range(selon(3, 50)):
        client = builders.client(shared)
        subscription = builders.souscription(shared, id_client=client)
        query = "select id_facture from abonnement.souscription where id_souscription = %s"
        invoice = shared.one(query, [subscription])

        def act(db: Db, n: int, client: int = client, invoice: int = invoice) -> Any:
            if n:
                return order(db, client, dish)
            return db.call("facturation.facture_annuler", id_facture=invoice, motif="Erreur")["statut"]

        assert at_once(2, act) in (["ANNULEE", "PAIEMENT_DIFFERENT_DU_TOTAL"], ["SOUSCRIPTION_CONSOMMEE", "ordered"])


def test_adjustments_never_take_more_than_the_balance(shared: Db, at_once: AtOnce) -> None:
    subscription = builders.souscription(shared)
    less = {"id_souscription": subscription, "quantite": "-3.5", "motif": "Essai"}
    outcomes = at_once(6, calling("abonnement.souscription_ajuster", **less))
    assert sorted(outcomes) == ["SOLDE_NEGATIF"] * 4 + ["done"] * 2
    assert balance(shared, subscription) == 3
