"""The email address of a client with an account: the permission to change it, and the notice to the former address."""

import logging

import pytest

from tests import builders
from tests.conftest import Db, Http, refusal, refused


@pytest.fixture
def holder(db: Db) -> int:
    """Create a client with a resident account. Return the client's id."""
    client = builders.client(db, email="awa@exemple.ci", nom="Kouassi")
    builders.utilisateur(db, role="RESIDENT", login="cl-12", id_client=client)
    return client


def clerk(http: Http, db: Db, role: str = "RESPONSABLE_PRESSING") -> Http:
    """Sign in with a role that may modify clients. RESPONSABLE_RESIDENCE may also modify leases."""
    return http.as_user(builders.utilisateur(db, role=role))


def test_a_role_without_residence_cannot_change_or_set_the_address_of_an_account(
    http: Http, db: Db, holder: int
) -> None:
    user, without = clerk(http, db), builders.client(db)
    builders.utilisateur(db, role="RESIDENT", id_client=without)
    for client, email in ((holder, "pirate@exemple.ci"), (holder, None), (without, "pirate@exemple.ci")):
        answer = user.patch(f"/client/clients/{client}", json={"email": email, "nom": "Autre"})
        assert refusal(answer) == (403, "EMAIL_DU_COMPTE")
    row = db.one("select email, nom from client.client where id_client = %s", [holder])
    assert row == {"email": "awa@exemple.ci", "nom": "Kouassi"}
    # Other fields, and the clients without an account, stay editable.
    assert user.patch(f"/client/clients/{holder}", json={"email": "awa@exemple.ci", "nom": "Koné"}).status_code == 200
    other = builders.client(db, email="x@exemple.ci")
    assert user.patch(f"/client/clients/{other}", json={"email": "y@exemple.ci"}).status_code == 200


def test_a_changed_address_invalidates_reset_links_already_sent(http: Http, db: Db, holder: int) -> None:
    db.call("auth.reinitialisation_demander", login="cl-12", hash="lien", duree=3600)
    manager = clerk(http, db, "RESPONSABLE_RESIDENCE")
    changed = manager.patch(f"/client/clients/{holder}", json={"email": "awa.k@exemple.ci"})
    assert (changed.status_code, changed.json()["email"]) == (200, "awa.k@exemple.ci")
    with refused("JETON_INVALIDE", status=400):
        db.call("auth.reinitialisation_appliquer", hash="lien", mot_de_passe=builders.PASSWORD_HASH)


def test_a_changed_address_is_announced_to_the_former_address(
    http: Http, db: Db, holder: int, caplog: pytest.LogCaptureFixture
) -> None:
    user = clerk(http, db, "RESPONSABLE_RESIDENCE")
    with caplog.at_level(logging.INFO, logger="comptoir"):
        user.patch(f"/client/clients/{holder}", json={"email": "awa@exemple.ci", "ville": "Bouaké"})
        assert "Votre compte" not in caplog.text and "L'adresse de votre compte" not in caplog.text
        user.patch(f"/client/clients/{holder}", json={"email": "pas une adresse"})
        user.patch("/client/clients/987654321", json={"email": "awa.k@exemple.ci"})
        clerk(http, db).patch(f"/client/clients/{holder}", json={"email": "pirate@exemple.ci"})
        change = {"email": "awa.k@exemple.ci"}
        rehearsal = user.patch(f"/client/clients/{holder}", json=change, headers={"Prefer": "tx=rollback"})
        assert rehearsal.json()["email"] == "awa.k@exemple.ci"
        assert "L'adresse de votre compte" not in caplog.text
        user.patch(f"/client/clients/{holder}", json=change)
    assert caplog.text.count("L'adresse de votre compte a changé") == 1
    assert "À : awa@exemple.ci\nObjet : L'adresse de votre compte a changé" in caplog.text


def test_registration_sends_a_confirmation_link_to_the_address(
    http: Http, db: Db, caplog: pytest.LogCaptureFixture
) -> None:
    body = {"nom": "Diallo", "prenoms": "Mariam", "tel_principal": "+2250700000001", "mot_de_passe": "mot long à taper"}
    db.acting(None)
    with caplog.at_level(logging.INFO, logger="comptoir"):
        assert http.post("/auth/inscription", json={**body, "login": "sans.adresse"}).status_code == 201
        assert "Confirmez votre adresse" not in caplog.text
        http.post("/auth/inscription", json={**body, "login": "mariam", "email": "mariam@exemple.ci"})
    assert caplog.text.count("Confirmez votre adresse") == 1
