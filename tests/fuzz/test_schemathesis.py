"""Schemathesis with every check that it has and all its phases, over the whole OpenAPI document.

The application answers in this process. Only the phase `stateful` keeps what its requests write. In the short form each
operation has one caller, and gets the cases whose shape few operations before it had.
"""

import copy
import re
from collections import Counter
from contextlib import nullcontext
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
import schemathesis
import urllib3
from requests.adapters import HTTPAdapter
from schemathesis.checks import CHECKS
from schemathesis.engine import events, from_schema
from schemathesis.engine.recorder import ScenarioRecorder

from app.auth.kvstore import Store
from tests import builders
from tests.conftest import Db, Http
from tests.fuzz.test_hostile_fields import UNAVAILABLE
from tests.preuve import LONGUE, selon
from tests.witness import undone

ALIKE = selon(2, 10**9)  # cases of one shape, and cases of any shape that each operation gets
# No generated cursor or If-Match is valid: tests/core/test_curseur.py and tests/app/test_rfc9110.py judge them.
OUT = {"apres", "If-Match"}
# Rules outside `x-refus` that refuse a request that matches the document, and the reason of each.
RULES = {
    "CLE_IDEMPOTENCE_REUTILISEE": "a key may be generated twice",
    "MONTANT_TROP_GRAND": "the greatest amount is a setting",
    "JSON_INVALIDE": "a number of JSON has a bound and a precision: 1e308 and 5e-324 are refused",
    "TYPE_DE_FICHIER": "a generated file is no image",
    "VALEUR_INVALIDE": "a text that the type of its column does not have, such as an IP address",
}
# Sentences of VALIDATION_ERROR about a request that matches the document: operation, field, sentence, and the reason.
UNSTATED = {
    r"(plus grande? que zéro|(jour|mois|logement) au moins|logements au plus)\.": "a number in a text",
    r"taxes/detail taux Un taux ne dépasse pas": "a number in a text",
    r" Ce (nombre (compte \d+ déc|est trop)|texte contient|champ (doit être une date|contient))": "a bound of its type",
    r"( (url Une |email L')adresse|ne peut pas être vide)": "U+001C to U+001F and U+0085 are spaces in Python alone",
    r" Ce mot de passe est trop courant": "no schema has the list of common passwords",
    r"auth/(mot-de-passe ancien|preuve mot_de_passe) Ce n'est pas votre mot de passe": "the present password",
    r"(facturation/controle code|grand-livre compte) Ce champ est obligatoire": "an empty text is absent",
    r"audit/masquer donnees Ce champ est obligatoire": "`donnees` is any JSON, and null is absent",
    r"uploads key La clé du fichier": "a key is a category and a name",
    r"(imports|feuille) colonnes « colonnes » est un objet JSON": "JSON in the text of a form",
    r"(imports \w+ Aucune colonne|(imports|releves|feuille) file )": "a generated file is no sheet and no statement",
    r"(id_logement|tarif) Ce champ est obligatoire": "a demand may lack its room, and a weighed line its price",
    r"repetition appels Une liste compte": "no type bounds the length of a list",
    r"repetition appels\.\d+\.(chemin|corps|methode) ": "the schema of each call is that of its own operation",
    r"exceptions/\{id_exception\}/reprendre ": "the schema of `corps` is that of its own operation",
}  # fmt: skip
# With another method, the last part of these paths is the value of a key of another route: 400.
KEY_OR_NAME = ("/etiquettes", "/commandes/apercu-abonnement", "/logements/lot")


def opinion(check: str, case: schemathesis.Case, answer: Any, declared: set[str]) -> str | None:
    """The reason for which this finding is none, or None."""
    is_json = answer.headers.get("content-type") == ["application/json"]
    refusal = answer.json() if is_json and answer.status_code >= 400 else {"code": ""}
    code = refusal["code"]
    if check == "positive_data_acceptance":
        if code != "VALIDATION_ERROR":
            return "x-refus names it" if code in declared else RULES.get(code)
        sentences = [f"{case.operation.path} {d['property']} {m}" for d in refusal["details"] for m in d["messages"]]
        reasons = {next((why for rule, why in UNSTATED.items() if re.search(rule, text)), None) for text in sentences}
        return None if None in reasons else ", ".join(sorted(map(str, reasons)))
    if check == "negative_data_rejection":
        if answer.status_code == 413:
            return "schemathesis does not list 413 as a refusal"
        return "an empty parameter is absent" if re.search(r"[?&]\w+=(&|$)", answer.request.url) else None
    if check in ("unsupported_method", "allow_header_conformance"):
        return "a key or a name" if case.path.endswith(KEY_OR_NAME) else None
    if check == "status_code_conformance":
        whole = urlsplit(answer.request.url).path.endswith(case.operation.path.rpartition("}")[2])
        return None if whole else "the client cuts a path at a sign that it does not escape"
    return "not started here" if check == "not_a_server_error" and code in UNAVAILABLE else None


def with_ids(document: Any, keys: dict[str, str]) -> Any:
    """Return the document, where each identifier may also name an existing row."""
    extended = copy.deepcopy(document)

    def extend(name: str, schema: Any) -> Any:
        value = keys.get(name)
        return schema if value is None or "$ref" in schema else {"anyOf": [{"const": value}, schema]}

    for path, methods in extended["paths"].items():
        for operation in methods.values():
            shared, own = document["components"]["parameters"], operation.get("parameters", ())
            named = [(shared.get(one.get("$ref", "").rpartition("/")[2], one)["name"], one) for one in own]
            operation["parameters"] = [one for name, one in named if name not in OUT]
            for name, parameter in named:
                if "schema" in parameter:
                    longer = next((key for key in keys if key.endswith(f".{name}") and key.split(".")[0] in path), name)
                    parameter["schema"] = extend(longer, parameter["schema"])
    for schema in extended["components"]["schemas"].values():
        if schema.get("properties"):
            schema["properties"] = {name: extend(name, inner) for name, inner in schema["properties"].items()}
    return extended


def callers(db: Db, http: Http, document: Any, keys: dict[str, str]) -> dict[str, tuple[Http, set[str]]]:
    """The client of each part, and its operations. In the short form each operation has one client."""
    paths = document["paths"]
    every = {f"{method.upper()} {path}": one for path, methods in paths.items() for method, one in methods.items()}
    cashier = builders.utilisateur(db, caisse=int(keys["id_caisse"]))
    role = "select id_role from auth.role where code = 'CAISSIER'"
    query = f"select code from auth.permission join auth.role_permission using (id_permission) where id_role = ({role})"
    allowed = {row["code"] for row in db.all(query)}
    resident = {label for label in every if "/portail" in label}
    sold = {label for label, one in every.items() if allowed & {*one.get("x-permission", "").split("|")}} - resident
    parts = {
        "administrateur": (http.as_admin(), set(every) - sold - resident),
        "caissier": (http.as_user(cashier), sold),
        "resident": (http.as_user(keys["resident"]), resident),
        "suites": (http.as_admin(), set(every)),
    }
    return {part: (client, set(every) if LONGUE else labels) for part, (client, labels) in parts.items()}


@pytest.mark.timeout(selon(900, 7200))
@pytest.mark.promesse("Schemathesis, avec toutes ses vérifications, ne trouve aucune réponse hors du document")
@pytest.mark.parametrize("part", ["administrateur", "caissier", "resident", "suites"])
def test_no_check_of_schemathesis_finds_anything(
    db: Db, http: Http, document: Any, keys: dict[str, str], part: str, monkeypatch: pytest.MonkeyPatch,
    record_property: Any,
) -> None:  # fmt: skip
    client, labels = callers(db, http, document, keys)[part]
    kept = part == "suites"
    shapes: Counter[Any] = Counter()

    def send(adapter: HTTPAdapter, request: requests.PreparedRequest, **_: Any) -> requests.Response:
        http.services.store = Store()  # clears the throttle and the revocations of the case before
        headers = {name.lower(): value for name, value in request.headers.items()} | {"accept-encoding": "identity"}
        with undone(db) if request.method in ("POST", "PUT", "PATCH", "DELETE") and not kept else nullcontext():
            got = http.send(request.method or "", request.url or "", content=request.body, headers=headers)
        raw = urllib3.HTTPResponse(
            BytesIO(got.content), got.headers.multi_items(), got.status_code,
            reason=got.reason_phrase, preload_content=False, request_method=request.method,
        )  # fmt: skip
        return adapter.build_response(request, raw)

    def filter_case(_: Any, case: schemathesis.Case) -> bool:
        data, mode = case.meta.phase.data, case.meta.generation.mode
        shape = (data.parameter, data.parameter_location, data.description)
        shapes.update([shape, (case.operation.label, mode)])
        return min(shapes[shape], shapes[case.operation.label, mode]) <= ALIKE

    monkeypatch.setattr(HTTPAdapter, "send", send)
    monkeypatch.setattr(requests.sessions, "get_environ_proxies", lambda *_, **__: {})
    for place in ("transaction.WRITING", "transaction.KEEPING", "write.SECONDS"):  # the machine may be busy
        monkeypatch.setattr(f"app.http.{place}", 60.0)
    del keys["types"]  # a list elsewhere
    schema = schemathesis.openapi.from_dict(with_ids(document, keys))
    schema = schema.include(func=lambda context: context.operation.label in labels)
    schema.hook(filter_case)
    sent = {"Authorization": f"Bearer {client.token}"}
    busy = [schemathesis.config.HealthCheck.too_slow]
    schema.config.update(base_url="http://essai", headers=sent, continue_on_failure=True, suppress_health_check=busy)
    schema.config.workers, schema.config.seed = 1, 1
    schema.config.generation.update(max_examples=selon(1, 30), no_shrink=True)
    phases = schema.config.phases
    phases.examples.enabled = phases.coverage.enabled = not kept
    phases.stateful.enabled = kept
    phases.fuzzing.enabled = LONGUE and not kept  # coverage tries every boundary of every field
    checked: Counter[str] = Counter()
    opinions: Counter[str] = Counter()
    findings, tried = [], set()
    for event in from_schema(schema).execute():
        assert not isinstance(event, events.NonFatalError | events.FatalError), event
        recorder = event.recorder if isinstance(event, events.ScenarioFinished) else ScenarioRecorder(label="none")
        for identifier, checks in recorder.checks.items():
            case, answer = recorder.cases[identifier].value, recorder.interactions[identifier].response
            tried.add((case.operation.label, case.meta.generation.mode))
            declared = set(document["paths"][case.operation.path][case.operation.method].get("x-refus", ()))
            checked.update(check.name for check in checks)
            for name, failure in [(check.name, check.failure_info.failure) for check in checks if check.failure_info]:
                if kept and name == "positive_data_acceptance" and '"VALIDATION_ERROR"' in answer.text:
                    continue  # the other parts judge its sentences, in more cases
                if reason := opinion(name, case, answer, declared):
                    opinions[f"{name}: {reason}"] += 1
                else:
                    findings.append(f"{name}, {case.operation.label}: {failure}\n{answer.text}")
    record_property(f"{part} : cas, opérations", [max(checked.values()), len(labels)])
    record_property(f"{part} : avis", dict(opinions))
    assert not findings, "\n".join(findings)
    assert set(checked) == set(CHECKS.get_all_names()) - {"max_response_time"}
    assert kept or len(tried) == 2 * len(labels)  # requests that match the document, and requests that do not
