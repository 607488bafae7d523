"""Routes of compta: the accounts, the ledger as the accountant's file, closed months, entries of the accountant."""

from app.documents.document import Report
from app.http.route import ACTIVITY, COMPANY, CREATE, GET, PATCH, POST, TILL

PREFIX = "/api/v1/compta"
BOUNDS = ACTIVITY + TILL
SEEN = "FINANCES.VOIR|COMPTA.VOIR"
LAYOUT = ("journal", "date", "piece", "compte", "libelle", "debit", "credit", "reference")
EXAMPLES = {"LigneDuGrandLivre.numero": "1024", "LigneDeResultat.code": "TA", "LigneDeResultat.libelle": "Ventes de marchandises"}
FILES = ("csv", "pdf", "xlsx")
BALANCE = Report("Balance générale", signed=True, month=True)
JOURNALS = Report("Journaux centralisés", signed=True, month=True)
ACCOUNT = Report("Grand livre", hidden=("numero", "type", "id_document", "id_activite", "id_caisse", "id_ligne"), month=True)
RESULT = Report("Compte de résultat", hidden=("comptes",), signed=True, month=True)
SHEET = Report("Bilan", hidden=("comptes",), signed=True, day=True)
CLAIMS = Report("Créances par âge", totals=("factures", "de_0_a_30_jours", "de_31_a_60_jours", "de_61_a_90_jours", "plus_de_90_jours", "total"), hidden=("id_client",), signed=True, day=True)
ROUTES = [
    GET("/ecritures", "compta.ecriture_lister", SEEN, columns=LAYOUT, stale=True),
    GET("/export", "compta.ecriture_lister", SEEN, formats=("beancount", "hledger"), stale=True),
    GET("/balance", "compta.balance", SEEN, formats=FILES, report=BALANCE, stale=True, costly=True),
    GET("/journaux", "compta.journaux", SEEN, formats=FILES, report=JOURNALS, stale=True, costly=True),
    GET("/grand-livre", "compta.grand_livre", SEEN, formats=FILES, report=ACCOUNT, stale=True, costly=True),
    GET("/resultat", "compta.resultat", SEEN, formats=FILES, report=RESULT, stale=True, costly=True),
    GET("/bilan", "compta.bilan", SEEN, formats=FILES, report=SHEET, stale=True, costly=True),
    GET("/creances", "compta.creances", SEEN, bounds=ACTIVITY, formats=FILES, report=CLAIMS, stale=True, costly=True),
    GET("/comptes", "compta.compte_lister", SEEN),
    GET("/comptes/{cas}", "compta.compte_detail", SEEN, bounds=COMPANY),
    PATCH("/comptes/{cas}", "compta.compte_modifier", "FINANCES.MODIFIER", "MajCompteDto", "compta.compte_champs", bounds=COMPANY),
    GET("/operations", "compta.operation_lister", "COMPTA.VOIR"),
    CREATE("/operations", "compta.operation_creer", "COMPTA.CREER", "CreerOperationDto", parts={"lignes": "LigneOperationDto"}),
    GET("/operations/{id_operation}", "compta.operation_detail", "COMPTA.VOIR"),
    POST("/operations/{id_operation}/annuler", "compta.operation_annuler", "COMPTA.SUPPRIMER", "AnnulerOperationDto"),
    CREATE("/a-nouveaux", "compta.a_nouveau_creer", "COMPTA.CREER", "CreerANouveauxDto", parts={"lignes": "LigneOperationDto"}),
    GET("/exercices", "compta.exercice_lister", "COMPTA.VOIR", bounds=COMPANY),
    POST("/exercices/{annee}/cloturer", "compta.exercice_cloturer", "ADMIN.MODIFIER", bounds=COMPANY),
    GET("/periodes", "compta.periode_lister", SEEN, bounds=COMPANY),
    GET("/periodes/{periode}", "compta.periode_detail", SEEN, bounds=COMPANY),
    POST("/periodes/{periode}/cloturer", "compta.periode_cloturer", "ADMIN.MODIFIER", bounds=COMPANY),
]
