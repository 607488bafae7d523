"""What residence sends by mail: the link by which a new resident chooses a password, and the terms of a lease."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec

from app import letters
from app.auth.handlers import send_link
from app.documents.texts import plain_amount
from app.endpoint import Answer, Request, write
from app.mailer import MailError
from app.mailer import logger as log

SUPPLIED = ("lien_en_file",)
PERIODS = {"MENSUEL": "par mois", "ANNUEL": "par an"}


class Envoi(msgspec.Struct):
    envoye: bool


async def create(request: Request) -> Answer:
    services = request.services
    queueing = services.settings.queueing
    supplied = dict.fromkeys(SUPPLIED, "true" if queueing else "false")
    row, headers = await write(request, request.operation, supplied=supplied)
    account = msgspec.json.decode(row["corps"])["compte_resident"]
    replayed = bool(headers)
    if account is not None and account["email_envoye"] and not queueing and not replayed:
        services.later(send_link(request, letters.RESIDENT, account["login"]))
    return Answer(201, row["corps"], headers)


async def send_lease(request: Request) -> Answer:
    """Envoie au client, par e-mail, l'essentiel de son contrat ; `envoye` est faux s'il n'a pas d'adresse ou si l'envoi échoue."""
    await request.raw_body()
    operation = request.operation
    row = await operation.run(request, operation.arguments.check(request.scope["path_params"], None))
    lease = msgspec.json.decode(row["corps"])
    sent = lease["email"] is not None
    if sent:
        try:
            subject = f"Votre contrat {lease['numero_contrat']}"
            await request.services.mailer.send(lease["email"], lease["nom"], subject, lease_text(lease))
        except MailError as error:
            log.error("E-mail du contrat %s non envoyé : %s", lease["numero_contrat"], error)
            sent = False
    return Answer(200, msgspec.json.encode(Envoi(sent)))


def lease_text(lease: dict[str, Any]) -> str:
    start = _day(lease["date_debut"])
    end = lease["date_fin_prevue"]
    term = f"du {start} au {_day(end)}" if end else f"à partir du {start}, sans terme"
    return (
        f"Bonjour {lease['nom']},\n\nVoici l'essentiel de votre contrat de location {lease['numero_contrat']}.\n\n"
        f"Logement : {lease['logement']}, {lease['batiment']}\n"
        f"Durée : {term}\n"
        f"Loyer : {plain_amount(lease['montant_loyer'])} {lease['devise']} {PERIODS[lease['type_location']]}\n\n"
        f"{lease['organisation']}"
    )


def _day(text: str) -> str:
    return date.fromisoformat(text).strftime("%d/%m/%Y")
