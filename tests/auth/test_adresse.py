"""The address of a client who has an account: who may change it, and what happens to the former one."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, Http, refused


@pytest.fixture
def holder(db: Db) -> int:
    """A resident with an account; answers the client."""
    client = builders.client(db, email="awa@exemple.ci", nom="Kouassi")
    builders.utilisateur(db, role="RESIDENT", login="cl-12", id_client=client)
    return client


def clerk(http: Http, db: Db, role: str = "RESPONSABLE_PRESSING") -> Http:
    """May modify clients; RESPONSABLE_RESIDENCE may modify leases as well."""
    return http.as_user(builders.utilisateur(db, role=role))


@pytest.mark.parametrize("email", ["pirate@exemple.ci", None])
def test_address_of_an_account_is_not_changed_without_residence(http: Http, db: Db, holder: int, email: Any) -> None:
    answer = clerk(http, db).patch(f"/client/clients/{holder}", json={"email": email, "nom": "Autre"})
    assert (answer.status_code, answer.json()["code"]) == (403, "EMAIL_DU_COMPTE")
    found = db.one("select email, nom from client.client where id_client = %s", [holder])
    assert found == {"email": "awa@exemple.ci", "nom": "Kouassi"}


def test_first_address_of_an_account_is_guarded_alike(http: Http, db: Db) -> None:
    client = builders.client(db)
    builders.utilisateur(db, role="RESIDENT", id_client=client)
    answer = clerk(http, db).patch(f"/client/clients/{client}", json={"email": "pirate@exemple.ci"})
    assert answer.json()["code"] == "EMAIL_DU_COMPTE"


def test_rest_of_the_record_and_clients_without_account_stay_free(http: Http, db: Db, holder: int) -> None:
    user = clerk(http, db)
    assert user.patch(f"/client/clients/{holder}", json={"email": "awa@exemple.ci", "nom": "Koné"}).status_code == 200
    other = builders.client(db, email="x@exemple.ci")
    assert user.patch(f"/client/clients/{other}", json={"email": "y@exemple.ci"}).status_code == 200


def test_links_on_their_way_to_the_former_address_end(http: Http, db: Db, holder: int) -> None:
    db.call("auth.reinitialisation_demander", login="cl-12", hash="lien", duree=3600)
    changed = clerk(http, db, "RESPONSABLE_RESIDENCE").patch(
        f"/client/clients/{holder}", json={"email": "awa.k@exemple.ci"}
    )
    assert (changed.status_code, changed.json()["email"]) == (200, "awa.k@exemple.ci")
    with refused("JETON_INVALIDE", status=400):
        db.call("auth.reinitialisation_appliquer", hash="lien", mot_de_passe=builders.PASSWORD_HASH)


def test_former_address_is_told(http: Http, db: Db, holder: int, caplog: pytest.LogCaptureFixture) -> None:
    user = clerk(http, db, "RESPONSABLE_RESIDENCE")
    with caplog.at_level(logging.INFO, logger="comptoir"):
        user.patch(f"/client/clients/{holder}", json={"email": "awa@exemple.ci", "ville": "Bouaké"})
        assert "Votre compte" not in caplog.text and "L'adresse de votre compte" not in caplog.text
        user.patch(f"/client/clients/{holder}", json={"email": "pas une adresse"})
        user.patch("/client/clients/987654321", json={"email": "awa.k@exemple.ci"})
        clerk(http, db).patch(f"/client/clients/{holder}", json={"email": "pirate@exemple.ci"})
        assert "L'adresse de votre compte" not in caplog.text
        user.patch(f"/client/clients/{holder}", json={"email": "awa.k@exemple.ci"})
    assert caplog.text.count("L'adresse de votre compte a changé") == 1
    assert "À : awa@exemple.ci\nObjet : L'adresse de votre compte a changé" in caplog.text


def test_registration_writes_a_link_to_the_address(http: Http, db: Db, caplog: pytest.LogCaptureFixture) -> None:
    body = {"nom": "Diallo", "prenoms": "Mariam", "tel_principal": "+2250700000001", "mot_de_passe": "mot long à taper"}
    db.acting(None)
    with caplog.at_level(logging.INFO, logger="comptoir"):
        assert http.post("/auth/inscription", json={**body, "login": "sans.adresse"}).status_code == 201
        assert "Confirmez votre adresse" not in caplog.text
        http.post("/auth/inscription", json={**body, "login": "mariam", "email": "mariam@exemple.ci"})
    assert caplog.text.count("Confirmez votre adresse") == 1
