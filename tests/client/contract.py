"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from tests import builders

BODIES = {
    "CreerClientDto": "nom prenoms tel_principal type_client | date_naissance lieu_naissance sexe nationalite "
    "profession photo tel_secondaire email adresse ville pays numero_contribuable",
    "MajClientDto": "| nom prenoms tel_principal type_client date_naissance lieu_naissance sexe nationalite "
    "profession photo tel_secondaire email adresse ville pays numero_contribuable",
    "CreerContactDto": "nom lien tel_principal | prenom tel_secondaire adresse email",
    "CreerPieceDto": "type_piece numero "
    "| date_delivrance date_expiration autorite_delivrance copie_num copie_num_verso",
    "MajPieceDto": "| date_delivrance date_expiration autorite_delivrance copie_num copie_num_verso",
}


def make(db, witness, keys):
    keys["id_client"] = str(builders.client(db, email="awa@exemple.ci", sexe="F", date_naissance="1990-04-12"))
