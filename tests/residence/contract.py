"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

import io

from tests import builders
from tests.witness import JPEG, PHOTO

BODIES = {
    "CreerSejourDto": "type_prestation id_logement date_heure_arrivee tarif "
    "| id_client client date_heure_depart_prevue duree montant_total paiement statut",
    "NouveauClientSejourDto": "nom prenoms tel_principal | type_client",
    "PaiementSejourDto": "montant id_moyen |",
    "MajSejourDto": "| type_prestation id_logement date_heure_arrivee date_heure_depart_prevue "
    "date_heure_depart_reelle duree tarif id_moyen_paiement statut id_caisse",
    "PayerSejourDto": "montant id_moyen |",
    "ValiderSejourDto": "tarif | id_logement montant_total",
    "AnnulerSejourDto": "| motif id_caisse",
    "DemanderSejourDto": "id_logement type_prestation date_heure_arrivee "
    "| date_heure_depart_prevue nombre_personnes observations",
    "RenoncerSejourDto": "| motif",
    "CreerCategorieChargeDto": "libelle | actif",
    "MajCategorieChargeDto": "| libelle actif",
    "CreerChargeDto": "id_logement id_categorie_charge periode montant "
    "| compteur_numero lecture_debut lecture_fin consommation",
    "PayerChargeDto": "montant id_moyen |",
    # id_categorie_abonnement is not in the contract. It gives a subscription its category.
    "CreerAbonnementDto": "id_client service type montant date_debut "
    "| id_logement date_fin montant_paye statut id_categorie_abonnement",
    "MajAbonnementDto": "| id_client id_logement service type montant date_debut date_fin montant_paye statut "
    "id_categorie_abonnement",
    "AjouterPhotoEtatLieuxDto": "type cle_objet | piece commentaire",
    "CreerBatimentDto": "code nom | adresse actif",
    "MajBatimentDto": "| code nom adresse actif",
    # numero is not in the contract. An older client sends it.
    "CreerLogementDto": "id_batiment type tarif | numero nom equipements statut etat code_taxe",
    "MajLogementDto": "| nom type tarif equipements statut etat id_batiment numero code_taxe",
    "CreerLogementsLotDto": "id_batiment type tarif quantite | statut nom equipements etat code_taxe",
    "CreerContratDto": "id_client id_logement date_debut montant_loyer type_location "
    "| statut date_fin_prevue duree_mois periodicite date_signature",
    "DevenirResidentDto": "id_logement date_debut montant_loyer type_location "
    "| date_fin_prevue duree_mois periodicite date_signature",
    "ResilierContratDto": "| date_resiliation motif",
    "AnnulerContratDto": "| motif",
    "RembourserLoyerDto": "id_moyen | montant id_caisse",
    "ReviserLoyerDto": "nouveau_montant | date_effet motif",
    "EncaisserLoyerDto": "montant id_moyen | date",
    "EncaisserLotDto": "montant id_moyen | date",
    "CreerCautionDto": "montant |",
    "VersementCautionDto": "| date_versement montant motif",
    "EncaisserCautionDto": "id_moyen | montant date reference",
    "RembourserCautionDto": "id_moyen | retenue motif_retenue date id_caisse",
    "RestituerCautionDto": "| retenue motif_retenue id_caisse",
}


def make(db, witness, keys):
    keys["id_logement"] = str(builders.logement(db))
    keys["id_batiment"] = str(builders.batiment(db))
    occupied = builders.logement(db)
    keys["id_contrat"] = str(builders.contrat(db, id_logement=occupied, id_client=int(keys["id_client"])))
    rent = {"montant": "95000", "id_moyen": keys["id_moyen"]}
    paid = witness.make("/api/v1/residence/contrats/{id_contrat}/encaisser-loyer-lot", keys, rent)
    keys["id_echeance"] = paid["echeances"][0]["id_echeance"]
    keys["residence.id_paiement"] = paid["id_paiement"]
    account = "select id_utilisateur from auth.utilisateur where id_client = %s"
    keys["resident"] = str(db.one(account, [keys["id_client"]]))
    deposit = db.call("residence.caution_creer", id_contrat=keys["id_contrat"], montant="1")
    keys["id_caution"] = str(deposit["id_caution"])
    kind = witness.make("/api/v1/residence/categories-charges", keys, {"libelle": "Essai"})
    keys["id_categorie_charge"] = kind["id_categorie_charge"]
    water = {"id_logement": str(occupied), "periode": "2026-08", "montant": "25000"}
    water["id_categorie_charge"] = keys["id_categorie_charge"]
    keys["id_charge"] = witness.make("/api/v1/residence/charges", keys, water)["id_charge"]
    photo = {"type": "ENTREE", "cle_objet": PHOTO}
    photos = "/api/v1/residence/contrats/{id_contrat}/etat-des-lieux"
    keys["id_photo"] = witness.make(photos, keys, photo)["id_photo"]
    witness.http.runner.run(witness.http.services.storage.put(PHOTO, io.BytesIO(JPEG), "image/jpeg"))
    stay = {
        "type_prestation": "NUITEE", "id_client": keys["id_client"], "id_logement": str(builders.logement(db)),
        "date_heure_arrivee": "2026-08-20 20:00:00", "tarif": "35000",
        "paiement": {"montant": "1000", "id_moyen": keys["id_moyen"]},
    }  # fmt: skip
    keys["id_sejour"] = witness.make("/api/v1/residence/sejours", keys, stay)["sejour"]["id_sejour"]
