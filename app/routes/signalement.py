"""Routes of signalement: incident reports and their photos."""

from app.http.route import ACTIVITY, CREATE, DELETE, GET, POST

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
    DELETE("/photos/{id_photo}", "signalement.photo_supprimer", "SIGNALEMENT.MODIFIER"),
]
