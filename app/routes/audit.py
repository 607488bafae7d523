"""Routes of audit: the journal, read and never written."""

from app.routes import EXPORT, POST

PREFIX = "/api/v1/audit"
ROUTES = [
    EXPORT("/journal", "audit.journal_lister", "AUDIT.VOIR", ("pdf", "xlsx")),
    POST("/masquer", "audit.masquer", "AUDIT.MODIFIER", "MasquerDonneesDto"),
]
