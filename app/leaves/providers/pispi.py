"""PI-SPI, the instant payments of the BCEAO: demands to an alias, payments by a code, found again by our `txId`.
The unit of amounts, on which public sources contradict each other, is a setting of the account: SQL applies it."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import quote

from aiohttp import encode_basic_auth
from msgspec import json

from app.jobs.outside import Lost, decoded, signed, text
from app.leaves.providers.adapter import Access, Claim, Fact, Notice
from app.leaves.providers.statement import read

API = "https://sandbox.api.pi-bceao.com/piz/v1"
ANSWERED = 204
BY_CODE = "QR"  # the identifier of a demand that only a code asks for
FACT = {"reference": "txId", "transaction": "end2endId", "montant": "montant", "frais": "montantFrais",
        "date": "dateIrrevocabilite"}  # fmt: skip
statement = partial(read, words={
    "dateIrrevocabilite": "jour", "end2endId": "identifiant", "txId": "reference", "motif": "libelle",
    "montant": "credit", "montantFrais": "debit", "solde": "solde",
})  # fmt: skip


async def ask(order: Claim) -> Fact:
    if not order.telephone:  # the code suffices: nothing is to be sent
        missing = "Donnez au compte son alias PI-SPI, ou à la demande un numéro de téléphone."
        known = Fact("ATTENTE", order.reference, identifiant=BY_CODE)
        return known if order.qr else Fact("REFUSEE", motif=missing)
    body = {
        "txId": order.reference, "confirmation": False, "categorie": "401", "payeAlias": order.compte,
        "payeurAlias": order.telephone, "montant": json.decode(order.montant), "motif": (order.libelle or "")[:140],
        "refDocType": "CINV", "refDocNumero": order.reference,
        "dateLimitePaiement": (order.expire_le or (datetime.now(UTC) + timedelta(days=92)).isoformat())[:10],
    }  # fmt: skip
    status, answer = await order.call("POST", "/demandes-paiements", await _token(order), json=body)
    if answer.get("statutRaison") == "DU03":  # this txId was asked for already
        return await look(order)
    if status >= 400:
        return Fact("REFUSEE", motif=text(answer.get("detail")) or f"PI-SPI refuse la demande ({status}).")
    return _demand(answer)


async def look(sought: Claim) -> Fact:
    place, token = quote(sought.reference or sought.identifiant or "", ""), await _token(sought)
    status, payment = await sought.call("GET", f"/paiements/{place}", token)
    if payment.get("statut") == "IRREVOCABLE":
        return Fact.read("PAYEE", payment, FACT, devise="XOF")
    if status in (200, 404):
        status, demand = await sought.call("GET", f"/demandes-paiements/{place}", token)
        if status == 404:
            open_ = payment.get("statut") or sought.identifiant == BY_CODE
            return Fact("ATTENTE", sought.reference) if open_ else Fact("INCONNUE")
        if status < 400:
            return _demand(demand)
    raise Lost(f"PI-SPI a mal répondu ({status}).")


def notice(access: Access, headers: Mapping[str, str], body: bytes) -> list[Notice]:
    genuine, events = signed(access.secret, body, [headers.get("x-signature", "")]), decoded(body).get("data")
    named = [event for event in events if isinstance(event, dict)] if isinstance(events, list) else []
    names = [(text(e.get("evCode")), text(e.get("end2endId")), e.get("txId")) for e in named[:100]]
    return [Notice(genuine, f"{code} {end}" if code and end else None, ours) for code, end, ours in names]


def _demand(demand: Mapping[str, Any]) -> Fact:
    """A demand that is accepted is paid only once its payment says so."""
    if demand.get("statut") == "REJETE":
        return Fact("REFUSEE", demand.get("txId"), motif=f"PI-SPI : {text(demand.get('statutRaison')) or 'rejetée'}.")
    if demand.get("statut") not in ("INITIE", "ENVOYE", "IRREVOCABLE"):
        raise Lost("PI-SPI a répondu une demande illisible.")
    return Fact("ATTENTE", demand.get("txId"))


async def _token(claim: Claim) -> dict[str, str]:
    """The header of a call: the key, or a token that the key of OAuth 2 gives."""
    access, token = claim.access, claim.access.cle
    if access.adresse_jeton:
        basic = {"Authorization": encode_basic_auth(access.identifiant, access.cle, "utf-8")}
        _, answer = await claim.call("POST", access.adresse_jeton, basic, form={"grant_type": "client_credentials"})
        token = text(answer.get("access_token"), 10_000)
    if not token:
        raise Lost("PI-SPI ne donne pas de jeton.")
    return {"Authorization": f"Bearer {token}"}
