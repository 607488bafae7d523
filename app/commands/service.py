"""serve, worker, watch: the commands that run until a signal stops them."""

import argparse
import asyncio
import errno
import json
import logging
import os
import shlex
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import uvicorn
import watchfiles

from app import routes
from app.auth.encrypted import Secrets, refuse_missing_key
from app.base.files import Scratch
from app.base.settings import DEVELOPMENT_PASSWORD, ROOT, Settings, SettingsError
from app.commands import application
from app.commands.accounts import DEVELOPMENT_LOGIN, first_administrator, refuse_development_password
from app.commands.command import command
from app.commands.place import own_objects, own_servers
from app.database import schema
from app.database.release import SchemaError
from app.files.storage import Archive
from app.jobs.log import log_to_stdout
from app.jobs.worker import work
from app.live.sockets import MESSAGE_LIMIT
from app.routes.check import check_routes
from app.vault.cipher import Keys

LISTENING_POLL = 0.02

log = logging.getLogger("comptoir.jobs")


@command("PORT=8001 comptoir serve")
def serve(settings: Settings, _: argparse.Namespace) -> int:
    """Serve the API. In development it can start its own database, migrates it and creates a first administrator."""
    url = f"http://{settings.host}:{settings.port}"
    given = settings.database_url
    with (
        ready_to_serve(settings),
        own_servers(settings).database(settings.state, url) if given is None else nullcontext(given) as database,
    ):
        owner = settings.database_owner_url or database
        if settings.production:
            schema.refuse_unmigrated(owner, settings.database_patience)
            if drift := schema.drift(owner) if settings.database_owner_url else []:
                raise SchemaError(f"La base n'est pas à jour : lancez « comptoir migrate ».\n{drift[0]}")
            refuse_development_password(owner)
            refuse_missing_key(settings, owner)
        else:
            Keys.of(settings)  # creates the backup key now, so that the user can copy it before the first backup
            schema.migrate(owner, patience=settings.database_patience)
            Secrets.renew_all(settings, owner)
            if first_administrator(owner, DEVELOPMENT_LOGIN, DEVELOPMENT_PASSWORD):
                print(f"Premier administrateur créé : {DEVELOPMENT_LOGIN} / {DEVELOPMENT_PASSWORD}")
        check_routes(routes.load(), application.read_catalogue(database))
        if not settings.production:
            threading.Thread(target=_welcome, args=[settings, url], daemon=True).start()
        os.environ["DATABASE_URL"] = database  # each uvicorn process reads the settings again and needs this address
        return run_server(settings, "app.commands.application:factory")


@contextmanager
def ready_to_serve(settings: Settings) -> Iterator[None]:
    """Refuse what would keep the service from starting, before anything starts. SIGTERM and SIGINT end it."""
    application.open_store(settings.kvstore_url)  # refuses a malformed address
    _port_is_free(settings)
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, lambda *_: sys.exit(0))  # SystemExit stops the embedded server too
    with own_objects(settings):
        yield


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
                f"arrêtez ce qui l'occupe, ou choisissez-en un autre : PORT={settings.port + 1}."
            ) from None


def _welcome(settings: Settings, url: str) -> None:
    """Print the address once uvicorn accepts connections there."""
    any_address = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - values of HOST
    while True:
        try:
            socket.create_connection((any_address.get(settings.host, settings.host), settings.port), 1).close()
            break
        except OSError:
            time.sleep(LISTENING_POLL)
    print(f"\nComptoir sert sur {url}")
    print(f"  documentation  {url}/docs")
    print(f"  connexion      {DEVELOPMENT_LOGIN} / {DEVELOPMENT_PASSWORD}")
    body = json.dumps({"login": DEVELOPMENT_LOGIN, "mot_de_passe": DEVELOPMENT_PASSWORD})
    print(f"  essai          curl -s {url}/api/v1/auth/login -H 'Content-Type: application/json' -d '{body}'")
    print("  arrêt          Ctrl-C\n", flush=True)


def run_server(settings: Settings, factory: str) -> int:
    """Run uvicorn until a signal stops it. `factory` names the function that makes the application of a process."""
    with Scratch("comptoir-mesures-") as measures:
        if settings.workers > 1:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(measures)
        uvicorn.run(
            factory,
            factory=True,
            host=settings.host,
            port=settings.port,
            workers=settings.workers,
            loop="uvloop",
            http="app.http.protocol:Connection",
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


@command("KVSTORE_URL=redis://127.0.0.1:6379/0 comptoir worker")
def worker(settings: Settings, _: argparse.Namespace) -> int:
    """Run the jobs of the queue until a signal stops it."""
    prepare_worker(settings)
    url = settings.database_url or own_servers(settings).running_url(settings.state)
    if url is None:
        raise SettingsError("PostgreSQL ne tourne pas : lancez « make run ».")
    settings = replace(settings, database_url=url)
    schema.refuse_unmigrated(url, settings.database_patience)  # the pool would only time out, without the reason
    with own_objects(settings):
        asyncio.run(work(settings, url))
    return 0


def prepare_worker(settings: Settings) -> None:
    """Refuse what would keep a worker from its jobs, and let it log."""
    if settings.kvstore_url is None:
        raise SettingsError(
            "KVSTORE_URL manque : donnez à l'API et au travailleur l'adresse d'un même Valkey ou Redis "
            "(redis://127.0.0.1:6379). Sans elle il n'y a pas de file de tâches, donc pas de travailleur."
        )
    application.open_store(settings.kvstore_url)  # refuses a malformed address
    Keys.of(settings)  # refuses to start without the key that the nightly backup needs
    log_to_stdout()
    if not Archive(settings).configured:
        log.warning("%s D'ici là, les sauvegardes échouent.", Archive.unset)


@command("comptoir watch")
def watch(_: Settings, __: argparse.Namespace) -> int:
    """Serve, and restart at each change of app/, sql/ or migrations/. Each start loads them."""
    folders = [ROOT / name for name in ("app", "sql", "migrations")]
    command = shlex.join([sys.executable, "-m", "app", "serve"])
    watchfiles.run_process(*folders, target=command, target_type="command", callback=_print_changes)
    return 0


def _print_changes(changes: set[tuple[watchfiles.Change, str]]) -> None:
    names = sorted(str(Path(path).relative_to(ROOT)) for _, path in changes)
    print(f"\nChangé : {', '.join(names[:5])}{' …' if len(names) > 5 else ''}", flush=True)
