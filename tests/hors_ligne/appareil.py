"""A device of a till, as docs/hors-ligne.md describes one: it numbers what it does, and sends it when it can."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tests import builders
from tests.conftest import ok

if TYPE_CHECKING:
    from tests.conftest import Db, Http


@dataclass
class Device:
    http: Http
    till: str
    id: str
    prefix: str
    key: str
    sequence: int = 0
    version: int = 0
    queue: list[dict[str, Any]] = field(default_factory=list)

    def do(self, method: str, path: str, body: Any = None, instant: datetime | str | None = None, **more: Any) -> Any:
        """Add an operation to the queue, at this moment or now, and return it. `more` replaces its fields."""
        self.sequence += 1
        moment = instant or datetime.now(UTC)
        ticket = {"numero": f"{self.prefix}-{self.sequence:06}", "version": str(self.version)}
        made = {
            "sequence": str(self.sequence), "id": str(uuid.uuid4()), "methode": method, "chemin": f"/api/v1{path}",
            "instant": moment if isinstance(moment, str) else moment.isoformat(), "corps": body, "ticket": ticket,
        } | more  # fmt: skip
        self.queue.append(made)
        return made

    def sell(self, product: int, price: str, quantity: str = "1", amount: str | None = None, **more: Any) -> Any:
        """Sell so many of a product at this price, for cash."""
        paid = amount or str(float(price) * float(quantity))
        body = {
            "lignes": [{"id_produit": str(product), "quantite": quantity}],
            "paiement": {"montant": paid, "id_moyen": "1"},
        }
        return self.do("POST", "/market/ventes", body, **more)

    def post(self, *operations: Any, **fields: Any) -> Any:
        """The raw answer to a lot of these operations."""
        body = {"id_appareil": self.id, "operations": list(operations)} | fields
        headers = {"Content-Type": "application/json"}
        content = json.dumps(body)  # escapes half of a character, as a page does
        return self.http.post(f"/finances/caisses/{self.till}/lots", content=content, headers=headers, token=self.key)

    def send(self, *operations: Any) -> list[Any]:
        """Send these operations, or the whole queue, and return their answers."""
        sent = list(operations) or self.queue
        return list(ok(self.post(*sent, derniere_sequence=str(self.sequence)))["operations"])

    def read(self, path: str, **options: Any) -> Any:
        return self.http.get(f"/finances/caisses/{self.till}{path}", token=self.key, **options)

    def update(self) -> Any:
        """Read what there is to sell, and return it."""
        stock = ok(self.read("/fonds", params={"depuis": str(self.version)}))
        self.version = int(stock["version"])
        return stock


def inscribe(http: Http, till: int | str, label: str = "Tablette") -> Device:
    """Inscribe a device, as the user of `http`."""
    made = ok(http.post(f"/finances/caisses/{till}/appareils", json={"libelle": label}), 201)
    return Device(http, str(till), made["id_appareil"], made["prefixe"], made["cle"])


def age(db: Db) -> None:
    """Let each device have been inscribed two years ago: it may then have sold on any day since."""
    db.execute("update finances.appareil set date_creation = date_creation - interval '2 years'")


def shop(db: Db, **fields: Any) -> int:
    """An open till of the shop."""
    return builders.caisse(db, activite_code="VENTE_MARCHANDISES", **fields)


def states(answers: list[Any]) -> list[str]:
    return [answer["etat"] for answer in answers]


def count(db: Db, table: str) -> int:
    return int(db.one(f"select count(*) from {table}"))
