"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from tests.witness import PHOTO

BODIES = {
    "CreerSignalementDto": "titre description | id_activite cible_type module_cible",
    "ClotureSignalementDto": "note_resolution |",
    "AjouterPhotoSignalementDto": "cle_objet |",
    "DeclarerSignalementDto": "titre description | lieu module_cible",
}


def make(db, witness, keys):
    db.acting(int(keys["resident"]))
    incident = db.call("signalement.signalement_declarer", titre="Fuite", description="Sous l'évier.")
    db.acting(None)
    keys["id_signalement"] = str(incident["id_signalement"])
    photo = {"cle_objet": PHOTO}
    photos = "/api/v1/signalements/{id_signalement}/photos"
    keys["signalements.id_photo"] = witness.make(photos, keys, photo)["id_photo"]
