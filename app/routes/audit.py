"""Routes of audit: reading the journal, and its seals."""

from app.documents.document import Report
from app.http.route import ACTIVITY, CLIENT, COMPANY, GET, PDF, POST, TILL

PREFIX = "/api/v1/audit"
BOUNDS = COMPANY
JOURNAL = Report("Journal", hidden=("id_trace", "id_utilisateur", "module", "operation", "entite", "entite_id", "avant", "apres"))
LIMITS = ACTIVITY + TILL + CLIENT
ROUTES = [
    GET("/journal", "audit.journal_lister", "AUDIT.VOIR", bounds=LIMITS, formats=("csv", "pdf", "xlsx"), report=JOURNAL, stale=True),
    GET("/entites/{entite}/{id}", "audit.entite_detail", "AUDIT.VOIR", bounds=LIMITS),
    GET("/entites/{entite}/{id}/histoire", "audit.histoire_lister", "AUDIT.VOIR", bounds=LIMITS),
    GET("/entites/{entite}/{id}/histoire/pdf", "audit.histoire_document", "AUDIT.VOIR", bounds=LIMITS, media=PDF, template="histoire.html"),
    POST("/masquer", "audit.masquer", "AUDIT.MODIFIER", "MasquerDonneesDto"),
    GET("/verifier", "audit.verifier", "AUDIT.VOIR", costly=True),
    POST("/sceller", "audit.sceller", "AUDIT.MODIFIER"),
]
