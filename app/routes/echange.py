"""Routes of echange: sheets tried, imported and undone."""

from dataclasses import replace

from app.http.route import ACTIVITY, CLIENT, COMPANY, COSTLY, FILE, GET, HANDLED, LATER, POST, SHEETS, TILL, UPLOAD
from app.routes import echange_import as imports

# Each entity needs the permission to create it: echange._exiger. Another user's import is unknown.
CREATING = "CLIENT.CREER|MARCHANDISE.CREER|RESIDENCE.CREER|RH.CREER|RESTAURANT.CREER|FACTURATION.CREER"

PREFIX = "/api/v1/imports"
BOUNDS = ACTIVITY + TILL + CLIENT
IMPORT = "/{id_import}"
ROUTES = [
    COSTLY(LATER(UPLOAD("", imports.receive, "echange.import_essayer", CREATING, None, supplied=("id_import", "en_file"), status=201, optional=("colonnes",), accepts=SHEETS, entite="echange.entite", colonnes="core.texte"))),
    GET("", "echange.import_lister", CREATING),
    replace(FILE("/modeles/{entite}", imports.model, "echange.import_permis", CREATING, imports.XLSX), bounds=COMPANY),
    GET(IMPORT, "echange.import_detail", CREATING),
    LATER(HANDLED(f"{IMPORT}/valider", imports.confirm, "echange.import_valider", CREATING, None, None, supplied=("en_file",))),
    replace(FILE(f"{IMPORT}/rapport", imports.report, "echange.import_rapport", CREATING, imports.XLSX), supplied=("apres",)),
    POST(f"{IMPORT}/annuler", "echange.import_annuler", CREATING),
]
PLUMBING = {"echange.import_commencer", "echange.import_creer", "echange.import_remplir"}
EXAMPLES = {
    "Import.etat": "ESSAYE",
    "Import.entite": "clients",
    "Import.fichier": "clients.xlsx",
}
