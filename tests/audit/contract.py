"""The request bodies of this slice, which the house tests compare with the API, and the keys of its examples."""

from app.seals import signing
from tests import builders

BODIES = {"MasquerDonneesDto": "donnees |"}


def make(db, witness, keys):
    keys["attendu"] = witness.make("/api/v1/audit/sceller", keys)["empreinte"]
    keys["jeton"] = db.one("select core._jeton('facture', min(id_facture)) from facturation.facture")
    signing.sign(db.connection)
    keys["de"] = keys["a"] = db.one("select max(taille) from audit.tete")
    keys["audit.entite"], keys["audit.id"], keys["module"] = "client", str(builders.client(db)), "client"
