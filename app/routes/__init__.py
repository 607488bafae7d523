"""The routes: one module for each slice, and handlers for the few routes that need more than one function.

It may import: `http` and the rooms below it.
It offers: `load`, which reads all routes (syntax: app/http/route.py), and `check`, which compares them with the
catalogue.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec

from app.database.release import SLICES
from app.http.route import Route, RouteTable

WITHOUT_SCHEMA = ("uploads", "repetition", "verifier")  # route modules whose tables, if any, are those of a slice


def load() -> RouteTable:
    """Read all routes with their full paths, the plumbing and the examples from app/routes/<slice>.py."""
    table = RouteTable([], set(), {})
    for name in (*SLICES, *WITHOUT_SCHEMA):
        if find_spec(f"app.routes.{name}") is None:
            continue
        module = import_module(f"app.routes.{name}")
        table.plumbing.update(getattr(module, "PLUMBING", ()))
        table.examples.update(getattr(module, "EXAMPLES", {}))
        for route in module.ROUTES:
            path = route.path if route.path.startswith(("/api/", "/.well-known/")) else module.PREFIX + route.path
            bounds = module.BOUNDS if route.bounds is None else route.bounds
            table.routes.append(replace(route, path=path.rstrip("/"), slice=name, bounds=bounds))
    readers = {route.path: route for route in table.routes if route.method == "GET" and route.plain}
    table.routes[:] = [replace(route, detail=_detail(route, readers)) for route in table.routes]
    return table


def _detail(route: Route, readers: dict[str, Route]) -> Route | None:
    """The GET at the path of a write, or at the nearest path above it that ends with a key."""
    if route.method == "GET" or route.public:
        return None
    path = route.path
    while path not in readers or (path != route.path and not path.endswith("}")):
        path = path.rpartition("/")[0]
        if not path:
            return None
    return readers[path]
