"""Routes of pressing: laundry orders, the catalogue and the price by weight."""

from app.http.route import ACTIVITY, CLIENT, CREATE, GET, HTML, PATCH, POST

PREFIX = "/api/v1/pressing"
BOUNDS = ACTIVITY
ROUTES = [
    GET("/commandes", "pressing.commande_lister", "PRESSING.VOIR", stale=True),
    CREATE("/commandes", "pressing.commande_creer", "PRESSING.CREER", "CreerCommandePressingDto", parts={"lignes": "LigneCommandePressingDto", "paiement": "PaiementAcompteDto"}),
    GET("/commandes/{id_commande}", "pressing.commande_detail", "PRESSING.VOIR"),
    GET("/commandes/{id_commande}/recu", "pressing.commande_recu", "PRESSING.VOIR", media=HTML, template="pressing.html"),
    PATCH("/commandes/{id_commande}", "pressing.commande_modifier", "PRESSING.MODIFIER", "MajCommandePressingDto", "pressing.commande_champs", parts={"lignes": "LigneCommandePressingDto"}),
    POST("/commandes/{id_commande}/valider", "pressing.commande_valider", "PRESSING.VALIDER", "ValiderCommandePressingDto", parts={"lignes": "LigneCommandePressingDto", "paiement": "PaiementAcompteDto"}),
    POST("/commandes/{id_commande}/traitement", "pressing.commande_traiter", "PRESSING.MODIFIER"),
    POST("/commandes/{id_commande}/pret", "pressing.commande_marquer_prete", "PRESSING.MODIFIER"),
    POST("/commandes/{id_commande}/retirer", "pressing.commande_retirer", "PRESSING.MODIFIER", "EncaisserSoldePressingDto"),
    POST("/commandes/{id_commande}/annuler", "pressing.commande_annuler", "PRESSING.SUPPRIMER", "AnnulerCommandePressingDto"),
    POST("/commandes/apercu-abonnement", "pressing.apercu_abonnement_calculer", "PRESSING.VOIR", "ApercuAbonnementPressingDto", parts={"lignes": "LigneCommandePressingDto"}),
    GET("/commandes/{id_commande}/apercu-abonnement", "pressing.commande_apercevoir", "PRESSING.VOIR"),
    GET("/catalogue", "pressing.catalogue_detail", "PRESSING.VOIR"),
    CREATE("/catalogue/types-vetement", "pressing.type_vetement_creer", "PRESSING.GERER_CATALOGUE", "CreerTypeVetementDto"),
    GET("/catalogue/types-vetement/{id_type_vetement}", "pressing.type_vetement_detail", "PRESSING.VOIR"),
    PATCH("/catalogue/types-vetement/{id_type_vetement}", "pressing.type_vetement_modifier", "PRESSING.GERER_CATALOGUE", "MajTypeVetementDto", "pressing.type_vetement_champs"),
    CREATE("/catalogue/prestations", "pressing.prestation_creer", "PRESSING.GERER_CATALOGUE", "CreerPrestationPressingDto"),
    GET("/catalogue/prestations/{id_prestation}", "pressing.prestation_detail", "PRESSING.VOIR"),
    PATCH("/catalogue/prestations/{id_prestation}", "pressing.prestation_modifier", "PRESSING.GERER_CATALOGUE", "MajPrestationPressingDto", "pressing.prestation_champs"),
    GET("/tarif-kg", "pressing.tarif_kg_detail", "PRESSING.VOIR"),
    CREATE("/tarif-kg", "pressing.tarif_kg_creer", "PRESSING.GERER_TARIFS", "CreerTarifKgDto"),
    # The portal
    GET("/portail/commandes", "pressing.portail_commandes", "PORTAIL.VOIR", bounds=CLIENT),
    CREATE("/portail/commandes", "pressing.commande_demander", "PRESSING.DECLARER", "DemanderCommandePressingDto", bounds=CLIENT),
    GET("/portail/commandes/{id_commande}", "pressing.portail_commande_detail", "PORTAIL.VOIR", bounds=CLIENT),
    GET("/portail/commandes/{id_commande}/recu", "pressing.portail_commande_recu", "PORTAIL.VOIR", bounds=CLIENT),
    POST("/portail/commandes/{id_commande}/annuler", "pressing.commande_renoncer", "PRESSING.DECLARER", "RenoncerCommandePressingDto", bounds=CLIENT),
]
