"""Wave: sessions of checkout, found again by our reference; notices signed over a moment and the body."""

import time
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import parse_qs, quote

from app.jobs.outside import Lost, Reply, decoded, part, signed, text
from app.leaves.providers.adapter import Access, Claim, Fact, Notice
from app.leaves.providers.statement import read

API = "https://api.wave.com"
PAYMENT = {"succeeded": "PAYEE", "cancelled": "REFUSEE"}  # payment_status
CHECKOUT = {"expired": "EXPIREE", "open": "ATTENTE", "complete": "ATTENTE"}  # checkout_status
FACT = {"reference": "client_reference", "identifiant": "id", "url": "wave_launch_url", "transaction": "transaction_id",
        "montant": "amount", "frais": "fee", "devise": "currency", "date": "when_completed"}  # fmt: skip
statement = partial(read, words={
    "timestamp": "jour", "transaction_id": "identifiant", "counterparty_name": "libelle",
    "client_reference": "reference", "net_amount": "credit", "balance": "solde",
})  # fmt: skip


async def ask(order: Claim) -> Fact:
    body = {"amount": order.montant, "currency": order.devise, "client_reference": order.reference,
            "success_url": order.site, "error_url": order.site}  # fmt: skip
    if order.telephone:
        body["restrict_payer_mobile"] = order.telephone
    status, answer = await _sessions(order, "POST", json=body)
    if status == 409:  # this reference was asked for already
        return await look(order)
    if status >= 400:
        return Fact("REFUSEE", motif=text(answer.get("message")) or f"Wave refuse la demande ({status}).")
    return _fact(answer)


async def look(sought: Claim) -> Fact:
    place = quote(sought.identifiant, "") if sought.identifiant else f"search?client_reference={sought.reference}"
    status, answer = await _sessions(sought, "GET", f"/{place}")
    sessions = [answer] if sought.identifiant else answer.get("result")
    if status == 404 or sessions == []:
        return Fact("INCONNUE")
    if status < 400 and isinstance(sessions, list) and all(isinstance(session, dict) for session in sessions):
        return sorted(map(_fact, sessions), key=lambda fact: fact.etat == "PAYEE")[-1]
    raise Lost(f"Wave a mal répondu ({status}).")


def notice(access: Access, headers: Mapping[str, str], body: bytes) -> list[Notice]:
    given = parse_qs(headers.get("wave-signature", "").replace(" ", ""), separator=",")
    moment = given.get("t", [""])[0][:12]
    recent = moment.isdecimal() and abs(time.time() - int(moment)) <= 300  # seconds
    genuine = signed(access.secret, moment.encode() + body, given.get("v1", []) if recent else [])
    data = part(event := decoded(body), "data")
    session = data.get("id") if str(event.get("type")).startswith("checkout.") else None
    return [Notice(genuine, event.get("id"), data.get("client_reference"), session)]


def _fact(session: Mapping[str, Any]) -> Fact:
    state = PAYMENT.get(str(session.get("payment_status"))) or CHECKOUT.get(str(session.get("checkout_status")))
    if state is None or not session.get("id"):
        raise Lost("Wave a répondu une session illisible.")
    return Fact.read(state, session, FACT, motif="Le payeur a renoncé." if state == "REFUSEE" else None)


async def _sessions(claim: Claim, method: str, path: str = "", **sent: Any) -> Reply:
    headers = {"Authorization": f"Bearer {claim.access.cle}", "Idempotency-Key": claim.reference or ""}
    return await claim.call(method, f"/v1/checkout/sessions{path}", headers, **sent)
