"""A day of the demonstration: events with an hour and a user, played in order."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta, tzinfo
from functools import partial
from operator import itemgetter
from typing import Any

from app.leaves.demonstration.house import House, Row, new_client
from app.leaves.demonstration.replay import Actor


class Day:
    """One day. Every activity adds its events, then the day plays them in the order of their hours."""

    def __init__(self, act: Actor, rng: random.Random, house: House, day: date, zone: tzinfo, customers: int) -> None:
        self.act, self.rng, self.house, self.date, self.zone = act, rng, house, day, zone
        self.customers = max(1, round(customers * (0.6 if day.weekday() == 6 else 1) * rng.uniform(0.7, 1.3)))
        self.events: list[tuple[float, Row | None, Callable[[], Any]]] = []

    def play(self, activities: Iterable[Callable[[Day], None]]) -> None:
        for add in activities:
            add(self)
        for hour, user, action in sorted(self.events, key=itemgetter(0)):
            self.act.at(self.instant(hour), user)
            action()

    @staticmethod
    def start(day: date, zone: tzinfo) -> datetime:
        return datetime.combine(day, time(), zone)

    def instant(self, hour: float) -> datetime:
        return self.start(self.date, self.zone) + timedelta(seconds=round(hour * 3600))

    def at(self, hour: float, user: str | None, action: Callable[..., Any], *values: Any, **fields: Any) -> None:
        """Add an event of a cashier, of the manager, or of no user (None): a call of `action` with the rest."""
        acting = None if user is None else self.house.cashiers.get(user, self.house.manager)
        self.events.append((hour, acting, partial(action, *values, **fields)))

    def method(self) -> int:
        return self.rng.choices(self.house.methods[:3], (6, 3, 1))[0]

    def payment(self, amount: Any) -> Row:
        return {"montant": amount, "id_moyen": self.method()}

    def client(self) -> int:
        """An existing client, or sometimes a new one."""
        if self.rng.random() < 0.05:
            return new_client(self.act, self.rng, self.house)
        return self.rng.choice(self.house.clients)

    def buyer(self, probability: float) -> Row:
        """The client of a sale, with this probability; otherwise the sale is anonymous."""
        return {"id_client": self.client()} if self.rng.random() < probability else {}

    def share(self, weight: float) -> int:
        exact = self.customers * weight
        return int(exact) + (self.rng.random() < exact % 1)

    def every(self, number: int, what: str) -> bool:
        """Whether this happens now: every so many times, so that a short demonstration has some of each kind."""
        self.house.counts[what] += 1
        return self.house.counts[what] % number == 0

    def saturday(self, weeks: int) -> date:
        """The next Saturday, and so many weeks later."""
        return self.date + timedelta(days=(5 - self.date.weekday()) % 7 + 7 * weeks)

    def booked(self) -> set[date]:
        """The days on which the hall is taken."""
        return {booking["day"] for booking in self.house.bookings}

    def book(self, number: int, day: date, price: int, deposit: int) -> None:
        """Confirm a booking of the hall by its deposit."""
        self.act("salle_fete.reservation_confirmer", id_reservation=number, paiement=self.payment(deposit))
        self.house.bookings.append({"id": number, "day": day, "rest": price - deposit})

    def offer(self, till: str, hour: float, probability: float) -> None:
        """Sell each service of a till with this probability."""
        for service in self.house.services[till]:
            if self.rng.random() < probability:
                self.at(hour, till, self._serve, service)

    def _serve(self, service: Row) -> None:
        paid = self.payment(self.rng.choice((service["prix"], service["prix"], 0)))
        self.act("facturation.prestation_facturer", id_prestation=service["id_prestation"], **paid,
                 id_client=self.client())  # fmt: skip
