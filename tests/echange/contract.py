"""The rows of the examples of imports."""

SHEET = "Nom;Prénoms;Téléphone\nKoffi;Ama;0701020304\n"


def make(db, witness, keys):
    form = {"data": {"entite": "clients"}, "files": {"file": ("clients.csv", SHEET.encode())}}
    keys["id_import"] = witness.http.post("/imports", **form).json()["id_import"]
    keys["imports.entite"] = "clients"
