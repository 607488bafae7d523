"""The e-mails of residence: the link for a new resident to choose a password, and the terms of a lease."""

from datetime import date
from typing import Any

import msgspec

from app.base.refusal import Refusal
from app.documents.texts import plain_amount
from app.http import documents
from app.http.answer import Answer
from app.http.request import Request
from app.http.write import write
from app.jobs import letters
from app.jobs.mailer import File, Letter, MailError
from app.jobs.mailer import logger as log
from app.routes.auth_session import send_link

PERIODS = {"MENSUEL": "par mois", "ANNUEL": "par an"}


class Envoi(msgspec.Struct):
    envoye: bool


async def create(request: Request) -> Answer:
    services = request.services
    queueing = services.settings.queueing
    row, headers = await write(request, supplied={"lien_en_file": queueing})
    account = msgspec.json.decode(row["corps"])["compte_resident"]
    first = not headers  # neither a replay nor a rehearsal
    if account is not None and account["email_envoye"] and not queueing and first:
        services.background.later(send_link(request, letters.RESIDENT, account["login"]))
    return Answer(201, row["corps"], headers)


async def send_lease(request: Request) -> Answer:
    """Envoie au client, par e-mail, son contrat en PDF et ce qu'il a d'essentiel ; `envoye` est faux s'il n'a pas d'adresse ou si l'envoi échoue."""
    await request.raw_body()
    lease = await request.operation.read(request, request.scope["path_params"])
    sent = lease["email"] is not None
    if sent:
        try:
            letter = lease_letter(lease, await _printed(request))
            await request.services.mailer.send(lease["email"], lease["nom"], letter)
        except MailError as error:
            log.error("E-mail du contrat %s non envoyé : %s", lease["numero_contrat"], error)
            sent = False
    return Answer(200, msgspec.json.encode(Envoi(sent)))


async def _printed(request: Request) -> File | None:
    """The lease as a PDF file, or None when the renderer is unavailable. The letter has the essential terms anyway."""
    operation = request.services.operation("residence.contrat_document")
    try:
        document = await documents.printed("contrat.html", operation, request, request.scope["path_params"])
    except Refusal as refusal:
        if refusal.status != 503:
            raise
        log.warning("Contrat envoyé sans pièce jointe : %s", refusal.message)
        return None
    return File(document.name, document.body)


def lease_letter(lease: dict[str, Any], printed: File | None) -> Letter:
    start, end = _day(lease["date_debut"]), lease["date_fin_prevue"]
    subject, paragraphs = letters.text_of(letters.LEASE)
    if printed is None:
        paragraphs.pop()  # it announces the attachment
    rent = f"{plain_amount(lease['montant_loyer'])} {lease['devise']} {PERIODS[lease['type_location']]}"
    names = {
        "nom": lease["nom"],
        "numero": lease["numero_contrat"],
        "logement": lease["logement"],
        "batiment": lease["batiment"],
        "duree": f"du {start} au {_day(end)}" if end else f"à partir du {start}, sans terme",
        "loyer": rent,
    }
    files = [printed] if printed else []
    return letters.compose(subject.format(**names), paragraphs, names, lease["organisation"], files=files)


def _day(text: str) -> str:
    return date.fromisoformat(text).strftime("%d/%m/%Y")
