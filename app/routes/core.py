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
