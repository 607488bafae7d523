"""demo: six months of an invented business. The operations themselves write it, so it obeys every rule."""

import argparse
import asyncio
import random
import tempfile
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from app.auth.encrypted import Secrets
from app.auth.passwords import hash_password
from app.base.failure import Failure
from app.base.progress import Progress
from app.base.settings import DEVELOPMENT_PASSWORD, Settings, SettingsError
from app.commands.accounts import DEVELOPMENT_LOGIN
from app.commands.command import command, count
from app.commands.place import database, own_objects
from app.database import schema
from app.leaves.demonstration import photos
from app.leaves.demonstration.homes import leases, stays, subscriptions
from app.leaves.demonstration.house import House
from app.leaves.demonstration.portal import requests
from app.leaves.demonstration.replay import Actor, replayed
from app.leaves.demonstration.staff import (
    expenses,
    incidents,
    night,
    payroll,
    staff,
    statements,
    tills,
    today,
)
from app.leaves.demonstration.trades import hall, laundry, restaurant, shop
from app.seals.signing import seal
from app.vault import backup, restoration
from app.vault.cipher import Keys

SEED = 20260801
SCRATCH = "comptoir_demonstration"
ACTIVITIES = (
    tills, staff, laundry, restaurant, shop, hall, leases, subscriptions, stays, requests, expenses, payroll,
    incidents, night,
)  # fmt: skip
# Tables that a business fills. They are empty in a new database.
_WRITTEN = (
    "client.client", "facturation.facture", "finances.paiement", "finances.caisse", "residence.batiment", "rh.employe",
)  # fmt: skip
# The time zone, today, and the day so many months before.
_CALENDAR = """
select core.fuseau(), today, (today - make_interval(months => %s))::date from core.jour(pg_catalog.now()) today
"""
COUNTS = "select (select count(*) from facturation.facture), (select count(*) from finances.paiement)"
# The staff by role, and one account of a tenant.
ACCOUNTS = """
select r.code,
       case r.code when 'RESIDENT' then min(u.login) else string_agg(u.login, ', ' order by u.id_utilisateur) end
  from auth.utilisateur u join auth.role r using (id_role)
 where u.actif group by r.code order by min(u.id_utilisateur)
"""


def _demo_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--taille", type=count, default=20, metavar="N", help="clients par jour (20)")
    parser.add_argument("--mois", type=count, default=6, metavar="N", help="mois racontés, jusqu'à hier (6)")
    parser.add_argument("--remplacer", action="store_true", help="prendre la place d'une base qui a des données")


@command("comptoir demo --taille 40 --mois 3", _demo_options)
def demo(settings: Settings, arguments: argparse.Namespace) -> int:
    """Fill a database without data with the demonstration. Refused in production."""
    if settings.production:
        raise SettingsError("NODE_ENV vaut production : la démonstration n'écrit que dans une base de développement.")
    password, secrets = asyncio.run(hash_password(DEVELOPMENT_PASSWORD)), Secrets.of(settings)
    with own_objects(settings), database(settings) as url:
        asyncio.run(photos.deposit(settings))
        former = fill(url, arguments.taille, arguments.mois, password, secrets, replace=arguments.remplacer)
        with schema.connect(url, 5.0) as connection:
            [counts] = connection.execute(COUNTS).fetchall()
            accounts = connection.execute(ACCOUNTS).fetchall()
    print("Démonstration en place : {} factures, {} paiements.".format(*counts))
    print(f"Mot de passe de chaque compte : {DEVELOPMENT_PASSWORD}")
    for role, logins in accounts:
        print(f"  {role:<14}  {logins}")
    if former:
        print(f"L'ancienne base s'appelle {former} : supprimez-la quand vous n'en avez plus besoin.")
    return 0


def fill(url: str, customers: int, months: int, password: str, secrets: Secrets, *, replace: bool) -> str | None:
    """Replace the database by the demonstration. Return the new name of the former database if it had data, or None.

    `password` is the hash for all accounts.
    """
    used = _used(url)
    if used and not replace:
        raise Failure(
            f"cette base a déjà des données ({used}) : la démonstration ne s'y mêle pas. Donnez-lui une autre base "
            "(DATABASE_URL ou COMPTOIR_ETAT), ou lancez « comptoir demo --remplacer », qui garde celle-ci à côté."
        )
    with tempfile.TemporaryDirectory(prefix="comptoir-demo-") as folder:
        file, keys = Path(folder) / "demonstration.dump", Keys.new()
        with schema.scratch(url, SCRATCH) as scratch:
            write(scratch, customers, months, password, secrets)
            backup.dump(scratch, file, keys)
        former = restoration.restore(url, file, keys, say=lambda _: None)
    if used:
        return former
    with schema.connect(url, 5.0) as connection:
        schema.drop_database(connection, former)
    return None


def write(url: str, customers: int, months: int, password: str, secrets: Secrets) -> None:
    """Play the months, then sign the root of the books as the worker does: a receipt has its proof at once."""
    with replayed(url):
        play(url, customers, months, password, secrets)
    seal(url)


def play(url: str, customers: int, months: int, password: str, secrets: Secrets) -> None:
    """Play the months up to this morning, in a database whose clock `replayed` has replaced."""
    with schema.connect(url, 5.0) as connection:
        act = Actor(connection)
        [(name, present, first)] = connection.execute(_CALENDAR, [months]).fetchall()
        house = House(act, random.Random(SEED), ZoneInfo(name), customers, first)  # noqa: S311 - not a secret
        with connection.transaction():
            act.at(house.instant(0), None)
            act("auth.administrateur_initialiser", login=DEVELOPMENT_LOGIN, mot_de_passe=password)
            house.open(password)
            act.at(house.instant(0), house.manager)
            act.sign_in(house.manager)
            house.connect_programs(secrets)
        with Progress("Jours", (present - first).days) as progress:
            while house.day < present:
                with connection.transaction():
                    house.play(ACTIVITIES)
                if house.day.day == 1:
                    connection.execute("analyze")
                house.day += timedelta(days=1)
                progress.step()
        [(now,)] = connection.execute("select pg_catalog.now()").fetchall()
        with connection.transaction():
            act.at(house.instant(0) - timedelta(minutes=2), house.manager)
            statements(house)
            act.at(house.instant(0) - timedelta(minutes=1), None)
            _give_tenants(act, password)
            today(house, now.astimezone(house.zone))
        connection.execute("select jobs._resumer()")


def _give_tenants(act: Actor, password: str) -> None:
    """Give the accounts of the tenants their password. In a real business, a letter lets the tenant choose it."""
    for user in act.rows("auth.utilisateur_lister", limit=1000):
        if user["id_client"] is not None:
            act("auth.utilisateur_reinitialiser_mot_de_passe", id_utilisateur=user["id_utilisateur"],
                nouveau_mot_de_passe=password)  # fmt: skip


def _used(url: str) -> str | None:
    """The first table of _WRITTEN that has rows, with their number, or None."""
    with schema.connect(url, 30.0) as connection:
        for table in _WRITTEN:
            if connection.execute("select to_regclass(%s) is not null", [table]).fetchone() == (True,):
                [(number,)] = connection.execute(f"select count(*) from {table}").fetchall()  # noqa: S608 - of this file
                if number:
                    return f"{table} : {number}"
    return None
