"""How the OpenAPI document names schemas, and what it refuses to name."""

from __future__ import annotations

from typing import Any

import pytest

from app.database.catalogue import Attribute, CatalogueError, Function, Parameter, PgType
from app.http.route import GET, POST, Route, RouteTable
from app.openapi.document import document
from tests.conftest import Http

BIGINT = PgType(20, "pg_catalog", "int8", "base")


def composite(schema: str, name: str) -> PgType:
    return PgType(0, schema, name, "composite", attributes=[Attribute("id", BIGINT, None, nullable=False)])


def function(schema: str, name: str, parameters: list[Parameter], returns: PgType) -> Function:
    return Function(schema, name, parameters, returns, False, "s", "Un essai.")


def made(http: Http, functions: list[Function], *routes: Route) -> Any:
    catalogue = http.services.catalogue
    changed = type(catalogue)({f.qualified: f for f in functions}, catalogue.types, {}, set())
    return document(RouteTable(list(routes), set(), {}), changed)


def test_two_slices_that_answer_with_one_name_get_their_slice_before_it(http: Http) -> None:
    functions = [function(s, f"{n}_x", [], composite(s, f"{n}_vue")) for s, n in (("a", "commande"), ("b", "commande"))]
    functions.append(function("b", "autre_x", [], composite("b", "autre_vue")))
    routes = [GET(f"/api/v1/core/{f.schema}/{f.name}", f.qualified, None) for f in functions]
    assert {"ACommande", "BCommande", "Autre"} <= made(http, functions, *routes)["components"]["schemas"].keys()


def test_one_name_for_two_shapes_and_a_name_for_no_field_are_refused(http: Http) -> None:
    ligne, autre = composite("a", "ligne"), composite("a", "autre_ligne")
    autre.attributes[0].name = "code"
    one, other = (Parameter("lignes", kind, True, None) for kind in (ligne, autre))
    functions = [function("a", "un", [one], BIGINT), function("a", "deux", [other], BIGINT)]
    routes = [POST(f"/api/v1/core/{f.name}", f.qualified, None, f"{f.name}Dto", lignes="LigneDto") for f in functions]
    with pytest.raises(CatalogueError, match="Deux schémas différents s'appellent LigneDto"):
        made(http, functions, *routes)
    with pytest.raises(CatalogueError, match="des champs qu'il n'a pas : article"):
        made(http, functions[:1], POST("/api/v1/core/un", "a.un", None, "UnDto", article="ArticleDto"))


def test_a_route_without_a_group_is_refused_by_its_path(http: Http) -> None:
    functions = [function("a", "un", [], BIGINT)]
    with pytest.raises(CatalogueError, match="GET /ailleurs n'a pas de groupe"):
        made(http, functions, GET("/ailleurs", "a.un", None))
