"""The names of schemas in the OpenAPI document, and the routes that the document refuses."""

from typing import Any

import pytest

from app.database.catalogue import Attribute, CatalogueError, Function, Parameter, PgType
from app.http.route import GET, POST, Route, RouteTable
from app.openapi.document import document
from tests.conftest import Http

BIGINT = PgType("pg_catalog", "int8", "base")


def composite(schema: str, name: str) -> PgType:
    return PgType(schema, name, "composite", attributes=[Attribute("id", BIGINT, None, nullable=False)])


def function(schema: str, name: str, parameters: list[Parameter], returns: PgType) -> Function:
    return Function(schema, name, parameters, returns, False, "s", "Un essai.")


def build_document(http: Http, functions: list[Function], *routes: Route) -> Any:
    catalogue = http.services.catalogue
    changed = type(catalogue)({f.qualified: f for f in functions}, catalogue.types, {}, set(), [])
    return document(RouteTable(list(routes), {}), changed)


def test_schemas_of_two_slices_with_one_name_get_the_slice_as_prefix(http: Http) -> None:
    functions = [function(s, f"{n}_x", [], composite(s, f"{n}_vue")) for s, n in (("a", "commande"), ("b", "commande"))]
    functions.append(function("b", "autre_x", [], composite("b", "autre_vue")))
    routes = [GET(f"/api/v1/core/{f.schema}/{f.name}", f.qualified, None) for f in functions]
    assert {"ACommande", "BCommande", "Autre"} <= build_document(http, functions, *routes)["components"][
        "schemas"
    ].keys()


def test_one_name_for_two_schemas_and_a_name_for_an_unknown_field_are_refused(http: Http) -> None:
    ligne, autre = composite("a", "ligne"), composite("a", "autre_ligne")
    autre.attributes[0].name = "code"
    one, other = (Parameter("lignes", kind, True, None) for kind in (ligne, autre))
    functions = [function("a", "un", [one], BIGINT), function("a", "deux", [other], BIGINT)]
    parts = {"lignes": "LigneDto"}
    routes = [POST(f"/api/v1/core/{f.name}", f.qualified, None, f"{f.name}Dto", parts=parts) for f in functions]
    with pytest.raises(CatalogueError, match="Deux schémas différents s'appellent LigneDto"):
        build_document(http, functions, *routes)
    with pytest.raises(CatalogueError, match="des champs qu'il n'a pas : article"):
        build_document(
            http, functions[:1], POST("/api/v1/core/un", "a.un", None, "UnDto", parts={"article": "ArticleDto"})
        )


def test_a_route_without_a_group_is_refused_with_its_path(http: Http) -> None:
    functions = [function("a", "un", [], BIGINT)]
    with pytest.raises(CatalogueError, match="GET /ailleurs n'a pas de groupe"):
        build_document(http, functions, GET("/ailleurs", "a.un", None))
