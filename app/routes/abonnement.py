"""Routes of abonnement: prepaid quotas, and categories of the subscriptions of the residence."""

from app.http.route import ACTIVITY, CLIENT, CREATE, DELETE, GET, PATCH, POST

PREFIX = "/api/v1/abonnement"
BOUNDS = ACTIVITY + CLIENT
ROUTES = [
    GET("/categories", "abonnement.categorie_abonnement_lister", "ABONNEMENT.VOIR"),
    CREATE("/categories", "abonnement.categorie_abonnement_creer", "ABONNEMENT.CREER", "CreerCategorieAbonnementDto"),
    GET("/categories/{id_categorie_abonnement}", "abonnement.categorie_abonnement_detail", "ABONNEMENT.VOIR"),
    PATCH("/categories/{id_categorie_abonnement}", "abonnement.categorie_abonnement_modifier", "ABONNEMENT.MODIFIER", "MajCategorieAbonnementDto", "abonnement.categorie_abonnement_champs"),
    DELETE("/categories/{id_categorie_abonnement}", "abonnement.categorie_abonnement_supprimer", "ABONNEMENT.SUPPRIMER"),
    GET("/offres", "abonnement.offre_lister", "ABONNEMENT.VOIR"),
    CREATE("/offres", "abonnement.offre_creer", "ABONNEMENT.CREER", "CreerOffreDto"),
    GET("/offres/{id_offre}", "abonnement.offre_detail", "ABONNEMENT.VOIR"),
    PATCH("/offres/{id_offre}", "abonnement.offre_modifier", "ABONNEMENT.MODIFIER", "MajOffreDto", "abonnement.offre_champs"),
    DELETE("/offres/{id_offre}", "abonnement.offre_supprimer", "ABONNEMENT.SUPPRIMER"),
    GET("/souscriptions", "abonnement.souscription_lister", "ABONNEMENT.VOIR"),
    CREATE("/souscriptions", "abonnement.souscription_creer", "ABONNEMENT.VENDRE", "CreerSouscriptionDto", parts={"paiement": "PaiementSouscriptionDto"}),
    GET("/souscriptions/{id_souscription}", "abonnement.souscription_detail", "ABONNEMENT.VOIR"),
    CREATE("/souscriptions/{id_souscription}/paiements", "abonnement.souscription_payer", "ABONNEMENT.VENDRE", "PayerSouscriptionDto"),
    CREATE("/souscriptions/{id_souscription}/ajustements", "abonnement.souscription_ajuster", "ABONNEMENT.AJUSTER", "AjusterSouscriptionDto"),
    POST("/souscriptions/{id_souscription}/resilier", "abonnement.souscription_resilier", "ABONNEMENT.MODIFIER", "ResilierSouscriptionDto"),
    POST("/souscriptions/{id_souscription}/reliquat", "abonnement.souscription_decider_reliquat", "ABONNEMENT.DECIDER_RELIQUAT", "DeciderReliquatDto"),
    GET("/portail/souscriptions", "abonnement.portail_souscriptions", "PORTAIL.VOIR", bounds=CLIENT),
    GET("/portail/souscriptions/{id_souscription}", "abonnement.portail_souscription_detail", "PORTAIL.VOIR", bounds=CLIENT),
]
