"""Many clients call random operations on few rows. Some order of their answers explains the final database.

Tills, stocks and what invoices have received: tests/preuves/faults/test_linearisable.py.
"""

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests import ledger
from tests.clients import MOYEN, Act, Clients, prepare
from tests.conftest import Db, ok
from tests.preuve import LONGUE, selon
from tests.server import Service, running

CLIENTS = selon(8, 16)
REQUESTS = selon(500, 10_000)
EXPECTED = {200, 201, 204, 400, 404, 409, 422}

# Operation name: method, path, kind of the row in {}, and the function that makes the body.
MakeBody = Callable[["World"], dict[str, Any] | None]


@dataclass
class World:
    """The ids that the clients know and choose from."""

    chance: random.Random
    fixed: dict[str, list[str]]
    ids: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def pick(self, kind: str) -> str:
        candidates = self.fixed.get(kind) or self.ids[kind][-12:]
        return self.chance.choice(candidates) if candidates else "999999"

    def amount(self) -> str:
        return str(self.chance.choice((500, 1000, 1500, 3000)))


def payment(world: World) -> dict[str, Any]:
    return {"montant": world.amount(), "id_moyen": MOYEN}


def laundry(world: World) -> dict[str, Any]:
    lines = [{"type_vetement": "Chemise", "quantite": 3, "prestation": "Lavage", "tarif": "1000"}]
    paid = {"paiement": payment(world)} if world.chance.random() < 0.6 else {}
    return {"id_client": world.pick("client"), "lignes": lines, **paid}


def meal(world: World) -> dict[str, Any]:
    paid = {"montant": "3500", "id_moyen": MOYEN}
    return {"type": "SUR_PLACE", "lignes": [{"id_plat": world.pick("plat"), "quantite": 1}], "paiement": paid}


def booking(world: World) -> dict[str, Any]:
    day, hour = f"2030-06-{world.chance.randint(1, 6):02}", f"{world.chance.randint(8, 20):02}:00"
    party = {"duree": 4, "type_manifestation": "Mariage", "tarif": "3000", "id_client": world.pick("client")}
    return {"date_evenement": day, "heure_debut": hour, **party}


def lease(world: World) -> dict[str, Any]:
    parties = {"id_client": world.pick("client"), "id_logement": world.pick("logement")}
    term = {"date_debut": "2026-01-01", "date_fin_prevue": "2026-06-30"}
    return {**parties, **term, "montant_loyer": "3000", "type_location": "MENSUEL"}


def stay(world: World) -> dict[str, Any]:
    parties = {"id_logement": world.pick("chambre"), "id_client": world.pick("client")}
    term = {"date_heure_arrivee": "2026-02-01T12:00:00Z", "date_heure_depart_prevue": "2026-02-03T10:00:00Z"}
    paid = {"paiement": payment(world)} if world.chance.random() < 0.5 else {}
    return {"type_prestation": "NUITEE", "tarif": "1500", **parties, **term, **paid}


def subscription(world: World) -> dict[str, Any]:
    started = {"date_debut": "2026-01-01", "type": "MENSUEL", "montant": "3000"}
    return {"id_client": world.pick("client"), "service": "Internet", **started}


def expense(world: World) -> dict[str, Any]:
    till = {"id_caisse": world.pick("caisse")} if world.chance.random() < 0.7 else {}
    return {"montant": world.amount(), "id_categorie_depense": world.pick("categorie"), "libelle": "Savon", **till}


def no_body(_: World) -> None:
    return None


def with_payment(world: World) -> dict[str, Any]:
    return {"paiement": payment(world)}


def balance(world: World) -> dict[str, Any]:
    return {"solde": world.chance.choice(("0", "1500", "2000", "2500", "3000")), "id_moyen": MOYEN}


def next_step(world: World) -> dict[str, Any]:
    return {"statut": world.chance.choice(("EN_PREPARATION", "SERVIE", "PAYEE"))}


def leaving(world: World) -> dict[str, Any]:
    return {"statut": world.chance.choice(("TERMINE", "ANNULE"))}


ACTS: dict[str, tuple[str, str, str, MakeBody]] = {
    "caisse ouvrir": ("POST", "/finances/caisses/{}/ouvrir", "caisse", no_body),
    "caisse fermer": ("POST", "/finances/caisses/{}/fermer", "caisse", no_body),
    "paiement": ("POST", "/finances/paiements", "", lambda w: {**payment(w), "id_caisse": w.pick("caisse")}),
    "facture payer": ("POST", "/finances/paiements", "", lambda w: {**payment(w), "id_facture": w.pick("facture")}),
    "prestation": (
        "POST", "/facturation/prestations/{}/facturer", "prestation",
        lambda w: {"montant": w.chance.choice(("0", "400", "1000", "1500")), "id_moyen": MOYEN},
    ),
    "depense": ("POST", "/finances/depenses", "", expense),
    "depense supprimer": ("DELETE", "/finances/depenses/{}", "depense", no_body),
    "pressing": ("POST", "/pressing/commandes", "", laundry),
    "pressing traiter": ("POST", "/pressing/commandes/{}/traitement", "pressing", no_body),
    "pressing pret": ("POST", "/pressing/commandes/{}/pret", "pressing", no_body),
    "pressing retirer": ("POST", "/pressing/commandes/{}/retirer", "pressing", balance),
    "pressing annuler": ("POST", "/pressing/commandes/{}/annuler", "pressing", no_body),
    "restaurant": ("POST", "/restaurant/commandes", "", meal),
    "restaurant avancer": ("POST", "/restaurant/commandes/{}/statut", "restaurant", next_step),
    "restaurant annuler": ("POST", "/restaurant/commandes/{}/annuler", "restaurant", no_body),
    "salle": ("POST", "/salle-fete/reservations", "", booking),
    "salle confirmer": ("POST", "/salle-fete/reservations/{}/confirmer", "salle", with_payment),
    "salle realiser": ("POST", "/salle-fete/reservations/{}/realiser", "salle", with_payment),
    "salle annuler": ("POST", "/salle-fete/reservations/{}/annuler", "salle", no_body),
    "contrat": ("POST", "/residence/contrats", "", lease),
    "contrat activer": ("POST", "/residence/contrats/{}/activer", "contrat", no_body),
    "contrat resilier": ("POST", "/residence/contrats/{}/resilier", "contrat", no_body),
    "loyer": ("POST", "/residence/echeances/{}/encaisser", "echeance", payment),
    "sejour": ("POST", "/residence/sejours", "", stay),
    "sejour payer": ("POST", "/residence/sejours/{}/payer", "sejour", payment),
    "sejour clore": ("PATCH", "/residence/sejours/{}", "sejour", leaving),
    "logement remettre": ("PATCH", "/residence/logements/{}", "local", lambda _: {"statut": "DISPONIBLE"}),
    "abonnement": ("POST", "/residence/abonnements", "", subscription),
    "abonnement resilier": ("POST", "/residence/abonnements/{}/resilier", "abonnement", no_body),
}  # fmt: skip

# Resources with a status: table, key column, and the field of the answer that holds the row.
RESOURCES = {
    "pressing": ("pressing.commande", "id_commande", "commande"),
    "restaurant": ("restaurant.commande", "id_commande", "commande"),
    "salle": ("salle_fete.reservation", "id_reservation", "reservation"),
    "contrat": ("residence.contrat_location", "id_contrat", "contrat"),
    "sejour": ("residence.sejour_court", "id_sejour", "sejour"),
    "abonnement": ("residence.abonnement", "id_abonnement", "abonnement"),
}


@dataclass(frozen=True)
class Event:
    """A call with its name, the id in its path, and its answer."""

    name: str
    target: str
    act: Act

    @property
    def done(self) -> bool:
        return self.act.status < 300

    @property
    def kind(self) -> str:
        return self.name.split()[0]

    def resource(self) -> dict[str, Any]:
        """The row as the answer shows it."""
        field = RESOURCES[self.kind][2]
        return dict(self.act.answer.get(field) or self.act.answer)


async def run_clients(clients: Clients, world: World, seed: int) -> list[Event]:
    """Return all events in the order of the answers. In the long form the clients go on until each act was done."""
    history: list[Event] = []
    left = set(ACTS) if LONGUE else set()

    async def client(number: int) -> None:
        chance = random.Random(f"{seed} {number}")
        own = World(chance, world.fixed, world.ids)
        async with clients.http() as http:
            while len(history) < REQUESTS or left:
                name = chance.choice(list(ACTS))
                method, path, kind, body = ACTS[name]
                target = own.pick(kind) if kind else ""
                act = await clients.ask(http, chance, method, path.format(target), body(own))
                event = Event(name, target, act)
                history.append(event)
                if event.done:
                    left.discard(name)
                    if act.answer:
                        record_ids(own, event)

    async with asyncio.TaskGroup() as tasks:
        for number in range(CLIENTS):
            tasks.create_task(client(number))
    return history


def record_ids(world: World, event: Event) -> None:
    answer = event.act.answer
    if event.name in RESOURCES:
        world.ids[event.name].append(event.resource()[RESOURCES[event.name][1]])
    if event.name == "depense":
        world.ids["depense"].append(answer["id_depense"])
    if event.name == "contrat":
        world.ids["echeance"] += [due["id_echeance"] for due in answer["echeances"]]
    if event.name in ("prestation", "abonnement"):
        world.ids["facture"].append(answer["id_facture"])


# ---- the model


def explains(states: Sequence[str], end: str, allowed: set[tuple[str, str]]) -> bool:
    """Whether the statuses in the answers, with the first one fixed, have an order that leads to the final status."""

    def follow(present: str, left: Counter[str]) -> bool:
        if not +left:
            return present == end
        return any(
            (present == state or (present, state) in allowed) and follow(state, left - Counter([state]))
            for state in +left
        )

    return follow(states[0], Counter(states[1:]))


def explain_states(db: Db, history: list[Event]) -> None:
    for kind, (table, key, _) in RESOURCES.items():
        rows = db.all(f"select {key}::text as id, statut::text from {table}")
        made = [event.resource() for event in history if event.name == kind and event.done]
        states: dict[str, list[str]] = {row[key]: [row["statut"]] for row in made}
        assert {row["id"] for row in rows} == set(states), f"{kind}: rows created and rows in the table differ"
        for event in history:
            if event.done and event.kind == kind and event.target:
                ended = event.name == "contrat resilier"
                states[event.target].append("RESILIE" if ended else event.resource()["statut"])
        pairs = db.all("select de, vers from core.transition where entite = %s", [table])
        allowed = {(pair["de"], pair["vers"]) for pair in pairs}
        if kind == "sejour":  # a payment of its invoice also ends a stay, and that answer shows no stay
            allowed.add(("EN_COURS", "TERMINE"))
        for row in rows:
            assert explains(states[row["id"]], row["statut"], allowed), (kind, row, states[row["id"]])


def payment_of(event: Event) -> dict[str, Any]:
    body = event.act.body or {}
    return dict(body.get("paiement", body))


def amount_of(event: Event) -> Decimal:
    return Decimal(payment_of(event).get("montant") or payment_of(event)["solde"])


def explain_money(db: Db, history: list[Event]) -> None:
    done = [event for event in history if event.done and event.act.answer]
    paid = {e.act.answer["id_paiement"]: e for e in done if e.act.answer.get("id_paiement")}
    rows = db.all(
        "select id_paiement::text as id, montant, id_caisse::text from finances.paiement where type = 'ENCAISSEMENT'"
    )
    assert {row["id"] for row in rows} == set(paid), "payments in the answers and payments in the table differ"
    for row in rows:
        event = paid[row["id"]]
        assert (row["montant"], row["id_caisse"]) == (amount_of(event), payment_of(event).get("id_caisse"))
    # Each refund belongs to one payment, and a payment is refunded at most once.
    refunds = db.all(
        "select id_paiement_origine::text as origin, montant from finances.paiement where type = 'DECAISSEMENT'"
    )
    assert len({row["origin"] for row in refunds}) == len(refunds)
    assert {row["origin"] for row in refunds} <= set(paid)


def explain_expenses(db: Db, history: list[Event]) -> None:
    voided = Counter(e.target for e in history if e.done and e.name == "depense supprimer")
    rows = db.all("select id_depense::text as id, date_annulation is not null as voided from finances.depense")
    spent = {event.act.answer["id_depense"] for event in history if event.done and event.name == "depense"}
    assert {row["id"] for row in rows} == spent
    assert {row["id"] for row in rows if row["voided"]} == set(voided)
    assert set(voided.values()) <= {1}


def explain_places(db: Db, history: list[Event]) -> None:
    overlapping = (
        "select a.id_{0}, b.id_{0} from {1} a join {1} b on a.id_{0} < b.id_{0} and a.{2} && b.{2} "
        "where a.statut <> 'ANNULEE' and b.statut <> 'ANNULEE'"
    )
    assert db.all(overlapping.format("reservation", "salle_fete.reservation", "creneau")) == []
    rooms = db.all(
        """select l.id_logement, l.statut::text,
                  count(c.id_contrat) filter (where c.statut = 'ACTIF') as let,
                  count(c.id_contrat) filter (where c.statut = 'EN_ATTENTE') as promised
             from residence.logement l left join residence.contrat_location c using (id_logement) group by 1"""
    )
    freed = {event.target for event in history if event.done and event.name == "logement remettre"}
    for room in rooms:
        assert room["let"] + room["promised"] <= 1, room
        # Staff may set the status of a let room by hand, to sign the next lease. No other operation frees it.
        assert room["statut"] != "DISPONIBLE" or not room["let"] or str(room["id_logement"]) in freed, room


@pytest.fixture
def service(tmp_path: Path, addresses: dict[str, str]) -> Iterator[Service]:
    with running(tmp_path, **addresses, WEB_CONCURRENCY="2", JWT_DUREE="86400") as running_service:
        yield running_service


def create_rows(service: Service) -> tuple[dict[str, list[str]], Clients]:
    admin = service.login()
    base = prepare(admin)

    def create(path: str, key: str, **body: Any) -> str:
        return str(ok(admin.post(path, json=body))[key])

    block = create("/residence/batiments", "id_batiment", code="B1", nom="Résidence des Essais")
    fixed = {
        "caisse": base.caisses,
        "client": [base.client],
        "prestation": [base.prestation],
        "plat": [create("/restaurant/plats", "id_plat", nom="Attiéké", prix="3500")],
        "categorie": [create("/finances/categories-depenses", "id_categorie_depense", libelle="Entretien des essais")],
    }
    rooms = [
        create("/residence/logements", "id_logement", id_batiment=block, type="CHAMBRE", tarif="3000") for _ in range(6)
    ]
    # Some rooms are for leases and stays, others for stays only, because a lease occupies its room for long.
    fixed |= {"local": rooms, "logement": rooms[:3], "chambre": rooms[2:]}
    return fixed, Clients(service.url, admin.headers)


@pytest.mark.promesse(
    "Concurrence : ce que des clients simultanés ont reçu pour réponse explique tout l'état final, sans une erreur 500"
)
def test_the_answers_explain_the_final_state(
    service: Service, database_url: str, committed: Db, seed: int, record_property: Any
) -> None:
    fixed, clients = create_rows(service)
    history = asyncio.run(run_clients(clients, World(random.Random(seed), fixed), seed))
    unexpected = [event for event in history if event.act.status not in EXPECTED]
    assert not unexpected and 500 not in clients.tries, (unexpected[:3], clients.tries)
    explain_states(committed, history)
    explain_money(committed, history)
    explain_expenses(committed, history)
    explain_places(committed, history)
    assert ledger.wrong(database_url) == []
    done = Counter(event.name for event in history if event.done)
    record_property("opérations, dont réussies", [len(history), sum(done.values())])
    record_property("réponses", dict(clients.tries))
    record_property("opérations différentes réussies", f"{len(done)} sur {len(ACTS)}")
