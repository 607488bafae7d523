"""Routes of jobs: jobs on demand, and backups. SQL records the request of a backup; the worker or this process does the
work after the answer."""

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
from app.http.route import COMPANY, GET, POST, PUT
from app.http.write import write
from app.vault.backup import BackupError, PowerlessError

POWERLESS = "RESTAURATION_NON_PERMISE"

log = logging.getLogger("comptoir.sauvegarde")


async def save(request: Request) -> Answer:
    services = request.services
    queued = services.settings.queueing
    row, headers = await write(request, supplied={"en_file": queued})
    id_sauvegarde = msgspec.json.decode(row["corps"])["id_sauvegarde"]
    replayed = bool(headers)
    if id_sauvegarde is not None and not queued and not replayed:
        services.background.later(_run_in_thread(services.vault.save, int(id_sauvegarde)))
    return Answer(200, row["corps"], headers)


async def restore(request: Request) -> Answer:
    services = request.services
    row, headers = await write(request)
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


PREFIX = "/api/v1/jobs"
BOUNDS = COMPANY
VAULT = "/api/v1/admin/sauvegardes"
ROUTES = [
    POST("/recalculer-paie", "jobs.recalculer_paie", "RH.MODIFIER", job=True),
    POST("/generer-echeances", "jobs.generer_echeances", "RESIDENCE.MODIFIER", "GenererEcheancesDto", job=True),
    POST("/transition-contrats-expires", "jobs.transition_contrats_expires", "RESIDENCE.MODIFIER", job=True),
    POST("/expirer-abonnements", "jobs.expirer_abonnements", "RESIDENCE.MODIFIER", job=True),
    POST("/reesolde-stock", "jobs.reesolde_stock", "MARCHANDISE.MODIFIER", job=True),
    POST("/sauvegarde-auto", "jobs.sauvegarde_auto", "ADMIN.MODIFIER", handler=save, supplied=("en_file",), job=True),
    GET(VAULT, "jobs.sauvegarde_lister", "ADMIN.VOIR"),
    POST(f"{VAULT}/declencher", "jobs.sauvegarde_declencher", "ADMIN.MODIFIER", handler=save, supplied=("en_file",)),
    POST(f"{VAULT}/{{id_sauvegarde}}/restaurer", "jobs.restauration_demander", "ADMIN.MODIFIER", "RestaurerSauvegardeDto", handler=restore),
    GET(f"{VAULT}/planification", "jobs.planification_detail", "ADMIN.VOIR"),
    PUT(f"{VAULT}/planification", "jobs.planification_modifier", "ADMIN.MODIFIER", "MajPlanificationDto"),
]
