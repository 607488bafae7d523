"""Routes of salle_fete: bookings of the hall, the catalogue of event types."""

from app.http.route import ACTIVITY, CLIENT, CREATE, GET, PATCH, POST

PREFIX = "/api/v1/salle-fete"
BOUNDS = ACTIVITY
ROUTES = [
    GET("/disponibilites", "salle_fete.creneau_lister", "SALLE_FETE.VOIR"),
    GET("/reservations", "salle_fete.reservation_lister", "SALLE_FETE.VOIR"),
    CREATE("/reservations", "salle_fete.reservation_creer", "SALLE_FETE.CREER", "CreerReservationFeteDto", parts={"client": "NouveauClientFeteDto"}),
    GET("/reservations/{id_reservation}", "salle_fete.reservation_detail", "SALLE_FETE.VOIR"),
    PATCH("/reservations/{id_reservation}", "salle_fete.reservation_modifier", "SALLE_FETE.MODIFIER", "MajReservationFeteDto", "salle_fete.reservation_champs"),
    POST("/reservations/{id_reservation}/valider", "salle_fete.reservation_valider", "SALLE_FETE.VALIDER", "ValiderReservationFeteDto"),
    POST("/reservations/{id_reservation}/confirmer", "salle_fete.reservation_confirmer", "SALLE_FETE.MODIFIER", "ConfirmerReservationFeteDto", parts={"paiement": "PaiementReservationDto"}),
    POST("/reservations/{id_reservation}/realiser", "salle_fete.reservation_realiser", "SALLE_FETE.MODIFIER", "RealiserReservationFeteDto", parts={"paiement": "PaiementReservationDto"}),
    POST("/reservations/{id_reservation}/annuler", "salle_fete.reservation_annuler", "SALLE_FETE.SUPPRIMER", "AnnulerReservationFeteDto"),
    GET("/catalogue", "salle_fete.type_manifestation_lister", "SALLE_FETE.VOIR|SALLE_FETE.DEMANDER"),
    CREATE("/catalogue/types-manifestation", "salle_fete.type_manifestation_creer", "SALLE_FETE.GERER_CATALOGUE", "CreerTypeManifestationDto"),
    GET("/catalogue/types-manifestation/{id_type_manifestation}", "salle_fete.type_manifestation_detail", "SALLE_FETE.VOIR"),
    PATCH("/catalogue/types-manifestation/{id_type_manifestation}", "salle_fete.type_manifestation_modifier", "SALLE_FETE.GERER_CATALOGUE", "MajTypeManifestationDto", "salle_fete.type_manifestation_champs"),
    # The portal
    GET("/portail/disponibilites", "salle_fete.disponibilite_lister", "SALLE_FETE.DEMANDER", bounds=CLIENT),
    GET("/portail/reservations", "salle_fete.portail_reservations", "PORTAIL.VOIR", bounds=CLIENT),
    CREATE("/portail/reservations", "salle_fete.reservation_demander", "SALLE_FETE.DEMANDER", "DemanderReservationFeteDto", bounds=CLIENT),
    GET("/portail/reservations/{id_reservation}", "salle_fete.portail_reservation_detail", "PORTAIL.VOIR", bounds=CLIENT),
    POST("/portail/reservations/{id_reservation}/annuler", "salle_fete.reservation_renoncer", "SALLE_FETE.DEMANDER", "RenoncerReservationFeteDto", bounds=CLIENT),
]
