"""Random short histories of documents, stock, entries of the accountant and closings: the books stay balanced."""

import random
from collections import Counter
from datetime import date, timedelta

import psycopg
import pytest

from tests import builders, livre
from tests.compta.conftest import after
from tests.preuve import selon

ACCOUNTS = ("101", "164", "245", "31", "401", "4111", "521", "571", "601", "622", "6611", "706", "771", "831", "841")
# One row for each error, over all lines and over the months and years that are closed.
WRONG = """
with l as materialized (select * from compta.ecriture_vue)
select 'document ' || type || ' ' || id_document as erreur from l group by type, id_document
having sum(coalesce(debit, 0)) <> sum(coalesce(credit, 0))
union all
select 'mois ' || to_char(date, 'YYYY-MM') from l group by to_char(date, 'YYYY-MM')
having sum(coalesce(debit, 0)) <> sum(coalesce(credit, 0))
union all
select 'compte ' || l.compte || ' au premier jour de ' || x.annee + 1
  from l join compta.exercice_clos x on extract(year from l.date) <= x.annee
 where l.compte ~ '^[678]' group by l.compte, x.annee having sum(coalesce(l.debit, -l.credit)) <> 0
union all
select 'ouverture de ' || x.annee + 1 || ', compte ' || b.compte
  from compta.exercice_clos x cross join compta.balance(make_date(x.annee + 1, 1, 1), make_date(x.annee + 1, 1, 1)) b
 where b.ouverture_debit - b.ouverture_credit is distinct from (
         select coalesce(sum(coalesce(l.debit, -l.credit)), 0) from l
          where l.date < make_date(x.annee + 1, 1, 1) and l.compte = b.compte)
   and b.compte <> 'TOTAL'
   and not exists (select from l where l.type::text = 'A_NOUVEAU' and l.date >= make_date(x.annee + 1, 1, 1))
union all
select 'résultat de ' || v.annee from compta.exercice_annuel_vue v
 where v.clos and v.resultat <> (
         select coalesce(sum(coalesce(l.credit, -l.debit)), 0) from l
          where extract(year from l.date) = v.annee and l.compte ~ '^[678]' and l.type::text <> 'RESULTAT')
union all
select 'stock' where (select coalesce(sum(p.valeur_stock), 0) from market.produit p)
                  <> (select coalesce(sum(coalesce(l.debit, -l.credit)), 0) from l
                       where l.type::text = 'STOCK' and l.compte = '31')
union all
select 'mois ' || p.periode || ' changé' from compta.periode p where not compta._periode_intacte(p.periode)
"""


class Books:
    """Draws what happens next. An operation that the database refuses changes nothing."""

    def __init__(self, db, product, service, done):
        self.db, self.product, self.service, self.done = db, product, service, done

    def play(self, dice):
        self.dice = dice
        day = date(2024, 10, 1) + timedelta(days=dice.randrange(120))
        self.db.le(day)
        for _ in range(dice.randint(8, 24)):
            day += timedelta(days=dice.choice([0, 3, 20, 50]))
            self.db.le(day)
            action = dice.choice(ACTIONS)
            try:
                with self.db.connection.transaction():
                    getattr(self, action)()
                self.done[action] += 1
            except (psycopg.OperationalError, psycopg.IntegrityError) as refusal:
                self.done[str(refusal.diag.constraint_name)] += 1
        for _ in range(3):  # the last months, and the year before
            self.close_month()
        self.close_year()

    def day(self):
        return str(self.db.today() - timedelta(days=self.dice.choice([0, 0, 10, 40, 300])))

    def lines(self):
        parts = [self.dice.randint(1, 900_00) for _ in range(self.dice.randint(1, 3))]
        amounts = [*(("debit", part) for part in parts), ("credit", sum(parts))]
        if self.dice.random() < 0.5:
            amounts = [({"debit": "credit", "credit": "debit"}[side], amount) for side, amount in amounts]
        return [{"compte": self.dice.choice(ACCOUNTS), side: f"{amount / 100:.2f}"} for side, amount in amounts]

    def record(self):
        self.db.call("compta.operation_creer", date=self.day(), libelle="Opération", lignes=self.lines())

    def open(self):
        self.db.call("compta.a_nouveau_creer", date=self.day(), lignes=self.lines())

    def cancel(self):
        keys = self.db.all("select id_operation from compta.operation", [])
        if keys:
            self.db.call("compta.operation_annuler", id_operation=self.dice.choice(keys)["id_operation"])

    def receive(self):
        cost = {"cout_unitaire": f"{self.dice.randint(1, 9000) / 7:.2f}"} if self.dice.random() < 0.7 else {}
        quantity = str(self.dice.randint(1, 20))
        self.db.call("market.mouvement_stock_creer", id_produit=self.product, type="ENTREE", quantite=quantity, **cost)

    def sell(self):
        quantity = self.dice.randint(1, 5)
        lines = [{"id_produit": self.product, "quantite": str(quantity)}]
        self.db.call("market.vente_creer", lignes=lines, paiement={"montant": str(750 * quantity), "id_moyen": 1})

    def correct(self):
        keys = self.db.all("select id_mouvement from market.mouvement_stock where type = 'ENTREE'", [])
        if keys:
            fields = {
                "id_mouvement": self.dice.choice(keys)["id_mouvement"],
                "cout_unitaire": str(self.dice.randint(1, 900)),
            }
            self.db.call("market.mouvement_stock_corriger", **fields)

    def bill(self):
        builders.facturer(self.db, "1000", montant="400", id_prestation=self.service)

    def spend(self):
        builders.depense(self.db, str(self.dice.randint(1, 500)), date=f"{self.day()} 08:00Z")

    def first_open(self):
        return self.db.one("select min(date) from compta._repere_vue where date > compta._dernier_jour_clos()")

    def close_month(self):
        """The first month that has open entries, if it is over."""
        first = self.first_open()
        if first is not None and after(first, 1) <= self.db.today():
            self.db.call("compta.periode_cloturer", periode=f"{first:%Y-%m}")

    def close_year(self):
        """Each year that is over, after its months."""
        year = self.db.today().year - 1
        while (first := self.first_open()) is not None and first.year <= year:
            self.db.call("compta.periode_cloturer", periode=f"{first:%Y-%m}")
        closed = {row["annee"] for row in self.db.all("select annee from compta.exercice_clos", [])}
        for one in sorted({*range(2023, year + 1)} - closed):
            self.db.call("compta.exercice_cloturer", annee=one)
            self.done["EXERCICE"] += 1


ACTIONS = (
    "record", "record", "record", "open", "cancel", "receive", "receive", "sell", "sell", "correct", "bill", "spend",
    "close_month", "close_month", "close_year",
)  # fmt: skip


@pytest.mark.promesse(
    "Aucune histoire ne déséquilibre les livres, et un exercice clôturé laisse charges et produits à zéro."
)
@pytest.mark.parametrize("tenth", range(10))
def test_books_stay_balanced_and_a_closed_year_leaves_no_result_over_random_histories(horloge, tenth):
    horloge.le(date(2024, 9, 1))
    done = Counter()
    books = Books(horloge, builders.produit(horloge, "0", "750"), builders.prestation(horloge), done)
    builders.categorie_depense(horloge)
    for seed in range(tenth, selon(300, 2000), 10):
        with horloge.connection.transaction(force_rollback=True):
            books.play(random.Random(seed))
            assert horloge.all(WRONG, []) == [], seed
            if seed % 100 < 10:
                assert [error for error in livre.wrong(horloge) if "place" not in error] == [], seed
    assert not {*ACTIONS} - {*done} and done["EXERCICE"] > 10 and done["PERIODE_CLOTUREE"] > 3, done
