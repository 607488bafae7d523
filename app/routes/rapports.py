"""Routes of rapports: reports and dashboards, as JSON or as a file."""

from app.routes import EXPORT

PREFIX = "/api/v1/rapports"
FILES = ("csv", "pdf", "xlsx")
ROUTES = [
    EXPORT("/synthese-globale", "rapports.synthese_globale", "FINANCES.VOIR", FILES),
    EXPORT("/financier", "rapports.financier", "FINANCES.VOIR", FILES),
    EXPORT("/activites/{code}", "rapports.activite", "FINANCES.VOIR|RAPPORTS.VOIR", FILES),
    EXPORT("/rh", "rapports.rh", "RH.VOIR", FILES),
    EXPORT("/series", "rapports.series", "FINANCES.VOIR", FILES),
    EXPORT("/api/v1/dashboard", "rapports.dashboard", "FINANCES.VOIR|RAPPORTS.VOIR", ("pdf", "xlsx")),
    EXPORT("/api/v1/dashboard/tableau-de-bord", "rapports.tableau_de_bord", "FINANCES.VOIR", ("pdf", "xlsx")),
]
