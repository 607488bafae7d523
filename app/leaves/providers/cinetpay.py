"""CinetPay: a page to pay on, `payment/check` to ask, and notices as forms signed over listed fields."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from app.leaves.providers.adapter import UNKNOWN, Access, Fact, Lost, Notice, Order, Web, amount, paid, signed, text

API = "https://api-checkout.cinetpay.com"
ANSWERED = 200
SIGNED = (
    "cpm_site_id", "cpm_trans_id", "cpm_trans_date", "cpm_amount", "cpm_currency", "signature", "payment_method",
    "cel_phone_num", "cpm_phone_prefixe", "cpm_language", "cpm_version", "cpm_payment_config", "cpm_page_action",
    "cpm_custom", "cpm_designation", "cpm_error_message",
)  # fmt: skip
WORDS = {
    "date": "date", "transaction_id": "reference", "operator_id": "identifiant", "designation": "libelle",
    "amount": "credit", "fees": "debit", "balance": "solde",
}  # fmt: skip
STATES = {"ACCEPTED": "PAYEE", "REFUSED": "REFUSEE", "CANCELLED": "REFUSEE", "EXPIRED": "EXPIREE"}
TAKEN = ("608",)  # the reference was used already, among other mistakes: look


async def ask(web: Web, access: Access, order: Order) -> Fact:
    body = {
        **_keys(access, order.reference), "amount": int(order.amount), "currency": order.currency, "channels": "ALL",
        "description": order.label, "notify_url": order.notices, "return_url": order.site,
    }  # fmt: skip
    if order.amount != int(order.amount):
        return Fact("REFUSEE", motif="CinetPay ne prend que des montants entiers.")
    if order.phone:
        body["customer_phone_number"] = order.phone.replace(" ", "")
    status, answer = await web.call("POST", f"{_api(access)}/v2/payment", {}, json=body)
    data = _data(answer)
    if answer.get("code") == "201" and text(data.get("payment_url")):
        return Fact("ATTENTE", order.reference, url=text(data["payment_url"]))
    if str(answer.get("code")) in TAKEN:
        found = await look(web, access, order.reference, None)
        if found != UNKNOWN:
            return found
    if status < 400 and "code" not in answer:
        raise Lost("CinetPay a répondu autre chose qu'une page de paiement.")
    reason = text(answer.get("description")) or text(answer.get("message"))
    return Fact("REFUSEE", motif=reason or f"CinetPay refuse la demande ({status}).")


async def look(web: Web, access: Access, reference: str | None, identifier: str | None) -> Fact:
    sought = reference or identifier or ""
    status, answer = await web.call("POST", f"{_api(access)}/v2/payment/check", {}, json=_keys(access, sought))
    data = _data(answer)
    state = STATES.get(str(data.get("status")), "ATTENTE" if data.get("status") else None)
    if state is None:
        if status in (400, 404) or "NOT_FOUND" in str(answer.get("message")):
            return UNKNOWN
        raise Lost(f"CinetPay a mal répondu ({status}).")
    answered = text(data.get("transaction_id")) or sought
    if state == "PAYEE":
        # One reference is paid once. The number of the operator may come later than the money.
        return paid(
            Fact(
                state, answered, answered, amount(data.get("amount")), amount(data.get("fees")),
                text(data.get("currency")), _date(data),
            )
        )  # fmt: skip
    return Fact(state, answered, motif=text(answer.get("message")) if state == "REFUSEE" else None)


def notice(access: Access, headers: Mapping[str, str], body: bytes) -> list[Notice]:
    fields = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    content = "".join(fields.get(name, "") for name in SIGNED).encode()
    genuine = signed(access.secret, content, [headers.get("x-token", "")]) if access.secret else None
    return [Notice(None, text(fields.get("cpm_trans_id")), None, genuine)]


def _keys(access: Access, reference: str) -> dict[str, Any]:
    return {"apikey": access.cle, "site_id": access.identifiant, "transaction_id": reference}


def _api(access: Access) -> str:
    return (access.adresse or API).rstrip("/")


def _data(answer: dict[str, Any]) -> dict[str, Any]:
    data = answer.get("data")
    return data if isinstance(data, dict) else {}


def _date(data: dict[str, Any]) -> str | None:
    """CinetPay writes moments of UTC without a zone."""
    written = text(data.get("payment_date"))
    return f"{written}Z" if written and written[-1].isdigit() else None
