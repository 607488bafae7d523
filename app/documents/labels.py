"""Names of columns and codes as people read them: `chiffre_affaires_mois` is « Chiffre affaires mois ».

A name is its words; here are those that ASCII writes badly, and the few names whose words alone say too little.
"""

from __future__ import annotations

import re

WORDS = {
    "a": "à", "activite": "activité", "affaires": "d'affaires", "annulee": "annulée", "annulees": "annulées",
    "aujourd": "aujourd'hui", "calculee": "calculée", "categorie": "catégorie", "conge": "congé", "cree": "créé",
    "decaissements": "décaissements", "depenses": "dépenses", "depose": "déposé", "derniere": "dernière",
    "duree": "durée", "echeance": "échéance", "emises": "émises", "encaisse": "encaissé", "entite": "entité",
    "entree": "entrée", "epuise": "épuisé", "evenement": "événement", "hui": "", "id": "n°", "impayes": "impayés",
    "ip": "IP", "libelle": "libellé", "livree": "livrée", "modifie": "modifié", "numero": "numéro",
    "occupees": "occupées", "operation": "opération", "operations": "opérations", "payee": "payée",
    "percus": "perçus", "periode": "période", "pointes": "pointés", "present": "présent", "presents": "présents",
    "pret": "prêt", "pretes": "prêtes", "quantite": "quantité", "realisee": "réalisée", "realisees": "réalisées",
    "reference": "référence", "reservation": "réservation", "reservations": "réservations", "reserve": "réservé",
    "reservee": "réservée", "retire": "retiré", "retirees": "retirées", "sejour": "séjour", "synthese": "synthèse",
    "termine": "terminé", "validee": "validée", "verse": "versé",
}  # fmt: skip
NAMES = {
    "activite_libelle": "Activité",
    "adresse_ip": "Adresse IP",
    "ca": "Chiffre d'affaires",
    "categorie_libelle": "Catégorie",
    "chiffre_affaires_global_mois": "Chiffre d'affaires",
    "decaissements_mois": "Décaissements",
    "depenses_mois": "Dépenses",
    "date_heure": "Date et heure",
    "date_echeance": "Échéance",
    "du": "Du",
    "en_alerte": "Produits en alerte",
    "id_utilisateur": "Utilisateur n°",
    "market": "Boutique",
    "masse_salariale": "Masse salariale",
    "montant_du": "Montant dû",
    "montant_paye": "Montant payé",
    "moyen_libelle": "Moyen",
    "nombre_operations": "Nombre d'opérations",
    "paie": "Paie (nets)",
    "paie.total_verse": "Salaires versés",
    "par_statut": "Par état",
    "pointage": "Présences",
    "pointage.total_duree": "Heures travaillées",
    "pointage.total_heures_sup": "Heures supplémentaires",
    "pointage.total_pointes": "Pointages",
    "recettes_mois": "Recettes",
    "residence": "Résidence",
    "salaires_a_payer_mois": "Salaires à payer",
    "salle_fete": "Salle de fête",
    "seuil_alerte": "Seuil d'alerte",
    "solde_mois": "Solde",
    "sorties_mois": "Sorties",
    "statut": "État",
    "total_duree": "Heures travaillées",
    "total_heures_sup": "Heures supplémentaires",
    "total_verse": "Salaires versés",
    "valeur_stock": "Valeur du stock",
}
NOT_MONEY = re.compile(r"heures|duree|quantite|seuil")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")


def label(name: str) -> str:
    """A column or a code for people; what is neither stays as it is."""
    if name in NAMES:
        return NAMES[name]
    if not _NAME.fullmatch(name):
        return name
    if "." in name:
        return " : ".join(label(part) for part in name.split("."))
    words = " ".join(filter(None, (WORDS.get(word, word) for word in name.lower().split("_"))))
    return words[:1].upper() + words[1:]


def is_money(name: str) -> bool:
    """Whether the decimals of this column are amounts."""
    return NOT_MONEY.search(name) is None
