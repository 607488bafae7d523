"""The tills of a day: opening, expenses, count and closing."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial

from app.leaves.demonstration.day import Day
from app.leaves.demonstration.house import EXPENSES

CASH_IN_TILL = 20_000


def tills(day: Day) -> None:
    for name, till in day.house.tills.items():
        opening = 7 + day.rng.random() * 0.4
        day.at(opening, name, partial(day.act, "finances.caisse_ouvrir", id_caisse=till, fond_initial=CASH_IN_TILL))
        day.at(22 + day.rng.random() * 0.5, name, partial(_close, day, name, till))


def _close(day: Day, name: str, till: int) -> None:
    """The cashier counts the money received since the last count. Sometimes the count is too low or too high."""
    counted = day.act.rows("finances.tirage_lister", limit=1)
    since = {"du": str(date.fromisoformat(counted[0]["date"]) + timedelta(days=1))} if counted else {}
    total = 0
    for row in day.act.rows("finances.paiement_lister", limit=1000, **since):
        total += row["montant"] if row["type"] == "ENCAISSEMENT" else -row["montant"]
    for row in day.act.rows("finances.depense_lister", limit=1000, **since):
        total -= row["montant"]
    gap = day.rng.choice((-2000, -500, 500, 1000)) if day.rng.random() < 0.04 else 0
    if total + gap >= 0:  # a till that paid more than it received is counted another day
        note = {"note": "Recompté deux fois."} if gap else {}
        day.act("finances.tirage_creer", montant_compte=total + gap, **note)
    day.act("finances.caisse_fermer", id_caisse=till)


def expenses(day: Day) -> None:
    for name, low, high in EXPENSES:
        monthly = low >= 8000
        if day.rng.random() < (1 / 30 if monthly else 1 / 6):
            till = day.rng.choice(list(day.house.tills))
            amount = day.rng.randrange(low, high, 500)
            arguments = {
                "montant": amount,
                "id_categorie_depense": day.house.expense_categories[name],
                "libelle": name,
            }
            day.at(11 + day.rng.random(), till, partial(day.act, "finances.depense_creer", **arguments))
