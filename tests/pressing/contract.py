"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

BODIES = {
    "CreerCommandePressingDto": "id_client lignes "
    "| date_retrait_prevue paiement mode_tarification utiliser_abonnement accepter_excedent",
    "MajCommandePressingDto": "| id_client date_retrait_prevue lignes mode_tarification",
    "LigneCommandePressingDto": "type_vetement quantite prestation | tarif poids_kg hors_catalogue",
    "ValiderCommandePressingDto": "lignes "
    "| mode_tarification date_retrait_prevue paiement utiliser_abonnement accepter_excedent",
    "AnnulerCommandePressingDto": "| motif",
    "DemanderCommandePressingDto": "| date_depot_souhaitee notes",
    "RenoncerCommandePressingDto": "| motif",
    "PaiementAcompteDto": "montant id_moyen |",
    "EncaisserSoldePressingDto": "| solde id_moyen",
    "ApercuAbonnementPressingDto": "id_client lignes | mode_tarification",
    "CreerTypeVetementDto": "libelle |",
    "MajTypeVetementDto": "| libelle actif",
    "CreerPrestationPressingDto": "libelle | code_taxe",
    "MajPrestationPressingDto": "| libelle actif code_taxe",
    "CreerTarifKgDto": "prix_kg |",
}


def make(db, witness, keys):
    linen = {"type_vetement": "Chemise", "quantite": 4, "prestation": "Lavage", "tarif": "1000"}
    deposit = {"id_client": keys["id_client"], "lignes": [linen]}
    order = witness.make("/api/v1/pressing/commandes", keys, deposit)["commande"]
    keys["pressing.id_commande"] = order["id_commande"]
    service = witness.make("/api/v1/pressing/catalogue/prestations", keys, {"libelle": "Lavage"})
    keys["pressing.id_prestation"] = service["id_prestation"]
    witness.make("/api/v1/pressing/tarif-kg", keys, {"prix_kg": "1500"})
