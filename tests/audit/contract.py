"""The request bodies of this slice, which the house tests compare with the API, and the keys of its examples."""

from __future__ import annotations

from app.seals import signing
from tests import builders
from tests.conftest import Db
from tests.witness import Witness

BODIES = {"MasquerDonneesDto": "donnees |"}


def make(db: Db, witness: Witness, keys: dict[str, str]) -> None:
    keys["attendu"] = witness.make("/api/v1/audit/sceller", keys)["empreinte"]
    keys["jeton"] = db.one("select core._jeton('facture', min(id_facture)) from facturation.facture")
    signing.sign(db.connection)
    keys["de"] = keys["a"] = db.one("select max(taille) from audit.tete")
    keys["audit.entite"], keys["audit.id"], keys["module"] = "client", str(builders.client(db)), "client"
