"""Routes of pressing: laundry orders."""

from app.http.route import ACTIVITY, CREATE, GET, HTML, PATCH, POST

PREFIX = "/api/v1/pressing/commandes"
BOUNDS = ACTIVITY
ROUTES = [
    GET("", "pressing.commande_lister", "PRESSING.VOIR"),
    CREATE("", "pressing.commande_creer", "PRESSING.CREER", "CreerCommandePressingDto", lignes="LigneCommandePressingDto", paiement="PaiementAcompteDto"),
    GET("/{id_commande}", "pressing.commande_detail", "PRESSING.VOIR"),
    HTML("/{id_commande}/recu", "pressing.commande_recu", "PRESSING.VOIR", "pressing.html"),
    PATCH("/{id_commande}", "pressing.commande_modifier", "PRESSING.MODIFIER", "MajCommandePressingDto", "pressing.commande_champs", lignes="LigneCommandePressingDto"),
    POST("/{id_commande}/traitement", "pressing.commande_traiter", "PRESSING.MODIFIER"),
    POST("/{id_commande}/pret", "pressing.commande_marquer_prete", "PRESSING.MODIFIER"),
    POST("/{id_commande}/retirer", "pressing.commande_retirer", "PRESSING.MODIFIER", "EncaisserSoldePressingDto"),
    POST("/{id_commande}/annuler", "pressing.commande_annuler", "PRESSING.SUPPRIMER"),
]
