"""One document of each type, from constant data in the shape that its operation returns."""

from typing import Any

ORGANISATION = {
    "nom": "Groupe Exemple", "adresse": "12, rue des Jardins\nImmeuble Palmier", "ville": "Abidjan",
    "telephone": "+2252700000000", "email": "accueil@exemple.ci",
    "mentions": "RCCM CI-ABJ-2020-B-00000 – NCC 0000000 X", "devise": "FCFA",
}  # fmt: skip
PAIEMENT = {"jour": "2026-03-02", "moyen": "Mobile Money", "reference": "MM-1", "montant": "50000.00"}

FACTURE: dict[str, Any] = {
    "fichier": "facture-GSG-FAC-2026-001", "organisation": ORGANISATION, "numero": "GSG-FAC-2026-001",
    "jour": "2026-03-01", "heure": "09:05:00", "activite": "Pressing", "libelle": "Fête de l'été",
    "vendeur": "Awa Exemple", "statut": "PARTIELLE",
    "client": {
        "code": "GSG-CL-001", "nom": "Awa Exemple", "telephone": "+2250700000000", "email": "awa@exemple.ci",
        "adresse": "Rue 12", "ville": "Bouaké", "numero_contribuable": None,
    },
    "lignes": [
        {"libelle": "Location de chaises", "quantite": 2, "prix_unitaire": "15000.00", "total": "30000.00"},
        {"libelle": "Nettoyage à l'œuvre", "quantite": 1.5, "prix_unitaire": "50000.00", "total": "75000.00"},
    ],
    "remise": "10000.00", "montant_total": "95000.00", "montant_paye": "50000.00", "reste": "45000.00",
    "paiements": [PAIEMENT], "jeton": "f12-0123456789abcdef0123456789abcdef", "motif_annulation": None,
    "montant_avoirs": "0.00", "montant_credit": "0.00", "avoirs": [],
    "taxes": [], "montant_ht": None, "mode_prix": None, "numero_contribuable": None, "qr_paiement": None,
}  # fmt: skip
FACTURE_CREDITEE = FACTURE | {
    "statut": "PAYEE", "montant_paye": "95000.00", "montant_avoirs": "20000.00", "montant_credit": "20000.00",
    "avoirs": ["GSG-AVO-2026-001"], "reste": "0.00",
}  # fmt: skip
AVOIR: dict[str, Any] = {
    "fichier": "avoir-GSG-AVO-2026-001", "organisation": ORGANISATION, "numero": "GSG-AVO-2026-001",
    "jour": "2026-03-09", "heure": "17:40:00", "activite": "Pressing", "vendeur": "Awa Exemple",
    "client": FACTURE["client"], "facture_numero": FACTURE["numero"], "facture_jour": FACTURE["jour"],
    "motif": "Deux chaises rendues, et le nettoyage a laissé une tache : geste convenu avec la cliente au comptoir.",
    "lignes": [
        {"libelle": "Location de chaises", "quantite": 1, "montant": "13571.00", "retour_stock": True},
        {"libelle": "Nettoyage à l'œuvre", "quantite": None, "montant": "6429.00", "retour_stock": False},
    ],
    "montant_total": "20000.00", "montant_excedent": "20000.00", "rembourse": False,
    "jeton": "a3-0123456789abcdef0123456789abcdef", "taxes": [], "montant_ht": None, "numero_contribuable": None,
}  # fmt: skip
CONTRAT: dict[str, Any] = {
    "fichier": "contrat-CON-2026-001", "organisation": ORGANISATION, "numero": "CON-2026-001", "statut": "ACTIF",
    "type_location": "MENSUEL", "periodicite": "MENSUEL", "duree_mois": 12,
    "date_debut": "2026-03-01", "date_fin": "2027-02-28", "date_signature": "2026-02-25", "date_resiliation": None,
    "loyer": "95000.00",
    "locataire": {
        "code": "GSG-CL-001", "nom": "Awa Exemple", "telephone": "+2250700000000", "email": "awa@exemple.ci",
        "adresse": "Rue 12", "ville": "Bouaké", "pays": "Côte d'Ivoire", "date_naissance": "1990-04-12",
        "lieu_naissance": "Yamoussoukro", "nationalite": "ivoirienne", "profession": "infirmière",
    },
    "piece": {
        "type": "CNI", "numero": "C-0001", "date_delivrance": "2020-01-01", "date_expiration": "2030-01-01",
        "autorite": "la préfecture de Bouaké",
    },
    "logement": {
        "numero": "GSG-CH01-A", "nom": "Les Bougainvillées", "type": "CHAMBRE",
        "equipements": "lit, armoire, ventilateur", "etat": "bon", "batiment": "A – Résidence des Essais",
        "adresse": "Rue des Fleurs",
    },
    "caution": {"montant": "190000.00", "date_versement": "2026-02-25"},
    "revisions": [{"date_effet": "2027-01-01", "montant": "100000.00"}],
}  # fmt: skip
RECU_ECHEANCE: dict[str, Any] = {
    "fichier": "recu-LOYER-CON-2026-001-3-2026", "organisation": ORGANISATION, "numero": "LOYER-CON-2026-001-3-2026",
    "reference": None, "jour": "2026-03-05", "moyen": "Espèces", "client": "Awa Exemple", "montant": "95000.00",
    "echeance": {
        "numero_contrat": "CON-2026-001", "logement": "GSG-CH01-A", "debut": "2026-03-01", "fin": "2026-03-31",
        "montant": "95000.00", "montant_paye": "95000.00", "reste": "0.00", "numero_facture": "GSG-FAC-2026-001",
    },
    "paiements": [
        PAIEMENT, PAIEMENT | {"jour": "2026-03-05", "moyen": "Espèces", "reference": None, "montant": "45000.00"},
    ],
    "factures": None, "caution": None, "jeton": "e7-0123456789abcdef0123456789abcdef",
}  # fmt: skip
RECU_PAIEMENT = RECU_ECHEANCE | {
    "numero": "PAIEMENT-7", "reference": "MM-1", "echeance": None, "paiements": None,
    "factures": [{"numero": "GSG-FAC-2026-001", "libelle": "Loyer CON-2026-001, 3/2026", "montant": "95000.00"}],
    "jeton": "p7-0123456789abcdef0123456789abcdef",
}  # fmt: skip
RECU_CAUTION = RECU_PAIEMENT | {
    "numero": "PAIEMENT-8", "reference": "CAUTION-3", "montant": "190000.00", "factures": [],
    "caution": "CON-2026-001", "jeton": "p8-0123456789abcdef0123456789abcdef",
}  # fmt: skip
PAIE: dict[str, Any] = {
    "fichier": "paie-GSG-EMP-001-2026-03", "organisation": ORGANISATION,
    "employe": {
        "code": "GSG-EMP-001", "nom": "Ali Exemple", "fonction": "OPERATEUR_LAVAGE", "service": "Lingerie",
        "type_contrat": "CDI", "date_embauche": "2026-01-05", "date_sortie": None,
    },
    "periode": "2026-03", "statut": "PAYEE", "salaire_base": "180000.00", "prorata": None,
    "elements": [
        {"type": "PRIME", "libelle": "Prime de fin de mois", "montant": "15000.00"},
        {"type": "AVANCE", "libelle": "Avance du 10", "montant": "-20000.00"},
    ],
    "total_elements": "15000.00", "total_retenues": "20000.00", "montant_a_payer": "175000.00",
    "date_paiement": "2026-03-31", "moyen": "Virement",
}  # fmt: skip
PRESSING: dict[str, Any] = {
    "fichier": "recu-CPR-2026-0001", "largeur": 80, "organisation": ORGANISATION, "numero": "CPR-2026-0001",
    "statut": "DEPOSE", "depot": "2026-03-01", "heure_depot": "09:05:00", "retrait_prevu": "2026-03-04",
    "retrait": None, "client": "Awa Exemple", "telephone": "+2250700000000",
    "lignes": [
        {"type_vetement": garment, "prestation": service, "quantite": quantity, "tarif": price, "total": total,
         "poids_kg": None, "prix_kg": None}
        for garment, service, quantity, price, total in (
            ("Chemise", "Lavage et repassage", 4, "1000.00", "4000.00"),
            ("Boubou brodé", "Nettoyage à sec", 1, "3500.00", "3500.00"),
        )
    ],
    "montant_total": "7500.00", "montant_couvert": "0.00", "acompte": "2500.00", "reste": "5000.00",
    "jeton": "c4-0123456789abcdef0123456789abcdef", "numero_facture": "GSG-FAC-2026-002", "qr_paiement": None,
}  # fmt: skip

ETIQUETTES: dict[str, Any] = {
    "fichier": "etiquettes-2026-03-01",
    "devise": "FCFA",
    "etiquettes": [
        {"nom": nom, "reference": "GSG-REF-001", "prix_vente": prix, "code_barre": code}
        for nom, prix, code in (
            ("Riz parfumé 5 kg", "4200.00", "3017620422003"),
            ("Café moulu pur arabica des montagnes de l’Ouest, paquet de 250 g", "1900.50", "2000000000015"),
            ("Savon", "650.00", "LOT 7/B-44"),
            ("Ampoule", "1200.00", "96385074"),
        )
    ],
}

DOCUMENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "facture": ("facture.html", FACTURE),
    "ticket-58": ("ticket.html", {"largeur": 58, "facture": FACTURE}),
    "facture-creditee": ("facture.html", FACTURE_CREDITEE),
    "avoir": ("avoir.html", AVOIR),
    "ticket-avoir-58": ("ticket_avoir.html", {"largeur": 58, "avoir": AVOIR}),
    "contrat": ("contrat.html", CONTRAT),
    "recu-echeance": ("recu.html", RECU_ECHEANCE),
    "recu-caution": ("recu.html", RECU_CAUTION),
    "paie": ("paie.html", PAIE),
    "etiquettes": ("etiquettes.html", ETIQUETTES),
    "pressing-58": ("pressing.html", PRESSING | {"largeur": 58}),
}
