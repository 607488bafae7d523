"""Routes of the portal of the residence: rows of the caller's own client only."""

from __future__ import annotations

import msgspec

from app.http import uploads
from app.http.answer import Answer
from app.http.request import Request
from app.http.route import CREATE, GET, PDF, POST, STORED, Handler


def photo(text: str) -> Handler:
    """A handler that sends the file of a row. The operation refuses a caller who may not read the row.

    `text` is the description in the OpenAPI document.
    """

    async def answer(request: Request) -> Answer:
        operation = request.operation
        row = await operation.run(request, operation.arguments.check(request.scope["path_params"], None))
        return await uploads.send(request, msgspec.json.decode(row["corps"])["cle_objet"])

    answer.__doc__ = text
    return answer


PHOTO = photo("Fichier d'une photo d'état des lieux du résident connecté.")

PERMISSION = "RESIDENT.VOIR"
ROUTES = [
    GET("/portail/resume", "residence.portail_resume", PERMISSION),
    GET("/portail/echeances", "residence.portail_echeances", PERMISSION),
    GET("/portail/echeances/{id_echeance}/recu", "residence.portail_echeance_recu", PERMISSION),
    GET("/portail/echeances/{id_echeance}/recu/pdf", "residence.portail_echeance_document", PERMISSION, media=PDF, template="recu.html"),
    GET("/portail/etat-des-lieux", "residence.portail_etat_des_lieux", PERMISSION),
    GET("/portail/etat-des-lieux/{id_photo}/photo", "residence.portail_photo_detail", PERMISSION, handler=PHOTO, media=STORED),
    GET("/portail/paiements", "residence.portail_paiements", PERMISSION, stale=True),
    GET("/portail/paiements/{id_paiement}/recu", "residence.portail_paiement_recu", PERMISSION),
    GET("/portail/paiements/{id_paiement}/recu/pdf", "residence.portail_paiement_document", PERMISSION, media=PDF, template="recu.html"),
    GET("/portail/caution", "residence.portail_caution", PERMISSION),
    # Stays and requests of stays, of residents and of clients
    GET("/portail/sejours", "residence.portail_sejours", "PORTAIL.VOIR"),
    CREATE("/portail/sejours", "residence.sejour_demander", "RESIDENCE.DEMANDER", "DemanderSejourDto"),
    GET("/portail/sejours/logements", "residence.portail_logements", "RESIDENCE.DEMANDER"),
    GET("/portail/sejours/{id_sejour}", "residence.portail_sejour_detail", "PORTAIL.VOIR"),
    POST("/portail/sejours/{id_sejour}/annuler", "residence.sejour_renoncer", "RESIDENCE.DEMANDER", "RenoncerSejourDto"),
    GET("/portail/sejours/{id_sejour}/facture", "residence.portail_sejour_facture", "PORTAIL.VOIR"),
]
