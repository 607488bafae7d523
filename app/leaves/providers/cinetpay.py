"""CinetPay: a page to pay on, `payment/check` to ask, and notices as forms signed over listed fields."""

from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from app.jobs.outside import Lost, Reply, part, signed, text
from app.leaves.providers.adapter import Access, Claim, Fact, Notice
from app.leaves.providers.statement import read

API = "https://api-checkout.cinetpay.com"
SIGNED = (
    "cpm_site_id", "cpm_trans_id", "cpm_trans_date", "cpm_amount", "cpm_currency", "signature", "payment_method",
    "cel_phone_num", "cpm_phone_prefixe", "cpm_language", "cpm_version", "cpm_payment_config", "cpm_page_action",
    "cpm_custom", "cpm_designation", "cpm_error_message",
)  # fmt: skip
STATES = {"ACCEPTED": "PAYEE", "REFUSED": "REFUSEE", "CANCELLED": "REFUSEE", "EXPIRED": "EXPIREE"}
FACT = {"montant": "amount", "frais": "fees", "devise": "currency", "date": "payment_date"}
statement = partial(read, words={
    "payment_date": "jour", "transaction_id": "reference", "operator_id": "identifiant", "description": "libelle",
    "amount": "credit", "fees": "debit", "balance": "solde",
})  # fmt: skip


async def ask(order: Claim) -> Fact:
    known = await look(order)  # CinetPay names no code for a reference that was used already
    if known.etat != "INCONNUE":
        return known
    if not order.montant.isdecimal():
        return Fact("REFUSEE", motif="CinetPay ne prend que des montants entiers.")
    body = {"amount": int(order.montant), "currency": order.devise, "channels": "ALL", "description": order.libelle,
            "notify_url": order.avis, "return_url": order.site}  # fmt: skip
    if order.telephone:
        body["customer_phone_number"] = order.telephone
    status, answer = await _call(order, "/v2/payment", body)
    if answer.get("code") == "201" and (page := part(answer, "data").get("payment_url")):
        return Fact("ATTENTE", order.reference, url=page)
    if status < 400 and "code" not in answer:
        raise Lost("CinetPay a répondu autre chose qu'une page de paiement.")
    reason = text(answer.get("description")) or text(answer.get("message"))
    return Fact("REFUSEE", motif=reason or f"CinetPay refuse la demande ({status}).")


async def look(sought: Claim) -> Fact:
    status, answer = await _call(sought, "/v2/payment/check", {})
    data = part(answer, "data")
    if status in (400, 404) and not data.get("status"):
        return Fact("INCONNUE")
    if not data.get("status"):
        raise Lost(f"CinetPay a mal répondu ({status}).")
    state = STATES.get(str(data["status"]), "ATTENTE")
    # One reference is paid once. The number of the operator may come later than the money.
    reference = data.get("transaction_id") or sought.reference or sought.identifiant
    motif = answer.get("message") if state == "REFUSEE" else None
    return Fact.read(state, data, FACT, reference=reference, transaction=reference, motif=motif)


def notice(access: Access, headers: Mapping[str, str], body: bytes) -> list[Notice]:
    fields = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    content = "".join(fields.get(name, "") for name in SIGNED).encode()
    return [Notice(signed(access.secret, content, [headers.get("x-token", "")]), None, fields.get("cpm_trans_id"))]


async def _call(claim: Claim, path: str, body: dict[str, Any]) -> Reply:
    reference = claim.reference or claim.identifiant
    named = {"apikey": claim.access.cle, "site_id": claim.access.identifiant, "transaction_id": reference}
    return await claim.call("POST", path, {}, json=named | body)
