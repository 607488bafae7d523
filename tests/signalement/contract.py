"""The request bodies that clients send to this slice, and the rows that its examples need, for the house tests."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness

# Required fields before the bar, optional fields after it.
BODIES = {
    "CreerSignalementDto": "titre description | id_activite",
    "ClotureSignalementDto": "note_resolution |",
    "AjouterPhotoSignalementDto": "cle_objet |",
}


def make(db: Db, witness: Witness, known: dict[str, str]) -> None:
    """Add one row for each key in paths and bodies."""
    incident = {"titre": "Fuite", "description": "Sous l'évier."}
    known["id_signalement"] = witness.make("/api/v1/signalements", known, incident)["id_signalement"]
    photo = {"cle_objet": "etat-lieux/1-photo.jpg"}
    photos = "/api/v1/signalements/{id_signalement}/photos"
    known["signalements.id_photo"] = witness.make(photos, known, photo)["id_photo"]
