"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from tests import builders

BODIES = {
    "LigneAchatDto": "| id_produit quantite prix_unitaire id_categorie_depense libelle montant code_taxe id_reception",
    "CreerAchatDto": "id_fournisseur numero_fournisseur date lignes | echeance frais remise id_activite",
    "LigneRendueDto": "id_ligne | quantite montant",
    "CrediterAchatDto": "| lignes motif numero_fournisseur date",
    "PayerAchatDto": "montant id_moyen | id_caisse id_compte date reference",
    "LigneRecueDto": "id_produit quantite cout_unitaire |",
    "CreerReceptionDto": "id_fournisseur lignes | date document_ref",
    "PartAPayerDto": "id_achat | montant",
    "PayerAchatsDto": "factures id_moyen | id_caisse id_compte date reference",
}


def make(db, witness, keys):
    product, category = str(builders.produit(db)), str(builders.categorie_depense(db, "Fournitures"))
    supplier = witness.make("/api/v1/market/fournisseurs", keys, {"nom": "Grossiste"})["id_fournisseur"]
    received = {"id_produit": product, "quantite": "2", "cout_unitaire": "100"}
    body = {"id_fournisseur": supplier, "lignes": [received]}
    keys["id_reception"] = witness.make("/api/v1/achat/receptions", keys, body)["id_reception"]
    body = {
        "id_fournisseur": supplier, "numero_fournisseur": "F-1", "date": str(db.today()),
        "lignes": [{"id_categorie_depense": category, "libelle": "Eau", "montant": "100"}],
    }  # fmt: skip
    paid = witness.make("/api/v1/achat/factures", keys, body | {"numero_fournisseur": "F-0"})["id_achat"]
    witness.make("/api/v1/achat/factures/{id_achat}/valider", {"id_achat": paid})
    body_of_payment = {"factures": [{"id_achat": paid}], "id_moyen": str(builders.moyen(db))}
    keys["achat.id_paiement"] = witness.make("/api/v1/achat/paiements", keys, body_of_payment)["id_paiement"]
    keys["id_achat"] = witness.make("/api/v1/achat/factures", keys, body)["id_achat"]
