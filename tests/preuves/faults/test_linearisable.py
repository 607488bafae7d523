"""Histories of tills, products, invoices and payments that 16 clients record under kills are linearizable.

Half of the clients repeat a request under its key until they get an answer. The others give up when no answer comes:
the call may then take effect later, or never. tests/linear.py decides.
"""

import asyncio
import itertools
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests import ledger
from tests.clients import MOYEN, Act, Clients, prepare
from tests.conftest import execute, ok
from tests.deployment import CLIENTS, Deployment
from tests.linear import CLOSED, Call, amount, till, unexplained
from tests.preuve import selon
from tests.server import eventually
from tests.standby import Pair, synchronous

CALLS = selon(80, 900)  # between two faults
OBJECTS = range(selon(6, 12))
TOTAL, STOCK = 6000, 20  # of each invoice, of each product
MODELS: dict[str, tuple[Callable[[Any, Call], Any], Any]] = {
    "caisse": (till, (CLOSED, 0, 0)),
    "produit": (amount(10**9), STOCK),
    "facture": (amount(TOTAL), 0),
    "paiement": (amount(1), 0),  # how often it is cancelled
    "vente": (amount(1), 0),
}
# Each refusal says something of one object. All others are errors.
REFUSALS = {
    "CAISSE_DEJA_OUVERTE": "caisse", "CAISSE_DEJA_FERMEE": "caisse", "PERIODE_CAISSE_FERMEE": "caisse",
    "STOCK_INSUFFISANT": "produit", "SURPAIEMENT": "facture", "PAIEMENT_DEJA_ANNULE": "paiement",
    "TRANSITION_INTERDITE": "vente",
}  # fmt: skip
MADE = {"/finances/paiements": ("paiement", "id_paiement"), "/market/ventes": ("vente", "vente.id_vente")}


class Touch(NamedTuple):
    """The effect of a call on one object, and where its answer shows a value of this object."""

    kind: str
    id: str
    name: str
    delta: int = 0
    shown: str = ""


def value(answer: Any, path: str) -> int | None:
    """The value at this path of an answer. A closed till has no period: 0."""
    for key in path.split(".") if path else ():
        answer = answer and answer[int(key) if key.isdigit() else key]
    return round(float(answer or 0)) if path else None


Request = tuple[str, str, dict[str, Any] | None, list[Touch]]


@dataclass
class World:
    tills: list[str]
    products: list[str]
    invoices: list[str]
    days: Iterator[int]
    made: dict[str, list[tuple[str, list[Touch]]]] = field(default_factory=lambda: defaultdict(list))
    histories: dict[tuple[str, str], list[Call]] = field(default_factory=lambda: defaultdict(list))

    def request(self, chance: random.Random) -> Request:
        here, product, invoice = (chance.choice(ids) for ids in (self.tills, self.products, self.invoices))
        money, units, at = chance.randrange(250, 1750, 250), chance.randint(1, 9), f"/finances/caisses/{here}"
        pay, stock = {"montant": str(money), "id_moyen": MOYEN}, {"id_produit": product, "quantite": units}
        moved = Touch("caisse", here, "move", money)
        settled = Touch("facture", invoice, "pay", money, "facture.montant_paye")
        came, left = (Touch("produit", product, "move", n, "stock_resultant") for n in (units, -units))
        # Each count has a day of its own. It takes all that came since the count before.
        count = {"id_caisse": here, "montant_compte": "0", "date": str(date.fromordinal(next(self.days)))}
        sold = {"lignes": [stock], "paiement": {"montant": str(750 * units), "id_moyen": MOYEN}}
        finances, market = "/finances/paiements", "/market/mouvements"
        acts: list[Request] = [
            ("POST", f"{at}/ouvrir", None, [Touch("caisse", here, "open", shown="id_periode")]),
            ("POST", f"{at}/fermer", None, [Touch("caisse", here, "close", shown="id_periode")]),
            ("POST", "/finances/tirages", count, [Touch("caisse", here, "count", shown="montant_attendu")]),
            ("POST", finances, pay | {"id_caisse": here}, [moved]),
            ("POST", finances, pay | {"id_facture": invoice}, [settled]),
            ("POST", finances, pay | {"id_facture": invoice, "id_caisse": here}, [settled, moved]),
            ("POST", "/market/ventes", sold, [left._replace(shown="")]),
            ("POST", market, stock | {"type": "ENTREE"}, [came]),
            ("POST", market, stock | {"type": "SORTIE"}, [left]),
            *(cancelling(path, *chance.choice(made[-12:])) for path, made in self.made.items()),
            *reads(here, product, invoice),
        ]
        return chance.choice(acts)

    async def call(self, clients: Clients, http: Any, chance: random.Random, request: Request, patient: bool) -> None:
        method, path, body, touches = request
        begin = time.monotonic()
        once = partial(clients.ask_once, http, str(chance.getrandbits(128)), method, path, body)
        act: Act | None = await (clients.ask(http, chance, method, path, body) if patient else once())
        end = time.monotonic() if act else inf
        refused = act.answer["code"] if act and act.status >= 400 else ""
        assert not refused or refused in REFUSALS, act
        for touch in touches:
            shown = value(act.answer, touch.shown) if act and not refused else None
            if act and refused in ("STOCK_INSUFFISANT", "SURPAIEMENT"):
                left = value(act.answer, "details.reste") or 0
                shown = left if touch.kind == "produit" else TOTAL - left
            if not refused or REFUSALS[refused] == touch.kind:
                seen = Call(touch.name, begin, end, touch.delta, bool(refused), shown)
                self.histories[touch.kind, touch.id].append(seen)
        if act and not refused and path in MADE:
            self.made[path].append((str(value(act.answer, MADE[path][1])), touches))
        if not act:  # the next call waits until the service answers again
            await clients.ask(http, chance, "GET", "/auth/me")

    async def play(self, clients: Clients, seed: int, faults: list[Callable[[], None]]) -> None:
        over = asyncio.Event()

        async def client(number: int) -> None:
            chance = random.Random(f"{seed} {number}")
            async with clients.http() as http:
                while not over.is_set():
                    await self.call(clients, http, chance, self.request(chance), number % 2 == 0)

        async with asyncio.TaskGroup() as tasks:
            for number in range(CLIENTS):
                tasks.create_task(client(number))
            for fault in faults:
                await clients.ok(CALLS)
                await asyncio.to_thread(fault)
            await clients.ok(CALLS)
            over.set()
        async with clients.http() as http:
            for ids in zip(self.tills, self.products, self.invoices, strict=True):
                for request in reads(*ids):
                    await self.call(clients, http, random.Random(str(request)), request, True)


def reads(here: str, product: str, invoice: str) -> list[Request]:
    touches = {
        f"/finances/caisses/{here}": Touch("caisse", here, "period", shown="periode.id_periode"),
        f"/finances/caisses/{here}/dashboard": Touch("caisse", here, "read", shown="revenus_jour"),
        f"/market/produits/{product}": Touch("produit", product, "read", shown="quantite_stock"),
        f"/facturation/factures/{invoice}": Touch("facture", invoice, "read", shown="montant_paye"),
    }
    return [("GET", path, None, [touch]) for path, touch in touches.items()]


def cancelling(path: str, id: str, touches: list[Touch]) -> Request:
    """Cancel a payment or a sale, which undoes its effect on each object."""
    place = {"id_caisse": touch.id for touch in touches if touch.kind == "caisse"}  # noqa: B035 (one till at most)
    shown = {"facture": "factures.0.montant_paye"}
    undone = [touch._replace(delta=-touch.delta, shown=shown.get(touch.kind, "")) for touch in touches]
    touched = [Touch(MADE[path][0], id, "cancel", 1), *undone]
    return "POST", f"{path}/{id}/annuler", {"motif": "Erreur", **place}, touched


def create(deployment: Deployment) -> tuple[World, Clients]:
    admin = deployment.service.login()
    sell = f"/facturation/prestations/{prepare(admin).prestation}/facturer"
    today: date = execute(deployment.postgres.url(), "select core.aujourdhui()")[0][0]

    clients = Clients(deployment.service.url, admin.headers)

    def made(path: str, key: str, libelle: str = "", **body: Any) -> list[str]:
        named = [{"libelle": libelle.format(n)} if libelle else {} for n in OBJECTS]
        return [str(ok(admin.post(path, json=body | name))[key]) for name in named]

    tills = made("/finances/caisses", "id_caisse", libelle="Essai {}", id_activite="1")
    for here in tills:  # a later count of an earlier day takes all that came since this one
        ok(admin.post("/finances/tirages", json={"id_caisse": here, "montant_compte": "0", "date": str(today)}))
    stock = {"nom": "Riz", "prix_achat": "500", "prix_vente": "750", "quantite_initiale": str(STOCK)}
    lines = [{"libelle": "Chaises", "quantite": "1", "prix_unitaire": str(TOTAL)}]
    invoices = made(sell, "id_facture", montant="0", id_moyen=MOYEN, lignes=lines)
    days = itertools.count(today.toordinal() - 1, -1)
    return World(tills, made("/market/produits", "id_produit", **stock), invoices, days), clients


def fail_over(pair: Pair) -> None:
    """Kill the primary and promote the standby.

    After a crash PostgreSQL shows commits that the standby may not have yet. The standby has them before the kill.
    """
    (position,) = execute(pair.primary.url(), "select pg_current_wal_lsn()::text")[0]
    flushed = f"select from pg_stat_replication where flush_lsn >= '{position}'"
    eventually(lambda: execute(pair.primary.url(), flushed))
    pair.kill_primary()
    pair.promote()


def wrong(histories: dict[tuple[str, str], list[Call]]) -> dict[tuple[str, str], Call]:
    """The objects whose histories no order explains, with the answer up to which one does."""
    calls = {key: unexplained(history, *MODELS[key[0]]) for key, history in histories.items()}
    return {key: call for key, call in calls.items() if call is not None}


@pytest.mark.bref
@pytest.mark.parametrize("tour", range(selon(1, 6)))
@pytest.mark.promesse(
    "Histoires : caisses, stocks, factures et paiements restent linéarisables, processus et base tués, bascule comprise"
)
def test_recorded_histories_are_linearizable(tmp_path: Path, seed: int, tour: int, record_property: Any) -> None:
    rng = random.Random(seed)
    with ExitStack() as stack:
        pair = stack.enter_context(synchronous(tmp_path))
        deployment = Deployment(tmp_path, stack, pair.primary, DATABASE_URL=pair.url())
        world, clients = create(deployment)
        faults = [partial(kill, rng) for kill in deployment.victims() * selon(1, 3)]
        faults += [partial(fail_over, pair), partial(deployment.kill_one_process, rng)]
        asyncio.run(world.play(clients, seed, faults))
        assert 500 not in clients.tries, clients.tries
        began = time.monotonic()
        assert wrong(world.histories) == {}
        seconds = time.monotonic() - began
        assert ledger.wrong(pair.standby.url()) == []
    # A history is refused once its last read misses the last write, or a write is doubled.
    changed = []
    for key, calls in world.histories.items():
        if key[0] in ("caisse", "produit", "facture") and all(call.end < inf for call in calls):
            last = next(call for call in reversed(calls) if call.delta and not call.refused)
            stale = replace(calls[-1], shown=calls[-1].shown - last.delta)
            changed += [{key: [*calls[:-1], stale]}, {key: [*calls, replace(last)]}]
    assert changed and all(map(wrong, changed))
    sizes = [len(calls) for calls in world.histories.values()]
    lost = sum(call.end == inf for calls in world.histories.values() for call in calls)
    record_property("appels, sans réponse, objets, plus longue histoire", [sum(sizes), lost, len(sizes), max(sizes)])
    record_property("coupures, histoires faussées et refusées", [len(faults), len(changed)])
    record_property("vérification (s)", round(seconds, 2))
