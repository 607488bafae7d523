"""comptoir serve | worker | migrate | demo | backup | restore | openapi | check | watch, and what else --help lists."""

from __future__ import annotations

import argparse
import asyncio
import errno
import getpass
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import psycopg
import uvicorn
import watchfiles

from app import application, backup, demo, generated, jobs, routes, schema
from app.auth.passwords import check_password_rule, hash_password, verify_password
from app.backup import BackupError
from app.catalogue import CatalogueError
from app.demo import DemoError
from app.embedded import EmbeddedError, Postgres, project_lock
from app.errors import Refusal
from app.french import speak_french
from app.jobs import JobsError
from app.kvstore import open_store
from app.lint import check_functions
from app.live.notifications import MESSAGE_LIMIT
from app.objects import at_hand
from app.openapi import document
from app.schema import SchemaError
from app.settings import DEVELOPMENT_PASSWORD, ROOT, Settings, SettingsError
from app.vault import Vault

DEVELOPMENT_LOGIN = "admin"
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
Command = Callable[[Settings, argparse.Namespace], int]
KNOWN_FAILURES = (
    SettingsError, SchemaError, EmbeddedError, CatalogueError, JobsError, BackupError, DemoError, Refusal,
)  # fmt: skip
MORE = "« --verbose » montre la trace."
EXIT_CODES = """codes de sortie :
  0  fait ; pour check, rien à redire
  1  refusé : la ligne d'erreur dit quoi faire ; pour check, un écart au moins
  2  ligne de commande mal écrite
  70 erreur imprévue ; --verbose en montre la trace"""


def main() -> int:
    """Run one command; a known failure is one French line on standard error and exit code 1."""
    arguments = _parser().parse_args()
    try:
        return int(arguments.run(Settings.from_environment(), arguments))
    except KNOWN_FAILURES as error:
        if arguments.verbose:
            raise
        print(f"comptoir : {error}", file=sys.stderr)
        return 1
    except psycopg.OperationalError as error:
        if arguments.verbose:
            raise
        said = str(error).strip().splitlines()[0]
        print(
            f"comptoir : PostgreSQL ne répond pas comme il faut ({said}) : voyez DATABASE_URL. {MORE}", file=sys.stderr
        )
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `comptoir openapi | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        if arguments.verbose:
            raise
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        print(f"comptoir : erreur imprévue ({type(error).__name__} : {said}). {MORE}", file=sys.stderr)
        return 70


def _parser() -> argparse.ArgumentParser:
    speak_french()
    parser = argparse.ArgumentParser(
        prog="comptoir", description="La gestion d'une entreprise à plusieurs activités.", epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    verbose = argparse.ArgumentParser(add_help=False)
    verbose.add_argument(
        "--verbose", action="store_true", default=argparse.SUPPRESS, help="montrer la trace d'une erreur"
    )
    parser.add_argument("--verbose", action="store_true", help="montrer la trace d'une erreur")
    commands = parser.add_subparsers(dest="command", required=True, metavar="commande")
    for name, (command, text, example) in COMMANDS.items():
        sub = commands.add_parser(
            name, help=text, description=f"{text[0].upper()}{text[1:]}.", parents=[verbose],
            epilog=f"exemple :\n  {example}\n\n{EXIT_CODES}", formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        sub.set_defaults(run=command)
        if name == "check":
            sub.add_argument("--sceau", metavar="EMPREINTE", help="empreinte d'un sceau gardée hors de la base")
        if name == "demo":
            sub.add_argument("--taille", type=_count, default=20, metavar="N", help="clients par jour (20)")
            sub.add_argument("--mois", type=_count, default=6, metavar="N", help="mois racontés, jusqu'à hier (6)")
            sub.add_argument("--remplacer", action="store_true", help="prendre la place d'une base qui a des données")
        if name == "admin":
            sub.add_argument("login", help="login du premier administrateur")
        if name == "backup":
            sub.add_argument("fichier", type=Path, nargs="?", help="fichier à écrire ; sans lui, le stockage")
            sub.add_argument("--remplacer", action="store_true", help="écraser un fichier qui existe")
        if name == "restore":
            source = sub.add_mutually_exclusive_group(required=True)
            source.add_argument("fichier", type=Path, nargs="?", help="fichier de la sauvegarde")
            source.add_argument("--sauvegarde", type=int, metavar="ID", help="sauvegarde de la liste, lue du stockage")
            sub.add_argument("--confirmation", action="store_true", help="remplacer vraiment la base en place")
    return parser


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"« {text} » : donnez un nombre de 1 à 1000")
    return int(text)


def serve(settings: Settings, _: argparse.Namespace) -> int:
    """Serve the API; in development with a database of its own, migrated and with a first administrator."""
    url = f"http://{settings.host}:{settings.port}"
    open_store(settings.kvstore_url)  # refuses a malformed address before anything starts
    _port_is_free(settings)
    for wish in STOP_SIGNALS:
        signal.signal(wish, _leave)
    with _own_objects(settings):
        if settings.database_url is not None:
            return _serve(settings, settings.database_url, url)
        with project_lock(settings.state, url), _embedded(settings) as database:
            return _serve(settings, database, url)


@contextmanager
def _own_objects(settings: Settings) -> Iterator[None]:
    """While this lasts the embedded store may be started, where it is the one."""
    own = settings.s3_endpoint is None and not settings.production
    with at_hand(settings.state / "objets") if own else nullcontext():
        yield


def _serve(settings: Settings, database: str, url: str) -> int:
    owner = settings.database_owner_url or database
    if settings.production:
        if drift := schema.drift(owner) if settings.database_owner_url else []:
            raise SchemaError(f"La base n'est pas à jour : lancez « comptoir migrate ».\n{drift[0]}")
        _refuse_development_password(owner)
    else:
        schema.migrate(owner, patience=settings.database_patience)
        if _first_administrator(owner, DEVELOPMENT_LOGIN, DEVELOPMENT_PASSWORD):
            print(f"Premier administrateur créé : {DEVELOPMENT_LOGIN} / {DEVELOPMENT_PASSWORD}")
    application.check_routes(routes.load(), application.read_catalogue(database))
    if not settings.production:
        _welcome(url)
    return _run_server(settings, database)


def _leave(*_: object) -> None:
    """A wish to stop ends the process by its normal way, so that the embedded server is stopped too."""
    sys.exit(0)


def _run_server(settings: Settings, database: str) -> int:
    for wish in STOP_SIGNALS:
        signal.signal(wish, lambda *_: None)  # uvicorn obeys them, stops, and hands them on to here
    # Processes of the server read their settings again: they need the address that was found.
    os.environ["DATABASE_URL"] = database
    with tempfile.TemporaryDirectory(prefix="comptoir-mesures-") as measures:
        if settings.workers > 1:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = measures
        uvicorn.run(
            "app.application:factory",
            factory=True,
            host=settings.host,
            port=settings.port,
            workers=settings.workers,
            loop="uvloop",
            http="app.connection:Connection",
            ws="websockets",
            ws_max_size=MESSAGE_LIMIT,
            access_log=False,
            log_level="warning",
            server_header=False,
            date_header=True,
            proxy_headers=False,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=20,
        )
    return 0


def _welcome(url: str) -> None:
    print(f"\nComptoir sert sur {url}")
    print(f"  documentation  {url}/docs")
    print(f"  connexion      {DEVELOPMENT_LOGIN} / {DEVELOPMENT_PASSWORD}")
    body = json.dumps({"login": DEVELOPMENT_LOGIN, "mot_de_passe": DEVELOPMENT_PASSWORD})
    print(f"  essai          curl -s {url}/api/v1/auth/login -H 'Content-Type: application/json' -d '{body}'")
    print("  arrêt          Ctrl-C\n", flush=True)


def _port_is_free(settings: Settings) -> None:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except (OSError, UnicodeError) as error:
            if isinstance(error, UnicodeError | socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                raise SettingsError(
                    f"HOST vaut « {settings.host} », qui n'est pas une adresse de cette machine : "
                    "donnez-lui 127.0.0.1, ou 0.0.0.0 pour toutes."
                ) from None
            if error.errno == errno.EACCES:
                raise SettingsError(
                    f"PORT vaut {settings.port}, que ce compte ne peut pas ouvrir : donnez-lui 1024 ou plus."
                ) from None
            raise SettingsError(
                f"Le port {settings.port} de {settings.host} n'est pas libre ({error.strerror}) : "
                "arrêtez ce qui l'occupe, ou choisissez-en un autre par PORT."
            ) from None


@contextmanager
def _embedded(settings: Settings) -> Iterator[str]:
    with Postgres(settings.state / "postgres") as server:
        yield server.url()


@contextmanager
def _database(settings: Settings) -> Iterator[str]:
    """The owner's address of the database: the user's server, the running embedded one, or one for this command."""
    if settings.owner_url is not None:
        yield settings.owner_url
        return
    server = Postgres(settings.state / "postgres")
    if server.running():
        yield server.url()
        return
    with project_lock(settings.state, "une commande"), server:
        yield server.url()


def worker(settings: Settings, _: argparse.Namespace) -> int:
    """Run the jobs of the queue until told to stop."""
    if settings.kvstore_url is None:
        raise SettingsError("KVSTORE_URL manque : sans elle il n'y a pas de file de tâches, donc pas de travailleur.")
    open_store(settings.kvstore_url)  # refuses a malformed address
    url = settings.database_url or Postgres(settings.state / "postgres").url()
    settings = replace(settings, database_url=url)
    jobs.log_to_stdout()
    with _own_objects(settings):
        asyncio.run(jobs.work(settings, url))
    return 0


def save(settings: Settings, arguments: argparse.Namespace) -> int:
    """Write the whole database into a file, or into the store."""
    signal.signal(signal.SIGTERM, _give_up)
    if arguments.fichier is None:
        with _own_objects(settings), _database(settings) as url:
            number = Vault(settings, url).save_now()
        print(f"Sauvegarde {number} faite : « comptoir restore --sauvegarde {number} » la remettrait.")
        return 0
    with _database(settings) as url:
        made = backup.dump(url, arguments.fichier, replace=arguments.remplacer)
    print(f"{made.file} : {made.size} octets en {made.seconds:.1f} s")
    print(f"SHA-256 {made.sha256}")
    return 0


def _give_up(*_: object) -> None:
    """Nothing half-made stays behind, and nobody takes it for done."""
    sys.exit(128 + signal.SIGTERM)


def restore(settings: Settings, arguments: argparse.Namespace) -> int:
    """Put the database of a backup in the place of the present one."""
    signal.signal(signal.SIGTERM, _give_up)
    if not arguments.confirmation:
        if arguments.fichier is not None:
            backup.verify_sum(arguments.fichier)
        raise BackupError(
            f"rien n'est fait. Avec --confirmation, {arguments.fichier or f'la sauvegarde {arguments.sauvegarde}'} "
            "remplirait une nouvelle base qui, vérifiée, prendrait la place de celle d'aujourd'hui ; l'ancienne serait "
            "gardée sous un autre nom."
        )
    if arguments.fichier is not None:
        with _database(settings) as url:
            former = backup.restore(url, arguments.fichier)
    else:
        with _own_objects(settings), _database(settings) as url:
            former = Vault(settings, url).restore_now(arguments.sauvegarde, print)
    print(f"Base restaurée. L'ancienne s'appelle {former} : supprimez-la quand vous n'en avez plus besoin.")
    return 0


def migrate(settings: Settings, _: argparse.Namespace) -> int:
    """Bring tables and code of the database to this version."""
    with _database(settings) as url:
        schema.migrate(url, patience=settings.database_patience)
    return 0


def check(settings: Settings, arguments: argparse.Namespace) -> int:
    """Name each difference between the database, migrations/, sql/ and the routes, and whatever its seals show."""
    with _database(settings) as url:
        problems = schema.drift(url)
        try:
            problems += application.route_problems(routes.load(), application.read_catalogue(url))
        except (CatalogueError, OSError) as error:
            problems.append(str(error))
        problems += _seals(url, arguments.sceau)
    for problem in problems:
        print(problem)
    print(_number(len(problems), "écart") if problems else "La base, le code et les routes s'accordent.")
    return 1 if problems else 0


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count > 1 else ''}."


def _seals(url: str, kept: str | None) -> list[str]:
    """What the seals show, after telling the last one: kept outside, it proves what a chain alone cannot."""
    with schema.connect(url, 30.0) as connection:
        known = connection.execute("select to_regprocedure('audit.verifier(text, bigint, bigint)')").fetchone()
        if known is None or known[0] is None:
            return []  # the drift has told it
        try:
            found = connection.execute("select message from audit.verifier(%s)", [kept]).fetchall()
        except psycopg.DataError:
            raise SettingsError("--sceau veut une empreinte : 64 chiffres hexadécimaux.") from None
        last = connection.execute(
            "select rang, date, encode(empreinte, 'hex') from audit.sceau order by rang desc limit 1"
        ).fetchone()
    print("Dernier sceau : n° {}, {:%Y-%m-%d %H:%M:%S %z}, {}".format(*last) if last else "Rien n'est scellé.")
    return [message for (message,) in found]


def openapi(settings: Settings, _: argparse.Namespace) -> int:
    """Print the OpenAPI document; the project's own database is brought up to date first, as `serve` does."""
    with _database(settings) as url:
        if settings.owner_url is None:
            schema.migrate(url, say=lambda _: None)
        found = application.read_catalogue(url)
    print(json.dumps(document(routes.load(), found), ensure_ascii=False, indent=2))
    return 0


def generate(settings: Settings, _: argparse.Namespace) -> int:
    """Write schema.sql and the generated files of docs/ anew."""
    with _database(settings) as url:
        generated.write(url, Postgres(settings.state / "postgres").bin / "pg_dump")
    print("schema.sql, docs/schema.md, docs/regles.md, docs/acces.md et docs/licences.md sont écrits.")
    return 0


def fill(settings: Settings, arguments: argparse.Namespace) -> int:
    """Put the demonstration in the place of a database without data; refused in production."""
    if settings.production:
        raise SettingsError("NODE_ENV vaut production : la démonstration n'écrit que dans une base de développement.")
    hashed = asyncio.run(hash_password(DEVELOPMENT_PASSWORD))
    with _database(settings) as url:
        former = demo.fill(
            url, arguments.taille, arguments.mois, (DEVELOPMENT_LOGIN, hashed), hashed, replace=arguments.remplacer
        )
        with schema.connect(url, 5.0) as connection:
            counts = connection.execute(
                "select (select count(*) from facturation.facture), (select count(*) from finances.paiement)"
            ).fetchone()
    print("Démonstration en place : {} factures, {} paiements.".format(*counts or (0, 0)))
    print(f"Logins : {DEVELOPMENT_LOGIN}, direction, caisse.pressing, … ; mot de passe : {DEVELOPMENT_PASSWORD}.")
    if former:
        print(f"L'ancienne base s'appelle {former} : supprimez-la quand vous n'en avez plus besoin.")
    return 0


def watch(_: Settings, __: argparse.Namespace) -> int:
    """Serve, and start again at each change of app/, sql/ or migrations/: the new start loads them."""
    folders = [ROOT / name for name in ("app", "sql", "migrations")]
    command = shlex.join([sys.executable, "-m", "app", "serve"])
    watchfiles.run_process(*folders, target=command, target_type="command", callback=_tell_changes)
    return 0


def _tell_changes(changes: set[tuple[watchfiles.Change, str]]) -> None:
    names = sorted(str(Path(path).relative_to(ROOT)) for _, path in changes)
    print(f"\nChangé : {', '.join(names[:5])}{' …' if len(names) > 5 else ''}", flush=True)


def psql(settings: Settings, _: argparse.Namespace) -> int:
    """Open psql on the database."""
    program = Postgres(settings.state / "postgres").bin / "psql"
    with _database(settings) as url:
        # Comments are sentences: on a terminal they fold instead of making every line a hundred columns too long.
        options = ["-P", "format=wrapped"] if sys.stdout.isatty() else []
        return subprocess.call([str(program) if program.exists() else "psql", *options, url])  # noqa: S603


def admin(settings: Settings, arguments: argparse.Namespace) -> int:
    """Create the first administrator, with a password asked for on the terminal."""
    password = os.environ.get("COMPTOIR_MOT_DE_PASSE")
    if not password:
        if not sys.stdin.isatty():
            raise SettingsError("COMPTOIR_MOT_DE_PASSE manque : sans terminal, donnez-lui le mot de passe.")
        password = getpass.getpass("Mot de passe (8 caractères au moins) : ")
    with _database(settings) as url:
        if not _first_administrator(url, arguments.login, password):
            raise SettingsError("Il y a déjà des utilisateurs : créez les autres par l'API.")
    print(f"Administrateur {arguments.login} créé.")
    return 0


def _first_administrator(url: str, login: str, password: str) -> bool:
    if wrong := check_password_rule(password):
        raise SettingsError(wrong)
    with schema.connect(url, 30.0) as connection:
        if connection.execute("select 1 from auth.utilisateur limit 1").fetchone():
            return False
        hashed = asyncio.run(hash_password(password))
        row = connection.execute("select auth.administrateur_initialiser(%s, %s)", [login, hashed]).fetchone()
    return bool(row and row[0])


def _refuse_development_password(url: str) -> None:
    with schema.connect(url, 30.0) as connection:
        row = connection.execute(
            "select mot_de_passe from auth.identifiants(%s) where actif", [DEVELOPMENT_LOGIN]
        ).fetchone()
    if row and asyncio.run(verify_password(DEVELOPMENT_PASSWORD, row[0])):
        raise SettingsError(
            f"Le compte « {DEVELOPMENT_LOGIN} » porte encore le mot de passe de développement : changez-le d'abord."
        )


def lint_sql(settings: Settings, _: argparse.Namespace) -> int:
    """Check every function of sql/ with plpgsql_check where a server has it, and its syntax everywhere."""
    return check_functions(settings, say=print)


COMMANDS: dict[str, tuple[Command, str, str]] = {
    "serve": (serve, "servir l'API (make run)", "PORT=8001 comptoir serve"),
    "worker": (
        worker, "exécuter les tâches de la file (demande KVSTORE_URL)",
        "KVSTORE_URL=redis://127.0.0.1:6379/0 comptoir worker",
    ),
    "backup": (save, "sauvegarder toute la base, dans le stockage ou dans un fichier", "comptoir backup nuit.dump"),
    "restore": (
        restore, "remettre la base d'une sauvegarde à la place de celle en place",
        "comptoir restore nuit.dump --confirmation",
    ),
    "migrate": (
        migrate, "mettre la base à jour : tables de migrations/, code de sql/",
        "DATABASE_URL=postgresql://postgres@base/comptoir comptoir migrate",
    ),
    "check": (
        check, "nommer chaque écart entre la base, les fichiers et les routes, et vérifier les sceaux",
        "comptoir check --sceau EMPREINTE",
    ),
    "openapi": (openapi, "écrire le document OpenAPI sur la sortie standard", "comptoir openapi > comptoir.json"),
    "generer": (generate, "écrire schema.sql et ce qui se génère de docs/", "comptoir generer"),
    "demo": (fill, "mettre en place six mois d'une entreprise inventée", "comptoir demo --taille 40 --mois 3"),
    "watch": (watch, "servir, et recommencer à chaque changement du code", "comptoir watch"),
    "psql": (psql, "ouvrir psql sur la base", "comptoir psql"),
    "admin": (admin, "créer le premier administrateur", "comptoir admin awa"),
    "lint-sql": (lint_sql, "vérifier les fonctions SQL", "comptoir lint-sql"),
}  # fmt: skip

if __name__ == "__main__":
    sys.exit(main())
