"""Each term for an amount has one definition: every report gives the same sum for the same days."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from tests import builders
from tests.accord import disagreements
from tests.conftest import Db, Http
from tests.preuve import selon

PERIODS = [("2026-01-01", "2026-12-31"), ("2026-03-05", "2026-05-17"), ("2026-11-01", "2026-11-30")]


def all_disagreements(db: Db) -> list[str]:
    today = str(db.one("select core.aujourdhui()"))
    return [line for du, au in [*PERIODS, (today, today)] for line in disagreements(db, du, au)]


class History:
    """A business with random operations. An operation that a rule refuses is skipped."""

    def __init__(self, db: Db, seed: int) -> None:
        self.db = db
        self.dice = random.Random(seed)
        self.moyen = builders.moyen(db)
        self.tills = {code: builders.caisse(db, activite_code=code) for code in ("PRESSING", "RESTAURATION")}
        self.client = builders.client(db)
        self.product = builders.produit(db, stock="500", prix="750.25", seuil_alerte="480")
        self.dish = builders.plat(db, prix="3500.50")
        self.lease = builders.contrat(db, date_debut="2026-01-17", date_fin_prevue="2026-12-16")
        self.sales: list[int] = []
        self.orders: list[int] = []
        self.meals: list[int] = []
        self.refused: list[str] = []

    def amount(self, most: int = 90_000) -> str:
        return f"{self.dice.randint(1, most)}.{self.dice.choice(['00', '00', '25', '50'])}"

    def day(self) -> str:
        return f"2026-{self.dice.randint(1, 10):02}-{self.dice.randint(1, 28):02}"

    def payment(self, amount: Any) -> dict[str, Any]:
        return {"montant": str(amount), "id_moyen": self.moyen}

    def step(self) -> None:
        operation = self.dice.choice(
            [self.pay, self.spend, self.void, self.sell, self.cancel_sale, self.deposit, self.collect, self.cook,
             self.cancel_meal, self.hall, self.rent, self.bill, self.refund, self.sum_up]
        )  # fmt: skip
        try:
            with self.db.connection.transaction():
                operation()
        except psycopg.Error as error:
            if not (error.sqlstate or "").startswith("HT"):
                raise
            self.refused.append(f"{operation.__name__} : {error.diag.constraint_name}")

    def pay(self) -> None:
        place = self.dice.choice([{"id_caisse": self.tills["PRESSING"]}, {"id_activite": self.dice.randint(1, 6)}])
        builders.paiement(self.db, self.amount(), date=self.day(), **place)

    def refund(self) -> None:
        self.db.execute(
            "insert into finances.paiement (montant, type, id_moyen, id_activite, id_paiement_origine, date)"
            " select p.montant / 2, 'DECAISSEMENT', p.id_moyen, p.id_activite, p.id_paiement, %s"
            " from finances.paiement p where p.type = 'ENCAISSEMENT' and p.montant > 1 and not exists"
            " (select from finances.imputation_vue a where a.id_paiement = p.id_paiement)"
            " order by p.id_paiement desc limit 1",
            [self.day()],
        )

    def spend(self) -> None:
        place = self.dice.choice([{}, {"id_caisse": self.tills["RESTAURATION"]}, {"id_activite": 2}])
        builders.depense(self.db, self.amount(), date=self.day(), **place)

    def void(self) -> None:
        expense = self.db.one("select max(id_depense) from finances.depense where date_annulation is null")
        if expense:
            self.db.call("finances.depense_supprimer", id_depense=expense)

    def sell(self) -> None:
        basket = {"lignes": [{"id_produit": self.product, "quantite": "2"}], "remise": "100"}
        self.db.call("market.vente_creer", **basket, paiement=self.payment(Decimal("750.25") * 2 - 100))
        self.sales.append(self.db.one("select max(id_vente) from market.vente"))

    def cancel_sale(self) -> None:
        if self.sales:
            self.db.call("market.vente_annuler", id_vente=self.sales.pop())

    def deposit(self) -> None:
        linen = {"type_vetement": "Drap", "quantite": "3", "prestation": "Lavage", "tarif": "1250.50"}
        fields = {"paiement": self.payment(500)} if self.dice.random() < 0.5 else {}
        self.db.call("pressing.commande_creer", id_client=self.client, lignes=[linen], **fields)
        self.orders.append(self.db.one("select max(id_commande) from pressing.commande"))

    def collect(self) -> None:
        if self.orders:
            order = self.orders.pop()
            self.db.call("pressing.commande_traiter", id_commande=order)
            self.db.call("pressing.commande_marquer_prete", id_commande=order)
            rest = self.db.one("select reste_a_payer from pressing.commande_vue where id_commande = %s", [order])
            self.db.call("pressing.commande_retirer", id_commande=order, solde=str(rest), id_moyen=self.moyen)

    def cook(self) -> None:
        meal = {"type": "SUR_PLACE", "lignes": [{"id_plat": self.dish, "quantite": 2}]}
        self.db.call("restaurant.commande_creer", **meal, paiement=self.payment("7001"))
        self.meals.append(self.db.one("select max(id_commande) from restaurant.commande"))

    def cancel_meal(self) -> None:
        if self.meals:
            self.db.call("restaurant.commande_annuler", id_commande=self.meals.pop())

    def hall(self) -> None:
        day = str(date(2031, 1, 1) + timedelta(days=self.db.one("select count(*) from salle_fete.reservation")))
        hall = {"date_evenement": day, "heure_debut": "18:00", "duree": 5, "type_manifestation": "Mariage"}
        booking = self.db.call("salle_fete.reservation_creer", **hall, tarif="900000.75")["id_reservation"]
        paid = self.payment("200000")
        self.db.call("salle_fete.reservation_confirmer", id_reservation=booking, paiement=paid)

    def rent(self) -> None:
        paid = self.payment(self.amount())
        self.db.call("residence.contrat_encaisser_loyer_lot", id_contrat=self.lease, **paid)

    def bill(self) -> None:
        service = builders.prestation(self.db, "15000.50")
        self.db.call("facturation.prestation_facturer", id_prestation=service, montant="500", id_moyen=self.moyen)

    def sum_up(self) -> None:
        self.db.one("select finances._paiements_resumer(3)")
        self.db.one("select facturation._factures_resumer(2)")
        self.db.one("select finances._depenses_resumer(2)")
        self.db.one("select finances._applications_resumer(3)")


@pytest.mark.parametrize("seed", selon([1], range(1, 5)))
def test_all_reports_agree_after_random_operations(db: Db, seed: int) -> None:
    history = History(db, seed)
    for step in range(90):
        history.step()
        if step % 30 == 29:
            assert all_disagreements(db) == []
    tables = ("market.vente", "pressing.commande", "restaurant.commande", "finances.depense")
    row_counts = {name: db.one(f"select count(*) from {name}") for name in tables}
    assert all(row_counts.values()) and len(history.refused) < 20, (row_counts, history.refused)
    assert db.one("select count(*) from finances.paiement where type = 'DECAISSEMENT'")


def test_the_comparison_reports_a_disagreement(db: Db) -> None:
    """Checks the comparison itself: a changed report must be named."""
    History(db, 1).spend()
    body = db.one("select pg_get_functiondef('finances.tableau_de_bord'::regproc)")
    db.execute(body.replace("sum(m.depenses)", "sum(m.depenses) + 1"))
    assert [line.split(" : ")[0] for line in disagreements(db, "2026-01-01", "2026-12-31")] == ["depenses"]


# ---- what the dashboard of a client reads


def test_the_summary_holds_the_figures_of_a_dashboard(http: Http, db: Db) -> None:
    low = builders.produit(db, stock="2", seuil_alerte="5", nom="Savon")
    builders.produit(db, stock="50", seuil_alerte="5")
    builders.logement(db)
    lease = builders.contrat(db, date_debut="2026-01-17", date_fin_prevue="2026-12-16")
    history = History(db, 1)
    history.deposit()
    worker = builders.employe(db)
    db.call("rh.pointage_arriver", id_employe=worker, date=str(db.one("select core.aujourdhui()")))
    summary = http.as_admin().get("/rapports/synthese-globale").json()
    rents = http.as_admin().get("/residence/impayes", params={"limit": 1000}).json()
    late = [row for row in rents if row["id_contrat"] in (str(lease), str(history.lease))]
    owed = str(sum(Decimal(row["reste"]) for row in late))
    assert summary["residence"]["impayes"] == {"nombre": len(late), "montant": owed} and late
    free = db.one("select count(*) from residence.logement where statut = 'DISPONIBLE'")
    assert summary["residence"]["chambres_disponibles"] == free
    assert summary["market"]["stock"]["alertes"] == [{"id_produit": str(low), "nom": "Savon", "stock": "2.00"}]
    today = str(db.one("select core.aujourdhui()"))
    assert summary["pressing"] == {"jour": today, "commandes_en_cours": 1}
    assert summary["personnel"] == {"jour": today, "presents_aujourd_hui": 1}
    parts = Decimal(summary["total_depenses"]) + Decimal(summary["total_decaissements"])
    assert Decimal(summary["total_sorties"]) == parts


def test_the_summary_of_an_activity_leaves_out_the_other_activities(http: Http, db: Db) -> None:
    pressing = builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=builders.activite(db))
    summary = http.as_user(pressing).get("/rapports/synthese-globale").json()
    assert summary["pressing"] == {"jour": str(db.one("select core.aujourdhui()")), "commandes_en_cours": 0}
    assert [summary[name] for name in ("residence", "market", "personnel")] == [None, None, None]
