"""Random sequences of bookings: after each operation, the database agrees with a model in Python."""

from datetime import datetime, timedelta
from decimal import Decimal

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from psycopg import Error

from tests import builders
from tests.examples import WALKS

START = st.integers(0, 60)  # hours after the first of June
HOURS = st.sampled_from([1, 4, 30])
PRICE = st.sampled_from([Decimal(100), Decimal("250.50")])
DEVIATION = st.sampled_from(
    [Decimal(0), Decimal(0), Decimal(0), Decimal(0), Decimal("-0.01"), Decimal("0.01"), Decimal(-60), Decimal(60)]
)
PICK = st.integers(0, 5)
LIVE = ("RESERVEE", "CONFIRMEE", "REALISEE")
PAIRS = {("RESERVEE", "CONFIRMEE"), ("CONFIRMEE", "REALISEE"), ("RESERVEE", "ANNULEE"), ("CONFIRMEE", "ANNULEE")}


class Hall(RuleBasedStateMachine):
    db = None

    def __init__(self):
        super().__init__()
        self.transaction = self.db.connection.transaction(force_rollback=True)
        self.transaction.__enter__()
        self.bookings = []  # the model: id, start, end, price, paid, invoices, statut
        self.open, self.till_sum, self.payments = True, Decimal(0), 0

    def teardown(self):
        self.transaction.__exit__(None, None, None)

    @initialize()
    def create_rows(self):
        self.moyen = builders.moyen(self.db)
        self.till = builders.caisse(self.db, activite_code="SALLE_FETE")
        self.first = self.numbers()
        self.db.acting(builders.utilisateur(self.db, caisse=self.till))
        # Some bookings exist from the first step, because hypothesis disables rules at random.
        for start in (0, 10, 30):
            self.book_for(start, 4, Decimal(100))
        for pick in (1, 2):
            self.confirm_for(pick, Decimal(60))

    def numbers(self):
        return int(self.db.one("select coalesce(sum(valeur), 0) from core.compteur where type = 'FAC'"))

    def attempt(self, expected, function, **arguments):
        try:
            with self.db.connection.transaction():
                self.answer = self.db.call(f"salle_fete.reservation_{function}", **arguments)
                name = None
        except Error as error:
            name = error.diag.constraint_name
        assert name == expected, (function, arguments)
        return name is None

    def booking(self, pick):
        return self.bookings[pick % len(self.bookings)] if self.bookings else None

    def is_taken(self, start, end, own=None):
        return any(
            b is not own and b["statut"] in LIVE and start < b["end"] and b["start"] < end for b in self.bookings
        )

    def slot(self, start, hours):
        begin = datetime(2031, 6, 1) + timedelta(hours=start)
        fields = {"date_evenement": f"{begin:%Y-%m-%d}", "heure_debut": f"{begin:%H:%M}", "duree": str(hours)}
        return begin, begin + timedelta(hours=hours), fields

    @precondition(lambda self: len(self.bookings) < 7)
    @rule(start=START, hours=HOURS, price=PRICE)
    def book(self, start, hours, price):
        self.book_for(start, hours, price)

    def book_for(self, start, hours, price):
        begin, end, fields = self.slot(start, hours)
        expected = "creneau_deja_reserve" if self.is_taken(begin, end) else None
        if self.attempt(expected, "creer", **fields, type_manifestation="Essai", tarif=str(price)):
            self.bookings.append(
                {
                    "id": self.answer["id_reservation"],
                    "start": begin,
                    "end": end,
                    "price": price,
                    "paid": Decimal(0),
                    "invoices": 0,
                    "statut": "RESERVEE",
                }
            )

    @rule(pick=PICK, start=START, hours=HOURS)
    def move(self, pick, start, hours):
        if not (booking := self.booking(pick)):
            return
        begin, end, fields = self.slot(start, hours)
        if booking["statut"] not in ("RESERVEE", "CONFIRMEE"):
            expected = "RESERVATION_CLOSE"
        else:
            expected = "creneau_deja_reserve" if self.is_taken(begin, end, booking) else None
        if self.attempt(expected, "modifier", id_reservation=booking["id"], champs=fields):
            booking["start"], booking["end"] = begin, end

    @rule(pick=PICK, price=PRICE)
    def reprice(self, pick, price):
        if not (booking := self.booking(pick)):
            return
        if booking["statut"] not in ("RESERVEE", "CONFIRMEE"):
            expected = "RESERVATION_CLOSE"
        else:
            expected = "RESERVATION_FACTUREE" if booking["invoices"] and price != booking["price"] else None
        if self.attempt(expected, "modifier", id_reservation=booking["id"], champs={"tarif": str(price)}):
            booking["price"] = price

    @rule(pick=PICK, statut=st.sampled_from([*LIVE, "ANNULEE", "DISPONIBLE"]))
    def write_the_status(self, pick, statut):
        if not (booking := self.booking(pick)):
            return
        if (booking["statut"], statut) in PAIRS:
            expected = "STATUT_PAR_OPERATION"
        elif booking["statut"] not in ("RESERVEE", "CONFIRMEE"):
            expected = "RESERVATION_CLOSE"
        else:
            expected = None if statut == booking["statut"] else "TRANSITION_INTERDITE"
        self.attempt(expected, "modifier", id_reservation=booking["id"], champs={"statut": statut})

    @rule(pick=PICK, deviation=DEVIATION, whole=st.booleans())
    def confirm(self, pick, deviation, whole):
        if booking := self.booking(pick):
            self.confirm_for(pick, booking["price"] + deviation if whole else abs(deviation))

    def confirm_for(self, pick, amount):
        if not (booking := self.booking(pick)):
            return
        if amount <= 0:
            expected = "montant_strictement_positif"
        elif booking["statut"] != "RESERVEE":
            expected = "TRANSITION_INTERDITE"
        elif not self.open:
            expected = "PERIODE_CAISSE_FERMEE"
        else:
            expected = "SURPAIEMENT" if amount > booking["price"] else None
        if self.pay(expected, "confirmer", booking, amount):
            booking["statut"] = "CONFIRMEE"
            booking["invoices"] = 1

    @rule(pick=PICK)
    def confirm_with_a_part(self, pick):
        self.confirm_for(pick, Decimal(60))

    @rule(pick=PICK, deviation=DEVIATION)
    def complete(self, pick, deviation):
        if not (booking := self.booking(pick)):
            return
        amount = booking["price"] - booking["paid"] + deviation
        if amount < 0:
            expected = "montant_positif"
        elif booking["statut"] != "CONFIRMEE":
            expected = "TRANSITION_INTERDITE"
        elif amount and not self.open:
            expected = "PERIODE_CAISSE_FERMEE"
        else:
            expected = "SURPAIEMENT" if deviation > 0 else "SOLDE_INCOMPLET" if deviation < 0 else None
        if self.pay(expected, "realiser", booking, amount):
            booking["statut"] = "REALISEE"

    def pay(self, expected, function, booking, amount):
        paiement = {"montant": str(amount), "id_moyen": self.moyen}
        if not self.attempt(expected, function, id_reservation=booking["id"], paiement=paiement):
            return False
        booking["paid"] += amount
        self.till_sum += amount
        self.payments += bool(amount)
        return True

    @rule(pick=PICK)
    def cancel(self, pick):
        if not (booking := self.booking(pick)):
            return
        if booking["statut"] not in ("RESERVEE", "CONFIRMEE"):
            expected = "TRANSITION_INTERDITE"
        else:
            expected = "PERIODE_CAISSE_FERMEE" if booking["paid"] and not self.open else None
        if self.attempt(expected, "annuler", id_reservation=booking["id"]):
            self.till_sum -= booking["paid"]
            self.payments += bool(booking["paid"])
            booking.update(statut="ANNULEE", paid=Decimal(0))

    @rule()
    def open_or_close_the_till(self):
        self.db.call("finances.caisse_fermer" if self.open else "finances.caisse_ouvrir", id_caisse=self.till)
        self.open = not self.open

    @invariant()
    def database_agrees_with_the_model(self):
        if not hasattr(self, "till"):
            return
        for booking in self.bookings:
            row = self.db.all(
                "select *, date_evenement + heure_debut as debut from salle_fete.reservation_vue"
                " where id_reservation = %s",
                [booking["id"]],
            )[0]
            cancelled = booking["statut"] == "ANNULEE"
            assert (row["statut"], row["debut"], row["tarif"], row["acompte"], row["solde"]) == (
                booking["statut"], booking["start"], booking["price"], booking["paid"],
                Decimal(0) if cancelled else booking["price"] - booking["paid"],
            )  # fmt: skip
            invoices = self.db.all(
                "select * from facturation.facture where source_type = 'RESERVATION_FETE' and source_id = %s",
                [booking["id"]],
            )
            assert len(invoices) == booking["invoices"]
            for invoice in invoices:
                assert (invoice["montant_total"], invoice["montant_paye"]) == (booking["price"], booking["paid"])
                paid = "PAYEE" if booking["paid"] == booking["price"] else "PARTIELLE"
                assert invoice["statut"] == ("ANNULEE" if cancelled else paid)
        occupied = [b for b in self.bookings if b["statut"] in LIVE]
        day = datetime(2031, 6, 2)
        expected = {b["id"] for b in occupied if b["start"] < day + timedelta(days=1) and day < b["end"]}
        rows = self.db.rows("salle_fete.creneau_lister", date=f"{day:%Y-%m-%d}")
        assert {row["id_reservation"] for row in rows} == expected
        sums = self.db.one(
            "select finances._montant_attendu(%s, core.aujourdhui()) as attendu, count(*) as n"
            " from finances.paiement where id_caisse = %s",
            [self.till, self.till],
        )
        assert (sums["attendu"], sums["n"]) == (self.till_sum, self.payments)
        assert self.numbers() - self.first == sum(b["invoices"] for b in self.bookings)


def test_slots_status_invoice_and_till_agree_with_the_model_after_any_sequence(db):
    run_state_machine_as_test(type("Walk", (Hall,), {"db": db}), settings=WALKS)
