"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from tests import builders

BODIES = {
    "CreerServiceRhDto": "libelle |",
    "MajServiceRhDto": "| libelle",
    "CreerEmployeDto": "nom prenom fonction date_embauche type_contrat salaire_base "
    "| telephone id_service autres_infos date_sortie",
    "MajEmployeDto": "| nom prenom telephone fonction id_service date_embauche type_contrat salaire_base statut "
    "autres_infos date_sortie",
    "MajPointageDto": "| heure_arrivee heure_depart duree_travaillee statut heures_sup note",
    "PointerArriveeDto": "id_employe date | statut note",
    "CreerPaieDto": "id_employe periode | salaire_base",
    "AjouterElementSalaireDto": "type libelle montant |",
    "PayerPaieDto": "id_moyen | id_caisse",
}


def make(db, witness, keys):
    keys["id_employe"] = str(builders.employe(db))
    today = {"id_employe": keys["id_employe"], "date": str(db.today())}
    keys["id_pointage"] = witness.make("/api/v1/rh/pointages", keys, today)["id_pointage"]
