"""The demonstration's present day: staff at work and two products below their alert, so that no screen is empty."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from app.leaves.demonstration.day import Day
from app.leaves.demonstration.house import House
from app.leaves.demonstration.replay import Actor

LEFT = 6  # items left of a product whose alert threshold is fifteen


def play(act: Actor, rng: random.Random, house: House, now: datetime) -> None:
    """Write the events of today before `now`. Early in the day, arrivals are at night."""
    start = Day.start(now.date(), now.tzinfo)  # type: ignore[arg-type]
    opening = min(start + timedelta(hours=7.5), start + (now - start) / 3)
    closing = min(start + timedelta(hours=8.5), start + (now - start) / 2)
    present = house.staff[:-2]  # two employees are absent
    for number, person in enumerate(present):
        act.at(opening + (closing - opening) * number / len(present), house.manager)
        late = number == len(present) - 1
        act("rh.pointage_arriver", id_employe=person, date=now.date().isoformat(),
            statut="RETARD" if late else "PRESENT")  # fmt: skip
    act.at(closing, house.manager)
    spoilt = {product["id_produit"] for product in rng.sample(house.products, 2)}
    for product in act.rows("market.produit_lister", limit=100):
        if product["id_produit"] in spoilt and product["quantite_stock"] > LEFT:
            act("market.mouvement_stock_creer", id_produit=product["id_produit"], type="SORTIE",
                quantite=product["quantite_stock"] - LEFT, motif="Carton mouillé, retiré de la vente")  # fmt: skip
