"""Routes of restaurant: menu and orders."""

from app.routes import CREATE, GET, PATCH, POST

PREFIX = "/api/v1/restaurant"
ROUTES = [
    GET("/categories", "restaurant.categorie_plat_lister", "RESTAURANT.VOIR"),
    CREATE("/categories", "restaurant.categorie_plat_creer", "RESTAURANT.CREER", "CreerCategoriePlatDto"),
    GET("/plats", "restaurant.plat_lister", "RESTAURANT.VOIR"),
    CREATE("/plats", "restaurant.plat_creer", "RESTAURANT.CREER", "CreerPlatDto"),
    GET("/plats/{id_plat}", "restaurant.plat_detail", "RESTAURANT.VOIR"),
    PATCH("/plats/{id_plat}", "restaurant.plat_modifier", "RESTAURANT.MODIFIER", "MajPlatDto", "restaurant.plat_champs"),
    GET("/commandes", "restaurant.commande_lister", "RESTAURANT.VOIR"),
    CREATE("/commandes", "restaurant.commande_creer", "RESTAURANT.CREER", "CreerCommandeRestaurantDto", lignes="LigneCommandeRestaurantDto", paiement="PaiementCommandeDto"),
    GET("/commandes/{id_commande}", "restaurant.commande_detail", "RESTAURANT.VOIR"),
    POST("/commandes/{id_commande}/statut", "restaurant.commande_avancer", "RESTAURANT.MODIFIER", "MajStatutCommandeDto"),
    POST("/commandes/{id_commande}/annuler", "restaurant.commande_annuler", "RESTAURANT.SUPPRIMER"),
    GET("/rapports/ventes", "restaurant.rapport_ventes", "RESTAURANT.VOIR"),
]
