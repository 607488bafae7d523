"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from tests import builders

BODIES = {
    "CreerPrestationDto": "libelle prix | categorie description id_activite actif code_taxe",
    "MajPrestationDto": "| libelle categorie prix description id_activite actif code_taxe",
    "FacturerPrestationDto": "montant id_moyen | id_client client lignes remise",
    "NouveauClientFacturationDto": "nom prenoms tel_principal | type_client",
    "LigneFacturationDto": "libelle prix_unitaire | quantite",
    "MajFactureDto": "| libelle",
    "AnnulerFactureDto": "motif | id_caisse",
    "CreerAvoirDto": "lignes motif | remboursement",
    "LigneAvoirDto": "id_ligne | quantite montant retour_stock",
    "RemboursementAvoirDto": "id_moyen | reference id_caisse",
}


def make(db, witness, keys):
    keys["id_prestation"] = str(builders.prestation(db))
    keys["id_moyen"] = str(builders.moyen(db))
    sold = {"montant": "5000", "id_moyen": keys["id_moyen"], "id_client": keys["id_client"]}
    path = "/api/v1/facturation/prestations/{id_prestation}/facturer"
    keys["id_facture"] = witness.make(path, keys, sold)["id_facture"]
    [keys["id_ligne"]] = [
        str(row["id_ligne"])
        for row in db.all("select id_ligne from facturation.facture_ligne where id_facture = %s", [keys["id_facture"]])
    ]
    credited = {"lignes": [{"id_ligne": keys["id_ligne"], "montant": "10"}], "motif": "Geste commercial"}
    keys["id_avoir"] = witness.make("/api/v1/facturation/factures/{id_facture}/avoirs", keys, credited)["avoir"][
        "id_avoir"
    ]
