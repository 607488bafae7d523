"""Routes of client: the client file, emergency contacts, identity documents."""

from app.http.route import CLIENT, CREATE, GET, PATCH, POST
from app.routes import client_file, client_mail

PREFIX = "/api/v1/client/clients"
BOUNDS = CLIENT
ROUTES = [
    GET("/api/v1/client/portail", "client.portail_detail", "PORTAIL.VOIR"),
    GET("/api/v1/client/portail/donnees", "client.mes_donnees", "PORTAIL.VOIR", handler=client_file.data, costly=True),
    GET("", "client.client_lister", "CLIENT.VOIR"),
    CREATE("", "client.client_creer", "CLIENT.CREER", "CreerClientDto"),
    GET("/{id_client}", "client.client_detail", "CLIENT.VOIR"),
    PATCH("/{id_client}", "client.client_modifier", "CLIENT.MODIFIER", "MajClientDto", "client.client_champs", handler=client_mail.modify, supplied=client_mail.SUPPLIED, rehearsable=True),
    GET("/{id_client}/credit", "client.credit_detail", "CLIENT.VOIR"),
    GET("/{id_client}/donnees", "client.client_donnees", "ADMIN.SUPPRIMER", handler=client_file.data, costly=True),
    POST("/{id_client}/anonymiser", "client.client_anonymiser", "ADMIN.SUPPRIMER", "AnonymiserClientDto"),
    CREATE("/{id_client}/contacts-urgence", "client.contact_urgence_creer", "CLIENT.MODIFIER", "CreerContactDto"),
    CREATE("/{id_client}/pieces-identite", "client.piece_identite_creer", "CLIENT.MODIFIER", "CreerPieceDto"),
    GET("/{id_client}/pieces-identite/{id_piece}", "client.piece_identite_detail", "CLIENT.VOIR"),
    PATCH("/{id_client}/pieces-identite/{id_piece}", "client.piece_identite_modifier", "CLIENT.MODIFIER", "MajPieceDto", "client.piece_identite_champs"),
]
EXAMPLES = {
    "Client.code": "ORG-CL-001",
}
