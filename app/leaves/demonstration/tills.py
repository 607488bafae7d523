"""The tills of a day: opening, expenses, count and closing."""

from __future__ import annotations

from datetime import date, timedelta

from app.leaves.demonstration.day import Day
from app.leaves.demonstration.house import EXPENSES

CASH_IN_TILL = 20_000


def tills(day: Day) -> None:
    for name, till in day.house.tills.items():
        opening = 7 + day.rng.random() * 0.4
        day.at(opening, name, day.act, "finances.caisse_ouvrir", id_caisse=till, fond_initial=CASH_IN_TILL)
        day.at(22 + day.rng.random() * 0.5, name, _close, day, till)


def _close(day: Day, till: int) -> None:
    """The cashier counts the money received since the last count. Sometimes the count is too low or too high."""
    counted = day.act.rows("finances.tirage_lister", limit=1)
    since = {"du": str(date.fromisoformat(counted[0]["date"]) + timedelta(days=1))} if counted else {}
    payments, spent = (day.act.rows(f"finances.{kind}_lister", limit=1000, **since) for kind in ("paiement", "depense"))
    total = sum(row["montant"] if row["type"] == "ENCAISSEMENT" else -row["montant"] for row in payments)
    total -= sum(row["montant"] for row in spent)
    gap = day.rng.choice((-2000, -500, 500, 1000)) if day.rng.random() < 0.04 else 0
    if total + gap >= 0:  # a till that paid more than it received is counted another day
        note = {"note": "Recompté deux fois."} if gap else {}
        day.act("finances.tirage_creer", montant_compte=total + gap, **note)
    day.act("finances.caisse_fermer", id_caisse=till)


def expenses(day: Day) -> None:
    for name, low, high in EXPENSES:
        if day.rng.random() < (1 / 30 if low >= 8000 else 1 / 6):  # the large ones once a month
            till = day.rng.choice(list(day.house.tills))
            amount, category = day.rng.randrange(low, high, 500), day.house.expense_categories[name]
            day.at(11 + day.rng.random(), till, day.act, "finances.depense_creer", montant=amount,
                   id_categorie_depense=category, libelle=name)  # fmt: skip
