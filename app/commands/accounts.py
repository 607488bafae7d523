"""admin: the first account, and the refusal of the development password."""

import argparse
import asyncio
import getpass
import os
import sys

import asyncpg

from app.auth.passwords import hash_password, verify_password
from app.base.settings import DEVELOPMENT_PASSWORD, Settings, SettingsError
from app.commands.command import command
from app.commands.place import migrated_database
from app.database import schema
from app.database.catalogue import PgType, read_types
from app.http.values import password_problem

DEVELOPMENT_LOGIN = "admin"


@command("comptoir admin awa", lambda parser: parser.add_argument("login", help="login du premier administrateur"))
def admin(settings: Settings, arguments: argparse.Namespace) -> int:
    """Create the first administrator. The password comes from the environment or from a prompt."""
    password = os.environ.get("COMPTOIR_MOT_DE_PASSE")
    if not password:
        if not sys.stdin.isatty():
            raise SettingsError("COMPTOIR_MOT_DE_PASSE manque : sans terminal, donnez-lui le mot de passe.")
        password = getpass.getpass("Mot de passe (8 caractères au moins) : ")
    with migrated_database(settings) as url:
        if problem := password_problem(password, asyncio.run(_clear_password(url))):
            raise SettingsError(problem)
        if not first_administrator(url, arguments.login, password):
            raise SettingsError("Il y a déjà des utilisateurs : créez les autres par l'API.")
    print(f"Administrateur {arguments.login} créé.")
    return 0


async def _clear_password(url: str) -> PgType:
    """The domain with the rules of a new password."""
    connection = await asyncpg.connect(url, timeout=10, statement_cache_size=0)
    try:
        types = await read_types(connection)
    finally:
        await connection.close()
    return next(pg_type.clear for pg_type in types.values() if pg_type.clear is not None)


def first_administrator(url: str, login: str, password: str) -> bool:
    with schema.connect(url, 30.0) as connection:
        if connection.execute("select 1 from auth.utilisateur limit 1").fetchone():
            return False
        hashed = asyncio.run(hash_password(password))
        return bool(schema.value(connection, "select auth.administrateur_initialiser(%s, %s)", login, hashed))


def refuse_development_password(url: str) -> None:
    """Raise SettingsError when a seeded account still has the published development password."""
    with schema.connect(url, 30.0) as connection:
        rows = connection.execute(
            "select login, mot_de_passe from auth.identifiants_semes(%s)", [DEVELOPMENT_LOGIN]
        ).fetchall()
    matches = {hash: asyncio.run(verify_password(DEVELOPMENT_PASSWORD, hash)) for hash in {hash for _, hash in rows}}
    logins = [login for login, hash in rows if matches[hash]]
    if logins:
        raise SettingsError(
            f"Ces comptes portent encore le mot de passe de développement : {', '.join(logins)}. Changez-le d'abord."
        )
