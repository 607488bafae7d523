"""Routes of evenement: what happened, for other systems."""

from app.http.route import ACTIVITY, COMPANY, GET, TILL, WAITING

PREFIX = "/api/v1/evenements"
BOUNDS = ACTIVITY + TILL
ROUTES = [
    WAITING(GET("", "evenement.evenement_lister", None)),
    GET("/types", "evenement.type_lister", None, COMPANY),
]
EXAMPLES = {
    "Evenement.type": "caisse.fermee",
    "Evenement.entite": "caisse",
}
