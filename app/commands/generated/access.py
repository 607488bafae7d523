"""Who may call what, and on whose things: docs/acces.md, made of the route table and of the roles that are seeded."""

from __future__ import annotations

from collections.abc import Iterable

from app.http.route import Route

# Below a path, another's things do not exist for an account bound to an activity, a till or a client. The longest
# path counts; a line with a method is of that one route. What is in no slice's list belongs to the whole company.
# tests/security holds this against the answers.
ACTIVITY, TILL, CLIENT = "activité", "caisse", "client"
LIMITS: dict[str, tuple[str, ...]] = {
    "POST /api/v1/admin/utilisateurs": (ACTIVITY, TILL, CLIENT),
    "PATCH /api/v1/admin/utilisateurs/{id_utilisateur}": (ACTIVITY, TILL, CLIENT),
    "/api/v1/admin/utilisateurs/{id_utilisateur}/desactiver": (ACTIVITY, TILL, CLIENT),
    "/api/v1/admin/utilisateurs/{id_utilisateur}/reinitialiser-mot-de-passe": (ACTIVITY, TILL, CLIENT),
    "/api/v1/client": (CLIENT,),
    "/api/v1/facturation": (ACTIVITY,),
    "/api/v1/finances": (ACTIVITY, TILL),
    "/api/v1/finances/activites": (),
    "/api/v1/finances/categories-depenses": (),
    "/api/v1/finances/categories-depenses/{id_categorie_depense}/hint": (ACTIVITY, TILL),
    "/api/v1/finances/impayes": (ACTIVITY,),
    "/api/v1/finances/moyens-paiement": (),
    "/api/v1/finances/tableau-de-bord": (ACTIVITY,),
    "/api/v1/abonnement": (ACTIVITY, CLIENT),
    "/api/v1/residence": (ACTIVITY, CLIENT),
    "/api/v1/facturation/portail": (CLIENT,),
    "/api/v1/residence/portail": (CLIENT,),
    "/api/v1/market": (ACTIVITY,),
    "/api/v1/pressing": (ACTIVITY,),
    "/api/v1/restaurant": (ACTIVITY,),
    "/api/v1/salle-fete": (ACTIVITY,),
    "/api/v1/signalements": (ACTIVITY,),
    "/api/v1/rapports": (ACTIVITY,),
    "/api/v1/rapports/rh": (ACTIVITY, TILL, CLIENT),
    "/api/v1/rh": (ACTIVITY, TILL, CLIENT),
    "/api/v1/rh/services": (),
    "/api/v1/audit/journal": (ACTIVITY, TILL, CLIENT),
    "/api/v1/uploads": (ACTIVITY, CLIENT),
    "/api/v1/dashboard": (ACTIVITY,),
}


def limits(method: str, path: str) -> tuple[str, ...]:
    """What bounds the things of a route."""
    if (own := LIMITS.get(f"{method} {path}")) is not None:
        return own
    below = [prefix for prefix in LIMITS if path == prefix or path.startswith(f"{prefix}/")]
    return LIMITS[max(below, key=len)] if below else ()


def allowed(route: Route, permissions: Iterable[str]) -> bool:
    """Whether a role with these permissions passes the route's door."""
    return route.permission is None or not set(permissions).isdisjoint(route.permission.split("|"))


def document(routes: Iterable[Route], roles: dict[str, set[str]]) -> str:
    """The matrix of routes and roles, slice by slice."""
    lines = [
        "# Qui accède à quoi",
        "",
        "Généré par « comptoir generer » depuis la table des routes et les rôles livrés. Ne pas modifier.",
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
    for name, found in by_slice.items():
        lines += ["", f"## {name}", "", f"| Route | Permission | Bornes | {' | '.join(names)} |"]
        lines.append(f"|---|---|---|{':-:|' * len(names)}")
        for route in found:
            if route.public:
                permission, marks = "public", ["✓"] * len(names)
            else:
                permission = f"`{route.permission.replace('|', '` ou `')}`" if route.permission else "tout compte"
                marks = ["✓" if allowed(route, codes) else "" for codes in roles.values()]
            bounds = ", ".join(limits(route.method, route.path)) or "—"
            cells = (f"{route.method} `{route.path.removeprefix('/api/v1')}`", permission, bounds, *marks)
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
