"""CinetPay: a page to pay on, `payment/check` to ask, and notices as forms signed over listed fields."""

from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from app.leaves.providers.adapter import (
    Access,
    Claim,
    Fact,
    Lost,
    Notice,
    amount,
    call,
    paid,
    read_statement,
    signed,
    text,
)

API = "https://api-checkout.cinetpay.com"
ANSWERED = 200
SIGNED = (
    "cpm_site_id", "cpm_trans_id", "cpm_trans_date", "cpm_amount", "cpm_currency", "signature", "payment_method",
    "cel_phone_num", "cpm_phone_prefixe", "cpm_language", "cpm_version", "cpm_payment_config", "cpm_page_action",
    "cpm_custom", "cpm_designation", "cpm_error_message",
)  # fmt: skip
WORDS = {"payment_date": "date", "transaction_id": "reference", "operator_id": "identifiant",
         "description": "libelle", "amount": "credit", "fees": "debit", "balance": "solde"}  # fmt: skip
statement = partial(read_statement, WORDS)
STATES = {"ACCEPTED": "PAYEE", "REFUSED": "REFUSEE", "CANCELLED": "REFUSEE", "EXPIRED": "EXPIREE"}


async def ask(access: Access, order: Claim) -> Fact:
    known = await look(access, order)  # CinetPay names no code for a reference that was used already
    if known.etat != "INCONNUE":
        return known
    if order.montant is None or order.montant % 1:
        return Fact("REFUSEE", motif="CinetPay ne prend que des montants entiers.")
    body = {"amount": int(order.montant), "currency": order.devise, "channels": "ALL", "description": order.libelle,
            "notify_url": order.avis, "return_url": order.site}  # fmt: skip
    if order.telephone:
        body["customer_phone_number"] = order.telephone.replace(" ", "")
    status, answer, data = await _call(access, order, "/v2/payment", order.reference, body)
    if answer.get("code") == "201" and text(data.get("payment_url")):
        return Fact("ATTENTE", order.reference, url=text(data["payment_url"]))
    if status < 400 and "code" not in answer:
        raise Lost("CinetPay a répondu autre chose qu'une page de paiement.")
    reason = text(answer.get("description")) or text(answer.get("message"))
    return Fact("REFUSEE", motif=reason or f"CinetPay refuse la demande ({status}).")


async def look(access: Access, sought: Claim) -> Fact:
    reference = sought.reference or sought.identifiant
    status, answer, data = await _call(access, sought, "/v2/payment/check", reference, {})
    if not data.get("status"):
        if status in (400, 404):
            return Fact("INCONNUE")
        raise Lost(f"CinetPay a mal répondu ({status}).")
    fact = Fact(STATES.get(str(data["status"]), "ATTENTE"), text(data.get("transaction_id")) or reference)
    if fact.etat == "PAYEE":
        # One reference is paid once. The number of the operator may come later than the money.
        fact.transaction, fact.devise = fact.reference, text(data.get("currency"))
        fact.montant, fact.frais = amount(data.get("amount")), amount(data.get("fees"))
        moment = text(data.get("payment_date"))
        fact.date = f"{moment}Z" if moment and moment[-1:].isdecimal() else None  # of UTC, without a zone
        return paid(fact)
    fact.motif = text(answer.get("message")) if fact.etat == "REFUSEE" else None
    return fact


def notice(access: Access, headers: Mapping[str, str], body: bytes) -> list[Notice]:
    fields = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    content = "".join(fields.get(name, "") for name in SIGNED).encode()
    genuine = signed(access.secret, content, [headers.get("x-token", "")])
    return [Notice(None, text(fields.get("cpm_trans_id")), None, genuine)]


async def _call(
    access: Access, claim: Claim, path: str, reference: str | None, body: dict[str, Any]
) -> tuple[int, dict[str, Any], dict[str, Any]]:
    sent = {"apikey": access.cle, "site_id": access.identifiant, "transaction_id": reference, **body}
    status, answer = await call(claim, "POST", f"{(access.adresse or API).rstrip('/')}{path}", {}, json=sent)
    return status, answer, answer["data"] if isinstance(answer.get("data"), dict) else {}
