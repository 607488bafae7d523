"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from tests.conftest import Db
from tests.witness import Witness

BODIES = {
    "LoginDto": "login mot_de_passe | code",
    "CodeDto": "code |",
    "CreerCleDto": "libelle permissions | id_caisse id_activite expire_le reseaux",
    "RefreshTokenDto": "refresh_token |",
    "LogoutDto": "refresh_token |",
    "InscriptionDto": "nom prenoms tel_principal login mot_de_passe | email",
    "MotDePasseOublieDto": "login |",
    "ReinitialiserAvecJetonDto": "jeton nouveau_mot_de_passe |",
    "CreerUtilisateurDto": "login mot_de_passe id_role "
    "| nom prenom id_activite_scope id_caisse id_employe id_client actif email",
    "MajUtilisateurDto": "| nom prenom login id_role id_activite_scope id_caisse id_employe id_client actif email",
    "ReinitialiserMotDePasseDto": "nouveau_mot_de_passe |",
    "CreerRoleDto": "code libelle | description",
    "MajRoleDto": "| code libelle description",
    "MajPermissionsRoleDto": "id_permissions |",
    "AjouterPermissionRoleDto": "id_permission |",
}


def make(db: Db, witness: Witness, keys: dict[str, str]) -> None:
    keys["id_permission"] = str(db.one("select min(id_permission) from auth.permission"))
    keys["adresse_ip"] = "192.0.2.1"
