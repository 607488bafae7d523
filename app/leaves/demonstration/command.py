"""demo: six months of an invented business."""

from __future__ import annotations

import argparse
import asyncio

from app.auth.encrypted import Secrets
from app.auth.passwords import hash_password
from app.base.settings import DEVELOPMENT_PASSWORD, Settings, SettingsError
from app.commands.command import command, count
from app.commands.place import database, own_objects
from app.database import schema
from app.leaves.demonstration import filling, photos

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
def fill(settings: Settings, arguments: argparse.Namespace) -> int:
    """Fill a database without data with the demonstration. Refused in production."""
    if settings.production:
        raise SettingsError("NODE_ENV vaut production : la démonstration n'écrit que dans une base de développement.")
    password, secrets = asyncio.run(hash_password(DEVELOPMENT_PASSWORD)), Secrets.of(settings)
    with own_objects(settings), database(settings) as url:
        asyncio.run(photos.deposit(settings))
        former = filling.fill(url, arguments.taille, arguments.mois, password, secrets, replace=arguments.remplacer)
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
