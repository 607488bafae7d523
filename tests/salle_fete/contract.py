"""What the house tests hold this slice to: the bodies of its clients."""

from __future__ import annotations

# Required fields, then the optional ones after a bar.
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
}
