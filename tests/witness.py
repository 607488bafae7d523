"""A client that validates each answer with the OpenAPI document, and an existing row for each key of a path."""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator, oas31_format_checker

from app.database.release import SLICES
from tests.conftest import Db, Http

PHOTO = "etat-lieux/1-a.jpg"
JPEG = b"\xff\xd8\xff\xe0 photo"


@pytest.fixture
def document(http: Http) -> Any:
    return http.get("/docs-json").json()


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def wrong(document: Any, schema: Any, value: Any) -> list[str]:
    """Return an error for each part of the value that does not match the schema."""
    whole = {**schema, "components": document["components"]}
    validator = OAS31Validator(whole, format_checker=oas31_format_checker)
    return [f"{'/'.join(map(str, error.path))}: {error.message}" for error in validator.iter_errors(value)]


def body_schema(operation: Any) -> Any:
    return operation.get("requestBody", {}).get("content", {}).get("application/json")


def key(keys: dict[str, str], template: str, name: str) -> str | None:
    """Return the value for a key of a path. A key name that two slices use is stored as restaurant.id_commande."""
    slice_name = template.removeprefix("/api/v1").split("/")[1]
    return keys.get(f"{slice_name}.{name}", keys.get(name))


def required(operation: Any, keys: dict[str, str]) -> dict[str, str]:
    """Return a value for each required query parameter: days, keys of rows and files, the code of a document."""
    parameters = [p for p in operation.get("parameters", ()) if p.get("in") == "query" and p.get("required")]
    values = keys | {"key": PHOTO, "code": "GSG-FAC-2026-001|95000.00|0123456789abcdef"}
    assert all("'date'" in str(parameter["schema"]) or parameter["name"] in values for parameter in parameters)
    return {parameter["name"]: values.get(parameter["name"], "2026-08-15") for parameter in parameters}


class Witness:
    """A client that validates each answer with the OpenAPI document."""

    def __init__(self, http: Http, document: Any) -> None:
        self.http = http
        self.document = document
        self.answered: set[tuple[str, str]] = set()

    def request(self, method: str, template: str, keys: dict[str, str] | None = None, **options: Any) -> Any:
        path = re.sub(r"{(\w+)}", lambda match: str(key(keys or {}, template, match[1])), template)
        answer = self.http.request(method, path, **options)
        operation = self.document["paths"][template][method.lower()]
        label = f"{method} {template} → {answer.status_code} {answer.text[:300]}"
        assert str(answer.status_code) in operation["responses"], label
        documented = operation["responses"][str(answer.status_code)]
        if "$ref" in documented:
            documented = self.document["components"]["responses"][documented["$ref"].rpartition("/")[2]]
        content = documented.get("content")
        if content is None:
            assert answer.content == b"", label
        elif "application/json" in content:
            assert answer.headers["content-type"] == "application/json", label
            assert not wrong(self.document, content["application/json"]["schema"], answer.json()), label
        if answer.status_code < 300:
            self.answered.add((method, template))
        return answer

    def make(self, template: str, keys: dict[str, str], body: Any = None) -> Any:
        """Send a POST that must succeed; return the JSON of its answer."""
        answer = self.request("POST", template, keys, json=body)
        assert answer.is_success, f"{template}: {answer.text}"
        return answer.json()


@pytest.fixture
def witness(http: Http, document: Any) -> Witness:
    return Witness(http.as_admin(), document)


def contracts() -> dict[str, ModuleType]:
    """Return tests/<slice>/contract.py of each slice that has one; it declares BODIES, make or both.

    BODIES lists the fields of each body: required fields, then optional fields after a bar. `make` creates the rows
    whose keys paths and bodies need, and adds the keys to `keys`.
    """
    modules = {name: f"tests.{name}.contract" for name in SLICES}
    return {name: import_module(module) for name, module in modules.items() if find_spec(module)}


@pytest.fixture
def keys(db: Db, witness: Witness) -> dict[str, str]:
    """Keys of existing rows, for paths and bodies: `make` of the slices creates rows, then examples create the rest."""
    db.acting(None)
    db.execute("update core.parametre set valeur = '1' where cle = 'VITRINE'")  # a closed shop window answers 404
    keys: dict[str, str] = {}
    for contract in contracts().values():
        if hasattr(contract, "make"):
            contract.make(db, witness, keys)
    while new_key := _create_next_example(witness, keys):
        keys |= new_key
    return keys


def _create_next_example(witness: Witness, keys: dict[str, str]) -> dict[str, str]:
    """Send the example of a POST whose rows have no key yet; return the new key, or an empty dict if none is left."""
    paths = witness.document["paths"]
    rows = {(path[: match.start() - 1], match[1]) for path in paths for match in re.finditer(r"{(\w+)}", path)}
    for collection, name in sorted(rows):
        creation = paths.get(collection, {}).get("post", {"responses": ()})
        if "201" not in creation["responses"] or key(keys, collection, name):
            continue
        needed = {*re.findall(r"{(\w+)}", collection), *example_body(creation, {})} - {name}
        if all(key(keys, collection, other) for _, other in rows if other in needed):
            answer = witness.make(collection, keys, example_body(creation, keys))
            parts = [answer, *(part for part in answer.values() if isinstance(part, dict))]
            return {name: next(part[name] for part in parts if name in part)}
    return {}


def example_body(operation: Any, keys: dict[str, str]) -> dict[str, Any]:
    """Return the example of a body, with the keys of existing rows."""
    example = (body_schema(operation) or {}).get("example", {})
    return {name: keys[name] if name in keys and name.startswith("id_") else example[name] for name in example}


def undone(db: Db) -> AbstractContextManager[Any]:
    """Roll the block back to a savepoint."""
    return db.connection.transaction(force_rollback=True)
