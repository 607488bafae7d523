"""Readable French names of columns and codes: `masse_salariale` becomes « Masse salariale ».

By default a label is the words of the name. WORDS adds the accents that ASCII lacks; NAMES replaces whole names.
"""

from __future__ import annotations

import re

WORDS = {
    "a": "à", "acceptee": "acceptée", "acceptees": "acceptées", "activite": "activité", "affaires": "d’affaires",
    "ajoutee": "ajoutée", "altere": "altéré", "annee": "année", "annule": "annulé", "annulee": "annulée",
    "annulees": "annulées",
    "apres": "après", "arrivee": "arrivée", "aujourd": "aujourd’hui", "autorise": "autorisé", "autorite": "autorité",
    "batiment": "bâtiment", "bloquee": "bloquée", "calcule": "calculé", "calculee": "calculée",
    "categorie": "catégorie", "cdd": "CDD", "cdi": "CDI", "changee": "changée", "cle": "clé", "cloture": "clôture",
    "cni": "CNI", "confirme": "confirmé", "confirmee": "confirmée", "conge": "congé", "controleur": "contrôleur",
    "creation": "création", "credit": "crédit", "credite": "crédité", "cree": "créé", "creee": "créée",
    "creneau": "créneau",
    "debit": "débit", "debut": "début", "decaissement": "décaissement", "decaissements": "décaissements",
    "declarant": "déclarant", "declaration": "déclaration", "deja": "déjà", "delivrance": "délivrance",
    "depart": "départ", "depense": "dépense", "depenses": "dépenses", "depose": "déposé", "deposees": "déposées",
    "depot": "dépôt", "derniere": "dernière", "donnees": "données", "duree": "durée", "ecart": "écart",
    "echeance": "échéance", "echec": "échec", "echouee": "échouée",
    "efface": "effacé", "element": "élément", "elements": "éléments",
    "emises": "émises", "employe": "employé", "employes": "employés", "encaisse": "encaissé", "entetes": "en-têtes",
    "entite": "entité", "entree": "entrée", "entrees": "entrées", "epoque": "époque", "epuise": "épuisé",
    "epuisee": "épuisée", "equipements": "équipements", "essaye": "essayé", "etat": "état", "evenement": "événement",
    "evenements": "événements", "excedent": "excédent", "exonere": "exonéré", "expire": "expiré",
    "expiree": "expirée", "fete": "fête", "frequence": "fréquence", "general": "général", "ht": "HT", "hui": "",
    "id": "n°", "impaye": "impayé", "impayee": "impayée", "impayes": "impayés", "ip": "IP", "libelle": "libellé",
    "livree": "livrée", "livrees": "livrées", "maj": "mise à jour", "meuble": "meublé", "modele": "modèle",
    "modifie": "modifié", "nationalite": "nationalité", "nuitee": "nuitée", "num": "numérisée", "numero": "numéro",
    "occupe": "occupé", "occupees": "occupées", "operateur": "opérateur", "operation": "opération",
    "operations": "opérations", "parametre": "paramètre", "paye": "payé", "payee": "payée", "percus": "perçus",
    "periode": "période", "periodicite": "périodicité", "periodique": "périodique", "piece": "pièce",
    "pointes": "pointés", "preavis": "préavis", "prefixe": "préfixe", "prenom": "prénom", "prenoms": "prénoms",
    "preparation": "préparation", "present": "présent", "presents": "présents", "pret": "prêt", "prete": "prête",
    "pretes": "prêtes", "prevu": "prévu", "prevue": "prévue", "priorite": "priorité", "qualite": "qualité",
    "quantite": "quantité", "realise": "réalisé", "realisee": "réalisée", "realisees": "réalisées",
    "reception": "réception", "receptionniste": "réceptionniste", "reelle": "réelle", "ref": "réf.",
    "reference": "référence", "refusee": "refusée", "refusees": "refusées", "regime": "régime",
    "reglement": "règlement", "rejete": "rejeté", "rembourse": "remboursé", "reparation": "réparation",
    "reporte": "reporté", "reseaux": "réseaux", "reservation": "réservation", "reservations": "réservations",
    "reserve": "réservé", "reservee": "réservée", "reservees": "réservées", "residence": "résidence",
    "residentiel": "résidentiel", "residentielle": "résidentielle", "resiliation": "résiliation",
    "resilie": "résilié", "resiliee": "résiliée", "resolu": "résolu", "resolution": "résolution",
    "restituee": "restituée", "resultant": "résultant", "retire": "retiré", "retirees": "retirées",
    "reussie": "réussie", "revision": "révision", "role": "rôle", "sechage": "séchage", "sejour": "séjour",
    "souhaitee": "souhaitée", "succes": "succès", "synthese": "synthèse", "tel": "tél.", "telephone": "téléphone",
    "termine": "terminé", "travaillee": "travaillée", "ttc": "TTC", "unite": "unité", "validee": "validée",
    "verse": "versé", "vetement": "vêtement", "zero": "zéro",
}  # fmt: skip
NAMES = {
    "CARTE_SEJOUR": "Carte de séjour",
    "DELETE": "Suppression",
    "EN_ALERTE": "En alerte",
    "INSERT": "Création",
    "LOCATION_COMMERCIAL": "Location commerciale",
    "LOCATION_RESIDENTIEL": "Location résidentielle",
    "SALLE_FETE": "Salle de fête",
    "UPDATE": "Modification",
    "VENTE_MARCHANDISES": "Vente de marchandises",
    "absents_aujourd_hui": "Absents aujourd’hui",
    "activite_libelle": "Activité",
    "adresse_ip": "Adresse IP",
    "base": "Base HT",
    "ca": "Chiffre d’affaires",
    "calcule_le": "Calculé le",
    "categorie_libelle": "Catégorie",
    "chiffre_affaires_aujourd_hui": "Chiffre d’affaires du jour",
    "avoirs_mois": "Avoirs",
    "chiffre_affaires_global_mois": "Chiffre d’affaires",
    "chiffre_affaires_mois": "Chiffre d’affaires",
    "commandes_retirees_aujourd_hui": "Commandes retirées aujourd’hui",
    "collectee": "Taxe collectée",
    "date_echeance": "Échéance",
    "due": "Taxe due",
    "date_evenement": "Date",
    "date_heure": "Date et heure",
    "decaissements_mois": "Décaissements",
    "depenses_mois": "Dépenses",
    "factures_brutes_mois": "Factures brutes",
    "du": "Du",
    "en_alerte": "Produits en alerte",
    "heure_debut": "Heure de début",
    "id_utilisateur": "Utilisateur n°",
    "locataires_en_retard": "Locataires en retard",
    "logements_par_statut": "Logements par état",
    "login": "Utilisateur",
    "market": "Boutique",
    "masse_salariale": "Masse salariale",
    "montant_du": "Montant dû",
    "montant_avoirs": "Avoirs",
    "montant_brut": "Factures brutes",
    "montant_factures": "Montant des factures",
    "montant_paye": "Montant payé",
    "moyen_libelle": "Moyen",
    "nom_client": "Client",
    "nombre_commandes": "Commandes",
    "nombre_commandes_aujourd_hui": "Commandes du jour",
    "nombre_operations": "Nombre d’opérations",
    "nombre_reservations": "Réservations",
    "nombre_ventes": "Ventes",
    "nombre_ventes_aujourd_hui": "Ventes du jour",
    "paie": "Paie (nets)",
    "paie.total_verse": "Salaires versés",
    "par_statut": "Par état",
    "paye_jusqu_au": "Payé jusqu'au",
    "pointage": "Présences",
    "pointage.total_duree": "Heures travaillées",
    "pointage.total_heures_sup": "Heures supplémentaires",
    "pointage.total_pointes": "Pointages",
    "prochaines": "Prochaines réservations",
    "quantite_stock": "Quantité en stock",
    "recettes_jour": "Recettes du jour",
    "recettes_mois": "Recettes",
    "residence.impayes": "Résidence : loyers échus ce jour",
    "residence": "Résidence",
    "salaires_a_payer_mois": "Salaires à payer",
    "salle_fete": "Salle de fête",
    "seuil_alerte": "Seuil d’alerte",
    "solde_mois": "Solde",
    "sorties_mois": "Sorties",
    "statut": "État",
    "sur_avoirs": "Taxe des avoirs",
    "taux": "Taux (%)",
    "total_decaissements": "Total des décaissements",
    "total_depenses": "Total des dépenses",
    "total_duree": "Heures travaillées",
    "total_heures_sup": "Heures supplémentaires",
    "total_pointages_aujourd_hui": "Pointages du jour",
    "total_pointes": "Pointages",
    "total_produits": "Produits",
    "total_recettes": "Total des recettes",
    "total_sorties": "Total des sorties",
    "total_verse": "Salaires versés",
    "type_manifestation": "Manifestation",
    "valeur_stock": "Valeur du stock",
}
NOT_MONEY = re.compile(r"heures|duree|quantite|seuil")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")


def label(name: str) -> str:
    """The label of a column or a code. Any other text is returned unchanged."""
    if name in NAMES:
        return NAMES[name]
    if not _NAME.fullmatch(name):
        return name
    if "." in name:
        return " : ".join(label(part) for part in name.split("."))
    words = " ".join(filter(None, (WORDS.get(word, word) for word in name.lower().split("_"))))
    return words[:1].upper() + words[1:]


def is_money(name: str) -> bool:
    """Whether decimals in this column are amounts of money."""
    return NOT_MONEY.search(name) is None
