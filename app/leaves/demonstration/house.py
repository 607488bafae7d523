"""The invented business of the demonstration: what it has, and its day, whose events are played in order."""

import random
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

from app.auth.encrypted import WEBHOOK, Secrets
from app.jobs.webhooks import new_key
from app.leaves.demonstration.photos import PHOTOS, key
from app.leaves.demonstration.replay import Actor

Row = dict[str, Any]

DATA = tomllib.loads(Path(__file__).with_name("house.toml").read_text("utf-8"))
_REFERENCE = re.compile(r"\{([^/{]+)/([^/}]+)\}")


@dataclass
class House:
    """The state of the business, which the days change."""

    act: Actor
    rng: random.Random
    zone: tzinfo
    usual: int  # customers of a usual day
    day: date
    customers: int = 0
    events: list[tuple[float, Row | None, Callable[[], Any]]] = field(default_factory=list)
    rows: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))  # the answers of house.toml, by name
    cashiers: dict[str, Row] = field(default_factory=dict)
    manager: Row = field(default_factory=dict)
    tills: dict[str, int] = field(default_factory=dict)
    methods: list[int] = field(default_factory=list)
    clients: list[int] = field(default_factory=list)
    staff: list[int] = field(default_factory=list)
    leases: list[Row] = field(default_factory=list)
    meal_clients: list[int] = field(default_factory=list)
    laundry_clients: list[int] = field(default_factory=list)
    laundry: list[Row] = field(default_factory=list)
    bookings: list[Row] = field(default_factory=list)
    stays: list[Row] = field(default_factory=list)
    requests: list[tuple[str, Iterator[None]]] = field(default_factory=list)  # of the day before: till and story
    counts: Counter[str] = field(default_factory=Counter)  # of what happens every few times

    # ---- the first morning

    def open(self, password: str) -> None:
        """Create tills, accounts and clients, then what house.toml lists, and the staff. `password` is a hash."""
        act, rng = self.act, self.rng
        activities = {row["code"]: row["id_activite"] for row in act.rows("finances.activite_lister")}
        roles = {row["code"]: row["id_role"] for row in act.rows("auth.role_lister")}
        methods = {row["libelle"]: row["id_moyen"] for row in act.rows("finances.moyen_paiement_lister")}
        self.methods = list(methods.values())

        def user(login: str, role: str, **fields: Any) -> Row:
            made = act("auth.utilisateur_creer", login=login, mot_de_passe=password, id_role=roles[role], **fields)
            return {"id_utilisateur": made["id_utilisateur"], "role": role}

        self.manager = user("direction", "DIRIGEANT", nom="Modèle", prenom="Aya")
        for login, till in DATA["cashiers"].items():
            made = act("finances.caisse_creer", libelle=till["libelle"], id_activite=activities[till["activite"]])
            self.tills[login] = made["id_caisse"]
            self.cashiers[login] = user(f"caisse.{login}", "CAISSIER", nom="Exemple", id_caisse=made["id_caisse"],
                                        prenom=rng.choice(DATA["first_names"])[0])  # fmt: skip
        for _ in range(40):
            self.new_client()
        self._fill(
            {
                "activite": activities,
                "moyen": methods,
                "photo": {name: key(name) for name in PHOTOS},
                "today": {"date": self.day},
            }
        )
        for product in self.rows["products"][:-2]:
            act("market.produit_code_barre_creer", id_produit=product["id_produit"])
        for post in DATA["staff"]:
            person = act(
                "rh.employe_creer", nom=rng.choice(DATA["names"]), prenom=rng.choice(DATA["first_names"])[0],
                date_embauche=self.day - timedelta(days=rng.randrange(30, 900)), type_contrat="CDI",
                id_service=self.rows["service"][0]["id_service"], **post,
            )  # fmt: skip
            self.staff.append(person["id_employe"])

    def _fill(self, known: dict[str, Mapping[str, Any]]) -> None:
        """Make the calls of house.toml. `known` has what their references name, by name and field."""

        def resolved(value: Any) -> Any:
            reference = _REFERENCE.fullmatch(str(value))
            return known[reference[1]][reference[2]] if reference else value

        for name, call in DATA["opening"].items():
            for row in call["rows"]:
                values = {field: resolved(value) for field, value in (call.get("each", {}) | row).items()}
                self.rows[name] += self.act.rows(call["operation"], **values)
            known[name] = self.rows[name][0]

    def connect_programs(self, secrets: Secrets) -> None:
        """Create a suspended webhook and an API key that opens nothing, because its text is unknown."""
        self.act("evenement.webhook_creer", url="https://compta.example.com/comptoir", description="Comptabilité",
                 types=["paiement.recu", "paiement.rembourse", "facture.emise", "depense.creee"], actif=False,
                 chiffre=secrets.encrypt(new_key(), WEBHOOK))  # fmt: skip
        self.act("auth.cle_creer", libelle="Site internet", prefixe="cpt_live_DEMO00", hash="0" * 64,
                 permissions=["MARCHANDISE.VOIR", "RESTAURANT.VOIR"])  # fmt: skip

    # ---- a day

    def play(self, activities: "Iterable[Callable[[House], None]]") -> None:
        """Let every activity add its events of the day, then play them in the order of their hours."""
        self.events.clear()
        expected = self.usual * (0.6 if self.day.weekday() == 6 else 1)
        self.customers = max(1, round(expected * self.rng.uniform(0.7, 1.3)))
        for add in activities:
            add(self)
        for hour, user, action in sorted(self.events, key=itemgetter(0)):
            self.act.at(self.instant(hour), user)
            action()

    def instant(self, hour: float) -> datetime:
        return datetime.combine(self.day, time(), self.zone) + timedelta(seconds=round(hour * 3600))

    def at(self, hour: float, user: str | None, action: Callable[..., Any], *values: Any, **fields: Any) -> None:
        """Add an event of a cashier, of the manager, or of no user (None): a call of `action` with the rest."""
        acting = None if user is None else self.cashiers.get(user, self.manager)
        self.events.append((hour, acting, partial(action, *values, **fields)))

    def method(self) -> int:
        return self.rng.choices(self.methods[:3], (6, 3, 1))[0]

    def payment(self, amount: Any) -> Row:
        return {"montant": amount, "id_moyen": self.method()}

    def paid(self, amount: Any) -> Row:
        """The payment of an order, if anything is paid at once."""
        return {"paiement": self.payment(amount)} if amount else {}

    def new_client(self) -> int:
        """Create a client with a new telephone number."""
        number, (first_name, sex) = len(self.clients), self.rng.choice(DATA["first_names"])
        client = self.act(
            "client.client_creer", nom=self.rng.choice(DATA["names"]), prenoms=first_name, sexe=sex,
            type_client="PASSAGE", tel_principal=f"+22507{number:08d}", email=f"client{number}@exemple.invalid",
            ville="Abidjan", nationalite="ivoirienne", photo=key("cliente" if sex == "F" else "client"),
            profession=self.rng.choice(("architecte", "comptable", "journaliste", "libraire")),
        )["id_client"]  # fmt: skip
        self.clients.append(client)
        return int(client)

    def client(self) -> int:
        """An existing client, or sometimes a new one."""
        return self.new_client() if self.rng.random() < 0.05 else self.rng.choice(self.clients)

    def buyer(self, probability: float) -> Row:
        """The client of a sale, with this probability; otherwise the sale is anonymous."""
        return {"id_client": self.client()} if self.rng.random() < probability else {}

    def share(self, weight: float) -> int:
        exact = self.customers * weight
        return int(exact) + (self.rng.random() < exact % 1)

    def every(self, number: int, what: str) -> bool:
        """Whether this happens now: every so many times, so that a short demonstration has some of each kind."""
        self.counts[what] += 1
        return self.counts[what] % number == 0

    def saturday(self, weeks: int) -> date:
        """The next Saturday, and so many weeks later."""
        return self.day + timedelta(days=(5 - self.day.weekday()) % 7 + 7 * weeks)

    def booked(self) -> set[date]:
        """The days on which the hall is taken."""
        return {booking["day"] for booking in self.bookings}

    def book(self, number: int, day: date, price: int, deposit: int) -> None:
        """Confirm a booking of the hall by its deposit."""
        self.act("salle_fete.reservation_confirmer", id_reservation=number, paiement=self.payment(deposit))
        self.bookings.append({"id": number, "day": day, "rest": price - deposit})

    def offer(self, till: str, hour: float, probability: float) -> None:
        """Sell each service of a till with this probability."""
        for service in self.rows[f"services of {till}"]:
            if self.rng.random() < probability:
                self.at(hour, till, self._serve, service)

    def _serve(self, service: Row) -> None:
        paid = self.payment(self.rng.choice((service["prix"], service["prix"], 0)))
        self.act("facturation.prestation_facturer", id_prestation=service["id_prestation"], **paid,
                 id_client=self.client())  # fmt: skip
