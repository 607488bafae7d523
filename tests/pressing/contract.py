"""The request bodies that clients send to this slice, and the rows that its examples need, for the house tests."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness

# Required fields before the bar, optional fields after it.
BODIES = {
    "CreerCommandePressingDto": "id_client lignes "
    "| date_retrait_prevue paiement mode_tarification utiliser_abonnement accepter_excedent",
    "MajCommandePressingDto": "| id_client date_retrait_prevue lignes mode_tarification",
    "LigneCommandePressingDto": "type_vetement quantite prestation tarif | hors_catalogue poids_kg",
    "PaiementAcompteDto": "montant id_moyen |",
    "EncaisserSoldePressingDto": "solde id_moyen |",
}


def make(db: Db, witness: Witness, known: dict[str, str]) -> None:
    """Add one row for each key in paths and bodies."""
    linen = {"type_vetement": "Chemise", "quantite": 4, "prestation": "Lavage", "tarif": "1000"}
    deposit = {"id_client": known["id_client"], "lignes": [linen]}
    order = witness.make("/api/v1/pressing/commandes", known, deposit)["commande"]
    known["pressing.id_commande"] = order["id_commande"]
