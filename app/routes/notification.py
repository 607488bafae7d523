"""Routes of notification: a user's notifications."""

from app.http.route import COMPANY, GET, POST

PREFIX = "/api/v1/notifications"
BOUNDS = COMPANY
ROUTES = [
    GET("", "notification.notification_lister", None),
    POST("/{id_notification}/lire", "notification.notification_lire", None),
]
