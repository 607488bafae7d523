"""Notices of a provider, answered by the service while 16 connections settle over HTTP."""

import hashlib
import hmac
import json
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx

from bench.goal import ROUNDS, Bench, Goal, say

KEY = "cle-des-avis-du-banc"
PAUSE = 0.1  # seconds between two notices


def notices(bench: Bench) -> Iterator[Goal]:
    """Each notice is genuine, new, and stored before its answer. Its demand is unknown, and no worker runs."""
    rounds = []
    with bench.service() as service:
        admin = service.new_client(authorization=service.login().headers["authorization"])
        fields = {"libelle": "Wave du banc", "genre": "MOBILE", "fournisseur": "WAVE", "id_moyen": "2"}
        account = admin.post("/tresorerie/comptes", json=fields).json()["id_compte"]
        keys = {"cle": "banc", "secret": KEY}
        url = admin.put(f"/tresorerie/comptes/{account}/acces", json=keys).json()["url_avis"]
        path = httpx.URL(url).path
        for turn in range(ROUNDS):
            with ThreadPoolExecutor(1) as pool, httpx.Client(base_url=service.url) as client:
                settling = pool.submit(bench.ask, service, "reglement.lua")
                times: list[float] = []
                while not settling.done():
                    times.append(_answered(client, path, f"{turn} {len(times)}"))
                    time.sleep(PAUSE)
            rounds.append({"value": statistics.median(times), "notices": len(times)})
            rate = settling.result().per_second
            say(f"avis : {rounds[-1]['value']:.1f} ms (médiane de {len(times)}), {rate:.0f} règlements/s à côté")
    text = "Millisecondes de la réponse à un avis de fournisseur, médiane, pendant que 16 connexions règlent."
    value = statistics.median(turn["value"] for turn in rounds)
    yield Goal("avis", value, 10, text, at_least=False, unit=" ms", rounds=rounds)


def _answered(client: httpx.Client, path: str, event: str) -> float:
    """Send a notice and return the milliseconds until its answer."""
    data = {"id": "cos-1", "client_reference": "D-INCONNUE", "amount": "1000", "currency": "XOF"}
    body = json.dumps({"id": event, "type": "checkout.session.completed", "data": data}).encode()
    moment = str(int(time.time()))
    signature = hmac.new(KEY.encode(), moment.encode() + body, hashlib.sha256).hexdigest()
    headers = {"content-type": "application/json", "wave-signature": f"t={moment},v1={signature}"}
    began = time.perf_counter()
    answer = client.post(path, content=body, headers=headers)
    milliseconds = (time.perf_counter() - began) * 1000
    assert answer.status_code == 200, answer.text
    return milliseconds
