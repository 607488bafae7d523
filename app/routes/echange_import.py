"""Handlers of imports: the sheet is read and checked here, and every row passes through SQL."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

from app.base.refusal import validation
from app.documents.thread import off_loop
from app.http import uploads
from app.http.answer import Answer
from app.http.request import Request
from app.http.services import Services
from app.http.sheets import Prepared, prepare
from app.http.write import write
from app.sheets import columns, workbooks
from app.sheets.problem import BadSheet

LIMIT = 20 * 1024 * 1024
COLUMNS_LIMIT = 64 * 1024  # bytes of the field `colonnes`
AT_ONCE = 5000  # rows whose trial the request waits for
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
TRYING, RUNNING = ("RECEPTION", "EN_ESSAI"), "EN_COURS"
PAGE = 5000  # rows of a page of echange.import_rapport


async def receive(request: Request) -> Answer:
    """Essaie une feuille : chaque ligne passe par la vraie opération, puis tout est défait. La réponse dit ce qui serait fait, ce qui existe déjà et ce qui ne va pas. Au-delà de 5 000 lignes elle est 202, et l'essai continue."""
    async with uploads.received(request, "entite", optional=("colonnes",), limit=LIMIT, part=COLUMNS_LIMIT, kind=lambda _: "") as form:
        entity = await _permitted(request, form.fields["entite"])
        kind = request.services.catalogue.named(f"echange.{entity}")
        try:
            given = columns.parse_given(form.fields.get("colonnes"))
            prepared = await off_loop(prepare, form.file, kind, given)
        except BadSheet as problem:
            raise validation({problem.field: [str(problem)]}) from None
        try:
            number, replayed = await _store(request, entity, form, prepared)
        finally:
            prepared.close()
    return await (_replay(request, number) if replayed else _try(request, number, prepared.count))


async def _permitted(request: Request, entity: str) -> str:
    operation = request.services.operation("echange.import_permis")
    return str(await operation.answer(request, operation.arguments.check({"entite": entity}, None)))


async def _store(request: Request, entity: str, form: uploads.Form, prepared: Prepared) -> tuple[str, bool]:
    """Store the sheet and its rows. Return the number of the import, and whether an Idempotency-Key named an earlier one."""
    create, fill = (request.services.operation(f"echange.import_{verb}") for verb in ("creer", "remplir"))
    names = [msgspec.json.encode(value).decode() for value in (prepared.headers, prepared.columns)]
    digest, key = await form.digest(), request.repeat_key()
    same = hashlib.sha256("\0".join((request.path, entity, digest, names[1])).encode()).hexdigest()
    values: list[str | None] = [entity, form.name.replace("\0", "")[:200], digest, *names]
    row = await create.run(request, values, None if key is None else (key, same))
    number = str(msgspec.json.decode(row["corps"]))
    if key is not None and row["rejoue"]:
        return number, True
    for batch in prepared.batches():
        await fill.run(request, [number, batch])
    return number, False


async def _replay(request: Request, number: str) -> Answer:
    """The present state of an import that this request has already made."""
    row = await request.services.operation("echange.import_detail").run(request, [number])
    status = 202 if msgspec.json.decode(row["corps"])["etat"] in TRYING else 201
    return Answer(status, row["corps"], {"Idempotency-Replayed": "true"})


async def _try(request: Request, number: str, count: int) -> Answer:
    services, operation = request.services, request.operation
    queued = services.settings.queueing
    later = None if count <= AT_ONCE else "true" if queued else "false"
    while True:
        body = (await operation.run(request, [number, later]))["corps"]
        state = msgspec.json.decode(body)["etat"]
        if later is not None or state not in TRYING:
            break
    if later == "false":
        services.background.later(advance(services, number))
    return Answer(202 if state in TRYING else 201, body)


async def confirm(request: Request) -> Answer:
    """Of an operation that imports, at once or through a job."""
    services = request.services
    queued = services.settings.queueing
    query = {name: value for name, value in request.query().items() if name == "tout"}
    row, headers = await write(request, request.operation, supplied={"en_file": "true" if queued else "false"}, query=query)
    running = msgspec.json.decode(row["corps"])["etat"] == RUNNING
    replayed = bool(headers)
    if running and not queued and not replayed:
        services.background.later(advance(services, request.scope["path_params"]["id_import"]))
    return Answer(202 if running else 200, row["corps"], headers)


async def advance(services: Services, number: str) -> None:
    """Where no worker runs, pass the lots of an import in this process. Stopped, it continues when it is confirmed again."""
    statement = "select jobs.import_avancer($1::text::bigint)"
    while await services.database.value(statement, [number], reading=False):
        pass


async def report(request: Request) -> Answer:
    """Of an operation that reads the rows of an import page by page. The workbook is written while they are read."""
    loop, operation = asyncio.get_running_loop(), request.operation
    keys = request.scope["path_params"]

    async def page(after: int) -> Any:
        return await operation.answer(request, operation.arguments.check({**keys, "apres": str(after)}, None))

    first = await page(0)

    def rows() -> Iterator[Any]:
        current = first["lignes"]
        while current:
            yield from current
            if len(current) < PAGE:
                return
            after = current[-1]["ligne"]
            current = asyncio.run_coroutine_threadsafe(page(after), loop).result()["lignes"]

    body = await off_loop(workbooks.report, first["entetes"], first["colonnes"], rows())
    return _workbook(body, f"rapport-import-{keys['id_import']}")


async def model(request: Request) -> Answer:
    """Of an operation that checks whether the caller may import an entity."""
    operation = request.operation
    entity = await operation.answer(request, operation.arguments.check(request.scope["path_params"], None))
    body = await off_loop(workbooks.model, request.services.catalogue.named(f"echange.{entity}"))
    return _workbook(body, f"modele-{entity}")


def _workbook(body: bytes, name: str) -> Answer:
    return Answer(200, body, {"Content-Disposition": f'attachment; filename="{name}.xlsx"'}, XLSX)
