"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

BODIES = {
    "CreerReservationFeteDto": "date_evenement heure_debut duree type_manifestation tarif "
    "| id_client client observations hors_catalogue",
    "NouveauClientFeteDto": "nom prenoms tel_principal | type_client",
    "MajReservationFeteDto": "| date_evenement heure_debut duree type_manifestation tarif acompte observations statut "
    "hors_catalogue",
    "PaiementReservationDto": "montant id_moyen |",
    "ConfirmerReservationFeteDto": "paiement |",
    "RealiserReservationFeteDto": "paiement |",
    "AnnulerReservationFeteDto": "| motif id_caisse",
    "ValiderReservationFeteDto": "tarif | acompte",
    "DemanderReservationFeteDto": "date_evenement heure_debut duree type_manifestation | observations hors_catalogue",
    "RenoncerReservationFeteDto": "| motif",
    "CreerTypeManifestationDto": "libelle | code_taxe",
    "MajTypeManifestationDto": "| libelle actif code_taxe",
}


def make(db, witness, keys):
    party = {
        "id_client": keys["id_client"], "date_evenement": "2031-05-17", "heure_debut": "14:00", "duree": 6,
        "type_manifestation": "Mariage", "tarif": "150000",
    }  # fmt: skip
    keys["id_reservation"] = witness.make("/api/v1/salle-fete/reservations", keys, party)["id_reservation"]
