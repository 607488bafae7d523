"""Routes of compta: the accounts, the ledger as the accountant's file, closed months."""

from app.http.route import ACTIVITY, COMPANY, GET, PATCH, POST, TILL

PREFIX = "/api/v1/compta"
BOUNDS = ACTIVITY + TILL
LAYOUT = ("journal", "date", "piece", "compte", "libelle", "debit", "credit", "reference")
ROUTES = [
    GET("/ecritures", "compta.ecriture_lister", "FINANCES.VOIR", columns=LAYOUT, stale=True),
    GET("/comptes", "compta.compte_lister", "FINANCES.VOIR"),
    GET("/comptes/{cas}", "compta.compte_detail", "FINANCES.VOIR", bounds=COMPANY),
    PATCH("/comptes/{cas}", "compta.compte_modifier", "FINANCES.MODIFIER", "MajCompteDto", "compta.compte_champs", bounds=COMPANY),
    GET("/periodes", "compta.periode_lister", "FINANCES.VOIR", bounds=COMPANY),
    GET("/periodes/{periode}", "compta.periode_detail", "FINANCES.VOIR", bounds=COMPANY),
    POST("/periodes/{periode}/cloturer", "compta.periode_cloturer", "ADMIN.MODIFIER", bounds=COMPANY),
]
