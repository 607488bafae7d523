"""The fixed parts of the document: its description, the refusals, and the routes for the state of the service."""

from typing import Any

from app.base.refusal import TITLES
from app.openapi.forms import Schema, content

DESCRIPTION = """Le service de gestion d'une entreprise à plusieurs activités.

**Pour essayer ici** : ouvrez une session par `POST /api/v1/auth/login` (« Essayer », « Envoyer »), copiez
`accessToken` de la réponse, donnez-le à « Se connecter ».

- Identifiants, montants et quantités sont des textes décimaux (`"25000.00"`) ; une requête peut aussi donner un nombre.
- Les dates s'écrivent AAAA-MM-JJ, les instants en ISO 8601 ; ceux des réponses finissent par Z (UTC).
- Une liste est un tableau JSON ; `X-Total-Count` dit combien de lignes il y a en tout, `Link` où est la page suivante ;
  `?format=csv` ou `xlsx` la rend entière en fichier.
- Un paramètre inconnu est ignoré ; l'en-tête `X-Ignored-Parameters` le nomme.
- Dans un PATCH, un champ absent ne change pas ; null efface un champ facultatif.
- Tout POST d'un utilisateur connecté accepte `Idempotency-Key` : répété sous la même clé, il rend la première réponse.
- Un refus porte toujours `code`, le nom de la règle, et `message`, une phrase pour l'utilisateur."""
INFO: Schema = {
    "title": "Comptoir",
    "version": "1",
    "description": DESCRIPTION,
    "contact": {"name": "Qui exploite ce service"},
    "license": {"name": "Tous droits réservés", "identifier": "LicenseRef-Tous-droits-reserves"},
}
HEALTH_TAG = {"name": "Sante", "description": "État du service et mesures ; sans connexion."}
_SIGNED = "`accessToken` d'une session : HS256 seul, secret de 32 octets au moins (RFC8725)."
BEARER: Schema = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": _SIGNED}

ERROR: Schema = {
    "type": "object",
    "description": "Refus : `code` est le nom de la règle, `message` une phrase pour l'utilisateur.",
    "required": ["success", "code", "message", "requestId", "path", "timestamp"],
    "properties": {
        "success": {"const": False},
        "code": {"type": "string"},
        "message": {"type": "string"},
        "details": {
            "description": "Pour VALIDATION_ERROR : une entrée par champ ; pour une règle, ce qu'elle a à dire.",
            "anyOf": [
                {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["property", "messages"],
                        "properties": {
                            "property": {"type": "string"},
                            "messages": {"type": "array", "items": {"type": "string"}},
                        },
                    },
                },
                {"type": "object", "additionalProperties": True},
            ],
        },
        "requestId": {"type": "string"},
        "path": {"type": "string"},
        "timestamp": {"type": "string", "format": "date-time"},
    },
    "additionalProperties": False,
    "examples": [
        {
            "success": False,
            "code": "VALIDATION_ERROR",
            "message": "Validation échouée",
            "details": [{"property": "montant", "messages": ["Le montant doit être plus grand que zéro."]}],
            "requestId": "4f9d2c0a5be14c7f9a51d0f3e6b7a812",
            "path": "/api/v1/finances/paiements",
            "timestamp": "2026-08-15T10:00:00.000Z",
        }
    ],
}
_PARTS: Schema = {
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "required": ["status"],
        "properties": {"status": {"type": "string", "enum": ["up", "down"]}},
    },
}
HEALTH: Schema = {
    "type": "object",
    "description": "État du service : ce qui marche (info), ce qui ne marche pas (error), et les deux (details).",
    "required": ["status"],
    "properties": {
        "status": {"type": "string", "enum": ["ok", "error"]},
        **{name: _PARTS for name in ("info", "error", "details")},
    },
}
ROOT: Schema = {
    "type": "object",
    "required": ["nom", "documentation", "etat"],
    "properties": {name: {"type": "string"} for name in ("nom", "documentation", "etat")},
}
CURSOR: Schema = {
    "type": "string",
    "pattern": "^[A-Za-z0-9_-]+$",
    "description": "Place d'une page dans une liste, son tri et ses filtres ; signé, à renvoyer tel quel.",
}


def _sent(name: str, description: str, **schema: Any) -> Schema:
    """A header of requests."""
    return {"name": name, "in": "header", "description": description, "schema": {"type": "string", **schema}}


def _answered(description: str, kind: str = "string", **more: str) -> Schema:
    """A header of answers."""
    return {"description": description, "schema": {"type": kind}, **more}


PARAMETERS: Schema = {
    "IdempotencyKey": _sent(
        "Idempotency-Key",
        "Répéter la requête sous la même clé rend la première réponse, sans second effet.",
        maxLength=200,
        pattern="^[ -~¡-¬®-ÿ]+$",
    ),
    "Prefer": _sent(
        "Prefer",
        "`tx=rollback` : l'opération s'exécute entière, sa réponse est la vraie, et rien n'en reste.",
        examples=["tx=rollback"],
    ),
    "IfMatch": _sent(
        "If-Match", "L'ETag lu : l'écriture n'a lieu que si la ressource est encore dans cet état, sinon 412."
    ),
    "IfNoneMatch": _sent("If-None-Match", "L'ETag déjà connu : 304 si rien n'a changé."),
}
HEADERS: Schema = {
    "X-Total-Count": _answered(
        "Nombre de lignes en tout, compté jusqu'à 2 000, ou à la fin de la page si elle va plus loin.", "integer"
    ),
    "X-Total-Capped": _answered("true quand il y en a davantage."),
    "Link": _answered('Page suivante, rel="next", s\'il y en a une.'),
    "Retry-After": _answered("Secondes à attendre.", "integer"),
    "Idempotency-Replayed": _answered("true quand la réponse est celle d'une requête précédente de même clé."),
    "Preference-Applied": _answered("tx=rollback quand l'opération a été répétée, et annulée."),
    "ETag": _answered("Version de la ressource, pour If-Match et If-None-Match."),
    "Memento-Datetime": _answered(
        "L'instant de `instant`, quand la réponse est celle d'alors (RFC 7089) ; elle n'a pas d'ETag."
    ),
    "RateLimit-Policy": _answered(
        "Freins qui comptent cette requête : nom, quota (q), secondes (w).", example='"login";q=5;w=60'
    ),
    "RateLimit": _answered(
        "Ce qui reste de chaque quota (r), et les secondes avant qu'il se renouvelle (t).", example='"login";r=4;t=60'
    ),
    "X-Ignored-Parameters": _answered(
        "Paramètres de la requête que cette route ne connaît pas, et qu'elle a ignorés.", example="periode, tri"
    ),
}
LIMITS = ("RateLimit-Policy", "RateLimit")
REFUSALS = {  # status → code and message of an example
    400: ("VALIDATION_ERROR", "Validation échouée"),
    401: ("UNAUTHORIZED", "Connectez-vous : jeton absent, expiré ou révoqué."),
    403: ("FORBIDDEN", "Votre rôle n'a pas la permission FINANCES.CREER."),
    404: ("NOT_FOUND", "Facture n° 12 introuvable."),
    409: ("SURPAIEMENT", "Le paiement dépasse le reste à payer."),
    412: ("MODIFIE_ENTRE_TEMPS", "Modifié entre-temps : relisez l'état présent, puis recommencez."),
    413: ("CORPS_TROP_GRAND", "L'envoi dépasse 1 Mio."),
    415: ("TYPE_DE_CONTENU", "Envoyez du JSON : Content-Type: application/json."),
    422: ("CLIENT_INCONNU", "Ce client n'existe pas."),
    429: ("TOO_MANY_REQUESTS", "Trop de tentatives : réessayez dans 42 s."),
    503: ("INDISPONIBLE", "Service momentanément indisponible, réessayez."),
}


def refusals() -> Schema:
    """Each refusal under its component name. Of a throttled route it may carry RateLimit, and so may each refusal to an
    API key."""
    responses = {}
    for status, (code, message) in REFUSALS.items():
        wait = ("Retry-After",) if status in (429, 503) else ()
        response = content({"$ref": "#/components/schemas/Erreur"}, wait + LIMITS)
        example = {**ERROR["examples"][0], "code": code, "message": message}
        if status != 400:
            del example["details"]
        response["content"]["application/json"]["example"] = example
        responses[f"Refus{status}"] = {**response, "description": TITLES[status]}
    return responses


def plain_paths() -> dict[str, Schema]:
    """The routes without operations: root, health, metrics."""

    def get(name: str, summary: str, answers: Schema) -> Schema:
        return {
            "get": {
                "operationId": name,
                "summary": summary,
                "description": f"{summary}. Accès : public.",
                "tags": ["Sante"],
                "security": [],
                "responses": answers,
            }
        }

    health = content({"$ref": "#/components/schemas/HealthResult"})
    both = {"200": health, "503": health}
    return {
        "/api/v1": get("racine", "Nom du service", {"200": content(ROOT)}),
        "/api/v1/health/live": get("health_live", "Le service vit", {"200": health}),
        "/api/v1/health/ready": get("health_ready", "Base et magasin répondent", both),
        "/api/v1/health": get("health", "État d'ensemble", both),
        "/metrics": get(
            "metrics",
            "Mesures pour Prometheus",
            {"200": {"description": "Fait", "content": {"text/plain": {"schema": {"type": "string"}}}}},
        ),
    }
