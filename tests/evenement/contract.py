"""The bodies of requests, and the values of query parameters that the house tests send."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness

BODIES = {
    "CreerWebhookDto": "url types | description id_activite actif",
    "MajWebhookDto": "| url types description actif",
    "RejouerWebhookDto": "apres |",
}


def make(db: Db, witness: Witness, keys: dict[str, str]) -> None:
    keys["types"] = "client.cree,facture.emise"
