"""docs/acces.md: the roles that may call each route, and its bounds, from the route table and the seeded roles."""

from __future__ import annotations

from collections.abc import Iterable

from app.http.route import Route


def document(routes: Iterable[Route], roles: dict[str, set[str]]) -> str:
    """The matrix of routes and roles, slice by slice."""
    lines = [
        "# Qui accède à quoi",
        "",
        "Généré par « python -m outils generer » depuis la table des routes et les rôles livrés. Ne pas modifier.",
        "",
        "« ✓ » : le rôle a la permission de la route. Sans elle, la réponse est 403 ; sans jeton, 401.",
        "",
        "« Bornes » : un compte lié à une activité, une caisse ou un client n'y voit que ce qui en relève ; la chose",
        "d'un autre lui répond 404, comme si elle n'existait pas. Une caisse emporte les bornes de son activité.",
        "« — » : la chose est de toute l'entreprise. Un compte plus large que le sien ne s'écrit pas : 403,",
        "`POUVOIR_DEPASSE`.",
        "",
        "Rôles `R_…` : `RESPONSABLE_…`.",
    ]
    names = [role.replace("RESPONSABLE_", "R_") for role in roles]
    by_slice: dict[str, list[Route]] = {}
    for route in routes:
        by_slice.setdefault(route.slice, []).append(route)
    for name, slice_routes in by_slice.items():
        lines += ["", f"## {name}", "", f"| Route | Permission | Bornes | {' | '.join(names)} |"]
        lines.append(f"|---|---|---|{':-:|' * len(names)}")
        for route in slice_routes:
            permission, marks = "public" if route.public else "tout compte", ["✓"] * len(names)
            if route.permission is not None and not route.public:
                accepted = route.permission.split("|")
                permission = " ou ".join(f"`{code}`" for code in accepted)
                marks = ["" if codes.isdisjoint(accepted) else "✓" for codes in roles.values()]
            bounds = ", ".join(route.bounds or ()) or "—"
            cells = (f"{route.method} `{route.path.removeprefix('/api/v1')}`", permission, bounds, *marks)
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
