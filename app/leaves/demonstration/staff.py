"""The staff and their wages, tills and expenses, incidents, the nightly jobs of the worker, and the present day."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta

from app.leaves.demonstration.day import Day
from app.leaves.demonstration.house import EXPENSES, House
from app.leaves.demonstration.photos import key
from app.leaves.demonstration.replay import Actor

CASH_IN_TILL = 20_000
LEFT = 6  # items left of a product whose alert threshold is fifteen


def staff(day: Day) -> None:
    if day.date.weekday() == 6:
        return
    for person in day.house.staff:
        if day.rng.random() < 0.04:
            continue
        late = day.rng.random() < 0.08
        day.at(day.rng.uniform(8.2, 9) if late else day.rng.uniform(7.5, 8), "direction", _arrives, day, person, late)


def _arrives(day: Day, person: int, late: bool) -> None:
    state = "RETARD" if late else "PRESENT"
    clocking = day.act("rh.pointage_arriver", id_employe=person, date=day.date, statut=state)["id_pointage"]
    day.act.at(day.instant(day.rng.uniform(16.5, 18)), day.house.manager)
    day.act("rh.pointage_partir", id_pointage=clocking)


def payroll(day: Day) -> None:
    """The payslips of a month are computed on the first of the next month and paid by transfer on the third."""
    if day.date.day == 1:
        day.at(4.7, None, day.act, "jobs.recalculer_paie")
    if day.date.day == 3:
        day.at(16, "direction", _wages, day)


def _wages(day: Day) -> None:
    for slip in day.act.rows("rh.paie_lister", statut="CALCULEE", limit=1000):
        if day.rng.random() < 0.2:
            day.act("rh.element_salaire_ajouter", id_paie=slip["id_paie"], type="PRIME",
                     libelle="Prime d'assiduité", montant=10_000)  # fmt: skip
        day.act("rh.paie_valider", id_paie=slip["id_paie"])
        day.act("rh.paie_payer", id_paie=slip["id_paie"], id_moyen=day.house.methods[3])


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


def incidents(day: Day) -> None:
    if day.rng.random() < 0.06:
        day.at(13, "direction", _incident, day)


def _incident(day: Day) -> None:
    title = day.rng.choice(("Climatiseur en panne", "Fuite d'eau", "Porte qui ferme mal", "Ampoule grillée"))
    report = day.act("signalement.signalement_creer", titre=title, description=f"{title}, à voir aujourd'hui.")
    number = report["id_signalement"]
    day.act("signalement.photo_ajouter", id_signalement=number, cle_objet=key("degat"))
    if day.rng.random() < 0.8:
        day.act("signalement.signalement_prendre_en_charge", id_signalement=number)
        day.act.at(day.instant(17), day.house.manager)
        day.act("signalement.signalement_resoudre", id_signalement=number, note_resolution="Réparé dans la journée.")


def night(day: Day) -> None:
    """The nightly jobs of the worker."""
    day.at(2.2, None, day.act, "jobs.generer_echeances")
    day.at(2.5, None, day.act, "jobs.transition_contrats_expires")
    day.at(23.9, None, day.act, "audit.sceller")


def today(act: Actor, rng: random.Random, house: House, now: datetime) -> None:
    """Staff at work and two products below their alert, before `now`. Early in the day, arrivals are at night."""
    start = Day.start(now.date(), now.tzinfo)  # type: ignore[arg-type]
    opening = min(start + timedelta(hours=7.5), start + (now - start) / 3)
    closing = min(start + timedelta(hours=8.5), start + (now - start) / 2)
    present = house.staff[:-2]  # two employees are absent
    for number, person in enumerate(present):
        act.at(opening + (closing - opening) * number / len(present), house.manager)
        late = number == len(present) - 1
        act("rh.pointage_arriver", id_employe=person, date=now.date(), statut="RETARD" if late else "PRESENT")
    act.at(closing, house.manager)
    spoilt = {product["id_produit"] for product in rng.sample(house.products, 2)}
    for product in act.rows("market.produit_lister", limit=100):
        if product["id_produit"] in spoilt and product["quantite_stock"] > LEFT:
            act("market.mouvement_stock_creer", id_produit=product["id_produit"], type="SORTIE",
                quantite=product["quantite_stock"] - LEFT, motif="Carton mouillé, retiré de la vente")  # fmt: skip
