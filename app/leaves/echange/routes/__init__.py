"""Routes of echange: sheets tried, imported and undone."""

from app.http.route import ACTIVITY, CLIENT, COMPANY, CREATE, GET, POST, SHEETS, TILL
from app.leaves.echange.routes import receiving

# Each entity needs the permission to create it: echange._exiger. Another user's import is unknown.
CREATING = "CLIENT.CREER|MARCHANDISE.CREER|RESIDENCE.CREER|RH.CREER|RESTAURANT.CREER|FACTURATION.CREER"

PREFIX = "/api/v1/imports"
BOUNDS = ACTIVITY + TILL + CLIENT
IMPORT = "/{id_import}"
FORM = (("entite", "echange.entite"), ("colonnes", "core.texte"))
ROUTES = [
    CREATE("", "echange.import_essayer", CREATING, handler=receiving.receive, optional=("colonnes",), supplied=("id_import", "en_file"), form=FORM, accepts=SHEETS, later=True, costly=True),
    GET("", "echange.import_lister", CREATING),
    GET("/modeles/{entite}", "echange.import_permis", CREATING, bounds=COMPANY, handler=receiving.model, media=receiving.XLSX),
    GET(IMPORT, "echange.import_detail", CREATING),
    POST(f"{IMPORT}/valider", "echange.import_valider", CREATING, handler=receiving.confirm, supplied=("en_file",), later=True),
    GET(f"{IMPORT}/rapport", "echange.import_rapport", CREATING, handler=receiving.report, supplied=("apres",), media=receiving.XLSX, costly=True),
    POST(f"{IMPORT}/annuler", "echange.import_annuler", CREATING),
]
EXAMPLES = {"Import.etat": "ESSAYE", "Import.fichier": "clients.xlsx"}
