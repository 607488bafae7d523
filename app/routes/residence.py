"""Routes of residence: buildings, rooms, leases, rent, deposits."""

from dataclasses import replace

from app.http.route import ACTIVITY, CLIENT, CREATE, DELETE, GET, PATCH, PDF, POST, STORED
from app.routes import residence_mail
from app.routes.uploads import photo

PREFIX = "/api/v1/residence"
BOUNDS = ACTIVITY + CLIENT
RESIDENT = "RESIDENT.VOIR"
# The portal: rows of the caller's own client only
PORTAL = [
    GET("/portail/resume", "residence.portail_resume", RESIDENT),
    GET("/portail/echeances", "residence.portail_echeances", RESIDENT),
    GET("/portail/echeances/{id_echeance}/recu", "residence.portail_echeance_recu", RESIDENT),
    GET("/portail/echeances/{id_echeance}/recu/pdf", "residence.portail_echeance_document", RESIDENT, media=PDF, template="recu.html"),
    GET("/portail/etat-des-lieux", "residence.portail_etat_des_lieux", RESIDENT),
    GET("/portail/etat-des-lieux/{id_photo}/photo", "residence.portail_photo_detail", RESIDENT, handler=photo("Fichier d'une photo d'état des lieux du résident connecté."), media=STORED),
    GET("/portail/paiements", "residence.portail_paiements", RESIDENT, stale=True),
    GET("/portail/paiements/{id_paiement}/recu", "residence.portail_paiement_recu", RESIDENT),
    GET("/portail/paiements/{id_paiement}/recu/pdf", "residence.portail_paiement_document", RESIDENT, media=PDF, template="recu.html"),
    GET("/portail/caution", "residence.portail_caution", RESIDENT),
    # Stays and requests of stays, of residents and of clients
    GET("/portail/sejours", "residence.portail_sejours", "PORTAIL.VOIR"),
    CREATE("/portail/sejours", "residence.sejour_demander", "RESIDENCE.DEMANDER", "DemanderSejourDto"),
    GET("/portail/sejours/logements", "residence.portail_logements", "RESIDENCE.DEMANDER"),
    GET("/portail/sejours/{id_sejour}", "residence.portail_sejour_detail", "PORTAIL.VOIR"),
    POST("/portail/sejours/{id_sejour}/annuler", "residence.sejour_renoncer", "RESIDENCE.DEMANDER", "RenoncerSejourDto"),
    GET("/portail/sejours/{id_sejour}/facture", "residence.portail_sejour_facture", "PORTAIL.VOIR"),
]
ROUTES = [
    GET("/batiments", "residence.batiment_lister", "RESIDENCE.VOIR"),
    CREATE("/batiments", "residence.batiment_creer", "RESIDENCE.CREER", "CreerBatimentDto"),
    GET("/batiments/{id_batiment}", "residence.batiment_detail", "RESIDENCE.VOIR"),
    PATCH("/batiments/{id_batiment}", "residence.batiment_modifier", "RESIDENCE.MODIFIER", "MajBatimentDto", "residence.batiment_champs"),
    DELETE("/batiments/{id_batiment}", "residence.batiment_supprimer", "RESIDENCE.SUPPRIMER"),
    GET("/logements", "residence.logement_lister", "RESIDENCE.VOIR"),
    CREATE("/logements", "residence.logement_creer", "RESIDENCE.CREER", "CreerLogementDto"),
    CREATE("/logements/lot", "residence.logement_lot_creer", "RESIDENCE.CREER", "CreerLogementsLotDto"),
    GET("/logements/{id_logement}", "residence.logement_detail", "RESIDENCE.VOIR"),
    PATCH("/logements/{id_logement}", "residence.logement_modifier", "RESIDENCE.MODIFIER", "MajLogementDto", "residence.logement_champs"),
    GET("/occupation", "residence.occupation_lister", "RESIDENCE.VOIR"),
    # Leases
    GET("/contrats", "residence.contrat_lister", "RESIDENCE.VOIR"),
    CREATE("/contrats", "residence.contrat_creer", "RESIDENCE.CREER", "CreerContratDto", handler=residence_mail.create, supplied=("lien_en_file",), rehearsable=True),
    CREATE("/clients/{id_client}/devenir-resident", "residence.client_devenir_resident", "RESIDENCE.CREER", "DevenirResidentDto", handler=residence_mail.create, supplied=("lien_en_file",), rehearsable=True),
    GET("/contrats/{id_contrat}", "residence.contrat_detail", "RESIDENCE.VOIR"),
    GET("/contrats/{id_contrat}/pdf", "residence.contrat_document", "RESIDENCE.VOIR", media=PDF, template="contrat.html"),
    POST("/contrats/{id_contrat}/activer", "residence.contrat_activer", "RESIDENCE.MODIFIER"),
    POST("/contrats/{id_contrat}/annuler", "residence.contrat_annuler", "RESIDENCE.MODIFIER", "AnnulerContratDto"),
    POST("/contrats/{id_contrat}/resilier", "residence.contrat_resilier", "RESIDENCE.MODIFIER", "ResilierContratDto"),
    POST("/contrats/{id_contrat}/rembourser", "residence.contrat_rembourser", "FINANCES.CREER", "RembourserLoyerDto"),
    POST("/contrats/{id_contrat}/reviser-loyer", "residence.contrat_reviser_loyer", "RESIDENCE.MODIFIER", "ReviserLoyerDto"),
    POST("/contrats/{id_contrat}/envoyer-email", "residence.contrat_courrier", "RESIDENCE.MODIFIER", handler=residence_mail.send_lease, answer=residence_mail.Envoi),
    # Rent
    POST("/echeances/{id_echeance}/encaisser", "residence.echeance_encaisser", "FINANCES.CREER", "EncaisserLoyerDto"),
    POST("/contrats/{id_contrat}/encaisser-loyer-lot", "residence.contrat_encaisser_loyer_lot", "FINANCES.CREER", "EncaisserLotDto"),
    GET("/echeances/{id_echeance}/recu", "residence.echeance_recu", "RESIDENCE.VOIR", template="recu.html", document="residence.echeance_document", formats=("pdf",)),
    GET("/suivi", "residence.suivi_lister", "RESIDENCE.VOIR", stale=True),
    GET("/impayes", "residence.impaye_lister", "RESIDENCE.VOIR", stale=True),
    # Deposits
    GET("/contrats/{id_contrat}/caution", "residence.caution_detail", "RESIDENCE.VOIR"),
    CREATE("/contrats/{id_contrat}/caution", "residence.caution_creer", "RESIDENCE.MODIFIER", "CreerCautionDto"),
    POST("/contrats/{id_contrat}/caution/versement", "residence.caution_verser", "RESIDENCE.MODIFIER", "VersementCautionDto"),
    POST("/contrats/{id_contrat}/caution/encaisser", "residence.caution_encaisser", "FINANCES.CREER", "EncaisserCautionDto"),
    POST("/contrats/{id_contrat}/caution/rembourser", "residence.caution_rembourser", "FINANCES.CREER", "RembourserCautionDto"),
    POST("/contrats/{id_contrat}/caution/restitution", "residence.caution_restituer", "RESIDENCE.MODIFIER", "RestituerCautionDto"),
    # Move-in and move-out photos
    GET("/contrats/{id_contrat}/etat-des-lieux", "residence.etat_des_lieux_lister", "RESIDENCE.VOIR"),
    CREATE("/contrats/{id_contrat}/etat-des-lieux", "residence.etat_des_lieux_ajouter", "RESIDENCE.MODIFIER", "AjouterPhotoEtatLieuxDto"),
    GET("/etat-des-lieux/{id_photo}/photo", "residence.etat_des_lieux_detail", "RESIDENCE.VOIR", handler=photo("Fichier d'une photo d'état des lieux."), media=STORED),
    DELETE("/etat-des-lieux/{id_photo}", "residence.etat_des_lieux_supprimer", "RESIDENCE.MODIFIER"),
    # Short stays
    GET("/sejours", "residence.sejour_lister", "RESIDENCE.VOIR"),
    CREATE("/sejours", "residence.sejour_creer", "RESIDENCE.CREER", "CreerSejourDto", parts={"client": "NouveauClientSejourDto", "paiement": "PaiementSejourDto"}),
    GET("/sejours/{id_sejour}", "residence.sejour_detail", "RESIDENCE.VOIR"),
    PATCH("/sejours/{id_sejour}", "residence.sejour_modifier", "RESIDENCE.MODIFIER", "MajSejourDto", "residence.sejour_champs"),
    POST("/sejours/{id_sejour}/valider", "residence.sejour_valider", "RESIDENCE.VALIDER", "ValiderSejourDto"),
    POST("/sejours/{id_sejour}/annuler", "residence.sejour_annuler", "RESIDENCE.MODIFIER", "AnnulerSejourDto"),
    POST("/sejours/{id_sejour}/payer", "residence.sejour_payer", "FINANCES.CREER", "PayerSejourDto"),
    GET("/sejours/{id_sejour}/facture", "residence.sejour_facture", "RESIDENCE.VOIR"),
    # Rebilled charges
    GET("/categories-charges", "residence.categorie_charge_lister", "RESIDENCE.VOIR"),
    CREATE("/categories-charges", "residence.categorie_charge_creer", "RESIDENCE.CREER", "CreerCategorieChargeDto"),
    GET("/categories-charges/{id_categorie_charge}", "residence.categorie_charge_detail", "RESIDENCE.VOIR"),
    PATCH("/categories-charges/{id_categorie_charge}", "residence.categorie_charge_modifier", "RESIDENCE.MODIFIER", "MajCategorieChargeDto", "residence.categorie_charge_champs"),
    GET("/charges", "residence.charge_lister", "RESIDENCE.VOIR", stale=True),
    CREATE("/charges", "residence.charge_creer", "RESIDENCE.CREER", "CreerChargeDto"),
    GET("/charges/{id_charge}", "residence.charge_detail", "RESIDENCE.VOIR"),
    POST("/charges/{id_charge}/payer", "residence.charge_payer", "FINANCES.CREER", "PayerChargeDto"),
    # Subscriptions
    GET("/abonnements", "residence.abonnement_lister", "RESIDENCE.VOIR"),
    CREATE("/abonnements", "residence.abonnement_creer", "RESIDENCE.CREER", "CreerAbonnementDto"),
    GET("/abonnements/{id_abonnement}", "residence.abonnement_detail", "RESIDENCE.VOIR"),
    PATCH("/abonnements/{id_abonnement}", "residence.abonnement_modifier", "RESIDENCE.MODIFIER", "MajAbonnementDto", "residence.abonnement_champs"),
    POST("/abonnements/{id_abonnement}/resilier", "residence.abonnement_resilier", "RESIDENCE.MODIFIER"),
    # The resident's portal
    *(replace(route, bounds=CLIENT) for route in PORTAL),
]
