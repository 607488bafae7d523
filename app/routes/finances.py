"""Routes of finances: tills and their counts, payments, expenses, summaries."""

from app.documents.document import Chart, Report
from app.http.route import ACTIVITY, COMPANY, CREATE, DELETE, GET, PATCH, POST, TILL

PREFIX = "/api/v1/finances"
BOUNDS = ACTIVITY + TILL
MONTHS = Report(
    "Tableau de bord financier",
    (Chart("Argent par mois", label="periode", values=("encaissements", "decaissements", "depenses"), lines=True),),
    ("encaissements", "decaissements", "depenses", "sorties", "marge_nette", "factures_emises", "montant_factures",
     "montant_brut", "montant_avoirs"),
)  # fmt: skip
ROUTES = [
    GET("/consolidation", "finances.consolidation", "FINANCES.VOIR", stale=True),
    GET("/tableau-de-bord", "finances.tableau_de_bord", "FINANCES.VOIR", bounds=ACTIVITY, formats=("csv", "pdf", "xlsx"), report=MONTHS, stale=True),
    GET("/paiements", "finances.paiement_lister", "FINANCES.VOIR", stale=True),
    CREATE("/paiements", "finances.paiement_creer", "FINANCES.CREER", "CreerPaiementDto"),
    GET("/paiements/{id_paiement}", "finances.paiement_detail", "FINANCES.VOIR"),
    PATCH("/paiements/{id_paiement}", "finances.paiement_modifier", "FINANCES.MODIFIER", "MajPaiementDto", "finances.paiement_champs"),
    POST("/paiements/{id_paiement}/annuler", "finances.paiement_annuler", "FINANCES.SUPPRIMER", "AnnulerPaiementDto"),
    POST("/paiements/{id_paiement}/appliquer", "finances.paiement_appliquer", "FINANCES.CREER", "AppliquerPaiementDto"),
    POST("/paiements/{id_paiement}/rembourser", "finances.paiement_rembourser", "FINANCES.CREER", "RembourserPaiementDto"),
    GET("/paiements-par-utilisateur", "finances.paiements_par_utilisateur", "FINANCES.VOIR", stale=True),
    GET("/activites", "finances.activite_lister", "FINANCES.VOIR", bounds=COMPANY),
    PATCH("/activites/{id_activite}", "finances.activite_modifier", "CORE.MODIFIER", "MajActiviteDto", "finances.activite_champs", bounds=COMPANY),
    GET("/impayes", "finances.impaye_lister", "FINANCES.VOIR", bounds=ACTIVITY, stale=True),
    GET("/depenses", "finances.depense_lister", "FINANCES.VOIR", stale=True),
    CREATE("/depenses", "finances.depense_creer", "FINANCES.CREER", "CreerDepenseDto"),
    GET("/depenses/{id_depense}", "finances.depense_detail", "FINANCES.VOIR"),
    PATCH("/depenses/{id_depense}", "finances.depense_modifier", "FINANCES.MODIFIER", "MajDepenseDto", "finances.depense_champs"),
    DELETE("/depenses/{id_depense}", "finances.depense_supprimer", "FINANCES.SUPPRIMER"),
    GET("/categories-depenses", "finances.categorie_depense_lister", "FINANCES.VOIR", bounds=COMPANY),
    CREATE("/categories-depenses", "finances.categorie_depense_creer", "FINANCES.CREER", "CreerCategorieDepenseDto", bounds=COMPANY),
    GET("/categories-depenses/{id_categorie_depense}", "finances.categorie_depense_detail", "FINANCES.VOIR", bounds=COMPANY),
    PATCH("/categories-depenses/{id_categorie_depense}", "finances.categorie_depense_modifier", "FINANCES.MODIFIER", "MajCategorieDepenseDto", "finances.categorie_depense_champs", bounds=COMPANY),
    DELETE("/categories-depenses/{id_categorie_depense}", "finances.categorie_depense_supprimer", "FINANCES.SUPPRIMER", bounds=COMPANY),
    GET("/categories-depenses/{id_categorie_depense}/hint", "finances.categorie_depense_hint", "FINANCES.VOIR"),
    GET("/moyens-paiement", "finances.moyen_paiement_lister", "FINANCES.VOIR", bounds=COMPANY),
    CREATE("/moyens-paiement", "finances.moyen_paiement_creer", "FINANCES.CREER", "CreerMoyenPaiementDto", bounds=COMPANY),
    GET("/moyens-paiement/{id_moyen}", "finances.moyen_paiement_detail", "FINANCES.VOIR", bounds=COMPANY),
    PATCH("/moyens-paiement/{id_moyen}", "finances.moyen_paiement_modifier", "FINANCES.MODIFIER", "MajMoyenPaiementDto", "finances.moyen_paiement_champs", bounds=COMPANY),
    GET("/caisses", "finances.caisse_lister", "FINANCES.VOIR"),
    CREATE("/caisses", "finances.caisse_creer", "FINANCES.CREER", "CreerCaisseDto"),
    GET("/caisses/{id_caisse}", "finances.caisse_detail", "FINANCES.VOIR"),
    PATCH("/caisses/{id_caisse}", "finances.caisse_modifier", "FINANCES.MODIFIER", "MajCaisseDto", "finances.caisse_champs"),
    GET("/caisses/{id_caisse}/periodes", "finances.periode_caisse_lister", "FINANCES.VOIR"),
    CREATE("/caisses/{id_caisse}/ouvrir", "finances.caisse_ouvrir", "FINANCES.CREER", "OuvrirCaisseDto"),
    POST("/caisses/{id_caisse}/fermer", "finances.caisse_fermer", "FINANCES.CREER", "FermerCaisseDto"),
    GET("/caisses/{id_caisse}/dashboard", "finances.caisse_dashboard", "FINANCES.VOIR"),
    GET("/tirages", "finances.tirage_lister", "FINANCES.VOIR", stale=True),
    CREATE("/tirages", "finances.tirage_creer", "FINANCES.CREER", "CreerTirageDto"),
]
