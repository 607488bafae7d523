"""The routes: one module for each slice, and handlers for the few routes that need more than one function.

It offers: `load`, which reads all routes (syntax: app/http/route.py), and `check`, which compares them with the
catalogue.
"""

from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from app.base.leaf import leaves
from app.database.release import SLICES
from app.http.route import Route, RouteTable

WITHOUT_SCHEMA = ("uploads", "repetition", "verifier", "providers", "a_nouveaux", "hors_ligne")  # route modules whose tables, if any, belong to a slice


@cache
def modules() -> dict[str, str]:
    """The module with the routes of each slice, here or in a leaf. The slice of an absent leaf has none."""
    known = {name: f"{__name__}.{name}" for name in (*SLICES, *WITHOUT_SCHEMA)}
    for leaf in leaves():
        known |= leaf.routes
    return {name: module for name, module in known.items() if find_spec(module) is not None}


def load() -> RouteTable:
    """Read all routes with their full paths, and the examples from the module of each slice."""
    table = RouteTable([], {})
    for name, path in modules().items():
        module = import_module(path)
        table.examples.update(getattr(module, "EXAMPLES", {}))
        for route in module.ROUTES:
            full = route.path if route.path.startswith(("/api/", "/.well-known/")) else module.PREFIX + route.path
            bounds = module.BOUNDS if route.bounds is None else route.bounds
            table.routes.append(replace(route, path=full.rstrip("/"), slice=name, bounds=bounds))
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
