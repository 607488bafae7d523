"""pgbouncer: the section [databases] of PgBouncer, written from the registry once or at each change."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

import psycopg

from app.base.failure import Failure
from app.base.files import write_whole
from app.base.settings import Settings, SettingsError
from app.commands.command import command
from app.database.listener import listen
from app.leaves.organisations.directory import CHANNEL
from app.leaves.organisations.organisation import at
from app.leaves.organisations.registry import Registry

PATIENCE = 5  # seconds for a connection to the console
PAUSE = 1.0  # seconds before the next try after a failure


def _pgbouncer_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("fichier", type=Path, nargs="?", help="fichier à écrire ; sans lui, la sortie standard")
    text = "l'écrire à chaque changement, et que PgBouncer le relise"
    parser.add_argument("--suivre", action="store_true", help=text)


@command("comptoir pgbouncer /etc/pgbouncer/organisations.ini", _pgbouncer_options)
def pgbouncer(settings: Settings, arguments: argparse.Namespace) -> int:
    """Print the section, or write it to a file that pgbouncer.ini includes. With --suivre, go on until a signal."""
    registry = Registry(settings)
    if arguments.fichier is None:
        print(_section(registry), end="")
        return 0
    if not arguments.suivre:
        _write(registry, arguments.fichier)
        print(f"{arguments.fichier} est écrit. « reload » dans la console de PgBouncer le relit.")
        return 0
    if settings.pgbouncer is None or settings.registry_owner_url is None:
        raise SettingsError("ANNUAIRE_PGBOUNCER manque : donnez-lui l'hôte et le port de PgBouncer.")
    console = at(settings.registry_owner_url, settings.pgbouncer, "pgbouncer")
    asyncio.run(_follow(registry, settings.registry_url or "", arguments.fichier, console))
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


async def _follow(registry: Registry, url: str, file: Path, console: str) -> None:
    """Write the file at each change of the registry, and let PgBouncer read it again. After a failure, try again."""
    changed = asyncio.Event()
    changed.set()
    listening = asyncio.create_task(listen(url, CHANNEL, lambda _: changed.set(), changed.set))
    unread = True  # an earlier run may have written the file without a reload
    try:
        while True:
            await changed.wait()
            changed.clear()
            try:
                unread |= await asyncio.to_thread(_write, registry, file)
                if unread:
                    await asyncio.to_thread(_reload, console)
                    unread = False
                    print(f"{file} : à jour, et relu par PgBouncer.", flush=True)
            except (Failure, psycopg.Error, OSError) as error:
                cause = " ".join(str(error).split())
                print(f"comptoir : nouvel essai après une erreur : {cause}", file=sys.stderr, flush=True)
                await asyncio.sleep(PAUSE)
                changed.set()
    finally:
        listening.cancel()


def _reload(console: str) -> None:
    # The console of PgBouncer knows only the simple protocol, and no transaction.
    with psycopg.connect(console, autocommit=True, prepare_threshold=None, connect_timeout=PATIENCE) as connection:
        connection.execute("reload")
