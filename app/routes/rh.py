"""Routes of rh: services, employees, attendance, payslips."""

from app.http.route import ACTIVITY, CLIENT, COMPANY, CREATE, GET, PATCH, PDF, POST, TILL

PREFIX = "/api/v1/rh"
BOUNDS = ACTIVITY + TILL + CLIENT
ROUTES = [
    GET("/services", "rh.service_lister", "RH.VOIR", bounds=COMPANY),
    CREATE("/services", "rh.service_creer", "RH.CREER", "CreerServiceRhDto", bounds=COMPANY),
    GET("/services/{id_service}", "rh.service_detail", "RH.VOIR", bounds=COMPANY),
    PATCH("/services/{id_service}", "rh.service_modifier", "RH.MODIFIER", "MajServiceRhDto", "rh.service_champs", bounds=COMPANY),
    GET("/employes", "rh.employe_lister", "RH.VOIR"),
    CREATE("/employes", "rh.employe_creer", "RH.CREER", "CreerEmployeDto"),
    GET("/employes/{id_employe}", "rh.employe_detail", "RH.VOIR"),
    PATCH("/employes/{id_employe}", "rh.employe_modifier", "RH.MODIFIER", "MajEmployeDto", "rh.employe_champs"),
    GET("/pointages", "rh.pointage_lister", "RH.VOIR", stale=True),
    CREATE("/pointages", "rh.pointage_arriver", "RH.CREER", "PointerArriveeDto"),
    GET("/pointages/{id_pointage}", "rh.pointage_detail", "RH.VOIR"),
    PATCH("/pointages/{id_pointage}", "rh.pointage_corriger", "RH.MODIFIER", "MajPointageDto", "rh.pointage_champs"),
    POST("/pointages/{id_pointage}/depart", "rh.pointage_partir", "RH.MODIFIER"),
    GET("/paies", "rh.paie_lister", "RH.VOIR", stale=True),
    CREATE("/paies", "rh.paie_creer", "RH.CREER", "CreerPaieDto"),
    GET("/paies/{id_paie}", "rh.paie_detail", "RH.VOIR"),
    GET("/paies/{id_paie}/pdf", "rh.paie_document", "RH.VOIR", media=PDF, template="paie.html"),
    CREATE("/paies/{id_paie}/elements", "rh.element_salaire_ajouter", "RH.MODIFIER", "AjouterElementSalaireDto"),
    POST("/paies/{id_paie}/recalculer", "rh.paie_recalculer", "RH.MODIFIER"),
    PATCH("/paies/{id_paie}/valider", "rh.paie_valider", "RH.MODIFIER"),
    POST("/paies/{id_paie}/annuler", "rh.paie_annuler", "RH.SUPPRIMER"),
    POST("/paies/{id_paie}/payer", "rh.paie_payer", "RH.MODIFIER", "PayerPaieDto"),
]
