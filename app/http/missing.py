"""The sentence of a 404: it names the row in the request's path."""

from __future__ import annotations

from collections.abc import Mapping

# Key of a path → French name of the row. A key outside this table names no row.
NAMES = {
    "cle": "Paramètre",
    "code": "Activité",
    "code_barre": "Code-barres",
    "id_abonnement": "Abonnement",
    "id_activite": "Activité",
    "id_avoir": "Avoir",
    "id_batiment": "Bâtiment",
    "id_caisse": "Caisse",
    "id_categorie_abonnement": "Catégorie d'abonnement",
    "id_categorie_charge": "Catégorie de charge",
    "id_categorie_depense": "Catégorie de dépense",
    "id_categorie_produit": "Catégorie de produit",
    "id_charge": "Charge",
    "id_cle": "Clé d'API",
    "id_client": "Client",
    "id_commande": "Commande",
    "id_contrat": "Contrat",
    "id_depense": "Dépense",
    "id_echeance": "Échéance",
    "id_employe": "Employé",
    "id_facture": "Facture",
    "id_fournisseur": "Fournisseur",
    "id_import": "Import",
    "id_logement": "Logement",
    "id_moyen": "Moyen de paiement",
    "id_notification": "Notification",
    "id_offre": "Offre",
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
    "id_session": "Session",
    "id_signalement": "Signalement",
    "id_souscription": "Abonnement prépayé",
    "id_taxe": "Taux de taxe",
    "id_type_manifestation": "Type de manifestation",
    "id_type_vetement": "Type de vêtement",
    "id_utilisateur": "Utilisateur",
    "id_vente": "Vente",
    "id_webhook": "Webhook",
}
LONGEST = 60  # characters of a value in the sentence


def sentence(keys: Mapping[str, str]) -> str:
    """`Facture n° 12 introuvable.` A row that the caller may not see gets the same sentence as a missing row."""
    key = next((key for key in reversed(list(keys)) if key in NAMES), None)
    if key is None:
        return "Ce que désigne la requête est introuvable."
    value = keys[key][:LONGEST]
    reference = f"n° {value}" if value.isdecimal() and key.startswith("id_") else f"« {value} »"
    return f"{NAMES[key]} {reference} introuvable."
