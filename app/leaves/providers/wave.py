"""Wave: sessions of checkout, found again by our reference; notices signed over a moment and the body."""

import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from app.leaves.providers.adapter import UNKNOWN, Access, Fact, Lost, Notice, Order, Web, amount, decoded, paid, signed, text

API = "https://api.wave.com"
ANSWERED = 200
WINDOW = 300  # seconds
WORDS = {
    "timestamp": "date", "transaction_id": "identifiant", "counterparty_name": "libelle", "client_reference": "reference",
    "net_amount": "credit", "balance": "solde",
}  # fmt: skip
REFUSED = {"cancelled"}


async def ask(web: Web, access: Access, order: Order) -> Fact:
    body = {
        "amount": f"{order.amount.normalize():f}",
        "currency": order.currency,
        "client_reference": order.reference,
        "success_url": order.site,
        "error_url": order.site,
    }
    if order.phone:
        body["restrict_payer_mobile"] = order.phone.replace(" ", "")
    headers = {**_headers(access), "Idempotency-Key": order.reference}
    status, answer = await web.call("POST", f"{_api(access)}/v1/checkout/sessions", headers, json=body)
    if status == 409:  # this reference was asked for already
        return await look(web, access, order.reference, None)
    if status >= 400:
        return Fact("REFUSEE", motif=text(answer.get("message")) or f"Wave refuse la demande ({status}).")
    return _fact(answer)


async def look(web: Web, access: Access, reference: str | None, identifier: str | None) -> Fact:
    api = f"{_api(access)}/v1/checkout/sessions"
    url = f"{api}/{quote(identifier, '')}" if identifier else f"{api}/search?client_reference={quote(reference or '', '')}"
    status, answer = await web.call("GET", url, _headers(access))
    if status == 404:
        return UNKNOWN
    if status >= 400:
        raise Lost(f"Wave a mal répondu ({status}).")
    if identifier:
        return _fact(answer)
    found = answer.get("result")
    if not isinstance(found, list):
        raise Lost("Wave a répondu autre chose que des sessions.")
    sessions = [_fact(session) for session in found if isinstance(session, dict)]
    return next((fact for fact in sessions if fact.etat == "PAYEE"), sessions[-1] if sessions else UNKNOWN)


def notice(access: Access, headers: Mapping[str, str], body: bytes) -> list[Notice]:
    parts = [part.partition("=")[::2] for part in headers.get("wave-signature", "").split(",")]
    moment = next((value for name, value in parts if name.strip() == "t"), "")
    given = [value for name, value in parts if name.strip() == "v1"]
    recent = moment.isdigit() and abs(time.time() - int(moment[:12])) <= WINDOW
    genuine = recent and signed(access.secret, moment.encode() + body, given) if access.secret else None
    event = decoded(body)
    data: dict[str, Any] = event["data"] if isinstance(event.get("data"), dict) else {}
    session = text(data.get("id")) if str(event.get("type", "")).startswith("checkout.") else None
    return [Notice(text(event.get("id")), text(data.get("client_reference")), session, genuine)]


def _fact(session: dict[str, Any]) -> Fact:
    known = Fact(
        "ATTENTE", text(session.get("client_reference")), identifiant=text(session.get("id")),
        url=text(session.get("wave_launch_url")),
    )  # fmt: skip
    payment, checkout = session.get("payment_status"), session.get("checkout_status")
    if payment == "succeeded":
        return paid(
            Fact(
                "PAYEE", known.reference, text(session.get("transaction_id")), amount(session.get("amount")),
                amount(session.get("fee")), text(session.get("currency")), text(session.get("when_completed")),
                known.identifiant,
            )
        )  # fmt: skip
    if payment in REFUSED:
        return Fact("REFUSEE", known.reference, identifiant=known.identifiant, motif="Le payeur a renoncé.")
    if checkout == "expired":
        return Fact("EXPIREE", known.reference, identifiant=known.identifiant)
    if known.identifiant is None or checkout not in ("open", "complete"):
        raise Lost("Wave a répondu une session illisible.")
    return known


def _api(access: Access) -> str:
    return (access.adresse or API).rstrip("/")


def _headers(access: Access) -> dict[str, str]:
    return {"Authorization": f"Bearer {access.cle}"}
