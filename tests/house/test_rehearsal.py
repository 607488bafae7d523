"""Rehearses the example of every write, and writes it with every version of its resource."""

from typing import Any

import pytest

from app.auth.throttle import Throttle
from app.http import mode
from tests.conftest import Db, Http
from tests.house.rule import holds
from tests.rehearsed import PREFER, tables, unlike
from tests.witness import Witness, example_body, operations, undone


def parameters(operation: Any) -> set[str]:
    """The headers that an operation declares."""
    named = (parameter.get("$ref", "") for parameter in operation.get("parameters", ()))
    return {name.rpartition("/")[2] for name in named}


def test_a_rehearsal_answers_as_the_write_and_leaves_no_trace(
    witness: Witness, keys: dict[str, str], http: Http, db: Db, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mode, "RATE", Throttle(1000, 60))
    resident = Witness(witness.http.as_user(keys["resident"]), witness.document)
    broken, done, before = [], 0, tables(db)
    for method, template, operation in operations(witness.document):
        if method == "GET":
            continue
        label = f"{method} {template}"
        client = resident if "/portail" in template else witness
        body = example_body(operation, keys)
        if "Prefer" not in parameters(operation):
            if operation.get("security") == []:
                client = Witness(http, witness.document)
            refused = client.request(method, template, keys, json=body, headers=PREFER)
            if refused.status_code != 400 or refused.json()["code"] != "REPETITION_IMPOSSIBLE":
                broken.append(f"{label} is not refused: {refused.text}")
            continue
        rehearsed = client.request(method, template, keys, json=body, headers=PREFER)
        after = tables(db)
        if changed := [name for name, hash in after.items() if hash != before.get(name)]:
            broken.append(f"{label} changed {', '.join(changed)}")
        before = after
        if rehearsed.is_success and rehearsed.headers.get("preference-applied") != "tx=rollback":
            broken.append(f"{label} does not say that it was a rehearsal")
        with undone(db):
            real = client.request(method, template, keys, json=body)
        if difference := unlike(rehearsed, real):
            broken.append(f"{label}: {difference}")
        done += rehearsed.is_success
    holds("a rehearsal answers as the write and leaves no trace", broken, "see app/http/mode.py")
    assert done > 80


def test_every_detail_has_a_version_that_its_writes_accept(witness: Witness, keys: dict[str, str], db: Db) -> None:
    resident = Witness(witness.http.as_user(keys["resident"]), witness.document)
    details = {
        template: operation
        for method, template, operation in operations(witness.document)
        if method == "GET" and "IfNoneMatch" in parameters(operation)
    }
    broken, conditional, before = [], 0, tables(db)
    for template in details:
        client = resident if "/portail" in template else witness
        answer = client.request("GET", template, keys)
        if answer.status_code != 200:  # it needs parameters of its query
            continue
        again = client.request("GET", template, keys, headers={"If-None-Match": f'"other", W/{answer.headers["etag"]}'})
        if (again.status_code, again.content) != (304, b"") or again.headers["etag"] != answer.headers["etag"]:
            broken.append(f"GET {template} answers {again.status_code} to its own version")
    for method, template, operation in operations(witness.document):
        if "IfMatch" not in parameters(operation):
            continue
        reader = template
        while reader not in details:
            reader = reader.rpartition("/")[0]
        label, body = f"{method} {template}", example_body(operation, keys)
        client = resident if "/portail" in template else witness
        present = client.request("GET", reader, keys)
        assert present.status_code == 200, (label, present.text)
        stale = client.request(method, template, keys, json=body, headers={"If-Match": '"other"'})
        if (stale.status_code, stale.json()["code"]) != (412, "MODIFIE_ENTRE_TEMPS"):
            broken.append(f"{label} accepts another version: {stale.status_code}")
        elif stale.json()["details"]["actuel"] != present.json() or tables(db) != before:
            broken.append(f"{label} does not show the present state")
        with undone(db):
            plain = client.request(method, template, keys, json=body)
        with undone(db):
            fresh = client.request(method, template, keys, json=body, headers={"If-Match": present.headers["etag"]})
            if difference := unlike(fresh, plain):
                broken.append(f"{label}: {difference}")
            if fresh.is_success and "etag" in fresh.headers:
                read = client.request("GET", reader, keys).headers["etag"]
                if read != fresh.headers["etag"]:
                    broken.append(f"{label} answers another version than GET {reader}")
                conditional += 1
    holds("a version decides whether its resource is written", broken, "see app/http/versions.py")
    assert conditional > 15
