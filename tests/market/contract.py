"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from tests import builders
from tests.witness import PHOTO

BODIES = {
    "CreerCategorieProduitDto": "libelle |",
    "MajCategorieProduitDto": "| libelle actif",
    "CreerFournisseurDto": "nom | contact telephone email adresse",
    "MajFournisseurDto": "| nom contact telephone email adresse actif",
    # image_url is not in the contract. Newer clients send it.
    "CreerProduitDto": "nom prix_achat prix_vente "
    "| id_categorie_produit quantite_initiale seuil_alerte id_fournisseur date_entree actif image_url "
    "reference code_barre code_taxe",
    "MajProduitDto": "| nom id_categorie_produit prix_achat prix_vente seuil_alerte id_fournisseur actif image_url "
    "reference code_barre code_taxe",
    "LigneVenteDto": "id_produit quantite |",
    "PaiementVenteDto": "montant id_moyen |",
    "CreerVenteDto": "lignes paiement | remise id_client",
    "EncaisserVenteDto": "montant id_moyen | date",
    "AnnulerVenteDto": "| motif id_caisse",
    "DemanderVenteDto": "lignes | note",
    "RenoncerVenteDto": "| motif",
    "AjouterMouvementDto": "id_produit type quantite | motif document_ref cout_unitaire",
    "CorrigerMouvementDto": "cout_unitaire | motif",
}


def make(db, witness, keys):
    keys["id_produit"] = str(
        builders.produit(db, prix="100", seuil_alerte="20", code_barre="2000000000015", image_url=PHOTO)
    )
    keys["ids"], keys["code_barre"] = keys["id_produit"], "2000000000015"
    basket = {
        "lignes": [{"id_produit": keys["id_produit"], "quantite": "2"}],
        "paiement": {"montant": "200", "id_moyen": keys["id_moyen"]},
        "id_client": keys["id_client"],
    }
    keys["id_vente"] = witness.make("/api/v1/market/ventes", keys, basket)["vente"]["id_vente"]
