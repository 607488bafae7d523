"""Backups by the API. SQL records the request; the worker or this process does the work after the answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import msgspec
import psycopg

from app.base.failure import Failure
from app.base.refusal import unavailable
from app.database.release import SchemaError
from app.http.answer import Answer
from app.http.request import Request
from app.http.write import write
from app.vault.backup import BackupError, PowerlessError

SUPPLIED = ("en_file",)  # whether the worker will make the backup
POWERLESS = "RESTAURATION_NON_PERMISE"

log = logging.getLogger("comptoir.sauvegarde")


async def save(request: Request) -> Answer:
    services = request.services
    queued = services.settings.queueing
    row, headers = await write(request, request.operation, supplied={"en_file": "true" if queued else "false"})
    id_sauvegarde = msgspec.json.decode(row["corps"])["id_sauvegarde"]
    replayed = bool(headers)
    if id_sauvegarde is not None and not queued and not replayed:
        services.background.later(_run_in_thread(services.vault.save, int(id_sauvegarde)))
    return Answer(200, row["corps"], headers)


async def restore(request: Request) -> Answer:
    services = request.services
    row, headers = await write(request, request.operation)
    replayed = bool(headers)
    if not replayed:
        id_restauration = msgspec.json.decode(row["corps"])["id_restauration"]
        try:
            await asyncio.to_thread(services.vault.check_rights)
        except (BackupError, SchemaError) as error:
            statement = "select jobs.restauration_echouer($1::text::bigint, $2::text)"
            await services.database.value(statement, [id_restauration, str(error)], reading=False)
            code = POWERLESS if isinstance(error, PowerlessError) else "INDISPONIBLE"
            raise unavailable(code, str(error)) from error
        services.background.later(_run_in_thread(services.vault.restore, int(id_restauration)))
    return Answer(200, row["corps"], headers)


async def _run_in_thread(work: Callable[[int], Any], number: int) -> None:
    """Run the work in a thread and log its failure. The vault has recorded the failure in the list."""
    try:
        await asyncio.to_thread(work, number)
    except (Failure, psycopg.Error, OSError) as error:
        log.error("%s", error)
