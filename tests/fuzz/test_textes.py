"""Hostile texts in every text field of every operation: the answer returns them unchanged, or refuses them."""

import json
import re

from app.auth.kvstore import Store
from tests.preuve import LONGUE
from tests.witness import body_schema, example_body, key, operations, required, undone

JSON = {"content-type": "application/json"}
HOSTILE = {
    "NUL": "a\0b",
    "half a surrogate": "\ud800",
    "a megabyte": "x" * 1_000_000,
    "right to left": "\u202eabc\u2066\u200f",
    "SQL": "'; drop table finances.paiement; --",
    "a format": "%s %(x)s {0} %1$s",
    "a template": "{{ 7*7 }}${7*7}<%= 7*7 %>#{7*7}",
    "markup": "<script>alert(1)</script>&amp;\"'",
    "a header": "a\r\nSet-Cookie: x=1",
    "a path": "../../../../etc/passwd",
    "combined": "Z" + "\u0301" * 50,
    "a pattern": "%_\\(a+)+$",
    "blank": " \u00a0\u200b",
}


def hostile_texts(number):
    """Return the texts to try at this place: all, or in the short mode two, which change with the place."""
    kinds = list(HOSTILE)
    return {kind: HOSTILE[kind] for kind in (kinds if LONGUE else kinds[number % 7 :: 7])}


def texts(document, schema, path=()):
    """Yield the paths of the free text fields of a body."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for inner in schema.get("anyOf", ()):
        yield from texts(document, inner, path)
    if "items" in schema:
        yield from texts(document, schema["items"], (*path, "0"))
    for name, inner in schema.get("properties", {}).items():
        yield from texts(document, inner, (*path, name))
    if "string" in schema.get("type", ()) and "enum" not in schema and "number" not in schema.get("type", ()):
        yield path


def with_value(body, path, value):
    """Return the body with this value at this path."""
    if not path:
        return value
    if path[0] == "0":
        return [with_value(body[0] if body else {}, path[1:], value)]
    return {**(body or {}), path[0]: with_value((body or {}).get(path[0]), path[1:], value)}


def assert_documented(operation, answer, label):
    assert str(answer.status_code) in operation["responses"], f"{label} → {answer.status_code} {answer.text[:300]}"
    assert answer.status_code < 500 or answer.json()["code"] in ("RENDU_INDISPONIBLE", "INDISPONIBLE"), label


def test_hostile_texts_in_every_body_are_returned_unchanged_or_refused(db, http, witness, keys):
    sent = returned = number = 0
    for method, template, operation in operations(witness.document):
        content = body_schema(operation)
        if content is None or template.endswith("/restaurer"):
            continue
        body = example_body(operation, keys)
        target = re.sub(r"{(\w+)}", lambda name: str(key(keys, template, name[1])), template)  # noqa: B023
        for place in texts(witness.document, content["schema"]):
            number += 1
            for kind, value in hostile_texts(number).items():
                http.services.store = Store()
                raw = json.dumps(with_value(body, place, value)).encode()
                with undone(db):
                    answer = witness.http.request(method, target, content=raw, headers=JSON)
                label = f"{method} {template} {'.'.join(place)} : {kind}"
                assert_documented(operation, answer, label)
                sent += 1
                if kind in ("NUL", "half a surrogate"):
                    assert answer.status_code in (400, 401, 403, 409), label  # only a device sends a lot
                stored = answer.json() if answer.status_code in (200, 201) else None
                if isinstance(stored, dict) and isinstance(stored.get(place[-1]), str) and len(place) == 1:
                    assert stored[place[-1]] in (value, value.strip()), label
                    returned += 1
    assert sent > 300 and returned > 20, (sent, returned)


def test_hostile_texts_in_every_query_and_path_get_a_documented_answer(http, witness, keys):
    sent = number = 0
    for method, template, operation in operations(witness.document):
        if method != "GET":
            continue
        for parameter in operation.get("parameters", ()):
            if parameter.get("schema", {}).get("type") != "string" or "enum" in parameter["schema"]:
                continue
            number += 1
            for kind, value in hostile_texts(number).items():
                if kind in ("half a surrogate", "a megabyte"):
                    continue  # a URL cannot hold a lone surrogate, and no server accepts a URL of a megabyte
                path_keys = {**keys, parameter["name"]: "x"} if parameter["in"] == "path" else keys
                target = re.sub(r"{(\w+)}", lambda name: str(key(path_keys, template, name[1])), template)  # noqa: B023
                params = required(operation, keys) | ({parameter["name"]: value} if parameter["in"] == "query" else {})
                answer = witness.http.get(target, params=params)
                assert_documented(operation, answer, f"{template} {parameter['name']} : {kind}")
                sent += 1
    assert sent > 100
