"""Schemathesis with every check that it has and all its phases, over the whole OpenAPI document.

The application answers in this process. Only the phase `stateful` keeps what its requests write.
"""

import re
from collections import Counter
from contextlib import nullcontext
from io import BytesIO
from typing import Any

import pytest
import requests
import schemathesis
import urllib3
from requests.adapters import HTTPAdapter
from schemathesis.checks import CHECKS
from schemathesis.engine import events, from_schema
from schemathesis.engine.recorder import ScenarioRecorder

from app.auth.kvstore import Store
from tests.conftest import Db, Http
from tests.preuve import selon
from tests.preuves.fuzz.test_document import UNAVAILABLE, with_ids
from tests.witness import undone

# Rules outside `x-refus` that refuse a request that matches the document, and the reason of each.
RULES = {
    "CLE_IDEMPOTENCE_REUTILISEE": "a key may be generated twice",
    "CURSEUR_INVALIDE": "a cursor is signed, so no generated one is valid",
    "JSON_INVALIDE": "a number of JSON has a bound and a precision: 1e308 and 5e-324 are refused",
    "MODIFIE_ENTRE_TEMPS": "a generated If-Match names no present state",
    "TYPE_DE_FICHIER": "a generated file is no image",
    "VALEUR_INVALIDE": "a text that the type of its column does not have, such as an IP address",
}
# VALIDATION_ERROR may refuse by a rule that a schema can state only in these operations. A schema cannot state that two
# fields exclude each other, nor the dates of PostgreSQL, decimals, domains or the present password.
STATED = re.compile("obligatoire|pas attendu|une liste|un objet|un texte|true ou false|UUID|Valeurs possibles")
UNSTATED = {
    "GET /api/v1/facturation/controle": "an empty `code` is absent",
    "POST /api/v1/audit/masquer": "`donnees` is any JSON, and null is absent",
    "POST /api/v1/imports": "`colonnes` is JSON in the text of a form",
    "POST /api/v1/repetition": "`corps` and `requete` have the schema of the call that they are for",
}
# With another method, the last part of these paths is the value of a key of another route: 400.
KEY_OR_NAME = ("/etiquettes", "/commandes/apercu-abonnement", "/logements/lot")


def opinion(check: str, case: schemathesis.Case, answer: Any, declared: set[str]) -> str | None:
    """The reason for which this finding is none, or None."""
    is_json = answer.headers.get("content-type") == ["application/json"]
    code = answer.json()["code"] if is_json and answer.status_code >= 400 else ""
    if check == "positive_data_acceptance":
        if code == "VALIDATION_ERROR" and STATED.search(answer.text):
            return UNSTATED.get(case.operation.label)
        reasons = {
            **RULES,
            "VALIDATION_ERROR": "a schema cannot state it",
            **dict.fromkeys(declared, "x-refus names it"),
        }
        return reasons.get(code)
    if check == "negative_data_rejection":
        if answer.status_code in (412, 413):
            return "schemathesis does not list 412 and 413 as refusals"
        return "an empty parameter is absent" if re.search(r"[?&]\w+=(&|$)", answer.request.url) else None
    if check in ("unsupported_method", "allow_header_conformance"):
        return "a key or a name" if case.path.endswith(KEY_OR_NAME) else None
    return "not started here" if check == "not_a_server_error" and code in UNAVAILABLE else None


@pytest.mark.timeout(selon(900, 7200))
@pytest.mark.promesse("Schemathesis, avec toutes ses vérifications, ne trouve aucune réponse hors du document")
def test_no_check_of_schemathesis_finds_anything(
    db: Db, http: Http, document: Any, keys: dict[str, str], monkeypatch: pytest.MonkeyPatch, record_property: Any
) -> None:
    kept = False

    def send(adapter: HTTPAdapter, request: requests.PreparedRequest, **_: Any) -> requests.Response:
        http.services.store = Store()  # clears the throttle and the revocations of the case before
        headers = {name.lower(): value for name, value in request.headers.items()} | {"accept-encoding": "identity"}
        with nullcontext() if kept else undone(db):
            got = http.send(request.method or "", request.url or "", content=request.body, headers=headers)
        raw = urllib3.HTTPResponse(
            BytesIO(got.content), got.headers.multi_items(), got.status_code,
            reason=got.reason_phrase, preload_content=False, request_method=request.method,
        )  # fmt: skip
        return adapter.build_response(request, raw)

    monkeypatch.setattr(HTTPAdapter, "send", send)
    names = {name: value for name, value in keys.items() if name != "types"}  # a list elsewhere
    schema = schemathesis.openapi.from_dict(with_ids(document, names, secured=True))
    sent = {"Authorization": f"Bearer {http.as_admin().token}"}
    schema.config.update(base_url="http://essai", headers=sent, continue_on_failure=True, workers=1)
    schema.config.seed = 1
    schema.config.generation.update(max_examples=selon(1, 30), no_shrink=True)
    schema.config.phases.fuzzing.enabled = selon(False, True)  # the other phases try every boundary of every field
    checked: Counter[str] = Counter()
    opinions: Counter[str] = Counter()
    findings = []
    for event in from_schema(schema).execute():
        assert not isinstance(event, events.NonFatalError | events.FatalError), event
        if isinstance(event, events.PhaseStarted):
            kept = event.phase.name.value == "stateful"
        recorder = event.recorder if isinstance(event, events.ScenarioFinished) else ScenarioRecorder(label="none")
        for identifier, checks in recorder.checks.items():
            case, answer = recorder.cases[identifier].value, recorder.interactions[identifier].response
            declared = set(document["paths"][case.operation.path][case.operation.method].get("x-refus", ()))
            checked.update(check.name for check in checks)
            for name, failure in [(check.name, check.failure_info.failure) for check in checks if check.failure_info]:
                if reason := opinion(name, case, answer, declared):
                    opinions[f"{name}: {reason}"] += 1
                else:
                    findings.append(f"{name}, {case.operation.label}: {failure}\n{answer.text}")
    record_property("cas", max(checked.values()))
    record_property("avis", dict(opinions))
    assert not findings, "\n".join(findings)
    assert set(checked) == set(CHECKS.get_all_names()) - {"max_response_time"} and min(checked.values()) > 10_000
