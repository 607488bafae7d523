"""Random histories of several months, closed as they go: ledger, reports, sums, seals and controls agree."""

import random
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal

import psycopg
import pytest

from tests import builders, etats, livre
from tests.accord import disagreements
from tests.facturation import test_resume_facture
from tests.finances import test_resume, test_resume_application, test_resume_depense
from tests.preuve import selon
from tests.rapports import test_impayes_resumes
from tests.tresorerie import argent

DAYS = 130
# The months that are closed in the middle of a month: February waits, and is closed with March.
CLOSED = {2: ("2025-12", "2026-01"), 4: ("2026-02", "2026-03"), 5: ("2026-04",)}


class Nothing(Exception):
    """There is no row that the operation could take."""


class Histoire:
    """Draws what happens next. An operation that the database refuses changes nothing."""

    def __init__(self, db, seed):
        self.db = db
        self.dice = random.Random(seed)
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.clients = [builders.client(db) for _ in range(3)]
        self.tills = [builders.caisse(db), builders.caisse(db, activite_code="LOCATION_RESIDENTIEL"), None]
        self.methods = [
            row["id_moyen"] for row in db.all("select id_moyen from finances.moyen_paiement where not credit")
        ]
        self.credit = db.one("select id_moyen from finances.moyen_paiement where credit")
        self.categories = [builders.categorie_depense(db, name) for name in "ab"]
        self.users = [None, *(builders.utilisateur(db, role="DIRIGEANT") for _ in range(2))]
        activities = (builders.activite(db), builders.activite(db, "VENTE_MARCHANDISES"), None)
        # A rate that changes in the middle of a month, an exemption, and services without a tax.
        for code, rate, since in (("TVA", "18", "2020-01-01"), ("TVA", "9", "2026-03-16"), ("EXO", "0", "2020-01-01")):
            kind = "EXONERE" if rate == "0" else "TAUX"
            db.call("core.taxe_creer", code=code, libelle=f"{code} {rate} %", taux=rate, nature=kind, du=since)
        kinds = [
            {"id_activite": activity, "code_taxe": code} for activity in activities for code in ("TVA", "EXO", None)
        ]
        self.services = [builders.prestation(db, **kind) for kind in kinds]
        self.accounts = [argent.compte(db, id_moyen=method, libelle=f"Compte {method}") for method in self.methods]
        self.accounts.append(argent.compte(db, libelle="Du pressing", id_activite=activities[0]))
        self.employees = [builders.employe(db) for _ in range(2)]
        self.product, self.dish = builders.produit(db, "500", "750.25", seuil_alerte="480"), builders.plat(db)
        # An account of its own for one till, one category and one tax; the others use the accounts of their case.
        own = {f"CAISSES-{self.tills[0]}": "5712", f"DEPENSES-{self.categories[0]}": "6052", "TAXES-TVA": "4432"}
        for case, account in own.items():
            db.call("compta.compte_modifier", cas=case, champs={"compte": account})

    def amount(self, most=9000):
        whole = self.dice.randint(1, most)
        return str(self.dice.choice([whole, self.dice.randint(1, 50) * 100, f"{whole}.33"]))

    def one_of(self, query, *values):
        rows = self.db.all(query, values)
        if not rows:
            raise Nothing
        return int(next(iter(self.dice.choice(rows).values())))

    def past(self):
        """Today, or a day of the last two months, which may be closed."""
        day = self.db.today() - timedelta(days=self.dice.choice([0, 0, 1, 5, 40]))
        return f"{day} 08:00:00Z"

    def around(self):
        return str(self.db.today() + timedelta(days=self.dice.choice([-20, 0, 0, 35])))

    def method(self):
        return {"id_moyen": self.dice.choice(self.methods)}

    def sometimes(self, chance):
        return self.dice.random() < chance

    def act(self, name=None):
        name = name or self.dice.choices([*ACTIONS], [*ACTIONS.values()])[0]
        self.db.tick()
        try:
            with self.db.connection.transaction():
                getattr(self, name)()
                for moment in ("immediate", "deferred"):  # as a commit does
                    self.db.execute(f"set constraints all {moment}")
            self.done[name] += 1
        except Nothing:
            pass
        except psycopg.Error as error:
            assert (error.sqlstate or "").startswith("HT") or error.diag.constraint_name, error
            self.refused[str(error.diag.constraint_name)] += 1

    # ---- what happens

    def bill(self):
        lines = [
            {"libelle": "x", "quantite": self.dice.choice(["1", "5", "3.5"]), "prix_unitaire": self.amount()}
            for _ in range(self.dice.randint(1, 3))
        ]
        total = sum(Decimal(line["quantite"]) * Decimal(line["prix_unitaire"]) for line in lines)
        discount = self.dice.choice(["0", "0", "7", "100"])
        paid = self.dice.choice(["0", "0", "1", str((total - Decimal(discount)) // 2), str(total - Decimal(discount))])
        sale = {"id_prestation": self.dice.choice(self.services), "id_client": self.dice.choice([*self.clients, None])}
        fields = {"montant": paid, "lignes": lines, "remise": discount}
        self.db.call("facturation.prestation_facturer", **sale, **fields, **self.method())

    def unpaid(self, more="true"):
        return self.one_of(f"select id_facture from facturation.facture where reste > 0 and {more}")

    def sell(self):
        basket = {"lignes": [{"id_produit": self.product, "quantite": "2"}], "remise": "100"}
        self.db.call("market.vente_creer", **basket, paiement={"montant": "1400.50"} | self.method())

    def cancel_sale(self):
        self.db.call("market.vente_annuler", id_vente=self.one_of("select id_vente from market.vente"))

    def wash(self):
        linen = {"type_vetement": "Drap", "quantite": "3", "prestation": "Lavage", "tarif": "1250.50"}
        paid = {"paiement": {"montant": "500"} | self.method()} if self.sometimes(0.5) else {}
        self.db.call("pressing.commande_creer", id_client=self.dice.choice(self.clients), lignes=[linen], **paid)

    def collect(self):
        order = self.one_of("select id_commande from pressing.commande where statut = 'DEPOSE'")
        self.db.call("pressing.commande_traiter", id_commande=order)
        self.db.call("pressing.commande_marquer_prete", id_commande=order)
        due = self.db.one("select reste_a_payer from pressing.commande_vue where id_commande = %s", [order])
        self.db.call("pressing.commande_retirer", id_commande=order, solde=str(due), **self.method())

    def cook(self):
        meal = {"type": "SUR_PLACE", "lignes": [{"id_plat": self.dish, "quantite": 2}]}
        self.db.call("restaurant.commande_creer", **meal, paiement={"montant": "7000"} | self.method())

    def cancel_meal(self):
        meal = self.one_of("select id_commande from restaurant.commande")
        self.db.call("restaurant.commande_annuler", id_commande=meal)

    def hall(self):
        day = str(date(2031, 1, 1) + timedelta(days=self.db.one("select count(*) from salle_fete.reservation")))
        hall = {"date_evenement": day, "heure_debut": "18:00", "duree": 5, "type_manifestation": "Mariage"}
        booking = self.db.call("salle_fete.reservation_creer", **hall, tarif="900000.75")["id_reservation"]
        paid = {"montant": "200000"} | self.method()
        self.db.call("salle_fete.reservation_confirmer", id_reservation=booking, paiement=paid)

    def in_till(self):
        return {"id_caisse": self.dice.choice(self.tills), "date": self.past()}

    def pay(self):
        invoice = self.unpaid()
        due = self.db.one("select reste from facturation.facture where id_facture = %s", [invoice])
        amount = self.dice.choice([str(due), "1"])
        builders.paiement(self.db, amount, id_facture=invoice, **self.method(), **self.in_till())

    def pay_by_credit(self):
        invoice = self.unpaid("finances._credit(id_client) > 0")
        query = "select least(reste, finances._credit(id_client)) from facturation.facture where id_facture = %s"
        builders.paiement(self.db, self.db.one(query, [invoice]), id_moyen=self.credit, id_facture=invoice)

    def receive_freely(self):
        builders.paiement(self.db, self.amount(), **self.method(), **self.in_till())

    def apply(self):
        payment = self.one_of(
            """select id_paiement from finances.paiement p
                where type = 'ENCAISSEMENT' and finances._paiement_libre(id_paiement) > 0
                  and not exists (select from residence.caution_evenement h where h.id_paiement = p.id_paiement)"""
        )
        self.db.call("finances.paiement_appliquer", id_paiement=payment, id_facture=self.unpaid())

    def undo_payment(self):
        payment = self.one_of("select id_paiement from finances.paiement where type = 'ENCAISSEMENT'")
        if self.sometimes(0.5):
            self.db.call("finances.paiement_annuler", id_paiement=payment, motif="erreur")
        else:
            method = {"id_moyen": self.credit} if self.sometimes(0.5) else {}
            self.db.call("finances.paiement_rembourser", id_paiement=payment, **method)

    def move_payment(self):
        table = self.dice.choice(["paiement", "application_paiement"])
        payment = self.one_of(f"select id_paiement from finances.{table} order by 1 desc limit 20")
        change = self.dice.choice(
            [{"date": self.past()}, {"id_moyen": str(self.dice.choice(self.methods))}, {"motif": "x"}]
        )
        self.db.call("finances.paiement_modifier", id_paiement=payment, champs=change)

    def cancel(self):
        invoice = self.one_of("select id_facture from facturation.facture where not annulee")
        self.db.call("facturation.facture_annuler", id_facture=invoice, motif="essai")

    def rename_invoice(self):
        invoice = self.one_of("select id_facture from facturation.facture")
        self.db.call("facturation.facture_modifier", id_facture=invoice, champs={"libelle": "Autre libellé"})

    def credit_note(self):
        invoice = self.one_of("select id_facture from facturation.facture where not annulee")
        line = self.one_of("select id_ligne from facturation.facture_ligne where id_facture = %s", invoice)
        part = self.dice.choice([{"quantite": "1"}, {"montant": self.amount(1000)}, {"quantite": "0.5"}])
        call = {"id_facture": invoice, "motif": "rendu", "lignes": [{"id_ligne": line} | part]}
        if self.sometimes(0.4):
            call["remboursement"] = self.method()
        self.db.call("facturation.avoir_creer", **call)

    def spend(self):
        category = self.dice.choice(self.categories)
        place = {"id_compte": self.dice.choice(self.accounts)} if self.sometimes(0.3) else self.in_till()
        builders.depense(self.db, self.amount(), id_categorie_depense=category, **place)

    def change_expense(self):
        expense = self.one_of("select id_depense from finances.depense where date_annulation is null")
        if self.sometimes(0.5):
            self.db.execute("select finances.depense_supprimer(%s)", [expense])
        else:
            category = {"id_categorie_depense": str(self.dice.choice(self.categories))}
            activity = {"id_activite": str(self.dice.randint(1, 3))}
            change = self.dice.choice([{"montant": self.amount()}, {"date": self.past()}, category, activity])
            self.db.call("finances.depense_modifier", id_depense=expense, champs=change)

    def transfer(self):
        places = [{"id_caisse": till} for till in self.tills[:2]] + [{"id_compte": key} for key in self.accounts]
        de, vers = self.dice.sample(places, 2)
        fields = self.method() if self.sometimes(0.3) else {}
        argent.virer(
            self.db, de, vers, self.amount(), frais=self.dice.choice(["0", "2.50"]), date=self.past(), **fields
        )

    def undo_transfer(self):
        self.db.call(
            "tresorerie.virement_annuler", id_virement=self.one_of("select id_virement from tresorerie.virement")
        )

    def lease(self):
        first = self.db.today() - timedelta(days=self.dice.choice([0, 20]))
        terms = {"date_debut": str(first), "date_fin_prevue": str(first + timedelta(days=200))}
        terms["type_location"] = self.dice.choice(["MENSUEL", "MENSUEL", "ANNUEL"])
        client = self.dice.choice(self.clients)
        self.deposit(builders.contrat(self.db, id_client=client, montant_loyer=self.amount(), **terms), 0.8)

    def deposit(self, lease, received):
        """The deposit of a lease, received by the till with this chance, else by hand."""
        self.db.call("residence.caution_creer", id_contrat=lease, montant=self.amount())
        if self.sometimes(received):
            self.db.call("residence.caution_encaisser", id_contrat=lease, **self.method())
        else:
            self.db.call("residence.caution_verser", id_contrat=lease)

    def rent(self):
        rent = self.one_of(
            """select id_echeance from residence.echeance join residence.contrat_location using (id_contrat)
                where statut = 'ACTIF' and not annulee and montant_paye < montant"""
        )
        due = self.db.one("select montant - montant_paye from residence.echeance where id_echeance = %s", [rent])
        call = {"id_echeance": rent, "montant": self.dice.choice([str(due), "1"]), "date": self.past()}
        if self.sometimes(0.3):
            lease = self.db.one("select id_contrat from residence.echeance where id_echeance = %s", [rent])
            lot = {"id_contrat": lease, "montant": self.amount()}
            self.db.call("residence.contrat_encaisser_loyer_lot", **lot, **self.method())
        else:
            self.db.call("residence.echeance_encaisser", **call, **self.method())

    def revise_rent(self):
        lease = self.one_of("select id_contrat from residence.contrat_location where statut = 'ACTIF'")
        revised = {"nouveau_montant": self.amount(), "date_effet": self.around()}
        self.db.call("residence.contrat_reviser_loyer", id_contrat=lease, **revised)

    def end_lease(self):
        lease = self.one_of("select id_contrat from residence.contrat_location where statut = 'ACTIF'")
        self.db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation=self.around())
        if self.sometimes(0.6):
            with self.db.connection.transaction():
                if self.db.one("select residence._a_rembourser(%s)", [lease]) > 0:
                    back = self.db.call("residence.contrat_rembourser", id_contrat=lease, **self.method())
                    assert back["montant_a_rembourser"] == 0

    def give_deposit_back(self):
        lease = self.one_of("select id_contrat from residence.caution where payee and retenue is distinct from 0")
        amount = self.db.one("select montant from residence.caution where id_contrat = %s", [lease])
        kept = self.dice.choice(["0", "1", str(amount)])
        if self.sometimes(0.3):
            self.db.call("residence.caution_restituer", id_contrat=lease, retenue=kept)
        else:
            back = {"retenue": kept, "date": self.past()[:10]}
            self.db.call("residence.caution_rembourser", id_contrat=lease, **back, **self.method())

    def receive_deposit_again(self):
        """Give the whole deposit of a lease in force back if it is not yet, and receive it again."""
        lease = self.one_of(
            """select id_contrat from residence.caution d join residence.contrat_location c using (id_contrat)
                where (d.retenue = 0 or d.payee and d.retenue is null) and c.statut = 'ACTIF'"""
        )
        if self.db.one("select retenue from residence.caution where id_contrat = %s", [lease]) is None:
            self.db.call("residence.caution_restituer", id_contrat=lease)
        self.deposit(lease, 0.5)

    def payroll(self):
        month = f"{self.db.today() - timedelta(days=self.dice.choice([0, 31]))}"[:7]
        slip = self.db.call("rh.paie_creer", id_employe=self.dice.choice(self.employees), periode=month)["id_paie"]
        for kind in self.dice.sample(["PRIME", "AVANCE", "RETENUE", "HEURE_SUP", "AUTRE"], self.dice.randint(0, 3)):
            self.db.call("rh.element_salaire_ajouter", id_paie=slip, type=kind, libelle="x", montant=self.amount(5000))

    def settle_payroll(self):
        slip = self.one_of("select id_paie from rh.paie where statut <> 'PAYEE'")
        step = self.dice.choice(["valider", "valider", "payer", "payer", "annuler"])
        call = self.method() if step == "payer" else {}
        self.db.call(f"rh.paie_{step}", id_paie=slip, **call)

    def summarise(self):
        for name in ("finances._paiements", "facturation._factures", "finances._depenses", "finances._applications"):
            self.db.one(f"select {name}_resumer(%s)", [self.dice.choice([3, 1000])])
        self.db.one("select rapports._impayes_resumer()")

    def seal(self):
        assert self.db.call("audit.sceller")["complet"]

    # ---- the end of a month

    def close(self, month):
        for till in filter(None, self.tills):
            self.db.call("finances.caisse_fermer", id_caisse=till)
        self.db.call("compta.periode_cloturer", periode=month)
        for till in filter(None, self.tills):
            self.db.call("finances.caisse_ouvrir", id_caisse=till)


# How often each happens, one against the other.
ACTIONS = {
    "bill": 3, "pay": 2, "receive_freely": 1, "apply": 2, "undo_payment": 2, "move_payment": 1, "cancel": 1,
    "rename_invoice": 1, "credit_note": 3, "pay_by_credit": 2, "spend": 2, "change_expense": 2, "lease": 1, "rent": 5,
    "revise_rent": 1, "end_lease": 1, "give_deposit_back": 2, "receive_deposit_again": 1, "payroll": 1,
    "settle_payroll": 2, "summarise": 2, "seal": 1, "sell": 1, "cancel_sale": 1, "wash": 1, "collect": 1, "cook": 1,
    "cancel_meal": 1, "hall": 1, "transfer": 3, "undo_transfer": 1,
}  # fmt: skip


# A rent is paid within its amount. After the end of its lease it costs what is due of it, and nothing without a day.
RENTS = """
select * from residence.echeance e
 where e.montant_paye not between 0 and e.montant or e.annulee and (e.montant_du <> 0 or e.montant_paye <> 0)
    or not e.annulee and e.montant <> e.montant_du"""


def exact(db):
    """The sums by day, with the rows that no job has summed yet, equal the sums of the rows."""
    summed = (test_resume, test_resume_application, test_resume_depense, test_resume_facture, test_impayes_resumes)
    for sums in (*summed, argent):
        assert db.all(sums.SUMMED) == db.all(sums.RAW), sums


def wrong(db):
    """The errors of the ledger, and the words under which two reports differ."""
    exact(db)
    control = db.all("select c from jobs._controler() c where c not like '%%n''avance plus%%'", [])  # months pass here
    assert control == []
    assert db.one("select min(finances._credit(id_client)) from client.client") >= 0
    today = str(db.today())
    periods = [("2025-01-01", "2026-12-31"), ("2026-02-05", "2026-04-17"), (today, today)]
    assert db.all(RENTS, []) == []
    assert db.all(argent.LEDGER) == db.all(argent.BY_METHOD)
    days = [db.today(), *(date(2026, month, day) for month, day in ((1, 31), (2, 20), (3, 31)))]
    assert etats.wrong(db, *days) == []
    assert etats.wrong_pages(db, db.today()) == []
    return livre.wrong(db) + [line for days in periods for line in disagreements(db, *days)]


@pytest.mark.parametrize("seed", selon([0], range(6)))
def test_ledger_reports_and_daily_sums_agree_with_the_documents_over_random_histories(horloge, seed):
    first = date(2026, 1, 28)
    horloge.le(first)
    history = Histoire(horloge, seed)
    closed = []
    for elapsed in range(DAYS):
        day = first + timedelta(days=elapsed)
        horloge.le(day)
        horloge.acting(history.dice.choice(history.users))
        for _ in range(history.dice.choice([1, 4, 7])):
            history.act()
        if elapsed % 3 == 0:
            exact(horloge)
        if elapsed % selon(40, 10) == 0:
            assert livre.wrong(horloge) == []
        if day.day == 15 and day.month in CLOSED:
            for month in CLOSED[day.month]:
                history.close(month)
            assert wrong(horloge) == []
            frozen = horloge.all("select * from compta.ecriture order by numero")
            assert frozen[: len(closed)] == closed and len(frozen) > len(closed)
            closed = frozen
    for name in sorted({*ACTIONS} - {*history.done}):  # chance has left it out until now
        for _ in range(100):
            if name in history.done:
                break
            history.act()
            history.act(name)
    assert wrong(horloge) == []
    history.seal()
    assert horloge.rows("audit.verifier") == []
    assert closed == horloge.all("select * from compta.ecriture order by numero")
    assert {*ACTIONS} - {*history.done} == set(), history.done
    assert history.refused["PERIODE_CLOTUREE"] > 3, history.refused
