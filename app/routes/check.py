"""Compares the routes with the catalogue at every start."""

from app.database.catalogue import Catalogue, CatalogueError
from app.http.route import Route, RouteTable


def check_routes(table: RouteTable, catalogue: Catalogue) -> None:
    """Raise CatalogueError unless every route has its function."""
    if problems := route_problems(table, catalogue):
        raise CatalogueError("\n".join(problems))


def route_problems(table: RouteTable, catalogue: Catalogue) -> list[str]:
    problems = []
    seen: set[tuple[str, str]] = set()
    for route in table.routes:
        label = f"{route.method} {route.path}"
        if (route.method, route.path) in seen:
            problems.append(f"{label} est décrite deux fois.")
        seen.add((route.method, route.path))
        problems += [f"{label} déclare « {name} », que cette sorte de route ne tient pas." for name in ignored(route)]
        for permission in route.permission.split("|") if route.permission else ():
            if permission not in catalogue.permissions:
                problems.append(f"{label} demande la permission inconnue {permission}.")
        if route.function is None:
            continue
        function = catalogue.functions.get(route.function)
        if function is None:
            problems.append(f"{label} appelle {route.function}, qui n'est pas une opération publique (« security definer », et un nom qui ne commence pas par « _ »).")
            continue
        if route.method == "GET" and function.volatility != ("v" if route.waits else "s"):
            problems.append(f"{label} : {route.function} doit être {'VOLATILE' if route.waits else 'STABLE'}.")
        if route.document is not None and route.document not in catalogue.functions:
            problems.append(f"{label} imprime {route.document}, qui n'est pas une opération publique.")
        parameters = {parameter.name for parameter in function.parameters}
        for key in path_keys(route.path):
            if key not in parameters:
                problems.append(f"{label} : {route.function} n'a pas de paramètre p_{key}.")
        if route.champs and route.champs not in catalogue.types:
            problems.append(f"{label} : le type {route.champs} n'existe pas.")
    return problems


def path_keys(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


def ignored(route: Route) -> list[str]:
    """The declarations of a route that have no effect on a route of its kind."""
    reads, handled = route.method == "GET" and route.function is not None, route.handler is not None
    has_effect = {
        **dict.fromkeys(("stale", "waits"), reads),
        **dict.fromkeys(("template", "document", "formats", "report", "columns"), reads and not handled),
        **dict.fromkeys(("fields", "optional", "supplied", "answer", "refuses", "form", "later", "tries_password"), handled),
        "rehearsable": handled and route.rehearses,
        "costly": (reads or handled) and not route.public,
        "cached": reads and route.public,  # a shared cache may keep it, so it depends on no permission
        "job": route.function is not None and route.method != "GET",
        "body": route.method != "GET" and route.form is None,
        "champs": route.function is not None and route.method != "GET",
        "permission": not route.public,
    }
    return [name for name, effect in has_effect.items() if getattr(route, name) and not effect]
