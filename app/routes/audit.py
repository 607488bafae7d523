"""Routes of audit: the journal, read and never written, and its seals."""

from app.http.route import COSTLY, EXPORT, GET, POST, Report

PREFIX = "/api/v1/audit"
JOURNAL = Report("Journal", hidden=("id_trace", "id_utilisateur", "module", "operation", "entite", "entite_id", "avant", "apres"))
ROUTES = [
    EXPORT("/journal", "audit.journal_lister", "AUDIT.VOIR", ("pdf", "xlsx"), JOURNAL),
    POST("/masquer", "audit.masquer", "AUDIT.MODIFIER", "MasquerDonneesDto"),
    COSTLY(GET("/verifier", "audit.verifier", "AUDIT.VOIR")),
    POST("/sceller", "audit.sceller", "AUDIT.MODIFIER"),
]
