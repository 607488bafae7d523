"""Whatever is sent to any operation, the answer is one that the API's document foretells, and never a 5xx.

Requests are made by schemathesis out of the document, some that it allows and some that it does not; identifiers of
things that exist are put among those that it may choose. Each request is undone.
"""

from __future__ import annotations

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

from app.auth.kvstore import MemoryStore
from tests import builders
from tests.conftest import Db, Http
from tests.preuve import LONGUE
from tests.witness import undone

EXAMPLES = 40 if LONGUE else 2  # of each operation, as each caller, in each of the two modes
REQUEST = ("method", "url", "headers", "files", "data", "params", "cookies", "json")
NOT_ASKED = [
    checks.ignored_auth,  # every route without a token: tests/security/test_access.py
    # 400 is also how rules refuse that a schema does not know (a day of the year 12, a cent too many).
    checks.positive_data_acceptance,
]


def with_ids(document: Any, known: dict[str, str]) -> Any:
    """The document, where what names a thing may also take one that exists."""
    found = copy.deepcopy(document)

    def extend(name: str, schema: Any) -> Any:
        value = known.get(name)
        return schema if value is None or "$ref" in schema else {"anyOf": [{"const": value}, schema]}

    del found["security"]
    for path, methods in found["paths"].items():
        for operation in methods.values():
            operation.pop("security", None)
            for parameter in operation.get("parameters", ()):
                if "schema" in parameter:
                    name = parameter["name"]
                    longer = next(
                        (key for key in known if key.endswith(f".{name}") and key.split(".")[0] in path), name
                    )
                    parameter["schema"] = extend(longer, parameter["schema"])
    for schema in found["components"]["schemas"].values():
        if schema.get("properties"):
            schema["properties"] = {name: extend(name, inner) for name, inner in schema["properties"].items()}
    return found


def send(http: Http, case: schemathesis.Case) -> httpx.Response:
    """What schemathesis would send by requests, byte for byte, to the application of this transaction."""
    options = case.as_transport_kwargs(base_url="http://essai")
    options["url"] = options["url"].replace("?", "%3F")  # of a value in the path: the query is in `params`
    made = requests.Request(**{name: options[name] for name in REQUEST if name in options}).prepare()
    headers = {**made.headers, **({"authorization": f"Bearer {http.token}"} if http.token else {})}

    async def answer() -> httpx.Response:
        async with httpx.AsyncClient(transport=http.transport) as client:
            found = await client.request(made.method or "", made.url or "", content=made.body, headers=headers)
        await http.services.background.settle()
        return found

    return http.runner.run(answer())


def check(case: schemathesis.Case, answer: httpx.Response) -> None:
    """Every check of schemathesis, but for what this service does otherwise and says so."""
    excluded = list(NOT_ASKED)
    if "" in answer.request.url.params.values():
        excluded.append(checks.negative_data_rejection)  # an empty value counts as absent
    if answer.status_code == 413:
        excluded.append(checks.negative_data_rejection)  # a refusal too, which schemathesis does not list as one
    if answer.status_code == 503:
        assert answer.json()["code"] in UNAVAILABLE, answer.text
        excluded.append(not_a_server_error)
    case.validate_response(answer, excluded_checks=excluded)


# A renderer or a store of backups that this test has not.
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
    "administrateur": lambda db, http, known: http.as_admin(),
    "caissier": lambda db, http, known: http.as_user(builders.utilisateur(db, caisse=int(known["id_caisse"]))),
    "resident": lambda db, http, known: http.as_user(known["resident"]),
}


@pytest.mark.timeout(3600 if LONGUE else 120)
@pytest.mark.parametrize("caller", CALLERS)
def test_every_answer_is_foretold(
    db: Db, http: Http, document: Any, known: dict[str, str], caller: str, capfd: pytest.CaptureFixture[str]
) -> None:
    client = CALLERS[caller](db, http, known)
    schema = schemathesis.openapi.from_dict(with_ids(document, known))
    answered: Counter[int] = Counter()
    failures: list[str] = []

    def attempt(case: schemathesis.Case) -> None:
        http.services.store = MemoryStore()  # a throttle or a logout of the case before
        with undone(db):
            answer = send(client, case)
        answered[answer.status_code] += 1
        check(case, answer)

    operations = [found.ok() for found in schema.get_all_operations()]
    # In short, a third of them to each caller.
    for operation in operations if LONGUE else operations[list(CALLERS).index(caller) :: 3]:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            try:
                CASES(given(operation.as_strategy(generation_mode=mode))(attempt))()
            except Unsatisfiable:
                continue  # nothing of this operation can be wrong: it takes nothing
            except (FailureGroup, AssertionError) as failure:
                failures.append(f"{operation.label}, {mode.value} : {failure}")
    with capfd.disabled():
        if LONGUE:
            print(f"\n{caller} : {answered.total()} cas, {dict(sorted(answered.items()))}, {len(failures)} défauts")
    assert not failures, "\n".join(failures)
    assert answered.total() > (6000 if LONGUE else 150)
