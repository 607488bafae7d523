"""Wave: sessions of checkout, found again by our reference; notices signed over a moment and the body."""

import time
from collections.abc import Mapping
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

API = "https://api.wave.com"
ANSWERED = 200
WINDOW = 300  # seconds
WORDS = {"timestamp": "date", "transaction_id": "identifiant", "counterparty_name": "libelle",
         "client_reference": "reference", "net_amount": "credit", "balance": "solde"}  # fmt: skip
statement = partial(read_statement, WORDS)


async def ask(access: Access, order: Claim) -> Fact:
    body = {"amount": f"{order.montant or 0:.2f}".removesuffix(".00"), "currency": order.devise,
            "client_reference": order.reference, "success_url": order.site, "error_url": order.site}  # fmt: skip
    if order.telephone:
        body["restrict_payer_mobile"] = order.telephone.replace(" ", "")
    headers = {**_headers(access), "Idempotency-Key": order.reference or ""}
    status, answer = await call(order, "POST", _sessions(access), headers, json=body)
    if status == 409:  # this reference was asked for already
        return await look(access, order)
    if status >= 400:
        return Fact("REFUSEE", motif=text(answer.get("message")) or f"Wave refuse la demande ({status}).")
    return _fact(answer)


async def look(access: Access, sought: Claim) -> Fact:
    place = quote(sought.identifiant, "") if sought.identifiant else f"search?client_reference={sought.reference}"
    status, answer = await call(sought, "GET", f"{_sessions(access)}/{place}", _headers(access))
    sessions = [answer] if sought.identifiant else answer.get("result")
    if status == 404 or sessions == []:
        return Fact("INCONNUE")
    if status >= 400 or not isinstance(sessions, list):
        raise Lost(f"Wave a mal répondu ({status}).")
    facts = [_fact(session) for session in sessions if isinstance(session, dict)]
    return next((fact for fact in facts if fact.etat == "PAYEE"), facts[-1])


def notice(access: Access, headers: Mapping[str, str], body: bytes) -> list[Notice]:
    parts = [part.strip().partition("=")[::2] for part in headers.get("wave-signature", "").split(",")]
    moment = next((value for name, value in parts if name == "t"), "")[:12]
    recent = moment.isdecimal() and abs(time.time() - int(moment)) <= WINDOW
    given = [value for name, value in parts if name == "v1" and recent]
    event = decoded(body)
    data: dict[str, Any] = event["data"] if isinstance(event.get("data"), dict) else {}
    session = text(data.get("id")) if str(event.get("type")).startswith("checkout.") else None
    genuine = signed(access.secret, moment.encode() + body, given)
    return [Notice(text(event.get("id")), text(data.get("client_reference")), session, genuine)]


def _fact(session: dict[str, Any]) -> Fact:
    fact = Fact("ATTENTE", text(session.get("client_reference")), identifiant=text(session.get("id")))
    payment, checkout = session.get("payment_status"), session.get("checkout_status")
    if payment == "succeeded":
        fact.etat, fact.transaction = "PAYEE", text(session.get("transaction_id"))
        fact.montant, fact.frais = amount(session.get("amount")), amount(session.get("fee"))
        fact.devise, fact.date = text(session.get("currency")), text(session.get("when_completed"))
        return paid(fact)
    if payment == "cancelled":
        fact.etat, fact.motif = "REFUSEE", "Le payeur a renoncé."
    elif checkout == "expired":
        fact.etat = "EXPIREE"
    elif fact.identifiant is None or checkout not in ("open", "complete"):
        raise Lost("Wave a répondu une session illisible.")
    else:
        fact.url = text(session.get("wave_launch_url"))
    return fact


def _sessions(access: Access) -> str:
    return f"{(access.adresse or API).rstrip('/')}/v1/checkout/sessions"


def _headers(access: Access) -> dict[str, str]:
    return {"Authorization": f"Bearer {access.cle}"}
