"""Routes of rapports: reports and dashboards, as JSON or as a file."""

from app.documents.document import Chart, Report
from app.http.route import ACTIVITY, CLIENT, GET, TILL

PREFIX = "/api/v1/rapports"
BOUNDS = ACTIVITY
FILES = ("csv", "pdf", "xlsx")
FLOWS = ("encaissements", "decaissements", "depenses")
SUMMARY = Report("Synthèse globale", (Chart("Recettes par activité", ("recettes_par_activite",), values=("total_encaisse",)),), ("total_encaisse",), ("code",))
MOVES = Report("Rapport financier", (Chart("Argent par jour", FLOWS, "date", ("montant",), lines=True),), ("montant", "montant_du", "montant_paye", "reste"), ("id", "id_client"))
TRADE = Report("Rapport d’activité", (Chart("Par état", ("indicateurs.par_statut",)),))
STAFF = Report(
    "Rapport du personnel",
    (Chart("Présences", ("pointage.par_statut",)), Chart("Heures travaillées par service", ("services",), values=("pointage.total_duree",))),
    hidden=("id_service",),
)
COURSE = Report("Évolution", (Chart("Argent entré et sorti", label="periode", values=FLOWS, lines=True),), (*FLOWS, "sorties", "solde"))
TAXES = Report("Taxes", totals=("base", "collectee", "sur_avoirs", "due", "deductible", "nette"), hidden=("id_activite",), month=True)
TAXED = Report("Détail des taxes", totals=("base", "collectee", "sur_avoirs", "due", "deductible"), hidden=("id_facture", "id_avoir", "id_achat", "id_activite"), month=True)
DASHBOARD = Report("Tableau de bord", (Chart("L’argent de la période", ("finances",), without=("recettes_jour",)),), hidden=("id_reservation",))
BOARD = Report("Tableau de bord par activité", (Chart("Argent par activité", values=FLOWS),), hidden=("code",), month=True)
ROUTES = [
    GET("/synthese-globale", "rapports.synthese_globale", "FINANCES.VOIR", formats=FILES, report=SUMMARY, stale=True),
    GET("/financier", "rapports.financier", "FINANCES.VOIR", formats=FILES, report=MOVES, stale=True),
    GET("/activites/{code}", "rapports.activite", "FINANCES.VOIR|RAPPORTS.VOIR", formats=FILES, report=TRADE, stale=True),
    GET("/rh", "rapports.rh", "RH.VOIR", bounds=ACTIVITY + TILL + CLIENT, formats=FILES, report=STAFF, stale=True),
    GET("/taxes", "rapports.taxes", "FINANCES.VOIR", formats=FILES, report=TAXES, stale=True),
    GET("/taxes/detail", "rapports.taxes_detail", "FINANCES.VOIR", formats=FILES, report=TAXED, stale=True),
    GET("/series", "rapports.series", "FINANCES.VOIR", formats=FILES, report=COURSE, stale=True),
    GET("/api/v1/dashboard", "rapports.dashboard", "FINANCES.VOIR|RAPPORTS.VOIR", formats=("pdf", "xlsx"), report=DASHBOARD, stale=True),
    GET("/api/v1/dashboard/tableau-de-bord", "rapports.tableau_de_bord", "FINANCES.VOIR", formats=("csv", "pdf", "xlsx"), report=BOARD, stale=True),
]
