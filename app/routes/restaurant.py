"""Routes of restaurant: menu and orders."""

from app.auth.throttle import Throttle
from app.http.route import ACTIVITY, CLIENT, COMPANY, CREATE, GET, PATCH, POST, STORED
from app.routes.uploads import attach, photo

ILLUSTRATE = attach("restaurant.plat_detail", "plat-photo", "image_url", "Dépose la photo d'un plat et l'inscrit à la carte, à la place de l'ancienne.", status=200)

PREFIX = "/api/v1/restaurant"
BOUNDS = ACTIVITY
ROUTES = [
    GET("/categories", "restaurant.categorie_plat_lister", "RESTAURANT.VOIR|RESTAURANT.COMMANDER"),
    CREATE("/categories", "restaurant.categorie_plat_creer", "RESTAURANT.CREER", "CreerCategoriePlatDto"),
    GET("/plats", "restaurant.plat_lister", "RESTAURANT.VOIR|RESTAURANT.COMMANDER"),
    CREATE("/plats", "restaurant.plat_creer", "RESTAURANT.CREER", "CreerPlatDto"),
    GET("/plats/{id_plat}", "restaurant.plat_detail", "RESTAURANT.VOIR|RESTAURANT.COMMANDER"),
    PATCH("/plats/{id_plat}", "restaurant.plat_modifier", "RESTAURANT.MODIFIER", "MajPlatDto", "restaurant.plat_champs"),
    POST("/plats/{id_plat}/image", "restaurant.plat_illustrer", "RESTAURANT.MODIFIER", handler=ILLUSTRATE, supplied=("image_url",), form=()),
    GET("/commandes", "restaurant.commande_lister", "RESTAURANT.VOIR"),
    CREATE("/commandes", "restaurant.commande_creer", "RESTAURANT.CREER", "CreerCommandeRestaurantDto", parts={"lignes": "LigneCommandeRestaurantDto", "paiement": "PaiementCommandeDto"}),
    GET("/commandes/{id_commande}", "restaurant.commande_detail", "RESTAURANT.VOIR"),
    POST("/commandes/{id_commande}/statut", "restaurant.commande_avancer", "RESTAURANT.MODIFIER|RESTAURANT.VALIDER", "MajStatutCommandeDto"),
    POST("/commandes/{id_commande}/annuler", "restaurant.commande_annuler", "RESTAURANT.SUPPRIMER", "AnnulerCommandeRestaurantDto"),
    POST("/commandes/{id_commande}/encaisser", "restaurant.commande_encaisser", "FINANCES.ENCAISSER", "EncaisserCommandeDto"),
    POST("/commandes/apercu-abonnement", "restaurant.apercu_abonnement_calculer", "RESTAURANT.VOIR", "ApercuAbonnementDto", parts={"lignes": "LigneCommandeRestaurantDto"}),
    GET("/commandes/{id_commande}/apercu-abonnement", "restaurant.commande_apercevoir", "RESTAURANT.VOIR"),
    GET("/rapports/ventes", "restaurant.rapport_ventes", "RESTAURANT.VOIR", stale=True),
    # The shop window
    GET("/vitrine", "restaurant.vitrine_lister", None, bounds=COMPANY, public=True, throttle=Throttle(60, 60), cached=60),
    GET("/vitrine/{id_plat}/image", "restaurant.vitrine_photo", None, bounds=COMPANY, public=True, handler=photo("Photo d'un plat de la vitrine."), media=STORED, throttle=Throttle(600, 60), cached=3600),
    # The portal
    GET("/portail/commandes", "restaurant.portail_commandes", "PORTAIL.VOIR", bounds=CLIENT),
    CREATE("/portail/commandes", "restaurant.commande_demander", "RESTAURANT.COMMANDER", "DemanderCommandeRestaurantDto", parts={"lignes": "LigneCommandeRestaurantDto"}, bounds=CLIENT),
    GET("/portail/commandes/{id_commande}", "restaurant.portail_commande_detail", "PORTAIL.VOIR", bounds=CLIENT),
    POST("/portail/commandes/{id_commande}/annuler", "restaurant.commande_renoncer", "RESTAURANT.COMMANDER", "RenoncerCommandeRestaurantDto", bounds=CLIENT),
]
