"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from tests import builders
from tests.witness import PHOTO

BODIES = {
    "CreerCategoriePlatDto": "libelle |",
    "CreerPlatDto": "nom prix | id_categorie_plat disponible description image_url code_taxe",
    "MajPlatDto": "| nom id_categorie_plat prix disponible description image_url code_taxe",
    "LigneCommandeRestaurantDto": "id_plat quantite |", "PaiementCommandeDto": "montant id_moyen |",
    "CreerCommandeRestaurantDto": "type lignes | paiement id_client utiliser_abonnement accepter_excedent",
    "MajStatutCommandeDto": "statut | motif", "AnnulerCommandeRestaurantDto": "| motif id_caisse",
    "DemanderCommandeRestaurantDto": "type lignes | adresse_livraison notes",
    "RenoncerCommandeRestaurantDto": "| motif",
    "EncaisserCommandeDto": "montant | id_moyen date utiliser_abonnement accepter_excedent",
    "ApercuAbonnementDto": "id_client lignes |",
}  # fmt: skip


def make(db, witness, keys):
    keys["id_plat"] = str(builders.plat(db, prix="100", image_url=PHOTO))
    meal = {
        "type": "SUR_PLACE", "lignes": [{"id_plat": keys["id_plat"], "quantite": "2"}],
        "paiement": {"montant": "200", "id_moyen": keys["id_moyen"]}, "id_client": keys["id_client"],
    }  # fmt: skip
    order = witness.make("/api/v1/restaurant/commandes", keys, meal)["commande"]
    keys["restaurant.id_commande"] = order["id_commande"]
