"""What the house tests hold this slice to: the bodies of its clients, and what an example alone does not make."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness

# Required fields, then the optional ones after a bar.
BODIES = {
    "CreerSignalementDto": "titre description | id_activite",
    "ClotureSignalementDto": "note_resolution |",
    "AjouterPhotoSignalementDto": "cle_objet |",
}


def make(db: Db, witness: Witness, known: dict[str, str]) -> None:
    """Add one real thing for keys of paths and bodies."""
    incident = {"titre": "Fuite", "description": "Sous l'évier."}
    known["id_signalement"] = witness.make("/api/v1/signalements", known, incident)["id_signalement"]
    photo = {"cle_objet": "etat-lieux/1-photo.jpg"}
    photos = "/api/v1/signalements/{id_signalement}/photos"
    known["signalements.id_photo"] = witness.make(photos, known, photo)["id_photo"]
