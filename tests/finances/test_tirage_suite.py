"""Successive counts: each expects all money since the count before, so every franc is in exactly one count."""

import datetime as dt
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from tests.examples import EXAMPLES


def pay(db, till, amount, **fields):
    return builders.payer(db, amount, id_caisse=till, **fields)


def spend(db, till, amount):
    return builders.depense(db, amount, id_caisse=till)["id_depense"]


def void(db, expense):
    db.call("finances.depense_supprimer", id_depense=expense)


def reprice(db, expense, amount):
    db.call("finances.depense_modifier", id_depense=expense, champs={"montant": str(amount)})


def cancel(db, payment):
    db.call("finances.paiement_annuler", id_paiement=payment, motif="Erreur")


def count(db, till, **fields):
    """Count the till, and return the amount that the count expects."""
    tirage = db.call("finances.tirage_creer", montant_compte="0", id_caisse=till, **fields)
    assert Decimal(str(tirage["ecart"])) == -Decimal(str(tirage["montant_attendu"]))
    return Decimal(str(tirage["montant_attendu"]))


# The nights of this file are not in the journal.
CONTROL = "select phrase from jobs._controler() as phrase where phrase not like '%dba.md%'"


def night(db):
    """Make every row one day older, as if a day had passed."""
    db.execute("set local session_replication_role = replica")
    db.execute("update finances.paiement set date = date - interval '1 day', jour = jour - 1")
    db.execute("update finances.depense set date = date - interval '1 day', jour = jour - 1")
    for far in (-100000, 99999):  # in two steps, because a till has one row a day
        db.execute("update finances.tirage set date = date + %s", [far])
        db.execute("update finances.resume_paiement set jour = jour + %s", [far])
        db.execute("update finances.resume_depense set jour = jour + %s", [far])
    db.execute("update finances.periode_caisse set ouverture = ouverture - interval '1 day'")
    db.execute("set local session_replication_role = origin")


def test_money_changed_after_its_count_corrects_the_next_count(db):
    till = builders.caisse(db)
    payment, wrong, deleted = pay(db, till, "99.99"), spend(db, till, "30"), spend(db, till, "8.80")
    assert count(db, till) == Decimal("61.19")
    reprice(db, wrong, "13")
    void(db, deleted)
    night(db)
    cancel(db, payment)
    assert count(db, till) == Decimal("25.80") - Decimal("99.99")


def test_a_count_stores_its_running_total_and_the_integrity_check_verifies_it(db):
    till = builders.caisse(db)
    pay(db, till, "10.10")
    count(db, till)
    night(db)
    pay(db, till, "20.20")
    count(db, till)
    assert db.one("select array_agg(cumul::text order by id_tirage) from finances.tirage") == ["10.10", "30.30"]
    assert db.all(CONTROL) == []
    db.alter("alter table finances.tirage disable trigger user")
    db.execute("update finances.tirage set montant_attendu = 21 where montant_attendu = 20.20")
    (line,) = db.all(CONTROL)
    assert "comptage" in line["phrase"]


VERBS = "pay, pay, late, cancel, spend, void, reprice, move, count, count late, reopen, night, night"
STEPS = st.lists(
    st.tuples(
        st.sampled_from(VERBS.split(", ")),
        st.integers(0, 1),  # till
        st.decimals("0.01", "99999.99", places=2),
        st.integers(0, 9),  # position among the earlier rows
    ),
    min_size=5,
    max_size=40,
)


class Ledger:
    """The movements of each till with their day, and whether a count includes them. Day 0 is the first day."""

    def __init__(self):
        self.today = 0
        self.lines = []  # [till, day, amount, counted]
        self.counts = {}  # till -> days counted

    def add(self, till, day, amount):
        self.lines.append([till, day, amount, False])

    def counted(self, till, day):
        return day in self.counts.setdefault(till, set())

    def count(self, till, day):
        self.counts.setdefault(till, set()).add(day)
        until = max(self.counts[till])
        lines = [line for line in self.lines if line[0] == till and line[1] <= until and not line[3]]
        for line in lines:
            line[3] = True
        return sum((line[2] for line in lines), Decimal(0))


@EXAMPLES
@given(steps=STEPS)
def test_every_franc_of_a_till_is_in_exactly_one_count(db, steps):
    with db.connection.transaction(force_rollback=True):
        tills = [builders.caisse(db), builders.caisse(db)]
        ledger, payments, expenses, sums = Ledger(), [], [], {0: Decimal(0), 1: Decimal(0)}
        base = db.one("select core.aujourdhui() as jour")

        def date(day):
            return base - dt.timedelta(days=ledger.today - day)

        def counted(till, day):
            sums[till] += (expected := ledger.count(till, day))
            assert count(db, tills[till], date=date(day)) == expected

        for verb, till, amount, index in steps:
            today = ledger.today
            if index % 3 == 0:
                db.one("select finances._paiements_resumer(1000), finances._depenses_resumer(1000)")
            if verb == "pay":
                payments.append([pay(db, tills[till], amount), till, today, amount])
                ledger.add(till, today, amount)
            elif verb == "late" and not ledger.counted(till, today - 1):
                payments.append([pay(db, tills[till], amount, date=date(today - 1)), till, today - 1, amount])
                ledger.add(till, today - 1, amount)
            elif verb == "cancel" and payments:
                payment, till, _, amount = payments.pop(index % len(payments))
                cancel(db, payment)
                ledger.add(till, today, -amount)
            elif verb == "spend":
                expenses.append((spend(db, tills[till], amount), till, today, amount))
                ledger.add(till, today, -amount)
            elif verb in ("void", "reprice") and expenses:
                expense, till, day, before = expenses.pop(index % len(expenses))
                if day < today and ledger.counted(till, day):
                    continue
                if verb == "void":
                    void(db, expense)
                    ledger.add(till, day, before)
                else:
                    reprice(db, expense, amount)
                    expenses.append((expense, till, day, amount))
                    ledger.add(till, day, before - amount)
            elif verb == "move" and payments:
                moved = payments[index % len(payments)]
                payment, till, day, amount = moved
                if day != today and not ledger.counted(till, day):
                    db.call("finances.paiement_modifier", id_paiement=payment, champs={"date": str(date(today))})
                    ledger.add(till, day, -amount)
                    ledger.add(till, today, amount)
                    moved[2] = today
            elif verb in ("count", "count late"):
                day = today - (verb == "count late")
                if not ledger.counted(till, day):
                    counted(till, day)
            elif verb == "reopen":
                # A closed period never changes, so the test leaves the older expenses and payments of this till alone.
                expenses = [expense for expense in expenses if expense[1] != till]
                payments = [payment for payment in payments if payment[1] != till]
                db.call("finances.caisse_fermer", id_caisse=tills[till])
                db.call("finances.caisse_ouvrir", id_caisse=tills[till], fond_initial="777")
            elif verb == "night":
                night(db)
                ledger.today += 1
        night(db)
        ledger.today += 1
        for till in (0, 1):
            counted(till, ledger.today)
            assert sums[till] == sum((line[2] for line in ledger.lines if line[0] == till), Decimal(0))
            held = db.one(
                "select coalesce((select sum(case type when 'ENCAISSEMENT' then montant else -montant end)"
                "  from finances.paiement where id_caisse = %(till)s), 0)"
                " - coalesce((select sum(montant) from finances.depense"
                "  where id_caisse = %(till)s and date_annulation is null), 0)",
                {"till": tills[till]},
            )
            assert held == sums[till]
        assert db.all(CONTROL) == []
