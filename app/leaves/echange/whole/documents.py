"""Prints every document of the business, from the snapshot of the tables and with bounded memory."""

import asyncio
from typing import Any, LiteralString, NamedTuple

import msgspec
import psycopg

from app.base.progress import Progress
from app.base.refusal import Refusal
from app.base.settings import Settings
from app.database import wire
from app.database.catalogue import Catalogue, Function
from app.database.schema import Session
from app.documents import printing
from app.documents.chromium import find
from app.documents.renderer import PAGES, Renderer
from app.leaves.echange.whole.manifest import ExportError, Folder

REFUSED = "HT4"  # SQLSTATE of a refusal: this row has no document


class Kind(NamedTuple):
    folder: str
    function: str
    template: str
    rows: LiteralString  # keys of the rows that have such a document


KINDS = (
    Kind("factures", "facturation.facture_document", "facture.html", "select id_facture from facturation.facture"),
    Kind("avoirs", "facturation.avoir_document", "avoir.html", "select id_avoir from facturation.avoir"),
    Kind("contrats", "residence.contrat_document", "contrat.html", "select id_contrat from residence.contrat_location"),
    Kind("recus", "residence.echeance_document", "recu.html",
         "select id_echeance from residence.echeance where montant_paye >= montant"),
    Kind("bulletins", "rh.paie_document", "paie.html", "select id_paie from rh.paie"),
    Kind("pressing", "pressing.commande_recu", "pressing.html",
         "select id_commande from pressing.commande where date_depot is not null"),
)  # fmt: skip


def refuse_without_browser(settings: Settings) -> None:
    if find(settings.puppeteer_executable_path) is None:
        raise ExportError(
            "Il n'y a pas de Chromium pour imprimer les documents : installez-le ou donnez son chemin dans "
            "PUPPETEER_EXECUTABLE_PATH, ou exportez sans eux par --sans-documents."
        )


async def print_all(connection: Session, catalogue: Catalogue, settings: Settings, folder: Folder) -> list[str]:
    """Print the documents of the rows that this transaction sees. Return the documents that could not be printed."""
    rows = ((kind, connection.execute(f"select * from ({kind.rows}) k order by 1")) for kind in KINDS)  # noqa: S608
    keys = [(kind, key) for kind, cursor in rows for (key,) in cursor]
    connection.execute("set local role comptoir_app")  # which may execute the operations
    renderer = Renderer(settings.puppeteer_executable_path, settings.browser_sandbox)
    pending = iter(keys)
    missing: list[str] = []
    printed = 0
    with Progress("Documents", len(keys)) as progress:

        async def work() -> None:
            """Print row after row. The workers share one iterator, so each row is printed once."""
            nonlocal printed
            for kind, key in pending:
                try:
                    if (data := _data(connection, catalogue.functions[kind.function], key)) is not None:
                        document = await printing.document(renderer, "pdf", kind.template, data, settings.public_url)
                        name = f"documents/{kind.folder}/{document.name}"
                        if name in folder.files:  # two rows of one name
                            name = name.removesuffix(".pdf") + f"-{key}.pdf"
                        folder.write(name, document.body)
                        printed += 1
                except Refusal as refusal:
                    if printed == 0:
                        raise ExportError(
                            f"Aucun document ne s'imprime ({refusal.message}) : voyez Chromium, ou exportez sans eux "
                            "par --sans-documents."
                        ) from None
                    missing.append(f"documents/{kind.folder}/{key}")
                progress.step()

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(PAGES):
                    group.create_task(work())
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        finally:
            await renderer.close()
    return missing


def _data(connection: Session, function: Function, key: int) -> Any:
    """The answer of the operation to a caller without bounds, or None if the row has no such document."""
    arguments = [str(key), *[None] * (len(function.parameters) - 1)]
    try:
        with connection.transaction():  # a savepoint
            cursor = psycopg.RawCursor(connection)
            row = cursor.execute(wire.statement(function), [False, *wire.NOBODY, *arguments]).fetchone()
    except psycopg.Error as error:
        if (error.sqlstate or "").startswith(REFUSED):
            return None
        raise
    return msgspec.json.decode(row[0]) if row and row[0] else None
