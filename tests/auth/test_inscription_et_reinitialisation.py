"""Self-registration and password reset."""

import pytest

from tests import builders
from tests.conftest import refused

HASH = "$2b$10$" + "c" * 53
OTHER_HASH = "$2b$10$" + "e" * 53
PORTAL = ["MARCHANDISE.COMMANDER", "PORTAIL.VOIR", "PRESSING.DECLARER", "RESIDENCE.DEMANDER", "RESTAURANT.COMMANDER",
          "SALLE_FETE.DEMANDER"]  # fmt: skip
PERSON = {"nom": "Diallo", "prenoms": "Mariam", "tel_principal": "+2250700000001", "login": "mariam.diallo"}
UNCONFIRMED = "select a_confirmer from auth.utilisateur where id_utilisateur = %s"


def register(db, **fields):
    return db.call("auth.inscrire", **PERSON | {"mot_de_passe": HASH} | fields)["inscrire"]


def request_link(db, login, token="r", seconds=3600):
    return db.call("auth.reinitialisation_demander", login=login, hash=token, duree=seconds)


def apply(db, token="r", password=HASH):
    return db.call("auth.reinitialisation_appliquer", hash=token, mot_de_passe=password)


def password(db, user):
    return db.one("select mot_de_passe from auth.secret where id_utilisateur = %s", [user])


def test_registration_creates_a_client_and_its_account(db):
    user = db.one("select * from auth.utilisateur_vue where id_utilisateur = %s", [register(db, email="m@exemple.ci")])
    assert (user["role"], user["nom"], user["prenom"], user["actif"]) == ("CLIENT", "Diallo", "Mariam", True)
    client = db.one("select * from client.client where id_client = %s", [user["id_client"]])
    assert (client["nom"], client["prenoms"], client["email"]) == ("Diallo", "Mariam", "m@exemple.ci")
    assert client["type_client"] == "PASSAGE" and "-CL-" in client["code"]
    assert password(db, user["id_utilisateur"]) == HASH


@pytest.mark.parametrize(("fields", "rule", "status"), [
    ({"login": "PRIS.Deja"}, "LOGIN_EXISTANT", 409),
    ({"login": "a b"}, "LOGIN_MAL_FORME", 400),
    ({"tel_principal": "x"}, "TELEPHONE_MAL_FORME", 400),
    ({"email": "x"}, "EMAIL_MAL_FORME", 400),
    ({"mot_de_passe": "en clair"}, "MOT_DE_PASSE_NON_HACHE", 400),
])  # fmt: skip
def test_a_refused_registration_leaves_no_row(db, fields, rule, status):
    builders.utilisateur(db, role="RH", login="pris.deja")
    counts = "select (select count(*) from client.client) as clients, (select count(*) from auth.utilisateur) as users"
    before = db.one(counts)
    with refused(rule, status=status):
        register(db, **fields)
    assert db.one(counts) == before


def test_a_reset_request_returns_the_address_of_the_account(db):
    register(db, email="m@exemple.ci")
    builders.utilisateur(db, role="RH", login="rh@exemple.ci")
    mariam = ("m@exemple.ci", "mariam.diallo", "Mariam Diallo")
    staff = ("rh@exemple.ci", "rh@exemple.ci", "")  # the login of staff is an address
    for number, (identifier, recipient) in enumerate([
        ("mariam.diallo", mariam), ("MARIAM.DIALLO", mariam), ("M@Exemple.ci", mariam), ("RH@exemple.ci", staff),
    ]):  # fmt: skip
        letter = dict(zip(("email", "login", "nom"), recipient, strict=True), organisation="Groupe Services Généraux")
        assert request_link(db, identifier, f"lien {number}") == letter


def test_a_reset_link_of_staff_never_goes_to_the_address_of_a_client(db):
    """Otherwise a user who may edit clients could receive the reset link of a director."""
    client = builders.client(db, email="pirate@exemple.ci")
    builders.utilisateur(db, role="DIRIGEANT", login="chef", id_client=client)
    for identifier in ("chef", "pirate@exemple.ci"):
        assert request_link(db, identifier) is None


def test_an_unknown_account_one_without_address_and_an_inactive_one_get_no_link(db):
    assert request_link(db, "personne") is None
    register(db)
    assert request_link(db, "mariam.diallo") is None
    user = register(db, login="autre.compte", email="autre@exemple.ci")
    db.call("auth.utilisateur_desactiver", id_utilisateur=user)
    assert request_link(db, "autre.compte") is None
    assert db.one("select count(*) from auth.jeton_reinitialisation") == 0


def test_a_token_sets_a_password_once_confirms_the_address_and_ends_every_session(db):
    user = register(db, email="m@exemple.ci", mot_de_passe=OTHER_HASH)
    db.call("auth.session_ouvrir", id_utilisateur=user, hash="s", duree=60, adresse_ip=None, agent=None)
    assert db.one(UNCONFIRMED, [user]) is True
    request_link(db, "mariam.diallo")
    assert db.one(UNCONFIRMED, [user]) is True
    apply(db)
    assert (password(db, user), db.one(UNCONFIRMED, [user])) == (HASH, False)
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


@pytest.mark.parametrize(("login", "email"), [
    ("vic@exemple.ci", "vic@exemple.ci"),  # the address of a client
    ("VIC@exemple.ci", "pirate@exemple.ci"),
    ("vic@exemple.ci", None),
    ("chef@exemple.ci", "chef@exemple.ci"),  # the address of staff
    ("inconnue@exemple.ci", "pirate@exemple.ci"),
    ("inconnue@exemple.ci", None),
])  # fmt: skip
def test_a_login_that_is_an_address_must_be_the_address_of_the_account_alone(db, login, email):
    builders.client(db, email="Vic@exemple.ci")
    builders.utilisateur(db, role="RH", login="chef", email="Chef@exemple.ci")
    with refused("LOGIN_EXISTANT", status=409):
        register(db, login=login, email=email)
    register(db, login="inconnue@exemple.ci", email="Inconnue@exemple.ci")


def test_a_link_goes_to_the_account_whose_address_is_confirmed(db):
    """Another person can register an account with the same address, but cannot confirm it."""
    pirate = register(db, login="pirate", email="v@exemple.ci")
    client = builders.client(db, email="v@exemple.ci")
    victim = builders.utilisateur(db, role="RESIDENT", login="cl-7", id_client=client)
    assert request_link(db, "v@exemple.ci")["login"] == "cl-7"
    apply(db)
    assert password(db, victim) == HASH and db.one(UNCONFIRMED, [pirate])


@pytest.mark.parametrize("reason", ["unknown", "expired", "inactive", "password changed"])
def test_an_invalid_reset_token_changes_no_password(db, reason):
    user = register(db, email="m@exemple.ci")
    request_link(db, "mariam.diallo", seconds=0 if reason == "expired" else 3600)
    if reason == "inactive":
        db.call("auth.utilisateur_desactiver", id_utilisateur=user)
    if reason == "password changed":
        new = {"id_utilisateur": user, "nouveau_mot_de_passe": OTHER_HASH}
        db.call("auth.utilisateur_reinitialiser_mot_de_passe", **new)
    before = password(db, user)
    with refused("JETON_INVALIDE", status=400):
        apply(db, "autre" if reason == "unknown" else "r", "$2b$10$" + "f" * 53)
    assert password(db, user) == before


def test_the_permissions_of_a_role_are_read_by_its_code(db):
    for role, expected in (("CLIENT", PORTAL), ("RESIDENT", sorted([*PORTAL, "RESIDENT.VOIR"])), ("INCONNU", None)):
        assert db.call("auth.role_permissions", role=role) == {"role_permissions": expected}


def test_me_returns_the_user_of_the_context(http, db):
    till = builders.caisse(db, activite_code="PRESSING")
    user = builders.utilisateur(db, role="CAISSIER", caisse=till, login="essai.moi", nom="Koffi", prenom="Jean")
    permissions = db.call("auth.role_permissions", role="CAISSIER")["role_permissions"]
    assert permissions == sorted(permissions) and "FINANCES.CREER" in permissions
    assert http.as_user(user).get("/auth/me").json() == {
        "id": str(user), "login": "essai.moi", "role": "CAISSIER", "permissions": permissions, "id_client": None,
        "id_caisse": str(till), "id_activite_scope": None, "nom": "Koffi", "prenom": "Jean", "email": None,
    }  # fmt: skip
