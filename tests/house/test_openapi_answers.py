"""The answers are what the OpenAPI document says: each operation is called, each answer held against its schema."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from tests.conftest import Db, Http
from tests.witness import JPEG, PHOTO, Witness, body_schema, key, operations, required, undone


def test_every_get_answers_as_documented(witness: Witness, known: dict[str, str]) -> None:
    templates = {path: operation for method, path, operation in operations(witness.document) if method == "GET"}
    resident = Witness(witness.http.as_user(known["resident"]), witness.document)
    for template, operation in templates.items():
        assert all(key(known, template, name) for name in re.findall(r"{(\w+)}", template)), f"`known` lacks {template}"
        client = resident if "/portail" in template else witness
        assert client.request("GET", template, known, params=required(operation)).status_code == 200, template
    assert witness.answered | resident.answered >= {("GET", template) for template in templates}


def test_lists_with_every_filter_answer_as_documented(witness: Witness, known: dict[str, str]) -> None:
    """Each query parameter with a value of its documented type, one at a time."""
    values = {"string": "1", "integer": "1", "boolean": "true"}
    resident = Witness(witness.http.as_user(known["resident"]), witness.document)
    for method, template, operation in operations(witness.document):
        for found in operation.get("parameters", ()):
            if method != "GET" or found.get("in") != "query" or found["name"] in ("sort", "format"):
                continue
            schema = found["schema"]
            formats = {inner.get("format") for inner in [schema, *schema.get("anyOf", ())]}
            value = schema["enum"][0] if "enum" in schema else values[schema["type"]]
            if formats & {"date", "date-time"}:
                value = "2026-08-15"
            if schema.get("pattern", "").startswith("^[0-9]{4}-"):
                value = "2026-08"
            value = PHOTO if found["name"] == "key" else known.get(found["name"], value)
            params = required(operation) | {found["name"]: value}
            client = resident if "/portail" in template else witness
            answer = client.request("GET", template, known, params=params)
            assert answer.status_code == 200, (template, found["name"], answer.text)


# What an example cannot do by itself: it names a token, or needs a state that is another one here.
REFUSED = {
    ("POST", "/api/v1/auth/login"): 401,
    ("POST", "/api/v1/auth/refresh"): 401,
    ("POST", "/api/v1/auth/mot-de-passe"): 400,  # another password is the right one
    ("POST", "/api/v1/auth/reinitialiser-mot-de-passe"): 400,
    ("POST", "/api/v1/finances/tirages"): 400,  # an administrator has to name a till
    ("POST", "/api/v1/finances/paiements/{id_paiement}/appliquer"): 400,  # an invoice or an instalment, not both
    ("POST", "/api/v1/finances/paiements/{id_paiement}/rembourser"): 409,  # it pays an invoice: nothing is left over
    ("POST", "/api/v1/finances/caisses/{id_caisse}/ouvrir"): 409,
    ("DELETE", "/api/v1/finances/categories-depenses/{id_categorie_depense}"): 409,
    ("POST", "/api/v1/pressing/commandes/{id_commande}/pret"): 409,  # not in treatment yet
    ("POST", "/api/v1/pressing/commandes/{id_commande}/retirer"): 409,  # not ready yet
    ("PATCH", "/api/v1/salle-fete/reservations/{id_reservation}"): 409,  # an edit never changes the state
    ("POST", "/api/v1/salle-fete/reservations/{id_reservation}/realiser"): 409,  # not confirmed yet
    ("POST", "/api/v1/market/ventes"): 422,  # no such product
    ("POST", "/api/v1/restaurant/commandes"): 422,  # no such dish
    ("POST", "/api/v1/restaurant/commandes/{id_commande}/statut"): 409,  # it is not served yet
    ("PATCH", "/api/v1/residence/logements/{id_logement}"): 400,  # this room has another number
    ("POST", "/api/v1/residence/charges"): 409,  # this room is free
    ("POST", "/api/v1/residence/contrats/{id_contrat}/activer"): 409,  # it is in force already
    ("POST", "/api/v1/residence/echeances/{id_echeance}/encaisser"): 409,  # paid already
    ("POST", "/api/v1/residence/contrats/{id_contrat}/caution"): 409,  # declared already
    ("POST", "/api/v1/residence/contrats/{id_contrat}/caution/rembourser"): 409,  # never collected
    ("POST", "/api/v1/residence/contrats/{id_contrat}/annuler"): 409,  # in force
    ("POST", "/api/v1/residence/contrats/{id_contrat}/rembourser"): 409,  # nothing was paid beyond
    ("POST", "/api/v1/residence/contrats/{id_contrat}/caution/restitution"): 409,
    ("POST", "/api/v1/rh/pointages"): 409,  # this employee is there already
    ("PATCH", "/api/v1/rh/pointages/{id_pointage}"): 400,  # its departure is before this arrival
    ("POST", "/api/v1/rh/paies/{id_paie}/payer"): 409,  # not validated yet
    ("POST", "/api/v1/admin/sauvegardes/{id_sauvegarde}/restaurer"): 503,  # the test has no database but its own
}


def test_every_other_operation_answers_as_documented_to_its_example(
    witness: Witness, known: dict[str, str], db: Db
) -> None:
    public = Witness(replace(witness.http, token=None), witness.document)  # a logout would end the session
    for method, template, operation in operations(witness.document):
        if method == "GET":
            continue
        example = (body_schema(operation) or {}).get("example", {})
        body = {name: known[name] if name in known and name.startswith("id_") else example[name] for name in example}
        client = witness if operation.get("security") != [] else public
        sent: dict[str, Any] = {"json": body}
        if form := operation.get("requestBody", {}).get("content", {}).get("multipart/form-data"):
            fields = {name: field["enum"][0] for name, field in form["schema"]["properties"].items() if "enum" in field}
            sent = {"data": fields, "files": {"file": ("photo.jpg", JPEG)}}
        with undone(db):
            answer = client.request(method, template, known, **sent)
        expected = REFUSED.get((method, template))
        assert answer.status_code == expected if expected else answer.status_code < 300, (template, answer.text)


def test_refusals_answer_as_documented(witness: Witness, http: Http, known: dict[str, str]) -> None:
    clients = "/api/v1/client/clients"
    statuses = [
        witness.request("GET", clients, params={"limit": "0"}).status_code,
        witness.request("GET", clients, token="faux").status_code,
        witness.request("GET", "/api/v1/admin/roles", token=http.as_user(known["id_utilisateur"]).token).status_code,
        witness.request("GET", f"{clients}/{{id_client}}", {"id_client": "0"}).status_code,
        witness.request("POST", clients, content=b"{}", headers={"content-type": "text/plain"}).status_code,
        witness.request("POST", clients, content=b"x" * 1_100_000).status_code,
        witness.request("POST", "/api/v1/finances/caisses/{id_caisse}/ouvrir", known).status_code,
        [witness.request("POST", "/api/v1/auth/login", json={}).status_code for _ in range(6)][-1],
    ]
    assert statuses == [400, 401, 403, 404, 415, 413, 409, 429]
