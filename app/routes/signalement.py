"""Routes of signalement: incident reports and their photos."""

from app.http.route import ACTIVITY, CLIENT, CREATE, DELETE, GET, POST, STORED
from app.routes.uploads import attach, photo

KEPT = ("signalement-photo", "cle_objet")
ATTACH = attach("signalement.photo_permise", *KEPT, "Dépose une photo et la joint à un signalement.")
DECLARE = attach("signalement.photo_declarable", *KEPT, "Dépose une photo et la joint à un signalement du client connecté, tant qu'il n'est pas clos.")
PHOTO = photo("Fichier d'une photo d'un signalement.")

PREFIX = "/api/v1/signalements"
BOUNDS = ACTIVITY
ROUTES = [
    GET("", "signalement.signalement_lister", "SIGNALEMENT.VOIR"),
    CREATE("", "signalement.signalement_creer", "SIGNALEMENT.CREER", "CreerSignalementDto"),
    GET("/{id_signalement}", "signalement.signalement_detail", "SIGNALEMENT.VOIR"),
    POST("/{id_signalement}/prendre-en-charge", "signalement.signalement_prendre_en_charge", "SIGNALEMENT.MODIFIER"),
    POST("/{id_signalement}/resoudre", "signalement.signalement_resoudre", "SIGNALEMENT.MODIFIER", "ClotureSignalementDto"),
    POST("/{id_signalement}/rejeter", "signalement.signalement_rejeter", "SIGNALEMENT.MODIFIER", "ClotureSignalementDto"),
    GET("/{id_signalement}/photos", "signalement.photo_lister", "SIGNALEMENT.VOIR"),
    CREATE("/{id_signalement}/photos", "signalement.photo_ajouter", "SIGNALEMENT.MODIFIER", "AjouterPhotoSignalementDto"),
    CREATE("/{id_signalement}/photos/upload", "signalement.photo_ajouter", "SIGNALEMENT.CREER|SIGNALEMENT.MODIFIER", handler=ATTACH, supplied=("cle_objet",), form=()),
    GET("/photos/{id_photo}/fichier", "signalement.photo_detail", "SIGNALEMENT.VOIR|PORTAIL.VOIR", bounds=ACTIVITY + CLIENT, handler=PHOTO, media=STORED),
    DELETE("/photos/{id_photo}", "signalement.photo_supprimer", "SIGNALEMENT.MODIFIER"),
    # The portal
    GET("/portail", "signalement.portail_signalements", "PORTAIL.VOIR", bounds=CLIENT),
    CREATE("/portail", "signalement.signalement_declarer", "PORTAIL.VOIR", "DeclarerSignalementDto", bounds=CLIENT),
    GET("/portail/{id_signalement}", "signalement.portail_signalement_detail", "PORTAIL.VOIR", bounds=CLIENT),
    CREATE("/portail/{id_signalement}/photos/upload", "signalement.photo_declarer", "PORTAIL.VOIR", bounds=CLIENT, handler=DECLARE, supplied=("cle_objet",), form=()),
    GET("/portail/photos/{id_photo}/fichier", "signalement.portail_photo_detail", "PORTAIL.VOIR", bounds=CLIENT, handler=PHOTO, media=STORED),
]
