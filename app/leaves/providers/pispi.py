"""PI-SPI, the instant payments of the BCEAO: demands to an alias, payments by a code, found again by our `txId`.

Public sources contradict each other on the unit of amounts, so it is a setting of the account.
"""

import base64
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any
from urllib.parse import quote

from app.leaves.providers.adapter import (
    Access,
    Claim,
    Fact,
    Lost,
    Notice,
    amount,
    call,
    decoded,
    paid,
    read_statement,
    signed,
    text,
)

API = "https://sandbox.api.pi-bceao.com/piz/v1"
ANSWERED = 204
LIMIT = timedelta(days=92)  # PI-SPI itself takes as much
BY_CODE = "QR"  # the identifier of a demand that only a code asks for
WORDS = {"dateIrrevocabilite": "date", "end2endId": "identifiant", "txId": "reference", "motif": "libelle",
         "montant": "credit", "montantFrais": "debit", "solde": "solde"}  # fmt: skip
statement = partial(read_statement, WORDS)


async def ask(access: Access, order: Claim) -> Fact:
    if not order.telephone:  # the code suffices: nothing is to be sent
        missing = "Donnez au compte son alias PI-SPI, ou à la demande un numéro de téléphone."
        known = Fact("ATTENTE", order.reference, identifiant=BY_CODE)
        return known if order.qr else Fact("REFUSEE", motif=missing)
    amount = (order.montant or 0) * _hundredths(order)
    body: dict[str, Any] = {
        "txId": order.reference, "confirmation": False, "categorie": "401", "payeAlias": order.compte,
        "payeurAlias": order.telephone.replace(" ", ""), "montant": amount if amount % 1 else int(amount),
        "motif": (order.libelle or "")[:140], "refDocType": "CINV", "refDocNumero": order.reference,
        "dateLimitePaiement": (order.expire_le or (datetime.now(UTC) + LIMIT).isoformat())[:10],
    }  # fmt: skip
    headers = await _headers(access, order)
    status, answer = await call(order, "POST", f"{_api(access)}/demandes-paiements", headers, json=body)
    if answer.get("statutRaison") == "DU03":  # this txId was asked for already
        return await look(access, order)
    if status >= 400:
        return Fact("REFUSEE", motif=text(answer.get("detail")) or f"PI-SPI refuse la demande ({status}).")
    return _demand(answer)


async def look(access: Access, sought: Claim) -> Fact:
    place, headers = quote(sought.reference or sought.identifiant or "", ""), await _headers(access, sought)
    status, payment = await call(sought, "GET", f"{_api(access)}/paiements/{place}", headers)
    if payment.get("statut") == "IRREVOCABLE":
        received, fees = (amount(payment.get(name)) for name in ("montant", "montantFrais"))
        return paid(Fact(
            "PAYEE", text(payment.get("txId")), text(payment.get("end2endId")),
            received and received / _hundredths(sought), fees and fees / _hundredths(sought), "XOF",
            text(payment.get("dateIrrevocabilite")),
        ))  # fmt: skip
    if status in (200, 404):
        status, demand = await call(sought, "GET", f"{_api(access)}/demandes-paiements/{place}", headers)
        if status == 404:
            open_ = payment.get("statut") or sought.identifiant == BY_CODE
            return Fact("ATTENTE", sought.reference) if open_ else Fact("INCONNUE")
        if status < 400:
            return _demand(demand)
    raise Lost(f"PI-SPI a mal répondu ({status}).")


def notice(access: Access, headers: Mapping[str, str], body: bytes) -> list[Notice]:
    genuine, events = signed(access.secret, body, [headers.get("x-signature", "")]), decoded(body).get("data")
    named = [event for event in events if isinstance(event, dict)] if isinstance(events, list) else []
    names = [(text(e.get("evCode")), text(e.get("end2endId")), text(e.get("txId"))) for e in named[:100]]
    return [Notice(f"{code} {end}" if code and end else None, ours, None, genuine) for code, end, ours in names]


def _demand(demand: dict[str, Any]) -> Fact:
    """A demand that is accepted is paid only once its payment says so."""
    reference, state = text(demand.get("txId")), demand.get("statut")
    if state == "REJETE":
        return Fact("REFUSEE", reference, motif=f"PI-SPI : {text(demand.get('statutRaison')) or 'rejetée'}.")
    if state not in ("INITIE", "ENVOYE", "IRREVOCABLE"):
        raise Lost("PI-SPI a répondu une demande illisible.")
    return Fact("ATTENTE", reference)


def _hundredths(claim: Claim) -> Decimal:
    return Decimal(100 if claim.unite == "CENTIEME" else 1)


def _api(access: Access) -> str:
    return (access.adresse or API).rstrip("/")


async def _headers(access: Access, claim: Claim) -> dict[str, str]:
    token: Any = access.cle
    if access.adresse_jeton:
        basic = base64.b64encode(f"{access.identifiant}:{access.cle}".encode()).decode()
        form = {"grant_type": "client_credentials"}
        _, answer = await call(claim, "POST", access.adresse_jeton, {"Authorization": f"Basic {basic}"}, form=form)
        token = answer.get("access_token")
    if not text(token):
        raise Lost("PI-SPI ne donne pas de jeton.")
    return {"Authorization": f"Bearer {token}"}
