"""migrate, check, openapi, psql: upgrade, compare, describe and open the database."""

import argparse
import json
import re
import subprocess
import sys

from app import routes
from app.auth.encrypted import Secrets
from app.base.leaf import servers
from app.base.settings import Settings, SettingsError
from app.commands import application
from app.commands.command import command
from app.commands.place import database, migrated_database
from app.database import schema
from app.database.catalogue import CatalogueError
from app.openapi.document import document
from app.routes.check import route_problems


@command("DATABASE_URL=postgresql://postgres@base/comptoir comptoir migrate")
def migrate(settings: Settings, _: argparse.Namespace) -> int:
    with database(settings) as url:
        schema.migrate(url, patience=settings.database_patience)
        Secrets.renew_all(settings, url)
    return 0


def _check_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sceau", metavar="EMPREINTE", help="empreinte d'un sceau gardée hors de la base")


@command("comptoir check --sceau EMPREINTE", _check_options)
def check(settings: Settings, arguments: argparse.Namespace) -> int:
    """Print each difference between the database, migrations/, sql/ and the routes, each broken seal and chain."""
    with migrated_database(settings) as url:
        problems = [*schema.drift(url), *schema.unfinished(url)]
        try:
            problems += route_problems(routes.load(), application.read_catalogue(url))
        except (CatalogueError, OSError) as error:
            problems.append(str(error))
        problems += seal_problems(url, arguments.sceau)
        problems += journal_problems(url)
        problems += role_problems(url, settings)
        if schema.open_to_all(url):
            print(
                "À faire par l'administrateur du serveur, dans cette base : exécuter sql/public.sql. "
                "Tout compte peut encore y tenir les verrous sur lesquels le service repose."
            )
    count = f"{len(problems)} écart{'s' if len(problems) > 1 else ''}."
    print(*problems, count if problems else "La base, le code et les routes s'accordent.", sep="\n")
    return 1 if problems else 0


def role_problems(url: str, settings: Settings) -> list[str]:
    """Return the roles of A2F_ROLES that the base does not have: a mistyped one leaves its accounts unprotected."""
    with schema.connect(url, 30.0) as connection:
        known = {code for (code,) in connection.execute("select code::text from auth.role")}
    unknown = sorted(settings.second_factor_roles - known)
    return [f"A2F_ROLES nomme un rôle que cette base n'a pas : {role}." for role in unknown]


def journal_problems(url: str) -> list[str]:
    """Return where the entries of a row do not follow each other, and where the last one is not the row."""
    with schema.connect(url, 30.0) as connection:
        if schema.value(connection, "select to_regprocedure('jobs._controle_journal()')") is None:
            return []  # schema.drift reports the missing function
        return [row[0] for row in connection.execute("select * from jobs._controle_journal()")]


def seal_problems(url: str, stored_seal: str | None) -> list[str]:
    """Print the last seal and return the problems of the chain.

    A seal stored outside the database (`--sceau`) also proves that the whole chain was not replaced.
    """
    if stored_seal is not None and re.fullmatch("[0-9A-Fa-f]{64}", stored_seal) is None:
        raise SettingsError("--sceau veut une empreinte : 64 chiffres hexadécimaux.")
    with schema.connect(url, 30.0) as connection:
        if schema.value(connection, "select to_regproc('audit.verifier')") is None:
            return []  # schema.drift reports the missing function
        problems = connection.execute("select message from audit.verifier(%s)", [stored_seal]).fetchall()
        last = connection.execute(
            "select rang, date, encode(empreinte, 'hex') from audit.sceau order by rang desc limit 1"
        ).fetchone()
        archived = schema.value(connection, "select exists (select from audit.archive)")
    if archived:
        print(
            "Des mois du journal sont archivés : « comptoir archive --verifier » les relit et les compare aux sceaux."
        )
    print("Dernier sceau : n° {}, {:%Y-%m-%d %H:%M:%S %z}, {}".format(*last) if last else "Rien n'est scellé.")
    return [message for (message,) in problems]


@command("comptoir openapi > comptoir.json")
def openapi(settings: Settings, _: argparse.Namespace) -> int:
    """Print the OpenAPI document for generators. The project's own database is migrated first, as `serve` does."""
    with database(settings) as url:
        if settings.owner_url is None:
            schema.migrate(url, say=lambda _: None)
        schema.refuse_unmigrated(url, settings.database_patience)
        catalogue = application.read_catalogue(url)
    print(json.dumps(document(routes.load(), catalogue), ensure_ascii=False, indent=2))
    return 0


@command("comptoir psql")
def psql(settings: Settings, _: argparse.Namespace) -> int:
    own = servers()
    program = own and own.program("psql")
    with database(settings) as url:
        # Comments of tables and functions are long sentences: on a terminal psql wraps them.
        options = ["-P", "format=wrapped"] if sys.stdout.isatty() else []
        return subprocess.call([program or "psql", *options, url])  # noqa: S603
