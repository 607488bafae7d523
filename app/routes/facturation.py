"""Routes of facturation: services, invoices and credit notes."""

from app.http.route import ACTIVITY, CLIENT, CREATE, GET, PATCH, PDF, POST

PREFIX = "/api/v1/facturation"
BOUNDS = ACTIVITY
ROUTES = [
    GET("/prestations", "facturation.prestation_lister", "FACTURATION.VOIR"),
    CREATE("/prestations", "facturation.prestation_creer", "FACTURATION.CREER", "CreerPrestationDto"),
    GET("/prestations/{id_prestation}", "facturation.prestation_detail", "FACTURATION.VOIR"),
    PATCH("/prestations/{id_prestation}", "facturation.prestation_modifier", "FACTURATION.MODIFIER", "MajPrestationDto", "facturation.prestation_champs"),
    CREATE("/prestations/{id_prestation}/facturer", "facturation.prestation_facturer", "FACTURATION.CREER", "FacturerPrestationDto", parts={"client": "NouveauClientFacturationDto", "lignes": "LigneFacturationDto"}),
    GET("/factures", "facturation.facture_lister", "FACTURATION.VOIR", stale=True),
    POST("/factures/{id_facture}/annuler", "facturation.facture_annuler", "FACTURATION.SUPPRIMER", "AnnulerFactureDto"),
    GET("/factures/{id_facture}", "facturation.facture_detail", "FACTURATION.VOIR"),
    GET("/factures/{id_facture}/pdf", "facturation.facture_document", "FACTURATION.VOIR", media=PDF, template="facture.html"),
    GET("/factures/{id_facture}/ticket", "facturation.facture_ticket", "FACTURATION.VOIR", media=PDF, template="ticket.html"),
    CREATE("/factures/{id_facture}/avoirs", "facturation.avoir_creer", "FACTURATION.SUPPRIMER", "CreerAvoirDto", parts={"lignes": "LigneAvoirDto", "remboursement": "RemboursementAvoirDto"}),
    GET("/avoirs", "facturation.avoir_lister", "FACTURATION.VOIR", stale=True),
    GET("/avoirs/{id_avoir}", "facturation.avoir_detail", "FACTURATION.VOIR"),
    GET("/avoirs/{id_avoir}/pdf", "facturation.avoir_document", "FACTURATION.VOIR", media=PDF, template="avoir.html"),
    GET("/avoirs/{id_avoir}/ticket", "facturation.avoir_ticket", "FACTURATION.VOIR", media=PDF, template="ticket_avoir.html"),
    GET("/controle", "facturation.document_verifier", "FACTURATION.VOIR"),
    GET("/portail/factures", "facturation.portail_factures", "PORTAIL.VOIR", bounds=CLIENT, stale=True),
    GET("/portail/factures/{id_facture}/pdf", "facturation.portail_facture_document", "PORTAIL.VOIR", bounds=CLIENT, media=PDF, template="facture.html"),
    PATCH("/factures/{id_facture}", "facturation.facture_modifier", "FACTURATION.MODIFIER", "MajFactureDto", "facturation.facture_champs"),
]
