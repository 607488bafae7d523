"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness

# Required fields, then optional fields after a bar.
BODIES = {
    "CreerSignalementDto": "titre description | id_activite",
    "ClotureSignalementDto": "note_resolution |",
    "AjouterPhotoSignalementDto": "cle_objet |",
}


def make(db: Db, witness: Witness, known: dict[str, str]) -> None:
    """Create the rows whose keys paths and bodies need, and add the keys to `known`."""
    incident = {"titre": "Fuite", "description": "Sous l'évier."}
    known["id_signalement"] = witness.make("/api/v1/signalements", known, incident)["id_signalement"]
    photo = {"cle_objet": "etat-lieux/1-photo.jpg"}
    photos = "/api/v1/signalements/{id_signalement}/photos"
    known["signalements.id_photo"] = witness.make(photos, known, photo)["id_photo"]
