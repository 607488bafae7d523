"""Routes of evenement: what happened, for other systems, and the webhooks."""

from dataclasses import replace

from app.http.route import ACTIVITY, CLIENT, COMPANY, CREATE, DELETE, GET, PATCH, POST, TILL
from app.routes import evenement_webhooks as webhooks

PREFIX = "/api/v1/evenements"
BOUNDS = COMPANY
HOOKS = "/api/v1/admin/webhooks"
HOOK = f"{HOOKS}/{{id_webhook}}"
# An account reaches the webhooks that it could own: its limits are theirs.
HOOK_ROUTES = [
    GET(HOOK, "evenement.webhook_detail", "ADMIN.VOIR"),
    PATCH(HOOK, "evenement.webhook_modifier", "ADMIN.MODIFIER", "MajWebhookDto", "evenement.webhook_champs", handler=webhooks.modify, rehearsable=True),
    DELETE(HOOK, "evenement.webhook_supprimer", "ADMIN.SUPPRIMER"),
    POST(f"{HOOK}/secret", "evenement.webhook_secret_changer", "ADMIN.MODIFIER", handler=webhooks.change_key, supplied=webhooks.SUPPLIED, rehearsable=True),
    POST(f"{HOOK}/essayer", "evenement.webhook_cles", "ADMIN.MODIFIER", handler=webhooks.try_once, answer=webhooks.Essai),
    POST(f"{HOOK}/rejouer", "evenement.webhook_rejouer", "ADMIN.MODIFIER", "RejouerWebhookDto"),
    GET(f"{HOOK}/livraisons", "evenement.livraison_lister", "ADMIN.VOIR", stale=True),
]
ROUTES = [
    GET("", "evenement.evenement_lister", None, bounds=ACTIVITY + TILL, waits=True),
    GET("/types", "evenement.type_lister", None),
    CREATE(HOOKS, "evenement.webhook_creer", "ADMIN.CREER", "CreerWebhookDto", handler=webhooks.create, supplied=webhooks.SUPPLIED, rehearsable=True),
    GET(HOOKS, "evenement.webhook_lister", "ADMIN.VOIR"),
    *(replace(route, bounds=ACTIVITY + TILL + CLIENT) for route in HOOK_ROUTES),
]
EXAMPLES = {
    "Evenement.type": "caisse.fermee",
    "Evenement.entite": "caisse",
    "Webhook.url": "https://compta.example.com/comptoir",
    "Webhook.type": "paiement.recu",
    "Webhook.apres": "0",
    "RejouerWebhook.apres": "0",
    "Livraison.code": 200,
    "Livraison.reponse": "reçu",
    "Livraison.type": "paiement.recu",
    "WebhookSecretMontre.type": "paiement.recu",
    "WebhookSecretMontre.url": "https://compta.example.com/comptoir",
    "WebhookSecretMontre.secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
}
