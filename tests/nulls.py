"""Checks every answer that a test receives: a field may be null only where the OpenAPI document allows it."""

import re
from typing import Any

import httpx

from app import routes
from app.database.catalogue import PgType
from app.http.services import Services


class Nulls:
    """Finds null in fields that the OpenAPI document declares as never null."""

    def __init__(self, services: Services) -> None:
        self._routes = [
            (
                route.method,
                re.compile(re.sub(r"{\w+}", "[^/]+", route.path)),
                services.catalogue.functions[route.function],
            )
            # A literal segment wins over a key.
            for route in sorted(routes.load().routes, key=lambda route: route.path.count("{"))
            if route.function and route.handler is None and route.media is None
        ]

    def forbidden(self, method: str, path: str, answer: httpx.Response) -> list[str]:
        if not answer.is_success or not answer.headers.get("content-type", "").startswith("application/json"):
            return []
        bare_path = path.partition("?")[0]
        function = next((f for m, shape, f in self._routes if m == method and shape.fullmatch(bare_path)), None)
        if function is None or function.returns.kind != "composite":
            return []
        body = answer.json()
        items = body if function.returns_set and isinstance(body, list) else [body]
        return sorted({line for item in items if item for line in self._walk(function.returns, item)})

    def _walk(self, kind: PgType, value: Any) -> list[str]:
        if value is None or not isinstance(value, dict | list):
            return []
        if kind.element is not None:
            return [line for item in value for line in self._walk(kind.element, item)]
        lines = []
        for attribute in kind.attributes:
            inner = value.get(attribute.name) if isinstance(value, dict) else None
            if inner is None and not attribute.nullable:
                lines.append(f"{kind.schema}.{kind.name}.{attribute.name}")
            lines += self._walk(attribute.type, inner)
        return lines
