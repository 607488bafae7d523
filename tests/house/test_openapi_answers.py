"""Calls every operation of the OpenAPI document and validates each answer with its schema."""

import re
from dataclasses import replace
from typing import Any

from tests.conftest import Db, Http
from tests.house.rule import holds
from tests.witness import JPEG, Witness, example_body, key, operations, required, undone


def test_every_get_answers_as_documented(witness: Witness, keys: dict[str, str]) -> None:
    templates = {path: operation for method, path, operation in operations(witness.document) if method == "GET"}
    resident = Witness(witness.http.as_user(keys["resident"]), witness.document)
    holds(
        "A row exists for each key in the path of a GET.",
        [f"{path}: no row" for path in templates if not all(key(keys, path, k) for k in re.findall(r"{(\w+)}", path))],
        "write the POST that creates such rows, or make one in tests/<slice>/contract.py",
    )
    for template, operation in templates.items():
        client = resident if "/portail" in template else witness
        assert client.request("GET", template, keys, params=required(operation, keys)).status_code == 200, template
    assert witness.answered | resident.answered >= {("GET", template) for template in templates}


# Refusals of handlers: a wrong old password, and a restore without a second database.
OF_THE_SERVER = {"VALIDATION_ERROR", "INDISPONIBLE"}


def test_every_other_operation_answers_as_documented_to_its_example(
    witness: Witness, keys: dict[str, str], db: Db
) -> None:
    """The example of a body succeeds, or is refused by a declared rule: it may need another state of the row."""
    # Public routes are called without a token: a logout would end the session that the other calls use.
    public = Witness(replace(witness.http, token=None), witness.document)
    resident = Witness(witness.http.as_user(keys["resident"]), witness.document)
    undeclared = []
    for method, template, operation in operations(witness.document):
        if method == "GET":
            continue
        client = public if operation.get("security") == [] else resident if "/portail" in template else witness
        options: dict[str, Any] = {"json": example_body(operation, keys)}
        if form := operation.get("requestBody", {}).get("content", {}).get("multipart/form-data"):
            fields = {name: field["enum"][0] for name, field in form["schema"]["properties"].items() if "enum" in field}
            options = {"data": fields, "files": {"file": ("photo.jpg", JPEG)}}
        with undone(db):
            answer = client.request(method, template, keys, **options)
        if not answer.is_success:
            code = answer.json()["code"]
            if code not in {*operation.get("x-refus", ()), *OF_THE_SERVER}:
                undeclared.append(f"{method} {template} answers {code}: {answer.json()['message']}")
    holds(
        "the example of a body succeeds, or meets a refusal that the operation declares",
        undeclared,
        "add the rule by `call core.peut_refuser(…)` beside the function; where the example is wrong, give the "
        "field a value in EXAMPLES of app/routes/<slice>.py or make the row in tests/<slice>/contract.py",
    )
    called = {(method, template) for method, template, _ in operations(witness.document) if method != "GET"}
    assert len(called - witness.answered - public.answered - resident.answered) < len(called) / 4


def test_refusals_answer_as_documented(witness: Witness, http: Http, keys: dict[str, str]) -> None:
    clients = "/api/v1/client/clients"
    statuses = [
        witness.request("GET", clients, params={"limit": "0"}).status_code,
        witness.request("GET", clients, token="faux").status_code,
        witness.request("GET", "/api/v1/admin/roles", token=http.as_user(keys["id_utilisateur"]).token).status_code,
        witness.request("GET", f"{clients}/{{id_client}}", {"id_client": "0"}).status_code,
        witness.request("POST", clients, content=b"{}", headers={"content-type": "text/plain"}).status_code,
        witness.request("POST", clients, content=b"x" * 1_100_000).status_code,
        witness.request("POST", "/api/v1/finances/caisses/{id_caisse}/ouvrir", keys).status_code,
        [witness.request("POST", "/api/v1/auth/login", json={}).status_code for _ in range(6)][-1],
    ]
    assert statuses == [400, 401, 403, 404, 415, 413, 409, 429]
