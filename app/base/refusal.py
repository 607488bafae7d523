"""Refusals: every answer that is not a success has one envelope. database/errors.py makes them from SQLSTATE."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from app.base.failure import Failure

# The meaning of each status, for the OpenAPI document.
TITLES = {
    400: "Entrée refusée",
    401: "Jeton absent, expiré ou révoqué",
    403: "Permission manquante",
    404: "Introuvable",
    405: "Méthode non permise",
    409: "Conflit avec l'état présent",
    412: "Modifié entre-temps",
    413: "Corps trop grand",
    415: "Type de contenu refusé",
    422: "Référence inconnue",
    429: "Trop de requêtes",
    431: "En-têtes trop grands",
    500: "Erreur interne",
    503: "Momentanément indisponible",
}
RETRY_AFTER = {"Retry-After": "2"}


class Refusal(Failure):
    """An answer that is not a success: HTTP status, rule name, French sentence, details."""

    def __init__(
        self, status: int, code: str, message: str, details: Any = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.headers = dict(headers or {})

    def body(self, path: str, request_id: str) -> bytes:
        return msgspec.json.encode(self.envelope(path, request_id))

    def envelope(self, path: str, request_id: str) -> dict[str, Any]:
        """The envelope: success, code, message, details?, requestId, path, timestamp."""
        envelope: dict[str, Any] = {"success": False, "code": self.code, "message": self.message}
        if self.details is not None:
            envelope["details"] = self.details
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return envelope | {"requestId": request_id, "path": path, "timestamp": now}


def validation(problems: Mapping[str, list[str]]) -> Refusal:
    """400 VALIDATION_ERROR with one entry per property."""
    details = [{"property": name, "messages": messages} for name, messages in problems.items()]
    return Refusal(400, "VALIDATION_ERROR", "Validation échouée", details)


def unauthorized(message: str = "Connectez-vous : jeton absent, expiré ou révoqué.") -> Refusal:
    return Refusal(401, "UNAUTHORIZED", message, headers={"WWW-Authenticate": "Bearer"})


def forbidden(permission: str | None, holder: str = "Votre rôle") -> Refusal:
    """403 for a role or an API key that lacks the permission, or lacks both A and B of « A|B »."""
    required = (permission or "").replace("|", " ou ")
    return Refusal(403, "FORBIDDEN", f"{holder} n'a pas la permission {required}.")


MISSING = "Introuvable."  # app/database/words.py replaces it by a sentence that names the row of the path


def not_found(message: str = MISSING) -> Refusal:
    return Refusal(404, "NOT_FOUND", message)


def unavailable(code: str = "INDISPONIBLE", message: str = "Service momentanément indisponible, réessayez.") -> Refusal:
    return Refusal(503, code, message, headers=RETRY_AFTER)
