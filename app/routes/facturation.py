"""Routes of facturation: services, invoices and credit notes."""

from app.http.route import ACTIVITY, CLIENT, CREATE, GET, PATCH, PDF, POST, STALE

PREFIX = "/api/v1/facturation"
BOUNDS = ACTIVITY
ROUTES = [
    GET("/prestations", "facturation.prestation_lister", "FACTURATION.VOIR"),
    CREATE("/prestations", "facturation.prestation_creer", "FACTURATION.CREER", "CreerPrestationDto"),
    GET("/prestations/{id_prestation}", "facturation.prestation_detail", "FACTURATION.VOIR"),
    PATCH("/prestations/{id_prestation}", "facturation.prestation_modifier", "FACTURATION.MODIFIER", "MajPrestationDto", "facturation.prestation_champs"),
    CREATE("/prestations/{id_prestation}/facturer", "facturation.prestation_facturer", "FACTURATION.CREER", "FacturerPrestationDto", client="NouveauClientFacturationDto", lignes="LigneFacturationDto"),
    STALE(GET("/factures", "facturation.facture_lister", "FACTURATION.VOIR")),
    POST("/factures/{id_facture}/annuler", "facturation.facture_annuler", "FACTURATION.SUPPRIMER", "AnnulerFactureDto"),
    GET("/factures/{id_facture}", "facturation.facture_detail", "FACTURATION.VOIR"),
    PDF("/factures/{id_facture}/pdf", "facturation.facture_document", "FACTURATION.VOIR", "facture.html"),
    PDF("/factures/{id_facture}/ticket", "facturation.facture_ticket", "FACTURATION.VOIR", "ticket.html"),
    CREATE("/factures/{id_facture}/avoirs", "facturation.avoir_creer", "FACTURATION.SUPPRIMER", "CreerAvoirDto", lignes="LigneAvoirDto", remboursement="RemboursementAvoirDto"),
    STALE(GET("/avoirs", "facturation.avoir_lister", "FACTURATION.VOIR")),
    GET("/avoirs/{id_avoir}", "facturation.avoir_detail", "FACTURATION.VOIR"),
    PDF("/avoirs/{id_avoir}/pdf", "facturation.avoir_document", "FACTURATION.VOIR", "avoir.html"),
    PDF("/avoirs/{id_avoir}/ticket", "facturation.avoir_ticket", "FACTURATION.VOIR", "ticket_avoir.html"),
    GET("/controle", "facturation.document_verifier", "FACTURATION.VOIR"),
    STALE(GET("/portail/factures", "facturation.portail_factures", "PORTAIL.VOIR", CLIENT)),
    PDF("/portail/factures/{id_facture}/pdf", "facturation.portail_facture_document", "PORTAIL.VOIR", "facture.html", CLIENT),
    PATCH("/factures/{id_facture}", "facturation.facture_modifier", "FACTURATION.MODIFIER", "MajFactureDto", "facturation.facture_champs"),
]
EXAMPLES = {
    "Facture.numero": "FAC-2026-0005",
    "Avoir.numero": "ORG-AVO-2026-002",
}
