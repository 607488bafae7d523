"""Six months of an invented business. The operations themselves write it, so it obeys every rule."""

from __future__ import annotations

import random
import tempfile
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from app.auth.encrypted import Secrets
from app.base.failure import Failure
from app.base.progress import Progress
from app.database import schema
from app.leaves.demonstration.day import Day
from app.leaves.demonstration.homes import leases, stays, subscriptions
from app.leaves.demonstration.house import connect_programs, give_tenants, open_business
from app.leaves.demonstration.portal import requests
from app.leaves.demonstration.replay import Actor, replayed
from app.leaves.demonstration.staff import incidents, night, payroll, staff
from app.leaves.demonstration.tills import expenses, tills
from app.leaves.demonstration.today import play as play_today
from app.leaves.demonstration.trades import hall, laundry, restaurant, shop
from app.seals.signing import seal
from app.vault import backup, restoration
from app.vault.cipher import Keys

SEED = 20260801
SCRATCH = "comptoir_demonstration"
ACTIVITIES = (
    tills, staff, laundry, restaurant, shop, hall, leases, subscriptions, stays, requests, expenses, payroll, incidents,
    night,
)  # fmt: skip
# Tables that a business fills. They are empty in a new database.
_WRITTEN = (
    "client.client",
    "facturation.facture",
    "finances.paiement",
    "finances.caisse",
    "residence.batiment",
    "rh.employe",
)


class DemoError(Failure):
    """The demonstration refuses to write here. The message is French and says what to do."""


def fill(
    url: str,
    customers: int,
    months: int,
    administrator: tuple[str, str],
    password: str,
    secrets: Secrets,
    *,
    replace: bool,
) -> str | None:
    """Replace the database by the demonstration. Return the new name of the former database if it had data, or None.

    `administrator` is a login and the hash of its password; `password` is the hash for all other accounts.
    """
    used = _used(url)
    if used and not replace:
        raise DemoError(
            f"cette base a déjà des données ({used}) : la démonstration ne s'y mêle pas. Donnez-lui une autre base "
            "(DATABASE_URL ou COMPTOIR_ETAT), ou lancez « comptoir demo --remplacer », qui garde celle-ci à côté."
        )
    with tempfile.TemporaryDirectory(prefix="comptoir-demo-") as folder:
        file = Path(folder) / "demonstration.dump"
        with schema.scratch(url, SCRATCH) as scratch:
            write(scratch, customers, months, administrator, password, secrets)
            keys = Keys.new()
            backup.dump(scratch, file, keys)
        former = restoration.restore(url, file, keys, say=lambda _: None)
    if used:
        return former
    _drop(url, former)
    return None


def write(
    url: str, customers: int, months: int, administrator: tuple[str, str], password: str, secrets: Secrets
) -> None:
    """Play the months, then sign the root of the books as the worker does: a receipt has its proof at once."""
    with replayed(url):
        play(url, customers, months, administrator, password, secrets)
    seal(url)


def play(
    url: str, customers: int, months: int, administrator: tuple[str, str], password: str, secrets: Secrets
) -> None:
    """Play the months up to this morning, in a database whose clock `replayed` has replaced."""
    rng = random.Random(SEED)  # noqa: S311 - not a secret
    with schema.connect(url, 5.0) as connection:
        act = Actor(connection)
        [(name, today)] = connection.execute("select core.fuseau(), core.jour(pg_catalog.now())").fetchall()
        zone = ZoneInfo(name)
        days = list(_days(_months_before(today, months), today))
        house = None
        with Progress("Jours", len(days)) as progress:
            for day in days:
                with connection.transaction():
                    if house is None:
                        act.at(Day.start(day, zone), None)
                        act("auth.administrateur_initialiser", login=administrator[0], mot_de_passe=administrator[1])
                        house = open_business(act, rng, day, password)
                        act.at(Day.start(day, zone), house.manager)
                        act.sign_in(house.manager)
                        connect_programs(act, secrets)
                    Day(act, rng, house, day, zone, customers).play(ACTIVITIES)
                if day.day == 1:
                    connection.execute("analyze")
                progress.step()
        [(now,)] = connection.execute("select pg_catalog.now()").fetchall()
        if house is not None:
            with connection.transaction():
                act.at(Day.start(today, zone) - timedelta(minutes=1), None)
                give_tenants(act, password)
                play_today(act, rng, house, now.astimezone(zone))
        connection.execute("select jobs._resumer()")


def _days(first: date, end: date) -> Iterator[date]:
    return (first + timedelta(days=n) for n in range((end - first).days))


def _months_before(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _used(url: str) -> str | None:
    """The first table of _WRITTEN that has rows, with their number, or None."""
    with schema.connect(url, 30.0) as connection:
        for table in _WRITTEN:
            row = connection.execute("select to_regclass(%s) is not null", [table]).fetchone()
            if row and row[0]:
                number = connection.execute(f"select count(*) from {table}").fetchone()  # noqa: S608 - names of this file
                if number and number[0]:
                    return f"{table} : {number[0]}"
    return None


def _drop(url: str, former: str) -> None:
    """Drop the former database, which had no data."""
    with schema.connect(url, 5.0) as connection:
        schema.drop_database(connection, former)
