"""Routes of auth: the session, and the administration of accounts and roles."""

from app.auth.throttle import Throttle
from app.http.route import ACTIVITY, CLIENT, COMPANY, CREATE, DELETE, GET, PATCH, POST, PUT, TILL
from app.routes import auth_session as session
from app.routes import second_factor as factor

PREFIX = "/api/v1/admin"
BOUNDS = COMPANY
OWN = ACTIVITY + TILL + CLIENT  # the bounds of a new account lie within the bounds of the caller
THREE, FIVE = Throttle(3, 60), Throttle(5, 60)  # calls a minute
# Fields of the handlers
LOGIN = (("login", "core.texte"), ("mot_de_passe", "core.texte"), ("code", "core.texte"))
REFRESH = (("refresh_token", "core.texte"),)
CODE = (("code", "core.texte"),)
CHANGE = (("ancien", "core.texte"), ("nouveau", "auth.mot_de_passe"), ("cles_gardees", "pg_catalog._int8"))
RESET = (("jeton", "core.texte"), ("nouveau_mot_de_passe", "auth.mot_de_passe"))
WRONG = ("UNAUTHORIZED", "A2F_REQUIS")
REPLACED = ("MOT_DE_PASSE_DEJA_CHANGE",)
ROUTES = [
    POST("/api/v1/auth/login", None, None, "LoginDto", public=True, handler=session.login, fields=LOGIN, optional=("code",), answer=session.Session, refuses=WRONG, throttle=FIVE, tries_password=True),
    CREATE("/api/v1/auth/inscription", "auth.inscrire", None, "InscriptionDto", public=True, handler=session.inscription, answer=session.Session, throttle=THREE),
    POST("/api/v1/auth/mot-de-passe-oublie", None, None, "MotDePasseOublieDto", public=True, handler=session.forgotten, fields=(("login", "core.texte"),), answer=session.Message, throttle=FIVE),
    POST("/api/v1/auth/reinitialiser-mot-de-passe", None, None, "ReinitialiserAvecJetonDto", public=True, handler=session.reset, fields=RESET, answer=session.Message, refuses=("JETON_INVALIDE",), throttle=FIVE),
    POST("/api/v1/auth/refresh", None, None, "RefreshTokenDto", public=True, handler=session.refresh, fields=REFRESH, answer=session.Session, refuses=("UNAUTHORIZED",)),
    POST("/api/v1/auth/logout", None, None, "LogoutDto", public=True, handler=session.logout, fields=REFRESH),
    GET("/api/v1/auth/me", "auth.moi", None),
    POST("/api/v1/auth/mot-de-passe", None, None, "ChangerMotDePasseDto", handler=session.change_password, fields=CHANGE, optional=("cles_gardees",), answer=session.AccessToken, refuses=REPLACED, tries_password=True),
    POST("/api/v1/auth/preuve", None, None, "PreuveDto", handler=session.prove, fields=(("mot_de_passe", "core.texte"),), answer=session.Message, refuses=(*REPLACED, "UNAUTHORIZED"), tries_password=True),
    POST("/api/v1/auth/a2f", None, None, handler=factor.prepare, answer=factor.SecondFacteur, refuses=("A2F_DEJA_ACTIF", "PREUVE_REQUISE")),
    POST("/api/v1/auth/a2f/confirmer", None, None, "CodeDto", handler=factor.confirm, fields=CODE, answer=factor.CodesSecours, refuses=("UNAUTHORIZED", "NOT_FOUND", "A2F_DEJA_ACTIF"), tries_password=True),
    DELETE("/api/v1/auth/a2f", None, None, "CodeDto", status=204, handler=factor.remove, fields=CODE, refuses=("UNAUTHORIZED", "NOT_FOUND"), tries_password=True),
    GET("/api/v1/auth/sessions", "auth.session_lister", None, handler=factor.sessions, supplied=("famille",)),
    DELETE("/api/v1/auth/sessions/{id_session}", "auth.session_terminer", None, handler=factor.end_session),
    DELETE("/api/v1/auth/sessions", None, None, status=204, handler=factor.end_others),
    DELETE("/utilisateurs/{id_utilisateur}/a2f", "auth.utilisateur_second_facteur_retirer", "ADMIN.MODIFIER", bounds=OWN),
    CREATE("/api/v1/auth/cles", "auth.cle_creer", None, "CreerCleDto", handler=session.create_key, answer=session.CleFaite, supplied=("prefixe", "hash", "avis_en_file")),
    GET("/api/v1/auth/cles", "auth.cle_lister", None),
    DELETE("/api/v1/auth/cles/{id_cle}", "auth.cle_supprimer", None),
    GET("/utilisateurs/{id_utilisateur}/cles", "auth.utilisateur_cle_lister", "ADMIN.VOIR"),
    DELETE("/utilisateurs/{id_utilisateur}/cles", "auth.utilisateur_cle_supprimer", "ADMIN.MODIFIER", bounds=OWN),
    GET("/utilisateurs", "auth.utilisateur_lister", "ADMIN.VOIR"),
    CREATE("/utilisateurs", "auth.utilisateur_creer", "ADMIN.CREER", "CreerUtilisateurDto", bounds=OWN),
    GET("/utilisateurs/{id_utilisateur}", "auth.utilisateur_detail", "ADMIN.VOIR"),
    PATCH("/utilisateurs/{id_utilisateur}", "auth.utilisateur_modifier", "ADMIN.MODIFIER", "MajUtilisateurDto", "auth.utilisateur_champs", bounds=OWN),
    GET("/utilisateurs/{id_utilisateur}/connexions", "auth.connexion_lister", "ADMIN.VOIR", stale=True),
    POST("/utilisateurs/{id_utilisateur}/desactiver", "auth.utilisateur_desactiver", "ADMIN.MODIFIER", bounds=OWN),
    POST("/utilisateurs/{id_utilisateur}/reinitialiser-mot-de-passe", "auth.utilisateur_reinitialiser_mot_de_passe", "ADMIN.MODIFIER", "ReinitialiserMotDePasseDto", bounds=OWN),
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
