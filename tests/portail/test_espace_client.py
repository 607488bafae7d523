"""What a client sees of the own space: the record and the invoices, and nothing of anybody else."""

from __future__ import annotations

from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, Http
from tests.portail.residents import Resident, resident

INSCRIPTION = {
    "nom": "Diallo",
    "prenoms": "Mariam",
    "tel_principal": "+2250700000001",
    "login": "mariam.diallo",
    "mot_de_passe": "un mot de passe d'essai",
}


def signed_up(http: Http, db: Db, **fields: Any) -> Http:
    """Somebody who signed up, with the token of that."""
    db.acting(None)
    answer = http.post("/auth/inscription", json=INSCRIPTION | fields)
    assert answer.status_code == 201, answer.text
    return Http(http.runner, http.transport, http.services, db, answer.json()["accessToken"])


def client_of(db: Db, login: str = "mariam.diallo") -> int:
    return int(db.one("select id_client from auth.utilisateur where login = %s", [login]))


def invoice(db: Db, client: int, paid: str = "4000.50") -> dict[str, Any]:
    service = builders.prestation(db, "15000.50", libelle="Location de bâches")
    return db.call(
        "facturation.prestation_facturer",
        id_prestation=service,
        montant=paid,
        id_moyen=builders.moyen(db),
        id_client=client,
    )


def confirmed(http: Http, db: Db, **fields: Any) -> Http:
    signed_up(http, db, email="mariam@exemple.ci", **fields)
    db.call("auth.reinitialisation_demander", login="mariam.diallo", hash="lien", duree=3600)
    db.call("auth.reinitialisation_appliquer", hash="lien", mot_de_passe=builders.PASSWORD_HASH)
    return http.as_user(db.one("select id_utilisateur from auth.utilisateur where login = 'mariam.diallo'"))


def test_client_who_signed_up_sees_the_own_record(http: Http, db: Db) -> None:
    client = signed_up(http, db)
    found = client.get("/client/portail")
    assert found.status_code == 200, found.text
    record = found.json()
    assert record["id_client"] == str(client_of(db)) and "-CL-" in record["code"]
    assert (record["nom"], record["prenoms"], record["tel_principal"]) == ("Diallo", "Mariam", "+2250700000001")
    assert (record["type_client"], record["a_confirmer"]) == ("PASSAGE", True)


def test_what_the_house_added_is_shown_once_the_address_is_confirmed(http: Http, db: Db) -> None:
    client = signed_up(http, db, email="mariam@exemple.ci")
    db.execute("update client.client set adresse = 'Rue 12' where id_client = %s", [client_of(db)])
    assert client.get("/client/portail").json()["adresse"] is None
    db.call("auth.reinitialisation_demander", login="mariam.diallo", hash="lien", duree=3600)
    db.call("auth.reinitialisation_appliquer", hash="lien", mot_de_passe=builders.PASSWORD_HASH)
    again = http.as_user(db.one("select id_utilisateur from auth.utilisateur where login = 'mariam.diallo'"))
    record = again.get("/client/portail").json()
    assert (record["adresse"], record["a_confirmer"]) == ("Rue 12", False)


def test_nothing_is_joined_to_an_account_whose_address_is_not_confirmed(http: Http, db: Db) -> None:
    """A stranger signed up as somebody whom the house then serves: invoices and lease stay out of reach."""
    stranger = signed_up(http, db, email="mariam@exemple.ci")
    made = invoice(db, client_of(db))
    builders.contrat(db, id_client=client_of(db))
    paths = ["/facturation/portail/factures", f"/facturation/portail/factures/{made['id_facture']}/pdf"]
    for path in [*paths, "/residence/portail/resume", "/residence/portail/paiements"]:
        answer = stranger.get(path)
        assert (answer.status_code, answer.json()["code"]) == (403, "ADRESSE_A_CONFIRMER"), path


def test_confirmed_client_sees_the_own_invoices(http: Http, db: Db) -> None:
    client = confirmed(http, db)
    invoices = [invoice(db, client_of(db), paid) for paid in ("0", "4000.50", "15000.50")]
    found = client.get("/facturation/portail/factures")
    assert found.status_code == 200, found.text
    rows = {row["id_facture"]: row for row in found.json()}
    assert rows.keys() == {str(made["id_facture"]) for made in invoices}
    assert [rows[str(made["id_facture"])]["statut"] for made in invoices] == ["IMPAYEE", "PARTIELLE", "PAYEE"]
    assert rows[str(invoices[1]["id_facture"])]["reste"] == "11000.00"
    assert found.headers["x-total-count"] == "3"
    page = client.get("/facturation/portail/factures?limit=1&offset=1")
    assert [row["id_facture"] for row in page.json()] == [str(invoices[1]["id_facture"])]
    assert 'rel="next"' in page.headers["link"]


def test_invoice_is_printed_for_its_client_alone(http: Http, db: Db) -> None:
    client = confirmed(http, db)
    mine, theirs = invoice(db, client_of(db)), invoice(db, builders.client(db, nom="Traore"))
    printed = client.get(f"/facturation/portail/factures/{mine['id_facture']}/pdf")
    assert (printed.status_code, printed.headers["content-type"]) == (200, "application/pdf")
    for path in (f"{theirs['id_facture']}", "987654321"):
        assert client.get(f"/facturation/portail/factures/{path}/pdf").status_code == 404


@pytest.fixture
def both(db: Db) -> tuple[Resident, Resident]:
    return resident(db, "Kouassi"), resident(db, "Traore")


def read(http: Http, of: Resident, path: str) -> Any:
    return http.as_user(of.user).get(path)


def trespass(http: Http, mine: Resident, theirs: Resident) -> None:
    record = read(http, mine, "/client/portail").json()
    listed = read(http, mine, "/facturation/portail/factures")
    assert record["nom"] == mine.nom
    assert {row["id_facture"] for row in listed.json()} == {str(one) for one in mine.factures.values()}
    for text in (str(record), listed.text):
        assert not [secret for secret in theirs.secrets if secret in text]
    for one in theirs.factures.values():
        assert read(http, mine, f"/facturation/portail/factures/{one}/pdf").status_code == 404


def test_residents_see_their_own_invoices_alone(http: Http, both: tuple[Resident, Resident]) -> None:
    trespass(http, *both)
    trespass(http, *reversed(both))


def test_either_wall_is_enough(http: Http, db: Db, both: tuple[Resident, Resident]) -> None:
    db.execute("set constraints all immediate")
    with db.connection.transaction(force_rollback=True):
        for table in ("client.client", "facturation.facture", "facturation.facture_ligne"):
            db.execute(f"alter table {table} disable row level security")
        trespass(http, *both)
    query = "select pg_get_functiondef(oid) as text from pg_proc where proowner = 'comptoir_portail'::regrole"
    for row in db.all(query + " and pronamespace in ('client'::regnamespace, 'facturation'::regnamespace)"):
        db.execute(
            row["text"]
            .replace("f.id_client = v_id_client", "true")
            .replace("c.id_client = v_id_client", "true")
            .replace("%", "%%")
        )
    assert len(read(http, both[0], "/facturation/portail/factures").json()) == len(both[0].factures)
    for one in both[1].factures.values():
        assert read(http, both[0], f"/facturation/portail/factures/{one}/pdf").status_code == 404


@pytest.mark.parametrize("path", ["/client/portail", "/facturation/portail/factures"])
def test_account_without_client_is_refused_and_staff_has_no_portal(http: Http, db: Db, path: str) -> None:
    answer = http.as_user(builders.utilisateur(db, role="CLIENT")).get(path)
    assert (answer.status_code, answer.json()["code"]) == (403, "SANS_CLIENT")
    till = builders.utilisateur(db, role="CAISSIER", activite=builders.activite(db))
    assert http.as_user(till).get(path).json()["code"] == "FORBIDDEN"
