"""The request bodies of this slice, which the house tests compare with the API."""

BODIES = {
    "CreerCategorieAbonnementDto": "libelle | code description actif",
    "MajCategorieAbonnementDto": "| code libelle description actif",
    "CreerOffreDto": "code libelle activite unite quota prix duree_jours "
    "| actif description id_prestation id_categorie_plat max_par_jour",
    "MajOffreDto": "| libelle description quota prix duree_jours actif",
    "CreerSouscriptionDto": "id_client id_offre | date_debut prix paiement note",
    "PaiementSouscriptionDto": "montant id_moyen |",
    "PayerSouscriptionDto": "montant id_moyen |",
    "AjusterSouscriptionDto": "quantite motif |",
    "ResilierSouscriptionDto": "motif |",
    "DeciderReliquatDto": "decision | id_souscription_cible motif",
}
