"""Clients that pay under load: each repeats its request under one idempotency key until it gets a final answer."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx

from tests import builders
from tests.conftest import ok
from tests.server import PATIENCE

MOYEN = "1"
PASSING = {429, 503}


@dataclass(frozen=True)
class Act:
    method: str
    path: str
    body: dict[str, Any] | None
    status: int
    answer: Any


@dataclass
class Ground:
    """The goods to sell, and the tills that take the money."""

    caisses: list[str]
    prestation: str
    produit: str
    client: str


def prepare(admin: httpx.Client) -> Ground:
    def create(path: str, key: str, **body: Any) -> str:
        return str(ok(admin.post(path, json=body))[key])

    caisses = [create("/finances/caisses", "id_caisse", libelle=f"Comptoir {n}", id_activite="1") for n in (1, 2)]
    for caisse in caisses:
        assert admin.post(f"/finances/caisses/{caisse}/ouvrir").status_code == 201
    article = {"nom": "Savon", "prix_achat": "500", "prix_vente": "750", "quantite_initiale": "1000000"}
    service = create("/facturation/prestations", "id_prestation", libelle="Chaises", prix="1000", id_activite="1")
    product = create("/market/produits", "id_produit", **article)
    client = create("/client/clients", "id_client", **builders.CLIENT)
    return Ground(caisses, service, product, client)


def payment_request(ground: Ground, rng: random.Random) -> tuple[str, dict[str, Any]]:
    """An operation that takes money, with its body."""
    kind, units = rng.randrange(4), rng.randint(1, 3)
    if kind == 0:
        return f"/facturation/prestations/{ground.prestation}/facturer", {"montant": "400", "id_moyen": MOYEN}
    if kind == 1:
        return "/finances/paiements", {"montant": "250", "id_moyen": MOYEN, "id_caisse": rng.choice(ground.caisses)}
    if kind == 2:
        paid = {"montant": str(750 * units), "id_moyen": MOYEN}
        return "/market/ventes", {"lignes": [{"id_produit": ground.produit, "quantite": units}], "paiement": paid}
    lines = [{"type_vetement": "Chemise", "quantite": units, "prestation": "Lavage", "tarif": "1000"}]
    paid = {"montant": "700", "id_moyen": MOYEN}
    return "/pressing/commandes", {"id_client": ground.client, "lignes": lines, "paiement": paid}


@dataclass
class Clients:
    """Concurrent clients of one service, and the answers that they got."""

    url: str
    headers: Mapping[str, str]  # the session, and for instance the organisation
    acts: list[Act] = field(default_factory=list)
    tries: Counter[Any] = field(default_factory=Counter)
    _answered: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, http: httpx.AsyncClient, rng: random.Random, method: str, path: str, body: Any = None) -> Act:
        """Send the request, and repeat it while the service cannot be reached or asks the client to try later."""
        key = str(UUID(int=rng.getrandbits(128)))
        while True:
            act = await self.ask_once(http, key, method, path, body)
            if act is not None:
                return act
            await asyncio.sleep(rng.uniform(0.01, 0.1))

    async def ask_once(self, http: httpx.AsyncClient, key: str, method: str, path: str, body: Any) -> Act | None:
        """Send the request. None if no final answer came: the service may have done what was asked."""
        try:
            answer = await http.request(method, path, json=body, headers={"Idempotency-Key": key})
        except httpx.TransportError as error:
            self.tries[type(error).__name__] += 1
            return None
        self.tries[answer.status_code] += 1
        if answer.status_code in PASSING or '"REQUETE_EN_COURS"' in answer.text:
            return None
        act = Act(method, path, body, answer.status_code, answer.json() if answer.content else None)
        self.acts.append(act)
        self._answered.set()
        return act

    def http(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=f"{self.url}/api/v1", headers=self.headers, timeout=PATIENCE)

    async def ok(self, more: int) -> None:
        """Wait until this many more answers have come."""
        wanted = len(self.acts) + more
        async with asyncio.timeout(4 * PATIENCE):
            while len(self.acts) < wanted:
                self._answered.clear()
                await self._answered.wait()

    def acknowledged(self) -> dict[str, str]:
        amounts: dict[str, str] = {}
        for act in self.acts:
            assert act.status == 201, act
            assert act.answer["id_paiement"] not in amounts, f"one payment for two requests: {act}"
            paid = act.body.get("paiement", act.body) if act.body else {}
            amounts[act.answer["id_paiement"]] = f"{paid['montant']}.00"
        return amounts


async def under_load(clients: Clients, count: int, ground: Ground, seed: int, trouble: Callable[[], Any]) -> None:
    """Run this many paying clients while `trouble` runs. Each client waits for the answer to its last request."""
    over = asyncio.Event()

    async def client(number: int) -> None:
        rng = random.Random(f"{seed} {number}")
        async with clients.http() as http:
            while not over.is_set():
                await clients.ask(http, rng, "POST", *payment_request(ground, rng))

    async with asyncio.TaskGroup() as tasks:
        for number in range(count):
            tasks.create_task(client(number))
        try:
            await trouble()
        finally:
            over.set()
