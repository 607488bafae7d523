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


def make(db: Db, witness: Witness, keys: dict[str, str]) -> None:
    """Create the rows whose keys paths and bodies need, and add the keys to `keys`."""
    incident = {"titre": "Fuite", "description": "Sous l'évier."}
    keys["id_signalement"] = witness.make("/api/v1/signalements", keys, incident)["id_signalement"]
    photo = {"cle_objet": "etat-lieux/1-photo.jpg"}
    photos = "/api/v1/signalements/{id_signalement}/photos"
    keys["signalements.id_photo"] = witness.make(photos, keys, photo)["id_photo"]
