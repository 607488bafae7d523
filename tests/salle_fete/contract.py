"""The request bodies of this slice, which the house tests compare with the API."""

from __future__ import annotations

# Required fields, then optional fields after a bar.
BODIES = {
    "CreerReservationFeteDto": "date_evenement heure_debut duree type_manifestation tarif "
    "| id_client client observations hors_catalogue",
    "NouveauClientFeteDto": "nom prenoms tel_principal | type_client",
    "MajReservationFeteDto": "| date_evenement heure_debut duree type_manifestation tarif acompte observations statut "
    "hors_catalogue",
    "PaiementReservationDto": "montant id_moyen |",
    "ConfirmerReservationFeteDto": "paiement |",
    "RealiserReservationFeteDto": "paiement |",
    "AnnulerReservationFeteDto": "| motif",
    "CreerTypeManifestationDto": "libelle |",
    "MajTypeManifestationDto": "| libelle actif",
}
