"""Routes of tresorerie: accounts outside the tills, transfers, demands, notices, statements and what matches their lines."""

from app.documents.document import Report
from app.http.route import ACTIVITY, CREATE, DELETE, GET, PATCH, POST, TILL

PREFIX = "/api/v1/tresorerie"
BOUNDS = ACTIVITY + TILL
SIDES = {"de": "CoteVirementDto", "vers": "CoteVirementDto"}
STATE = Report("Rapprochement", totals=("montant",), hidden=("id_ligne", "id_paiement", "id_depense", "id_virement"), month=True)
ROUTES = [
    GET("/comptes", "tresorerie.compte_lister", "FINANCES.VOIR", bounds=ACTIVITY),
    CREATE("/comptes", "tresorerie.compte_creer", "FINANCES.CREER", "CreerCompteTresorerieDto", bounds=ACTIVITY),
    GET("/comptes/{id_compte}", "tresorerie.compte_detail", "FINANCES.VOIR", bounds=ACTIVITY),
    PATCH("/comptes/{id_compte}", "tresorerie.compte_modifier", "FINANCES.MODIFIER", "MajCompteTresorerieDto", "tresorerie.compte_champs", bounds=ACTIVITY),
    GET("/virements", "tresorerie.virement_lister", "FINANCES.VOIR", stale=True),
    CREATE("/virements", "tresorerie.virement_creer", "FINANCES.CREER", "CreerVirementDto", parts=SIDES),
    GET("/virements/{id_virement}", "tresorerie.virement_detail", "FINANCES.VOIR"),
    GET("/demandes", "tresorerie.demande_lister", "FINANCES.VOIR", bounds=ACTIVITY),
    GET("/demandes/{id_demande}", "tresorerie.demande_detail", "FINANCES.VOIR", bounds=ACTIVITY),
    POST("/demandes/{id_demande}/annuler", "tresorerie.demande_annuler", "FINANCES.SUPPRIMER", "AnnulerDemandeDto", bounds=ACTIVITY),
    GET("/avis", "tresorerie.avis_lister", "FINANCES.VOIR", bounds=ACTIVITY),
    GET("/a-affecter", "tresorerie.encaissement_a_affecter", "FINANCES.VOIR", bounds=ACTIVITY),
    POST("/virements/{id_virement}/annuler", "tresorerie.virement_annuler", "FINANCES.SUPPRIMER", "AnnulerVirementDto"),
    GET("/rapprochement", "tresorerie.rapprochement", "FINANCES.VOIR", formats=("csv", "pdf", "xlsx"), report=STATE, costly=True),
    POST("/comptes/{id_compte}/rapprocher", "tresorerie.compte_rapprocher", "FINANCES.MODIFIER"),
    GET("/releves", "tresorerie.releve_lister", "FINANCES.VOIR"),
    GET("/releves/{id_releve}", "tresorerie.releve_detail", "FINANCES.VOIR"),
    DELETE("/releves/{id_releve}", "tresorerie.releve_supprimer", "FINANCES.SUPPRIMER"),
    GET("/lignes", "tresorerie.ligne_lister", "FINANCES.VOIR"),
    GET("/lignes/{id_ligne}", "tresorerie.ligne_detail", "FINANCES.VOIR"),
    POST("/lignes/{id_ligne}/rapprocher", "tresorerie.ligne_rapprocher", "FINANCES.MODIFIER", "RapprocherLigneDto"),
    POST("/lignes/{id_ligne}/detacher", "tresorerie.ligne_detacher", "FINANCES.MODIFIER"),
    POST("/lignes/{id_ligne}/constater", "tresorerie.ligne_constater", "FINANCES.CREER", "ConstaterLigneDto"),
]
