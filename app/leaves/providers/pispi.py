"""PI-SPI, the instant payments of the BCEAO: demands to an alias, payments by a code, found again by our `txId`.

Public sources contradict each other on the unit of amounts, so it is a setting of the account.
"""

import base64
from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import quote

from app.leaves.providers.adapter import UNKNOWN, Access, Fact, Lost, Notice, Order, Web, amount, decoded, paid, signed, text

API = "https://sandbox.api.pi-bceao.com/piz/v1"
ANSWERED = 204
CURRENCY = "XOF"  # of the whole system
BY_CODE = "QR"  # the identifier of a demand that only a code asks for
WORDS = {
    "dateIrrevocabilite": "date", "end2endId": "identifiant", "txId": "reference", "motif": "libelle",
    "montant": "credit", "montantFrais": "debit", "solde": "solde",
}  # fmt: skip


async def ask(web: Web, access: Access, order: Order) -> Fact:
    if not order.phone:  # the code suffices: nothing is to be sent
        known = order.qr is not None
        missing = "Donnez au compte son alias PI-SPI, ou à la demande un numéro de téléphone."
        return Fact("ATTENTE", order.reference, identifiant=BY_CODE) if known else Fact("REFUSEE", motif=missing)
    body: dict[str, Any] = {
        "txId": order.reference, "confirmation": False, "categorie": "401", "payeAlias": access.compte,
        "payeurAlias": order.phone.replace(" ", ""), "montant": _written(access, order.amount),
        "motif": order.label[:140], "refDocType": "CINV", "refDocNumero": order.reference,
    }  # fmt: skip
    if order.expires:
        body["dateLimitePaiement"] = order.expires
    headers = await _headers(web, access)
    status, answer = await web.call("POST", f"{_api(access)}/demandes-paiements", headers, json=body)
    if str(answer.get("statutRaison")) == "DU03":  # this txId was asked for already
        return await look(web, access, order.reference, None)
    if status >= 400:
        return Fact("REFUSEE", motif=text(answer.get("detail")) or f"PI-SPI refuse la demande ({status}).")
    return _demand(answer)


async def look(web: Web, access: Access, reference: str | None, identifier: str | None) -> Fact:
    sought, headers = quote(reference or identifier or "", ""), await _headers(web, access)
    status, payment = await web.call("GET", f"{_api(access)}/paiements/{sought}", headers)
    if status < 400 and payment.get("statut") == "IRREVOCABLE":
        return paid(
            Fact(
                "PAYEE", text(payment.get("txId")), text(payment.get("end2endId")), _read(access, payment.get("montant")),
                _read(access, payment.get("montantFrais")), CURRENCY, text(payment.get("dateIrrevocabilite")),
            )
        )  # fmt: skip
    if status not in (404, 200):
        raise Lost(f"PI-SPI a mal répondu ({status}).")
    status, demand = await web.call("GET", f"{_api(access)}/demandes-paiements/{sought}", headers)
    if status == 404:
        return Fact("ATTENTE", reference) if payment.get("statut") or identifier == BY_CODE else UNKNOWN
    if status >= 400:
        raise Lost(f"PI-SPI a mal répondu ({status}).")
    return _demand(demand)


def notice(access: Access, headers: Mapping[str, str], body: bytes) -> list[Notice]:
    genuine = signed(access.secret, body, [headers.get("x-signature", "")]) if access.secret else None
    events = decoded(body).get("data")
    named = [event for event in events if isinstance(event, dict)] if isinstance(events, list) else []
    return [
        Notice(
            " ".join(filter(None, (text(event.get("evCode")), text(event.get("end2endId"))))) or None,
            text(event.get("txId")), None, genuine,
        )
        for event in named[:100]
    ]  # fmt: skip


def _demand(demand: dict[str, Any]) -> Fact:
    """A demand that is accepted is paid only once its payment says so."""
    reference, state = text(demand.get("txId")), demand.get("statut")
    if state == "REJETE":
        return Fact("REFUSEE", reference, motif=f"PI-SPI : {text(demand.get('statutRaison')) or 'rejetée'}.")
    if state not in ("INITIE", "ENVOYE", "IRREVOCABLE"):
        raise Lost("PI-SPI a répondu une demande illisible.")
    return Fact("ATTENTE", reference)


def _written(access: Access, francs: Decimal) -> Decimal | int:
    number = francs * 100 if access.unite == "CENTIEME" else francs
    return int(number) if number == int(number) else number


def _read(access: Access, value: Any) -> Decimal | None:
    number = amount(value)
    return number / 100 if number is not None and access.unite == "CENTIEME" else number


def _api(access: Access) -> str:
    return (access.adresse or API).rstrip("/")


async def _headers(web: Web, access: Access) -> dict[str, str]:
    if not access.adresse_jeton:
        return {"Authorization": f"Bearer {access.cle}"}
    basic = base64.b64encode(f"{access.identifiant}:{access.cle}".encode()).decode()
    form = {"grant_type": "client_credentials"}
    status, answer = await web.call("POST", access.adresse_jeton, {"Authorization": f"Basic {basic}"}, form=form)
    if status >= 400 or not text(answer.get("access_token")):
        raise Lost(f"PI-SPI ne donne pas de jeton ({status}).")
    return {"Authorization": f"Bearer {answer['access_token']}"}
