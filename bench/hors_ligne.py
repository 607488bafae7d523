"""Sales of a till: in lots of a device, and one by one by a key of the same till."""

import statistics
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx

from bench.goal import ROUNDS, Bench, Goal, say

SALES, LOT = 1000, 200
PRICE = "500"
PERMISSIONS = ["FINANCES.CREER", "FINANCES.VOIR", "MARCHANDISE.CREER", "MARCHANDISE.VOIR"]


def lots(bench: Bench) -> Iterator[Goal]:
    """A round trip on this machine is what a request costs that reads nothing: it is taken off the sales one by one."""
    rounds = []
    with bench.service() as service:
        admin = service.new_client(authorization=service.login().headers["authorization"])
        till, sale = _shop(admin)
        device = _made(admin, f"/finances/caisses/{till}/appareils", {"libelle": "Banc"})
        narrowed = {"libelle": "Banc", "permissions": PERMISSIONS, "id_caisse": till}
        offline = service.new_client(authorization=f"Bearer {device['cle']}")
        for turn in range(ROUNDS):
            key = _made(admin, "/auth/cles", narrowed)["cle"]  # of each round: a key has a bound of calls in a minute
            single = service.new_client(authorization=f"Bearer {key}")
            alone = trips = together = 0.0
            for first in range(turn * SALES, (turn + 1) * SALES, LOT):
                alone += _seconds(single, [("/market/ventes", sale)] * LOT, 201)
                trips += _seconds(single, [("/health/live", None)] * LOT, 200)
                body = _lot(device["id_appareil"], sale, first)
                together += _seconds(offline, [(f"/finances/caisses/{till}/lots", body)], 200, _accepted)
            value = together / (alone - trips)
            rounds.append({"value": value, "alone": alone, "trips": trips, "together": together})
            say(f"hors ligne : {together:.1f} s en lots, {alone:.1f} s une à une, dont {trips:.1f} s d'allers-retours")
    text = f"Temps de {SALES} ventes reçues par lots de {LOT}, divisé par leur temps une à une sans les allers-retours."
    value = statistics.median(turn["value"] for turn in rounds)
    yield Goal("hors-ligne", value, 1.2, text, at_least=False, rounds=rounds)


def _shop(admin: httpx.Client) -> tuple[str, dict[str, Any]]:
    """An open till of the shop, and a sale of a product that does not run out."""
    activities = admin.get("/finances/activites").json()
    shop = next(row["id_activite"] for row in activities if row["code"] == "VENTE_MARCHANDISES")
    till = str(_made(admin, "/finances/caisses", {"libelle": "Banc", "id_activite": shop})["id_caisse"])
    _made(admin, f"/finances/caisses/{till}/ouvrir", {})
    product = _made(admin, "/market/produits", {"nom": "Banc", "prix_achat": "300", "prix_vente": PRICE})["id_produit"]
    _made(admin, "/market/mouvements", {"id_produit": product, "type": "ENTREE", "quantite": "1000000"})
    lines = [{"id_produit": product, "quantite": "1"}]
    return till, {"lignes": lines, "paiement": {"montant": PRICE, "id_moyen": "1"}}


def _made(client: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = client.post(path, json=body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def _lot(device: str, sale: dict[str, Any], first: int) -> dict[str, Any]:
    now = datetime.now(UTC).isoformat()
    call = {"methode": "POST", "chemin": "/api/v1/market/ventes", "corps": sale, "instant": now}
    made = [{"sequence": str(n), "id": str(uuid.uuid4()), **call} for n in range(first + 1, first + LOT + 1)]
    return {"id_appareil": device, "operations": made}


def _accepted(answer: httpx.Response) -> bool:
    return {operation["etat"] for operation in answer.json()["operations"]} == {"ACCEPTEE"}


def _seconds(
    client: httpx.Client,
    calls: list[tuple[str, Any]],
    status: int,
    check: Callable[[httpx.Response], bool] = lambda _: True,
) -> float:
    """The seconds of these requests, one after the other."""
    began = time.perf_counter()
    answers = [client.get(path) if body is None else client.post(path, json=body) for path, body in calls]
    seconds = time.perf_counter() - began
    for answer in answers:
        assert answer.status_code == status and check(answer), answer.text
    return seconds
