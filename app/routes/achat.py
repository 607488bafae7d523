"""Routes of achat: bills of suppliers, receptions before them, their payments, and what is owed."""

from app.documents.document import Report
from app.http.route import ACTIVITY, CREATE, DELETE, GET, POST, TILL

PREFIX = "/api/v1/achat"
BOUNDS = ACTIVITY
SEEN = "MARCHANDISE.VOIR|FINANCES.VOIR"
MADE = "MARCHANDISE.CREER|FINANCES.CREER"
UNMADE = "MARCHANDISE.SUPPRIMER|FINANCES.SUPPRIMER"
AGES = ("non_echu", "de_1_a_30_jours", "de_31_a_60_jours", "de_61_a_90_jours", "plus_de_90_jours", "avoirs", "total")
DEBTS = Report("Dettes des fournisseurs", totals=AGES, hidden=("id_fournisseur", "factures"), signed=True, day=True)
ROUTES = [
    GET("/factures", "achat.facture_lister", SEEN, stale=True),
    CREATE("/factures", "achat.facture_creer", MADE, "CreerAchatDto", parts={"lignes": "LigneAchatDto"}),
    GET("/factures/{id_achat}", "achat.facture_detail", SEEN),
    POST("/factures/{id_achat}/valider", "achat.facture_valider", MADE),
    POST("/factures/{id_achat}/annuler", "achat.facture_annuler", UNMADE),
    POST("/factures/{id_achat}/avoir", "achat.facture_crediter", UNMADE, "CrediterAchatDto", parts={"lignes": "LigneRendueDto"}),
    POST("/factures/{id_achat}/payer", "achat.facture_payer", "FINANCES.CREER", "PayerAchatDto", bounds=ACTIVITY + TILL),
    GET("/receptions", "achat.reception_lister", "MARCHANDISE.VOIR", stale=True),
    CREATE("/receptions", "achat.reception_creer", "MARCHANDISE.CREER", "CreerReceptionDto", parts={"lignes": "LigneRecueDto"}),
    GET("/receptions/{id_reception}", "achat.reception_detail", "MARCHANDISE.VOIR"),
    POST("/receptions/{id_reception}/annuler", "achat.reception_annuler", "MARCHANDISE.SUPPRIMER"),
    GET("/paiements", "achat.paiement_lister", "FINANCES.VOIR", bounds=ACTIVITY + TILL, stale=True),
    CREATE("/paiements", "achat.paiement_creer", "FINANCES.CREER", "PayerAchatsDto", parts={"factures": "PartAPayerDto"}, bounds=ACTIVITY + TILL),
    GET("/paiements/{id_paiement}", "achat.paiement_detail", "FINANCES.VOIR", bounds=ACTIVITY + TILL),
    DELETE("/paiements/{id_paiement}", "achat.paiement_supprimer", "FINANCES.SUPPRIMER", bounds=ACTIVITY + TILL),
    GET("/dettes", "achat.dette_lister", "FINANCES.VOIR", formats=("csv", "pdf", "xlsx"), report=DEBTS, stale=True),
]
