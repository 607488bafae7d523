"""Handlers of imports: the sheet is read and checked here, and every row passes through SQL."""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec

from app.base.refusal import Refusal, validation
from app.documents.thread import IMPORTS, off_loop
from app.http import uploads
from app.http.answer import Answer
from app.http.mode import keyed
from app.http.operation import in_context
from app.http.request import Request
from app.http.services import Services
from app.http.transaction import Transaction, transact
from app.http.write import write
from app.leaves.echange.prepared import Prepared, prepare
from app.leaves.echange.sheets import columns, workbooks
from app.leaves.echange.sheets.guard import BadSheet

LIMIT = 20 * 1024 * 1024
COLUMNS_LIMIT = 64 * 1024  # bytes of the field `colonnes`
AT_ONCE = 5000  # rows whose trial the request waits for
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
QUEUED, OUTSIDE = "true", "false"
TRYING, RUNNING = "EN_ESSAI", "EN_COURS"
PAGE = 5000  # rows of a page of echange.import_rapport


async def receive(request: Request) -> Answer:
    """Essaie une feuille : chaque ligne passe par la vraie opération, puis tout est défait. La réponse dit ce qui serait fait, ce qui existe déjà et ce qui ne va pas. Au-delà de 5 000 lignes elle est 202, et l'essai continue."""
    async with uploads.received(request, "entite", optional=("colonnes",), limit=LIMIT, part=COLUMNS_LIMIT, kind=lambda _: "") as form:
        entity = await _permitted(request, form.fields["entite"])
        kind = request.services.catalogue.named(f"echange.{entity}")
        try:
            given = columns.parse_given(form.fields.get("colonnes"))
            work = off_loop(prepare, form.file, kind, given, thread=IMPORTS)
            prepared = await request.services.turns.take(request.signed_in.sub, request.receive, work, long=True)
        except BadSheet as problem:
            raise validation({problem.field: [str(problem)]}) from None
        later = None if prepared.count <= AT_ONCE else _later(request.services)
        try:
            number, body = await _store(request, entity, form, prepared, later)
        finally:
            prepared.close()
    replayed = body is None
    while body is None or (later is None and _state(body) == TRYING):
        body = (await request.operation.run(request, [number, later]))["corps"]
    trying = _state(body) == TRYING
    _go_on(request.services, number, later if trying else None)
    return Answer(202 if trying else 201, body, {"Idempotency-Replayed": "true"} if replayed else {})


async def _permitted(request: Request, entity: str) -> str:
    operation = request.services.operation("echange.import_permis")
    return str(await operation.read(request, {"entite": entity}))


def _later(services: Services) -> str:
    """`p_en_file` of the work that goes on after the answer: a job goes on, or a task of this process."""
    return QUEUED if services.settings.queueing else OUTSIDE


def _state(body: bytes) -> str:
    return str(msgspec.json.decode(body)["etat"])


async def _store(request: Request, entity: str, form: uploads.Form, prepared: Prepared, later: str | None) -> tuple[str, bytes | None]:
    """Store the sheet, its rows and the Idempotency-Key, and begin the trial, as one transaction: of a request that is
    interrupted there remains nothing. Return the number of the import and the import itself, or None instead if the key
    named an earlier one, whose trial may have been interrupted."""
    names = [msgspec.json.encode(value).decode() for value in (prepared.headers, prepared.columns)]
    digest = await form.digest()
    values: list[str | None] = [entity, form.name.replace("\0", "")[:200], digest, *names]
    mode = keyed(request, "\0".join((entity, digest, names[1])).encode())
    return await in_context(request, transact, request, mode, None, partial(_steps, request, values, prepared, later))


async def _steps(request: Request, values: list[str | None], prepared: Prepared, later: str | None, transaction: Transaction) -> tuple[str, bytes | None]:
    if (earlier := await transaction.earlier()) is not None:
        return str(msgspec.json.decode(earlier)), None
    create, fill, begin = (request.services.operation(f"echange.import_{verb}") for verb in ("creer", "remplir", "commencer"))
    created = (await transaction.call(create, values))["corps"]
    number = str(msgspec.json.decode(created))
    for batch in prepared.batches():
        await transaction.call(fill, [number, batch])
    await transaction.call(begin, [number])
    body = (await transaction.call(request.operation, [number, later]))["corps"]
    await transaction.keep(created)
    return number, body


# Short imports at once, lot by lot, others through a job. A trial that was interrupted goes on instead.
async def confirm(request: Request) -> Answer:
    services, number = request.services, request.scope["path_params"]["id_import"]
    later = _later(services)
    query = {name: value for name, value in request.query().items() if name == "tout"}
    try:
        row, headers = await write(request, supplied={"en_file": later}, query=query)
    except Refusal as refusal:
        if refusal.code == "IMPORT_EN_ESSAI":
            await services.operation("echange.import_essayer").run(request, [number, later])
            _go_on(services, number, later)
        raise
    body, passed = row["corps"], 0
    while (state := msgspec.json.decode(body))["etat"] == RUNNING and state["fait"] > passed:
        passed = state["fait"]
        body = (await request.operation.run(request, [number, "false", later]))["corps"]
    running = _state(body) == RUNNING
    _go_on(services, number, later if running else None)
    return Answer(202 if running else 200, body, headers)


def _go_on(services: Services, number: str, later: str | None) -> None:
    if later == OUTSIDE:
        services.background.later(advance(services, number))


async def advance(services: Services, number: str) -> None:
    """Where no worker runs, pass the lots of an import in this process. Stopped, it continues when it is confirmed again."""
    statement = "select jobs.import_avancer($1::text::bigint)"
    while await services.database.value(statement, [number], reading=False):
        pass


# The workbook is written while the rows are read, page by page.
async def report(request: Request) -> Answer:
    loop, operation = asyncio.get_running_loop(), request.operation
    keys = request.scope["path_params"]

    async def page(after: int) -> Any:
        return await operation.read(request, {**keys, "apres": str(after)})

    first = await page(0)

    def rows() -> Iterator[Any]:
        current = first["lignes"]
        while current:
            yield from current
            if len(current) < PAGE:
                return
            current = asyncio.run_coroutine_threadsafe(page(current[-1]["ligne"]), loop).result()["lignes"]

    body = await off_loop(workbooks.report, first["entetes"], first["colonnes"], rows())
    return _workbook(body, f"rapport-import-{keys['id_import']}")


async def model(request: Request) -> Answer:
    entity = await _permitted(request, request.scope["path_params"]["entite"])
    body = await off_loop(workbooks.model, request.services.catalogue.named(f"echange.{entity}"))
    return _workbook(body, f"modele-{entity}")


def _workbook(body: bytes, name: str) -> Answer:
    return Answer(200, body, {"Content-Disposition": f'attachment; filename="{name}.xlsx"'}, XLSX)
