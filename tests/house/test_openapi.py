"""The OpenAPI document is valid, uses the names of the contract, and declares null only where it can occur."""

import re
from typing import Any

from openapi_spec_validator import OpenAPIV31SpecValidator

from app import routes
from app.database.catalogue import Parameter, PgType
from app.http.arguments import Arguments
from app.openapi.schemas import composites
from tests.conftest import Db, Http
from tests.witness import body_schema, contracts, operations, wrong

ANSWERS = {
    "Activite", "Caisse", "CaisseDetail", "CategorieDepense", "Client", "ClientDetail", "ContactUrgence", "Depense",
    "Facture", "FactureDetail", "FactureLigne", "Impaye", "MoyenPaiement", "Notification", "Paiement",
    "PaiementDetail", "Parametre", "PeriodeCaisse", "Permission", "PieceIdentite", "Prestation", "Reglement", "Role",
    "Session", "Tirage", "Utilisateur",
}  # fmt: skip
ENGLISH = re.compile(r"\b(the|of|and|that|whether|with)\b")
GIVE_ONE = "give the field an example that fits, in EXAMPLES of app/routes/<slice>.py"


# ---- the document


def test_the_document_is_valid_openapi(document: Any) -> None:
    OpenAPIV31SpecValidator(document).validate()


def test_bodies_have_the_fields_of_the_contract(document: Any) -> None:
    schemas = document["components"]["schemas"]
    actual = {}
    for name in (name for name in schemas if name.endswith("Dto")):
        required = schemas[name].get("required", [])
        optional = schemas[name]["properties"].keys() - set(required)
        actual[name] = (set(required), optional)
        assert schemas[name]["additionalProperties"] is False
    bodies = {name: fields for part in contracts().values() for name, fields in getattr(part, "BODIES", {}).items()}
    expected = {}
    for name, fields in bodies.items():
        required, _, optional = fields.partition("|")
        expected[name] = (set(required.split()), set(optional.split()))
    assert {name: actual.get(name) for name in expected} == expected
    unnamed = actual.keys() - expected.keys()
    assert not [name for name in unnamed if not re.match(r"[A-Z][A-Za-z]+Dto$", name)]
    assert not [name for name in unnamed if re.search(r"(Entree|Nouveau)Dto$", name)], "name the body in its route"


def test_a_body_declares_nullable_fields_and_defaults(document: Any) -> None:
    schemas = document["components"]["schemas"]
    creer, maj = schemas["CreerClientDto"]["properties"], schemas["MajClientDto"]["properties"]
    assert creer["nom"]["type"] == maj["nom"]["type"] == "string"
    assert maj["email"]["type"] == creer["email"]["type"] == ["string", "null"]
    assert None in maj["sexe"]["enum"] and None not in maj["type_client"]["enum"]
    assert "default" not in schemas["CreerPrestationDto"]["properties"]["actif"]
    facturer = schemas["FacturerPrestationDto"]["properties"]
    assert facturer["lignes"]["items"] == {"$ref": "#/components/schemas/LigneFacturationDto"}
    assert {"$ref": "#/components/schemas/NouveauClientFacturationDto"} in facturer["client"]["anyOf"]
    assert facturer["montant"]["type"] == ["string", "number"] and facturer["montant"]["minimum"] == 0
    assert schemas["LigneFacturationDto"]["properties"]["libelle"]["description"] == "Texte de la ligne."


def test_answer_schemas_have_names_in_camel_case(document: Any) -> None:
    schemas = document["components"]["schemas"]
    assert not ANSWERS - schemas.keys()
    assert not [name for name in schemas if "_" in name or name.endswith("Vue") or not name[0].isupper()]
    for method, path, operation in operations(document):
        (success,) = (a for status, a in operation["responses"].items() if status < "300" and status != "202")
        if method != "DELETE":
            assert success["content"], path


def test_every_operation_lists_its_permission_and_its_errors(http: Http, document: Any) -> None:
    for route in routes.load().routes:
        operation = document["paths"][route.path][route.method.lower()]
        text, refusals = operation["description"], {status for status in operation["responses"] if status > "399"}
        assert {"400", "401", "503"} <= refusals
        if route.permission:
            words = route.permission.replace("|", " ou ")
            assert operation["x-permission"] == route.permission and f"Permission : {words}." in text
            assert "403" in refusals
        else:
            assert "x-permission" not in operation and "Accès : " in text
        assert (operation.get("security") == []) == route.public
        functions = http.services.catalogue.functions
        function = functions.get(route.function or "")
        rules = function.refusals if function else list(route.refuses)
        if function and function.instant:
            rules = rules + functions["audit.instant_poser"].refusals
        assert operation.get("x-refus", []) == rules
        assert all(f"`{rule}`" in text for rule in rules)
    for status, answer in document["components"]["responses"].items():
        assert ("Retry-After" in answer.get("headers", {})) == (status in ("Refus429", "Refus503"))


def test_summaries_are_one_french_sentence(document: Any) -> None:
    for _, path, operation in operations(document):
        summary = operation["summary"]
        assert summary == summary.strip() and 4 < len(summary) < 130, path
        assert summary[0].isupper() and not summary.endswith((".", ":", ";", ",")), path
        assert "Refuse" not in summary and "p_" not in operation["description"], path
        assert not ENGLISH.search(operation["description"]), path
    for name, schema in document["components"]["schemas"].items():
        assert not ENGLISH.search(schema.get("description", "")), name
    tags = {tag["name"]: tag["description"] for tag in document["tags"]}
    assert {tag for _, _, operation in operations(document) for tag in operation["tags"]} == set(tags)
    assert all(text.endswith(".") for text in tags.values())


def test_body_examples_pass_the_argument_checks_and_the_schema(http: Http, document: Any) -> None:
    named = http.services.catalogue.named
    seen = 0
    for route in routes.load().routes:
        content = body_schema(document["paths"][route.path][route.method.lower()])
        assert (content is None) == (route.body is None), route.path
        if content is None:
            continue
        example = content["example"]
        assert example and not wrong(document, content["schema"], example), f"{route.path}: {GIVE_ONE}"
        assert not re.search(r"'texte'[^:]", str(example)), f"{route.path}: {GIVE_ONE}"
        outside = {key: "1" for key in re.findall(r"{(\w+)}", route.path)}
        if route.fields:
            checker = Arguments([Parameter(name, named(kind), True, None) for name, kind in route.fields], None)
        else:
            assert route.function
            parameters = http.services.catalogue.functions[route.function].accepted
            outside |= {p.name: "1" for p in parameters if p.required and p.name in route.supplied}
            checker = Arguments(parameters, named(route.champs) if route.champs else None)
        checker.check(outside, example)
        seen += 1
    assert seen > 30


def test_the_examples_of_answers_fit_their_schema(document: Any) -> None:
    schemas = document["components"]["schemas"]
    examples = [(name, example) for name, schema in schemas.items() for example in schema.get("examples", ())]
    assert {"Erreur", "Facture", "FactureDetail", "Reglement", "Tirage"} <= {name for name, _ in examples}
    for name, example in examples:
        assert not wrong(document, {"$ref": f"#/components/schemas/{name}"}, example), f"{name}: {GIVE_ONE}"
        assert not re.search(r"'texte'[^:]", str(example)), f"{name}: {GIVE_ONE}"


def test_the_form_of_an_answer_is_the_only_default_that_generated_clients_send(document: Any) -> None:
    limit = parameter(document, "/api/v1/client/clients", "limit")
    assert limit["schema"] == {"type": "integer", "minimum": 1, "maximum": 1000}
    assert limit["description"].endswith("Par défaut : 1000.")
    for _, path, operation in operations(document):
        for spec in operation.get("parameters", ()):
            if "default" in spec.get("schema", {}):
                assert spec["name"] == "format", path
                assert not wrong(document, spec["schema"], spec["schema"]["default"]), path


def parameter(document: Any, path: str, name: str) -> Any:
    return next(p for p in document["paths"][path]["get"]["parameters"] if p.get("name") == name)


def test_lists_document_their_headers_and_posts_the_idempotency_key(document: Any) -> None:
    paths = document["paths"]
    listed = paths["/api/v1/client/clients"]
    headers = {"X-Total-Count", "X-Total-Capped", "Link", "X-Ignored-Parameters"}
    assert set(paths["/api/v1/market/ventes"]["get"]["responses"]["200"]["headers"]) == headers
    assert set(listed["get"]["responses"]["200"]["headers"]) == {*headers, "Memento-Datetime"}
    assert set(paths["/api/v1/admin/roles"]["get"]["responses"]["200"]["headers"]) == {"ETag", "X-Ignored-Parameters"}
    assert {"$ref": "#/components/parameters/IdempotencyKey"} in listed["post"]["parameters"]
    assert "Idempotency-Replayed" in listed["post"]["responses"]["201"]["headers"]
    assert "parameters" not in paths["/api/v1/auth/login"]["post"]


# ---- null or not


def test_a_view_declares_each_column_that_may_be_null(http: Http, db: Db) -> None:
    """The planner replaces `column is null` by false if it can prove NOT NULL: no outer join, NOT NULL in the table.

    Every other column is declared beside its view: peut_etre_null, null_comme or jamais_null.
    """
    db.execute("set local constraint_exclusion = on")  # before PostgreSQL 17 the planner needs it to use NOT NULL

    def proven(view: str, column: str) -> bool:
        plan = db.all(f'explain (costs off) select from {view} v where v."{column}" is null')
        # The filter of the whole plan: a part of a union may be proven empty, and the whole not.
        return any(row["QUERY PLAN"] == "  One-Time Filter: false" for row in plan)

    asserted = {
        (row["objet"], row["nom"]) for row in db.all("select * from core.declaration where genre = 'JAMAIS_NULL'")
    }
    views = {row["nom"] for row in db.all("select oid::regclass::text as nom from pg_class where relkind <> 'c'")}
    answered = {
        kind.qualified: kind
        for function in http.services.catalogue.functions.values()
        for kind in composites(function.returns)
        if kind.qualified in views
    }
    claimed = {
        (view, attribute.name)
        for view, kind in answered.items()
        for attribute in kind.attributes
        if not attribute.nullable and not is_list_of_rows(attribute.type)
    }
    unproven = {column for column in claimed if not proven(*column)}
    undeclared = "\n  ".join(".".join(column) for column in sorted(unproven - asserted))
    assert not undeclared, f"Declare these columns: core.peut_etre_null, null_comme or jamais_null.\n  {undeclared}"
    needless = "\n  ".join(".".join(column) for column in sorted(asserted - unproven))
    assert not needless, f"PostgreSQL proves these columns NOT NULL. Remove them from core.jamais_null.\n  {needless}"
    nullable = {(view, a.name) for view, kind in answered.items() for a in kind.attributes if a.nullable}
    wrong = "\n  ".join(".".join(column) for column in sorted(nullable) if proven(*column))
    assert not wrong, f"PostgreSQL proves these columns NOT NULL. Do not declare them as nullable.\n  {wrong}"
    assert len(claimed) > 400


def is_list_of_rows(kind: PgType) -> bool:
    """Tell whether the type is an array of rows; app/database/wire.py answers [] for an empty or null array."""
    return kind.element is not None and kind.element.kind == "composite"


def test_nulls_are_declared_only_for_types_of_the_contract(http: Http, db: Db) -> None:
    catalogue = http.services.catalogue
    types = [kind for function in catalogue.functions.values() for kind in composites(function.returns)]
    types += [k for f in catalogue.functions.values() for p in f.parameters for k in composites(p.type)]
    types += [k for r in routes.load().routes if r.champs for k in composites(catalogue.named(r.champs))]
    types += [k for r in routes.load().routes for _, name in r.fields for k in composites(catalogue.named(name))]
    types += [catalogue.named(f"echange.{entity}") for entity in catalogue.named("echange.entite").labels]
    used = {f"{kind.schema}.{kind.name}" for kind in types}
    declared = {
        row["objet"]
        for row in db.all("select distinct objet from core.declaration where genre in ('NULL', 'JAMAIS_NULL')")
    }
    assert sorted(declared - used) == []


def test_no_property_has_a_default(document: Any) -> None:
    """Generated clients treat a property with a default as required, in bodies and in answers."""

    def defaults(place: str, value: Any) -> list[str]:
        if isinstance(value, list):
            return [line for item in value for line in defaults(place, item)]
        if not isinstance(value, dict):
            return []
        own = [
            f"{place}.{name}"
            for name, schema in value.get("properties", {}).items()
            if isinstance(schema, dict) and "default" in schema
        ]
        return own + [line for name, item in value.items() if name != "examples" for line in defaults(name, item)]

    assert defaults("", document["components"]["schemas"]) == []
    shown = document["components"]["schemas"]["CreerPrestationDto"]["properties"]["actif"]
    assert shown["description"].endswith("Par défaut : true.") and shown["type"] == ["boolean", "null"]


def test_every_field_of_an_answer_has_one_type(document: Any) -> None:
    """No field of an answer is without a type, and no scalar has two types besides null."""
    schemas = document["components"]["schemas"]
    reached: set[str] = set()

    def reach(value: Any) -> None:
        if isinstance(value, list):
            for item in value:
                reach(item)
        elif isinstance(value, dict):
            name = str(value.get("$ref", "")).removeprefix("#/components/schemas/")
            if name in schemas and name not in reached:
                reached.add(name)
                reach(schemas[name])
            for item in value.values():
                reach(item)

    for _, _, operation in operations(document):
        reach(operation["responses"])
    fields = [(f"{name}.{f}", s) for name in reached for f, s in schemas[name].get("properties", {}).items()]
    assert len(fields) > 900
    assert [name for name, s in fields if not s.keys() & {"type", "$ref", "anyOf", "const"}] == []
    assert [name for name, s in fields if isinstance(s.get("type"), list) and len(set(s["type"]) - {"null"}) > 1] == []
    nullable = [n for n, s in fields if "null" in s.get("type", ()) or {"type": "null"} in s.get("anyOf", ())]
    assert len(nullable) < len(fields) / 3


def test_operations_are_grouped_by_the_tasks_of_users(document: Any) -> None:
    groups = {path: operation["tags"] for _, path, operation in operations(document)}
    assert groups["/api/v1/auth/login"] == ["Connexion"] and groups["/api/v1/admin/roles"] == ["Comptes et roles"]
    assert groups["/api/v1/residence/portail/resume"] == ["Espace resident"]
    assert groups["/api/v1/residence/contrats"] == ["Residence"]
    assert document["tags"][0]["name"] == "Connexion" and not [tag for tag in document["tags"] if "_" in tag["name"]]


def test_generators_of_clients_find_what_they_need(document: Any) -> None:
    """Groups become module names."""
    assert all(tag["name"].isascii() for tag in document["tags"])
    assert not [one for _, _, one in operations(document) if not re.fullmatch(r"[a-z][a-z0-9_]*", one["operationId"])]


def test_an_operation_declares_the_404_that_it_may_answer_without_a_key(document: Any) -> None:
    assert "404" in document["paths"]["/api/v1/pressing/tarif-kg"]["get"]["responses"]
    assert [path for _, path, one in operations(document)
            if "NOT_FOUND" in one.get("x-refus", []) and "404" not in one["responses"]] == []  # fmt: skip


def test_every_upload_has_an_example_and_a_command(document: Any) -> None:
    forms = [
        (path, operation, operation["requestBody"]["content"]["multipart/form-data"])
        for _, path, operation in operations(document)
        if "multipart/form-data" in operation.get("requestBody", {}).get("content", {})
    ]
    assert len(forms) >= 2
    for path, operation, form in forms:
        assert form["example"].keys() == form["schema"]["properties"].keys() and form["example"]["file"], path
        assert f"-F file=@{form['example']['file']}" in operation["description"], path
        assert path in operation["description"], path
