"""Routes of abonnement: categories of subscriptions."""

from app.http.route import ACTIVITY, CLIENT, CREATE, DELETE, GET, PATCH

PREFIX = "/api/v1/abonnement"
BOUNDS = ACTIVITY + CLIENT
ROUTES = [
    GET("/categories", "abonnement.categorie_abonnement_lister", "ABONNEMENT.VOIR"),
    CREATE("/categories", "abonnement.categorie_abonnement_creer", "ABONNEMENT.CREER", "CreerCategorieAbonnementDto"),
    PATCH("/categories/{id_categorie_abonnement}", "abonnement.categorie_abonnement_modifier", "ABONNEMENT.MODIFIER", "MajCategorieAbonnementDto", "abonnement.categorie_abonnement_champs"),
    DELETE("/categories/{id_categorie_abonnement}", "abonnement.categorie_abonnement_supprimer", "ABONNEMENT.SUPPRIMER"),
]
EXAMPLES = {
    "CategorieAbonnement.libelle": "Internet",
}
