"""Routes of facturation: services and invoices."""

from app.documents.pending import document
from app.routes import CREATE, FILE, GET, PATCH

PREFIX = "/api/v1/facturation"
ROUTES = [
    GET("/prestations", "facturation.prestation_lister", "FACTURATION.VOIR"),
    CREATE("/prestations", "facturation.prestation_creer", "FACTURATION.CREER", "CreerPrestationDto"),
    PATCH("/prestations/{id_prestation}", "facturation.prestation_modifier", "FACTURATION.MODIFIER", "MajPrestationDto", "facturation.prestation_champs"),
    CREATE("/prestations/{id_prestation}/facturer", "facturation.prestation_facturer", "FACTURATION.CREER", "FacturerPrestationDto", client="NouveauClientFacturationDto", lignes="LigneFacturationDto"),
    GET("/factures", "facturation.facture_lister", "FACTURATION.VOIR"),
    GET("/factures/{id_facture}", "facturation.facture_detail", "FACTURATION.VOIR"),
    FILE("/factures/{id_facture}/pdf", document("facturation.facture_detail", "Facture A4 en PDF."), "facturation.facture_detail", "FACTURATION.VOIR", "application/pdf"),
    FILE("/factures/{id_facture}/ticket", document("facturation.facture_detail", "Ticket de caisse en PDF."), "facturation.facture_detail", "FACTURATION.VOIR", "application/pdf"),
    PATCH("/factures/{id_facture}", "facturation.facture_modifier", "FACTURATION.MODIFIER", "MajFactureDto", "facturation.facture_champs"),
]
