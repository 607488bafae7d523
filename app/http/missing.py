"""What a 404 of the database is about: the thing that the request's path names."""

from __future__ import annotations

from collections.abc import Mapping

# Each key of a path, and what people call the thing. A key that is not here names no row of the database.
NAMES = {
    "cle": "Paramètre",
    "code": "Activité",
    "id_abonnement": "Abonnement",
    "id_batiment": "Bâtiment",
    "id_caisse": "Caisse",
    "id_categorie_abonnement": "Catégorie d'abonnement",
    "id_categorie_charge": "Catégorie de charge",
    "id_categorie_depense": "Catégorie de dépense",
    "id_categorie_produit": "Catégorie de produit",
    "id_charge": "Charge",
    "id_client": "Client",
    "id_commande": "Commande",
    "id_contrat": "Contrat",
    "id_depense": "Dépense",
    "id_echeance": "Échéance",
    "id_employe": "Employé",
    "id_facture": "Facture",
    "id_fournisseur": "Fournisseur",
    "id_logement": "Logement",
    "id_moyen": "Moyen de paiement",
    "id_notification": "Notification",
    "id_paie": "Bulletin de paie",
    "id_paiement": "Paiement",
    "id_photo": "Photo",
    "id_piece": "Pièce d'identité",
    "id_plat": "Plat",
    "id_pointage": "Pointage",
    "id_prestation": "Prestation",
    "id_produit": "Produit",
    "id_reservation": "Réservation",
    "id_role": "Rôle",
    "id_sauvegarde": "Sauvegarde",
    "id_sejour": "Séjour",
    "id_service": "Service",
    "id_signalement": "Signalement",
    "id_utilisateur": "Utilisateur",
    "id_vente": "Vente",
}
MOST = 60  # characters of a value that are told back


def sentence(keys: Mapping[str, str]) -> str:
    """`Facture n° 12 introuvable.`; the same for what is another's and for what never was."""
    key = next((key for key in reversed(list(keys)) if key in NAMES), None)
    if key is None:
        return "Ce que désigne la requête est introuvable."
    value = keys[key][:MOST]
    told = f"n° {value}" if value.isdecimal() else f"« {value} »"
    return f"{NAMES[key]} {told} introuvable."
