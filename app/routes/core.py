"""Routes of core: settings."""

from app.http.route import COMPANY, CREATE, GET, PUT

PREFIX = "/api/v1/core"
BOUNDS = COMPANY
ROUTES = [
    GET("/parametres", "core.parametre_lister", "CORE.VOIR"),
    CREATE("/parametres", "core.parametre_creer", "CORE.CREER", "CreerParametreDto"),
    GET("/parametres/{cle}", "core.parametre_detail", "CORE.VOIR"),
    PUT("/parametres/{cle}", "core.parametre_modifier", "CORE.MODIFIER", "MajParametreDto"),
]
EXAMPLES = {
    "Activite.code": "PRESSING",
    "Activite.libelle": "Pressing",
}
# The request path calls these in every statement or at start.
PLUMBING = {"core.contexte", "core.contexte_idempotent", "core.idempotence_garder", "core.declaration_lister", "core.organisation"}
