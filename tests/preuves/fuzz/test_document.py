"""Every request gets an answer that the OpenAPI document describes, and never an unexpected 5xx.

Schemathesis generates valid and invalid requests from the document. The test adds identifiers of existing rows to the
choices of schemathesis. Each request is rolled back.
"""

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi import checks

from app.auth.kvstore import Store
from tests import builders
from tests.conftest import Db, Http
from tests.preuve import LONGUE
from tests.witness import undone

EXAMPLES = 15 if LONGUE else 2  # of each operation, as each caller, in each of the two modes
REQUEST = ("method", "url", "headers", "files", "data", "params", "cookies", "json")
EXCLUDED_CHECKS = [
    checks.ignored_auth,  # every route without a token: tests/security/test_access.py
    # Rules that a schema cannot express also refuse with 400 (a date in the year 12, a cent too many).
    checks.positive_data_acceptance,
]


def with_ids(document: Any, keys: dict[str, str], *, secured: bool = False) -> Any:
    """Return the document, where each identifier may also name an existing row; without tokens unless `secured`."""
    extended = copy.deepcopy(document)

    def extend(name: str, schema: Any) -> Any:
        value = keys.get(name)
        return schema if value is None or "$ref" in schema else {"anyOf": [{"const": value}, schema]}

    if not secured:
        del extended["security"]
    for path, methods in extended["paths"].items():
        for operation in methods.values():
            if not secured:
                operation.pop("security", None)
            for parameter in operation.get("parameters", ()):
                if "schema" in parameter:
                    name = parameter["name"]
                    longer = next((key for key in keys if key.endswith(f".{name}") and key.split(".")[0] in path), name)
                    parameter["schema"] = extend(longer, parameter["schema"])
    for schema in extended["components"]["schemas"].values():
        if schema.get("properties"):
            schema["properties"] = {name: extend(name, inner) for name, inner in schema["properties"].items()}
    return extended


def send(http: Http, case: schemathesis.Case) -> httpx.Response:
    """Send the request of schemathesis, byte for byte, to the application in this transaction."""
    options = case.as_transport_kwargs(base_url="http://essai")
    # A "?" or a "#" here belongs to a path value: the query is in `params`.
    options["url"] = options["url"].replace("?", "%3F").replace("#", "%23")
    made = requests.Request(**{name: options[name] for name in REQUEST if name in options}).prepare()
    headers = {**made.headers, **({"authorization": f"Bearer {http.token}"} if http.token else {})}
    return http.send(made.method or "", made.url or "", content=made.body, headers=headers)


def check(case: schemathesis.Case, answer: httpx.Response) -> None:
    """Run every check of schemathesis, except for documented differences of this service."""
    excluded = list(EXCLUDED_CHECKS)
    if "" in answer.request.url.params.values():
        excluded.append(checks.negative_data_rejection)  # an empty value counts as absent
    if answer.status_code == 413:
        excluded.append(checks.negative_data_rejection)  # schemathesis does not list 413 as a refusal
    if answer.status_code == 503:
        assert answer.json()["code"] in UNAVAILABLE, answer.text
        excluded.append(not_a_server_error)
    case.validate_response(answer, excluded_checks=excluded)


# Codes of the services that this test does not start: the renderer and the backup store.
UNAVAILABLE = ("RENDU_INDISPONIBLE", "INDISPONIBLE")

CASES = settings(
    max_examples=EXAMPLES,
    database=None,
    deadline=None,
    derandomize=not LONGUE,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)
CALLERS: dict[str, Callable[[Db, Http, dict[str, str]], Http]] = {
    "administrateur": lambda db, http, keys: http.as_admin(),
    "caissier": lambda db, http, keys: http.as_user(builders.utilisateur(db, caisse=int(keys["id_caisse"]))),
    "resident": lambda db, http, keys: http.as_user(keys["resident"]),
}


@pytest.mark.timeout(7200 if LONGUE else 600)
@pytest.mark.parametrize("caller", CALLERS)
def test_every_answer_is_described_in_the_document(
    db: Db, http: Http, document: Any, keys: dict[str, str], caller: str, capfd: pytest.CaptureFixture[str]
) -> None:
    client = CALLERS[caller](db, http, keys)
    schema = schemathesis.openapi.from_dict(with_ids(document, keys))
    statuses: Counter[int] = Counter()
    failures: list[str] = []

    def attempt(case: schemathesis.Case) -> None:
        http.services.store = Store()  # clears the throttle and the revocations of the case before
        with undone(db):
            answer = send(client, case)
        statuses[answer.status_code] += 1
        check(case, answer)

    operations = [result.ok() for result in schema.get_all_operations()]
    # In the short mode, each caller gets a third of the operations.
    for operation in operations if LONGUE else operations[list(CALLERS).index(caller) :: 3]:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            try:
                CASES(given(operation.as_strategy(generation_mode=mode))(attempt))()
            except Unsatisfiable:
                continue  # no request of this operation is invalid: it has no parameters
            except (FailureGroup, AssertionError) as failure:
                failures.append(f"{operation.label}, {mode.value} : {failure}")
    with capfd.disabled():
        if LONGUE:
            print(f"\n{caller} : {statuses.total()} cas, {dict(sorted(statuses.items()))}, {len(failures)} défauts")
    assert not failures, "\n".join(failures)
    assert statuses.total() > (6000 if LONGUE else 150)
