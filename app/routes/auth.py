"""Routes of auth: the session, and the administration of accounts and roles."""

from app.auth.throttle import Throttle
from app.http.route import ACTIVITY, CLIENT, COMPANY, CREATE, DELETE, GET, HANDLED, PATCH, POST, PUBLIC, PUT, STALE, TILL, Route
from app.routes import auth_keys, auth_session, second_factor

PREFIX = "/api/v1/admin"
BOUNDS = COMPANY
OWN = ACTIVITY + TILL + CLIENT  # the bounds of a new account lie within those of the caller
THREE, FIVE = Throttle(3, 60), Throttle(5, 60)  # calls a minute
KEPT = ("cles_gardees",)
REPLACED = ("MOT_DE_PASSE_DEJA_CHANGE",)
ROUTES = [
    PUBLIC("/api/v1/auth/login", auth_session.login, "LoginDto", auth_session.LOGIN_FIELDS, auth_session.Session, refuses=("UNAUTHORIZED", "A2F_REQUIS"), throttle=FIVE, tries_password=True, optional=auth_session.LOGIN_OPTIONAL),
    PUBLIC("/api/v1/auth/inscription", auth_session.inscription, "InscriptionDto", (), auth_session.Session, function="auth.inscrire", status=201, throttle=THREE),
    PUBLIC("/api/v1/auth/mot-de-passe-oublie", auth_session.forgotten, "MotDePasseOublieDto", auth_session.FORGOTTEN_FIELDS, auth_session.Message, throttle=FIVE),
    PUBLIC("/api/v1/auth/reinitialiser-mot-de-passe", auth_session.reset, "ReinitialiserAvecJetonDto", auth_session.RESET_FIELDS, auth_session.Message, refuses=("JETON_INVALIDE",), throttle=FIVE),
    PUBLIC("/api/v1/auth/refresh", auth_session.refresh, "RefreshTokenDto", auth_session.REFRESH_FIELDS, auth_session.Session, refuses=("UNAUTHORIZED",)),
    PUBLIC("/api/v1/auth/logout", auth_session.logout, "LogoutDto", auth_session.REFRESH_FIELDS, None),
    GET("/api/v1/auth/me", "auth.moi", None),
    HANDLED("/api/v1/auth/mot-de-passe", auth_session.change_password, None, None, "ChangerMotDePasseDto", auth_session.AccessToken, fields=auth_session.CHANGE_FIELDS, optional=KEPT, refuses=REPLACED, tries_password=True),
    HANDLED("/api/v1/auth/preuve", auth_session.prove, None, None, "PreuveDto", auth_session.Message, fields=auth_session.PROOF_FIELDS, refuses=(*REPLACED, "UNAUTHORIZED"), tries_password=True),
    HANDLED("/api/v1/auth/a2f", second_factor.prepare, None, None, None, second_factor.SecondFacteur, refuses=("A2F_DEJA_ACTIF", "PREUVE_REQUISE")),
    HANDLED("/api/v1/auth/a2f/confirmer", second_factor.confirm, None, None, "CodeDto", second_factor.CodesSecours, fields=second_factor.CODE_FIELDS, refuses=("UNAUTHORIZED", "NOT_FOUND", "A2F_DEJA_ACTIF"), tries_password=True),
    Route("DELETE", "/api/v1/auth/a2f", None, None, "CodeDto", status=204, handler=second_factor.remove, fields=second_factor.CODE_FIELDS, refuses=("UNAUTHORIZED", "NOT_FOUND"), tries_password=True),
    Route("GET", "/api/v1/auth/sessions", "auth.session_lister", None, handler=second_factor.sessions, supplied=("famille",)),
    Route("DELETE", "/api/v1/auth/sessions/{id_session}", "auth.session_terminer", None, handler=second_factor.end_session),
    Route("DELETE", "/api/v1/auth/sessions", None, None, status=204, handler=second_factor.end_others),
    DELETE("/utilisateurs/{id_utilisateur}/a2f", "auth.utilisateur_second_facteur_retirer", "ADMIN.MODIFIER", OWN),
    HANDLED("/api/v1/auth/cles", auth_keys.create, "auth.cle_creer", None, "CreerCleDto", auth_keys.CleFaite, supplied=auth_keys.SUPPLIED, status=201),
    GET("/api/v1/auth/cles", "auth.cle_lister", None),
    DELETE("/api/v1/auth/cles/{id_cle}", "auth.cle_supprimer", None),
    GET("/utilisateurs/{id_utilisateur}/cles", "auth.utilisateur_cle_lister", "ADMIN.VOIR"),
    DELETE("/utilisateurs/{id_utilisateur}/cles", "auth.utilisateur_cle_supprimer", "ADMIN.MODIFIER", OWN),
    GET("/utilisateurs", "auth.utilisateur_lister", "ADMIN.VOIR"),
    CREATE("/utilisateurs", "auth.utilisateur_creer", "ADMIN.CREER", "CreerUtilisateurDto", OWN),
    GET("/utilisateurs/{id_utilisateur}", "auth.utilisateur_detail", "ADMIN.VOIR"),
    PATCH("/utilisateurs/{id_utilisateur}", "auth.utilisateur_modifier", "ADMIN.MODIFIER", "MajUtilisateurDto", "auth.utilisateur_champs", OWN),
    STALE(GET("/utilisateurs/{id_utilisateur}/connexions", "auth.connexion_lister", "ADMIN.VOIR")),
    POST("/utilisateurs/{id_utilisateur}/desactiver", "auth.utilisateur_desactiver", "ADMIN.MODIFIER", bounds=OWN),
    POST("/utilisateurs/{id_utilisateur}/reinitialiser-mot-de-passe", "auth.utilisateur_reinitialiser_mot_de_passe", "ADMIN.MODIFIER", "ReinitialiserMotDePasseDto", OWN),
    GET("/roles", "auth.role_lister", "ADMIN.VOIR"),
    CREATE("/roles", "auth.role_creer", "ADMIN.CREER", "CreerRoleDto"),
    GET("/roles/{id_role}", "auth.role_detail", "ADMIN.VOIR"),
    PATCH("/roles/{id_role}", "auth.role_modifier", "ADMIN.MODIFIER", "MajRoleDto", "auth.role_champs"),
    DELETE("/roles/{id_role}", "auth.role_supprimer", "ADMIN.MODIFIER"),
    GET("/roles/{id_role}/permissions", "auth.role_permission_lister", "ADMIN.VOIR"),
    PUT("/roles/{id_role}/permissions", "auth.role_permission_remplacer", "ADMIN.MODIFIER", "MajPermissionsRoleDto"),
    CREATE("/roles/{id_role}/permissions", "auth.role_permission_ajouter", "ADMIN.MODIFIER", "AjouterPermissionRoleDto"),
    GET("/permissions", "auth.permission_lister", "ADMIN.VOIR"),
]
EXAMPLES = {
    "Cle.permission": "FINANCES.VOIR",
    "Cle.expire_le": "2036-01-01T00:00:00.000Z",
    "Cle.reseaux": "192.0.2.0/24",
    "Login.code": "123456",
    "Code.code": "123456",
    "Permission.code": "CLIENT.VOIR",
    "Permission.libelle": "Voir les clients",
    "Role.code": "CHEF_DE_RAYON",
    "Role.libelle": "Chef de rayon",
}
# Called by the handlers, the request path and the start.
PLUMBING = {
    "auth.cle_reconnaitre",
    "auth.code_secours_servir",
    "auth.preuve_donner",
    "auth.second_facteur_actif",
    "auth.second_facteur_confirmer",
    "auth.second_facteur_lire",
    "auth.second_facteur_preparer",
    "auth.second_facteur_retirer",
    "auth.second_facteur_servir",
    "auth.sessions_autres_terminer",
    "auth.identifiants",
    "auth.identifiants_semes",
    "auth.mot_de_passe_hache",
    "auth.mot_de_passe_changer",
    "auth.session_ouvrir",
    "auth.connexion_echouee",
    "auth.session_renouveler",
    "auth.session_fermer",
    "auth.inscrire",
    "auth.adresse_avis",
    "auth.destinataire",
    "auth.reinitialisation_demander",
    "auth.reinitialisation_appliquer",
    "auth.role_permissions",
    "auth.administrateur_initialiser",
}
