"""The routes, one module a slice: app/http/route.py says how a line is read."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec

from app.database.release import SLICES
from app.http.route import Route, RouteTable

WITHOUT_SCHEMA = ("uploads",)  # route modules of what has no tables, hence no slice of the database


def load() -> RouteTable:
    """All routes with their whole paths, and the plumbing, from app/routes/<slice>.py."""
    routes: list[Route] = []
    plumbing: set[str] = set()
    for name in (*SLICES, *WITHOUT_SCHEMA):
        if find_spec(f"app.routes.{name}") is None:
            continue
        module = import_module(f"app.routes.{name}")
        plumbing |= set(getattr(module, "PLUMBING", ()))
        for route in module.ROUTES:
            path = route.path if route.path.startswith("/api/") else module.PREFIX + route.path
            routes.append(replace(route, path=path.rstrip("/"), slice=name))
    return RouteTable(routes, plumbing)
