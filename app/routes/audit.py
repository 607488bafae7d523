"""Routes of audit: the journal, read and never written, and its seals."""

from app.routes import EXPORT, GET, POST

PREFIX = "/api/v1/audit"
ROUTES = [
    EXPORT("/journal", "audit.journal_lister", "AUDIT.VOIR", ("pdf", "xlsx")),
    POST("/masquer", "audit.masquer", "AUDIT.MODIFIER", "MasquerDonneesDto"),
    GET("/verifier", "audit.verifier", "AUDIT.VOIR"),
    POST("/sceller", "audit.sceller", "AUDIT.MODIFIER"),
]
