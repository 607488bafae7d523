"""A day of the demonstration: events with an hour and a user, played in order."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any

from app.leaves.demonstration.house import House, Row, new_client
from app.leaves.demonstration.replay import Actor


@dataclass(frozen=True)
class Event:
    hour: float
    user: Row | None
    action: Callable[[], Any]


class Day:
    """One day. Every activity adds its events, then the day plays them in the order of their hours."""

    def __init__(self, act: Actor, rng: random.Random, house: House, day: date, zone: tzinfo, customers: int) -> None:
        self.act, self.rng, self.house, self.date, self.zone = act, rng, house, day, zone
        self.customers = max(1, round(customers * (0.6 if day.weekday() == 6 else 1) * rng.uniform(0.7, 1.3)))
        self.events: list[Event] = []

    def play(self, activities: Iterable[Callable[[Day], None]]) -> None:
        for add in activities:
            add(self)
        for event in sorted(self.events, key=lambda event: event.hour):
            self.act.at(self.instant(event.hour), event.user)
            event.action()

    @staticmethod
    def start(day: date, zone: tzinfo) -> datetime:
        return datetime.combine(day, time(), zone)

    def instant(self, hour: float) -> datetime:
        return self.start(self.date, self.zone) + timedelta(seconds=round(hour * 3600))

    def at(self, hour: float, user: str | None, action: Callable[[], Any]) -> None:
        """Add an event of a cashier, of the manager, or of no user (None)."""
        acting = None if user is None else self.house.cashiers.get(user, self.house.manager)
        self.events.append(Event(hour, acting, action))

    def method(self) -> int:
        return self.rng.choices(self.house.methods[:3], (6, 3, 1))[0]

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

    def serve(self, service: Row) -> None:
        paid = self.rng.choice((service["prix"], service["prix"], 0))
        self.act("facturation.prestation_facturer", id_prestation=service["id_prestation"], montant=paid,
                 id_moyen=self.method(), id_client=self.client())  # fmt: skip
