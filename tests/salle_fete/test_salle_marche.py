"""Random sequences of bookings: after each operation, the database agrees with a model in Python."""

from datetime import datetime, timedelta
from decimal import Decimal

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from tests.walks import Walk, walk

START = st.integers(0, 60)  # hours after the first of June
HOURS = st.sampled_from([1, 4, 30])
PRICE = st.sampled_from([Decimal(100), Decimal("250.50")])
DEVIATION = st.sampled_from([Decimal(0)] * 4 + [Decimal(n) for n in ("-0.01", "0.01", "-60", "60")])
PICK = st.integers(0, 5)
LIVE = ("RESERVEE", "CONFIRMEE", "REALISEE")
PAIRS = {("RESERVEE", "CONFIRMEE"), ("CONFIRMEE", "REALISEE"), ("RESERVEE", "ANNULEE"), ("CONFIRMEE", "ANNULEE")}


class Hall(Walk):
    prefix, activite = "salle_fete.reservation", "SALLE_FETE"

    def __init__(self):
        super().__init__()
        self.bookings = []  # the model: id, start, end, price, paid, invoices, statut

    @initialize()
    def create_rows(self):
        self.first = self.numbers()
        self.db.acting(self.cashier)
        # Some bookings exist from the first step, because hypothesis disables rules at random.
        for start in (0, 10, 30):
            self.book_for(start, 4, Decimal(100))
        for pick in (1, 2):
            self.confirm_for(self.booking(pick), Decimal(60))

    def numbers(self):
        return int(self.db.one("select coalesce(sum(valeur), 0) from core.compteur where type = 'FAC'"))

    def booking(self, pick):
        return self.bookings[pick % len(self.bookings)]

    def is_taken(self, start, end, own=None):
        others = [b for b in self.bookings if b is not own and b["statut"] in LIVE]
        return any(start < b["end"] and b["start"] < end for b in others)

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
            booking = {"id": self.answer["id_reservation"], "start": begin, "end": end, "price": price}
            self.bookings.append(booking | {"paid": Decimal(0), "invoices": 0, "statut": "RESERVEE"})

    def edit(self, booking, expected, **champs):
        """Change a booking, which is refused once it is closed."""
        expected = expected if booking["statut"] in ("RESERVEE", "CONFIRMEE") else "RESERVATION_CLOSE"
        return self.attempt(expected, "modifier", id_reservation=booking["id"], champs=champs)

    @rule(pick=PICK, start=START, hours=HOURS)
    def move(self, pick, start, hours):
        booking = self.booking(pick)
        begin, end, fields = self.slot(start, hours)
        if self.edit(booking, "creneau_deja_reserve" if self.is_taken(begin, end, booking) else None, **fields):
            booking["start"], booking["end"] = begin, end

    @rule(pick=PICK, price=PRICE)
    def reprice(self, pick, price):
        booking = self.booking(pick)
        expected = "RESERVATION_FACTUREE" if booking["invoices"] and price != booking["price"] else None
        if self.edit(booking, expected, tarif=str(price)):
            booking["price"] = price

    @rule(pick=PICK, statut=st.sampled_from([*LIVE, "ANNULEE", "DISPONIBLE"]))
    def write_the_status(self, pick, statut):
        booking = self.booking(pick)
        if (booking["statut"], statut) in PAIRS:
            expected = "STATUT_PAR_OPERATION"
        else:
            expected = None if statut == booking["statut"] else "TRANSITION_INTERDITE"
        self.edit(booking, expected, statut=statut)

    @rule(pick=PICK, deviation=DEVIATION, whole=st.booleans())
    def confirm(self, pick, deviation, whole):
        booking = self.booking(pick)
        self.confirm_for(booking, booking["price"] + deviation if whole else abs(deviation))

    def confirm_for(self, booking, amount):
        if amount <= 0:
            expected = "MONTANT_STRICTEMENT_POSITIF"
        elif booking["statut"] != "RESERVEE":
            expected = "TRANSITION_INTERDITE"
        elif not self.open:
            expected = "PERIODE_CAISSE_FERMEE"
        else:
            expected = "SURPAIEMENT" if amount > booking["price"] else None
        if self.collect(expected, "confirmer", booking, amount):
            booking.update(statut="CONFIRMEE", invoices=1)

    @rule(pick=PICK)
    def confirm_with_a_part(self, pick):
        self.confirm_for(self.booking(pick), Decimal(60))

    @rule(pick=PICK, deviation=DEVIATION)
    def complete(self, pick, deviation):
        booking = self.booking(pick)
        amount = booking["price"] - booking["paid"] + deviation
        if amount < 0:
            expected = "montant_positif"
        elif booking["statut"] != "CONFIRMEE":
            expected = "TRANSITION_INTERDITE"
        elif amount and not self.open:
            expected = "PERIODE_CAISSE_FERMEE"
        else:
            expected = "SURPAIEMENT" if deviation > 0 else "SOLDE_INCOMPLET" if deviation < 0 else None
        if self.collect(expected, "realiser", booking, amount):
            booking["statut"] = "REALISEE"

    def collect(self, expected, function, booking, amount):
        paiement = {"montant": str(amount), "id_moyen": self.moyen}
        if not self.attempt(expected, function, id_reservation=booking["id"], paiement=paiement):
            return False
        booking["paid"] += amount
        self.pay(amount)
        return True

    @rule(pick=PICK)
    def cancel(self, pick):
        booking = self.booking(pick)
        if booking["statut"] not in ("RESERVEE", "CONFIRMEE"):
            expected = "TRANSITION_INTERDITE"
        else:
            expected = "PERIODE_CAISSE_FERMEE" if booking["paid"] and not self.open else None
        if self.attempt(expected, "annuler", id_reservation=booking["id"]):
            self.pay(-booking["paid"])
            booking.update(statut="ANNULEE", paid=Decimal(0))

    @invariant()
    def database_agrees_with_the_model(self):
        for booking in self.bookings:
            query = "select *, date_evenement + heure_debut as debut from salle_fete.reservation_vue"
            row = self.db.all(f"{query} where id_reservation = %s", [booking["id"]])[0]
            cancelled = booking["statut"] == "ANNULEE"
            left = Decimal(0) if cancelled else booking["price"] - booking["paid"]
            assert (row["statut"], row["debut"], row["tarif"], row["acompte"], row["solde"]) == (
                booking["statut"], booking["start"], booking["price"], booking["paid"], left,
            )  # fmt: skip
            invoices = self.db.all(
                "select * from facturation.facture where source_type = 'RESERVATION_FETE' and source_id = %s",
                [booking["id"]],
            )
            paid = "ANNULEE" if cancelled else "PAYEE" if booking["paid"] == booking["price"] else "PARTIELLE"
            assert [(i["montant_total"], i["montant_paye"], i["statut"]) for i in invoices] == [
                (booking["price"], booking["paid"], paid)
            ] * booking["invoices"]
        occupied = [b for b in self.bookings if b["statut"] in LIVE]
        day = datetime(2031, 6, 2)
        expected = {b["id"] for b in occupied if b["start"] < day + timedelta(days=1) and day < b["end"]}
        rows = self.db.rows("salle_fete.creneau_lister", date=f"{day:%Y-%m-%d}")
        assert {row["id_reservation"] for row in rows} == expected
        self.check_till()
        assert self.numbers() - self.first == sum(b["invoices"] for b in self.bookings)


def test_slots_status_invoice_and_till_agree_with_the_model_after_any_sequence(db):
    walk(Hall, db)
