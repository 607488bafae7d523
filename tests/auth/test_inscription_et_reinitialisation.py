"""Self-registration and password reset."""

import pytest

from tests import builders
from tests.conftest import refused

HASH = "$2b$10$" + "c" * 53
PORTAL = [
    "MARCHANDISE.COMMANDER",
    "PORTAIL.VOIR",
    "PRESSING.DECLARER",
    "RESIDENCE.DEMANDER",
    "RESTAURANT.COMMANDER",
    "SALLE_FETE.DEMANDER",
]
PERSON = {"nom": "Diallo", "prenoms": "Mariam", "tel_principal": "+2250700000001", "login": "mariam.diallo"}


def register(db, **fields):
    return db.call("auth.inscrire", **PERSON | {"mot_de_passe": HASH} | fields)["inscrire"]


def request_link(db, login, token="r", seconds=3600):
    return db.call("auth.reinitialisation_demander", login=login, hash=token, duree=seconds)


def apply(db, token="r"):
    return db.call("auth.reinitialisation_appliquer", hash=token, mot_de_passe=HASH)


def password(db, user):
    return db.one("select mot_de_passe from auth.secret where id_utilisateur = %s", [user])


def test_registration_creates_a_client_and_its_account(db):
    user = db.one("select * from auth.utilisateur_vue where id_utilisateur = %s", [register(db, email="m@exemple.ci")])
    assert (user["role"], user["nom"], user["prenom"], user["actif"]) == ("CLIENT", "Diallo", "Mariam", True)
    client = db.one("select * from client.client where id_client = %s", [user["id_client"]])
    assert (client["nom"], client["prenoms"], client["email"]) == ("Diallo", "Mariam", "m@exemple.ci")
    assert client["type_client"] == "PASSAGE" and "-CL-" in client["code"]
    assert password(db, user["id_utilisateur"]) == HASH


@pytest.mark.parametrize(
    ("fields", "rule", "status"),
    [
        ({"login": "PRIS.Deja"}, "LOGIN_EXISTANT", 409),
        ({"login": "a b"}, "LOGIN_MAL_FORME", 400),
        ({"tel_principal": "x"}, "TELEPHONE_MAL_FORME", 400),
        ({"email": "x"}, "EMAIL_MAL_FORME", 400),
        ({"mot_de_passe": "en clair"}, "MOT_DE_PASSE_NON_HACHE", 400),
    ],
)
def test_a_refused_registration_leaves_no_row(db, fields, rule, status):
    builders.utilisateur(db, role="RH", login="pris.deja")
    before = db.one("select (select count(*) from client.client), (select count(*) from auth.utilisateur) as users")
    with refused(rule, status=status):
        db.call("auth.inscrire", **PERSON | {"mot_de_passe": HASH} | fields)
    assert (
        db.one("select (select count(*) from client.client), (select count(*) from auth.utilisateur) as users")
        == before
    )


@pytest.mark.parametrize("identifier", ["mariam.diallo", "MARIAM.DIALLO", "M@Exemple.ci"])
def test_a_reset_request_returns_the_address_of_the_account(db, identifier):
    register(db, email="m@exemple.ci")
    recipient = {"email": "m@exemple.ci", "login": "mariam.diallo", "nom": "Mariam Diallo"}
    assert request_link(db, identifier) == {**recipient, "organisation": "Groupe Services Généraux"}


def test_a_reset_request_returns_a_login_that_is_an_address(db):
    builders.utilisateur(db, role="RH", login="rh@exemple.ci")
    recipient = {"email": "rh@exemple.ci", "login": "rh@exemple.ci", "nom": ""}
    assert request_link(db, "RH@exemple.ci") == {**recipient, "organisation": "Groupe Services Généraux"}


@pytest.mark.parametrize("identifier", ["chef", "pirate@exemple.ci"])
def test_a_reset_link_of_staff_never_goes_to_the_address_of_a_client(db, identifier):
    """Otherwise a user who may edit clients could receive the reset link of a director."""
    client = builders.client(db, email="pirate@exemple.ci")
    builders.utilisateur(db, role="DIRIGEANT", login="chef", id_client=client)
    assert request_link(db, identifier) is None


def test_an_unknown_account_one_without_address_and_an_inactive_one_get_no_link(db):
    assert request_link(db, "personne") is None
    register(db)
    assert request_link(db, "mariam.diallo") is None
    user = register(db, login="autre.compte", email="autre@exemple.ci")
    db.call("auth.utilisateur_desactiver", id_utilisateur=user)
    assert request_link(db, "autre.compte") is None
    assert db.one("select count(*) from auth.jeton_reinitialisation") == 0


def test_a_token_sets_a_password_once_and_ends_every_session(db):
    user = register(db, email="m@exemple.ci", mot_de_passe="$2b$10$" + "d" * 53)
    db.call("auth.session_ouvrir", id_utilisateur=user, hash="s", duree=60, adresse_ip=None, agent=None)
    request_link(db, "mariam.diallo")
    apply(db)
    assert password(db, user) == HASH
    assert db.one("select date_revocation is not null from auth.jeton_rafraichissement where hash = 's'") is True
    with refused("JETON_INVALIDE", status=400):
        apply(db)


def test_every_link_of_an_account_is_valid_until_one_of_them_is_used(db):
    user = register(db, email="m@exemple.ci")
    request_link(db, "mariam.diallo", "un")
    request_link(db, "mariam.diallo", "deux")  # a stranger who knows the login can request this link
    apply(db, "un")
    with refused("JETON_INVALIDE", status=400):
        apply(db, "deux")
    assert password(db, user) == HASH


def test_an_account_has_at_most_five_unused_links(db):
    register(db, email="m@exemple.ci")
    assert all(request_link(db, "mariam.diallo", f"lien {n}") for n in range(5))
    assert request_link(db, "mariam.diallo", "lien 5") is None
    apply(db, "lien 2")
    assert request_link(db, "mariam.diallo", "lien 6") is not None


def test_an_account_is_unconfirmed_until_a_link_to_its_address_is_used(db):
    user = register(db, email="m@exemple.ci")
    unconfirmed = "select a_confirmer from auth.utilisateur where id_utilisateur = %s"
    assert db.one(unconfirmed, [user]) is True
    request_link(db, "mariam.diallo")
    assert db.one(unconfirmed, [user]) is True
    apply(db)
    assert db.one(unconfirmed, [user]) is False


@pytest.mark.parametrize(
    ("login", "email"),
    [("vic@exemple.ci", "vic@exemple.ci"), ("VIC@exemple.ci", "pirate@exemple.ci"), ("vic@exemple.ci", None)],
)
def test_registration_refuses_a_login_that_is_the_address_of_a_client(db, login, email):
    builders.client(db, email="Vic@exemple.ci")
    with refused("LOGIN_EXISTANT", status=409):
        register(db, login=login, email=email)


def test_registration_refuses_a_login_that_is_the_address_of_staff(db):
    builders.utilisateur(db, role="RH", login="chef", email="Chef@exemple.ci")
    with refused("LOGIN_EXISTANT", status=409):
        register(db, login="chef@exemple.ci", email="chef@exemple.ci")


def test_a_login_that_is_an_address_must_be_the_address_of_the_account(db):
    with refused("LOGIN_EXISTANT", status=409):
        register(db, login="inconnue@exemple.ci", email="pirate@exemple.ci")
    with refused("LOGIN_EXISTANT", status=409):
        register(db, login="inconnue@exemple.ci")
    register(db, login="inconnue@exemple.ci", email="Inconnue@exemple.ci")


def test_a_link_goes_to_the_account_whose_address_is_confirmed(db):
    """Another person can register an account with the same address, but cannot confirm it."""
    pirate = register(db, login="pirate", email="v@exemple.ci")
    victim = builders.utilisateur(
        db, role="RESIDENT", login="cl-7", id_client=builders.client(db, email="v@exemple.ci")
    )
    assert request_link(db, "v@exemple.ci")["login"] == "cl-7"
    apply(db)
    assert password(db, victim) == HASH and db.one(
        "select a_confirmer from auth.utilisateur where id_utilisateur = %s", [pirate]
    )


@pytest.mark.parametrize("reason", ["unknown", "expired", "inactive", "password changed"])
def test_an_invalid_reset_token_changes_no_password(db, reason):
    user = register(db, email="m@exemple.ci")
    request_link(db, "mariam.diallo", seconds=0 if reason == "expired" else 3600)
    if reason == "inactive":
        db.call("auth.utilisateur_desactiver", id_utilisateur=user)
    if reason == "password changed":
        db.call(
            "auth.utilisateur_reinitialiser_mot_de_passe",
            id_utilisateur=user,
            nouveau_mot_de_passe="$2b$10$" + "e" * 53,
        )
    before = password(db, user)
    with refused("JETON_INVALIDE", status=400):
        db.call(
            "auth.reinitialisation_appliquer",
            hash="autre" if reason == "unknown" else "r",
            mot_de_passe="$2b$10$" + "f" * 53,
        )
    assert password(db, user) == before


def test_the_first_administrator_is_created_once(db):
    db.execute("set local session_replication_role = replica")
    db.execute("delete from auth.utilisateur")
    db.execute("set local session_replication_role = origin")
    assert db.call("auth.administrateur_initialiser", login="admin", mot_de_passe=HASH) == {
        "administrateur_initialiser": True
    }
    assert [row["role"] for row in db.rows("auth.identifiants", login="admin")] == ["ADMINISTRATEUR"]
    assert db.call("auth.administrateur_initialiser", login="admin2", mot_de_passe=HASH) == {
        "administrateur_initialiser": False
    }
    assert db.rows("auth.identifiants", login="admin2") == []


def test_me_returns_the_user_of_the_context(db):
    till = builders.caisse(db, activite_code="PRESSING")
    user = builders.utilisateur(db, role="CAISSIER", caisse=till, nom="Koffi", prenom="Jean")
    db.acting(user)
    me = db.call("auth.moi")
    assert (me["id"], me["role"], me["nom"], me["prenom"]) == (user, "CAISSIER", "Koffi", "Jean")
    assert (me["id_client"], me["id_caisse"], me["id_activite_scope"]) == (None, till, None)
    assert me["permissions"] == sorted(me["permissions"]) and "FINANCES.CREER" in me["permissions"]
    assert me["permissions"] == db.call("auth.role_permissions", role="CAISSIER")["role_permissions"]


def test_the_permissions_of_a_role_are_read_by_its_code(db):
    assert db.call("auth.role_permissions", role="CLIENT") == {"role_permissions": PORTAL}
    assert db.call("auth.role_permissions", role="RESIDENT") == {"role_permissions": sorted([*PORTAL, "RESIDENT.VOIR"])}
    assert db.call("auth.role_permissions", role="INCONNU") == {"role_permissions": None}


def test_the_me_route_returns_the_signed_in_user(http, db):
    user = builders.utilisateur(db, role="RESIDENT", login="essai.moi")
    assert http.as_user(user).get("/auth/me").json() == {
        "id": str(user),
        "login": "essai.moi",
        "role": "RESIDENT",
        "permissions": sorted([*PORTAL, "RESIDENT.VOIR"]),
        "id_client": None,
        "id_caisse": None,
        "id_activite_scope": None,
        "nom": None,
        "prenom": None,
        "email": None,
    }
    assert http.get("/auth/me").status_code == 401
