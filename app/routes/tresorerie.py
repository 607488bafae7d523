"""Routes of tresorerie: accounts outside the tills, transfers, demands, notices. app/leaves/providers/ has more."""

from app.http.route import ACTIVITY, CREATE, GET, PATCH, POST, TILL

PREFIX = "/api/v1/tresorerie"
BOUNDS = ACTIVITY + TILL
SIDES = {"de": "CoteVirementDto", "vers": "CoteVirementDto"}
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
]
