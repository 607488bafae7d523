"""organisation, serveur, pgbouncer: many organisations on many servers, kept in the registry (ANNUAIRE_URL)."""

import argparse
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

import psycopg

from app.base.failure import Failure
from app.base.files import write_whole
from app.base.settings import Settings, SettingsError
from app.commands.command import action, actions_of, command, count, despite
from app.database import schema
from app.leaves.organisations.directory import CHANNEL, PAUSE, REVIEW
from app.leaves.organisations.making import make
from app.leaves.organisations.organisation import at
from app.leaves.organisations.registry import NO_SERVER, PATIENCE, Registry, RegistryError

Act: TypeAlias = Callable[[Registry, argparse.Namespace], None]


# ---- comptoir organisation


def _organisation_options(parser: argparse.ArgumentParser) -> None:
    actions = actions_of(parser)

    def of(name: str, act: Act, text: str, *, one: bool = True) -> argparse.ArgumentParser:
        parser = action(actions, name, text)
        parser.set_defaults(act=act)
        if one:
            parser.add_argument("code", metavar="CODE", help="nom court de l'organisation")
        return parser

    create = of("creer", _create, "créer des organisations, leurs bases comprises", one=False)
    create.add_argument("codes", nargs="+", metavar="CODE", help="nom court de chacune")
    create.add_argument("--serveur", metavar="NOM", help="serveur qui la portera ; sans lui, le moins chargé")
    create.add_argument("--hote", action="append", metavar="NOM", help="nom d'hôte auquel elle répond ; se répète")
    create.add_argument("--ensemble", type=count, default=2, metavar="N", help="créations à la fois (2)")
    of("lister", _list, "nommer les organisations, avec leur état, leur serveur et leur version", one=False)
    name = of("nommer", _name, "donner à une organisation ses noms d'hôte")
    name.add_argument("hotes", nargs="*", metavar="HÔTE", help="tous ses noms ; sans eux, aucun")
    suspend = of("suspendre", _suspend, "ne plus répondre pour une organisation")
    suspend.add_argument("--motif", metavar="PHRASE", help="phrase que lit celui qui appelle")
    of("reprendre", _resume, "répondre de nouveau pour une organisation")
    move = of("deplacer", _move, "mettre une organisation sur un autre serveur")
    move.add_argument("--vers", required=True, metavar="NOM", help="serveur d'arrivée")
    despite(move)
    remove = of("supprimer", _remove, "archiver une organisation, puis supprimer sa base et ses fichiers")
    remove.add_argument("--archive", type=Path, required=True, metavar="DOSSIER", help="dossier neuf de l'archive")
    remove.add_argument("--confirmation", metavar="CODE", help="son code une seconde fois, sans terminal")


@command("comptoir organisation creer acme --hote acme.example.com", _organisation_options)
def organisation(settings: Settings, arguments: argparse.Namespace) -> int:
    arguments.act(Registry(settings), arguments)
    return 0


def _create(registry: Registry, arguments: argparse.Namespace) -> None:
    """Make organisations, several at once."""
    hosts: list[str] = arguments.hote or []
    if hosts and len(arguments.codes) > 1:
        raise SettingsError("--hote vaut pour une organisation : créez celles qui en ont un par un appel chacune.")
    registry.ensure()
    started = time.monotonic()

    def create(code: str) -> None:
        made = make(registry, code, arguments.serveur, hosts)
        print(f"{code} : base {made.database} sur {made.server}.", flush=True)

    create(arguments.codes[0])  # makes the template, which the others copy
    with ThreadPoolExecutor(arguments.ensemble) as threads:
        list(threads.map(create, arguments.codes[1:]))
    number = len(arguments.codes)
    print(f"{number} organisation{'s' if number > 1 else ''} en {time.monotonic() - started:.1f} s.")


def _list(registry: Registry, _: argparse.Namespace) -> None:
    rows = [
        [one.code, one.state, one.server, one.version or "-", " ".join(one.hosts) or "-", one.reason or ""]
        for one in registry.organisations()
    ]
    _print_table(["code", "état", "serveur", "version", "hôtes", "motif"], rows)


def _suspend(registry: Registry, arguments: argparse.Namespace) -> None:
    reason = arguments.motif or "Cette organisation est suspendue."
    registry.move_to(arguments.code, "SUSPENDUE", reason=reason)
    print(f"{arguments.code} ne répond plus. « comptoir organisation reprendre {arguments.code} » la remet en service.")


def _resume(registry: Registry, arguments: argparse.Namespace) -> None:
    if registry.find(arguments.code).state == "SUPPRESSION":
        from app.leaves.organisations import removal

        removal.renounce(registry, arguments.code)
    registry.move_to(arguments.code, "ACTIVE")
    print(f"{arguments.code} répond de nouveau.")


def _name(registry: Registry, arguments: argparse.Namespace) -> None:
    registry.find(arguments.code)
    registry.name(arguments.code, arguments.hotes)
    print(f"{arguments.code} répond à {', '.join(arguments.hotes) or 'X-Organisation seulement'}.")


def _move(registry: Registry, arguments: argparse.Namespace) -> None:
    from app.commands.backups import end_on_sigterm
    from app.leaves.organisations.moving import move

    end_on_sigterm()
    seconds = move(registry, arguments.code, arguments.vers, despite=arguments.malgre)
    print(f"{arguments.code} est sur {arguments.vers}. Elle ne s'est pas écrite pendant {seconds:.1f} s.")


def _remove(registry: Registry, arguments: argparse.Namespace) -> None:
    # The module imports the export and the store, which take longer to import than the other actions to run.
    from app.leaves.organisations.removal import remove

    remove(registry, arguments)


# ---- comptoir serveur


def _server_options(parser: argparse.ArgumentParser) -> None:
    actions = actions_of(parser)
    add = action(actions, "ajouter", "ajouter un serveur, ou changer son adresse")
    add.add_argument("nom", metavar="NOM", help="nom court du serveur")
    add.add_argument("adresse", metavar="HÔTE:PORT", help="du primaire, ou du relais qui le suit")
    add.add_argument("--replique", action="append", default=[], metavar="HÔTE:PORT", help="réplique ; se répète")
    action(actions, "lister", "nommer les serveurs, avec le nombre de leurs organisations")
    remove = action(actions, "retirer", "retirer un serveur qui ne porte rien")
    remove.add_argument("nom", metavar="NOM", help="nom court du serveur")


@command("comptoir serveur ajouter un 10.0.0.5:5432", _server_options)
def server(settings: Settings, arguments: argparse.Namespace) -> int:
    registry = Registry(settings)
    if arguments.action == "ajouter":
        registry.ensure()
        with registry.connect(arguments.adresse) as connection:
            schema.create_roles(connection)  # and the proof that the address and the account are right
        registry.add_server(arguments.nom, arguments.adresse, arguments.replique)
        print(f"Serveur {arguments.nom} : {arguments.adresse}.")
    elif arguments.action == "retirer":
        if not registry.remove_server(arguments.nom):
            raise RegistryError(NO_SERVER.format(arguments.nom))
        print(f"Serveur {arguments.nom} retiré de l'annuaire.")
    else:
        rows = [[s.name, s.address, " ".join(s.replicas) or "-", str(s.organisations)] for s in registry.servers()]
        _print_table(["nom", "adresse", "répliques", "organisations"], rows)
    return 0


def _print_table(head: list[str], rows: list[list[str]]) -> None:
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


# ---- comptoir pgbouncer


def _pgbouncer_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("fichier", type=Path, nargs="?", help="fichier à écrire ; sans lui, la sortie standard")
    text = "l'écrire à chaque changement, et que PgBouncer le relise"
    parser.add_argument("--suivre", action="store_true", help=text)


@command("comptoir pgbouncer /etc/pgbouncer/organisations.ini", _pgbouncer_options)
def pgbouncer(settings: Settings, arguments: argparse.Namespace) -> int:
    """Print the section [databases] of PgBouncer, or write it to a file that pgbouncer.ini includes."""
    registry = Registry(settings)
    if arguments.fichier is None:
        print(_section(registry), end="")
    elif not arguments.suivre:
        _write(registry, arguments.fichier)
        print(f"{arguments.fichier} est écrit. « reload » dans la console de PgBouncer le relit.")
    elif settings.pgbouncer is None or settings.registry_owner_url is None:
        raise SettingsError("ANNUAIRE_PGBOUNCER manque : donnez-lui l'hôte et le port de PgBouncer.")
    else:
        console = at(settings.registry_owner_url, settings.pgbouncer, "pgbouncer")
        _follow(registry, settings.registry_url or "", arguments.fichier, console)
    return 0


def _section(registry: Registry) -> str:
    databases = [(one.database, *one.address.rsplit(":", 1)) for one in registry.organisations()]
    lines = [f"{name} = host={host} port={port} dbname={name}\n" for name, host, port in databases]
    return "".join(["[databases]\n", *lines])


def _write(registry: Registry, file: Path) -> bool:
    """Write the file and return whether it has changed. PgBouncer never reads half of it."""
    text = _section(registry)
    if file.exists() and file.read_text() == text:
        return False
    write_whole(file, text)
    return True


def _follow(registry: Registry, url: str, file: Path, console: str) -> None:
    """Write the file at each change of the registry, and let PgBouncer read it again, until a signal."""
    unread = True  # an earlier run may have written the file without a reload
    while True:
        try:
            with schema.connect(url, PATIENCE) as listening:
                listening.execute(f"listen {CHANNEL}")
                unread |= _write(registry, file)
                if unread:
                    _reload(console)
                    unread = False
                    print(f"{file} : à jour, et relu par PgBouncer.", flush=True)
                for _ in listening.notifies(timeout=REVIEW, stop_after=1):
                    pass  # a new session listens before the registry is read again
        except (Failure, psycopg.Error, OSError) as error:
            cause = " ".join(str(error).split())
            print(f"comptoir : nouvel essai après une erreur : {cause}", file=sys.stderr, flush=True)
            time.sleep(PAUSE)


def _reload(console: str) -> None:
    # The console of PgBouncer knows only the simple protocol, and no transaction.
    with psycopg.connect(console, autocommit=True, prepare_threshold=None, connect_timeout=5) as connection:
        connection.execute("reload")
