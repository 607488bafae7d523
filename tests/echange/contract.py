"""The rows of the examples of imports."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness

SHEET = "Nom;Prénoms;Téléphone\nKoffi;Ama;0701020304\n"


def make(db: Db, witness: Witness, keys: dict[str, str]) -> None:
    form = {"data": {"entite": "clients"}, "files": {"file": ("clients.csv", SHEET.encode())}}
    keys["id_import"] = witness.http.post("/imports", **form).json()["id_import"]
    keys["imports.entite"] = "clients"
