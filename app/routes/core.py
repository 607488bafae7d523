"""Routes of core: settings, taxes and the regime of the organisation."""

from app.http.route import COMPANY, CREATE, GET, PATCH, PUT

PREFIX = "/api/v1/core"
BOUNDS = COMPANY
ROUTES = [
    GET("/parametres", "core.parametre_lister", "CORE.VOIR"),
    CREATE("/parametres", "core.parametre_creer", "CORE.CREER", "CreerParametreDto"),
    GET("/parametres/{cle}", "core.parametre_detail", "CORE.VOIR"),
    PUT("/parametres/{cle}", "core.parametre_modifier", "CORE.MODIFIER", "MajParametreDto"),
    GET("/taxes", "core.taxe_lister", "CORE.VOIR"),
    CREATE("/taxes", "core.taxe_creer", "CORE.CREER", "CreerTaxeDto"),
    GET("/taxes/{id_taxe}", "core.taxe_detail", "CORE.VOIR"),
    PATCH("/taxes/{id_taxe}", "core.taxe_modifier", "CORE.CREER", "MajTaxeDto", "core.taxe_champs"),
    GET("/regimes", "core.regime_lister", "CORE.VOIR"),
    CREATE("/regimes", "core.regime_creer", "CORE.CREER", "CreerRegimeDto"),
]
EXAMPLES = {
    "Activite.code": "PRESSING",
    "Activite.libelle": "Pressing",
    "Regime.du": "2026-01-01",
    "Taxe.au": "2026-12-31",
    "Taxe.code": "TVA",
    "Taxe.du": "2026-01-01",
    "Taxe.libelle": "TVA 18 %",
    "Taxe.nature": "TAUX",
    "Taxe.taux": "18.00",
}
# The request path calls these in every statement or at start.
PLUMBING = {
    "core.contexte",
    "core.contexte_idempotent",
    "core.idempotence_garder",
    "core.declaration_lister",
    "core.forme_lister",
    "core.mot_lister",
    "core.organisation",
    "core.repetition_attendue",
    "core.repetition_tenir",
    "core.ressource_tenir",
}
