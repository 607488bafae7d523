"""The life of a request from the portal, the same in every trade."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app import routes
from tests import builders
from tests.conftest import Db, Http
from tests.portail.demandes import HALL, KINDS, LAUNDRY, MEAL, SHOP, STAY, Kind, account, without_row_level_security

pytestmark = pytest.mark.promesse(
    "Demandes : une demande ne tient rien avant d'être acceptée, et n'est acceptée qu'une fois"
)

every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def held(db: Db) -> Any:
    """Everything that a request must not touch: rooms, stock, money, invoices, numbers of invoices."""
    return db.one(
        "select (select json_agg(l.statut order by id_logement) from residence.logement l) as rooms,"
        " (select count(*) from residence.occupation) as occupations,"
        " (select json_agg(p.quantite_stock order by id_produit) from market.produit p) as stock,"
        " (select count(*) from market.mouvement_stock) as movements,"
        " (select count(*) from facturation.facture) as invoices, (select count(*) from finances.paiement) as payments"
    )


def events(db: Db, name: str) -> list[dict[str, Any]]:
    return db.all("select * from notification.notification where evenement = %s order by id_notification", [name])


@every_kind
def test_a_request_waits_and_holds_nothing(http: Http, db: Db, kind: Kind) -> None:
    user, body = account(db), kind.body(db)
    before = held(db)
    answer = http.as_user(user).post(kind.portal, json=body)
    assert (answer.status_code, answer.json()["statut"]) == (201, "EN_ATTENTE"), answer.text
    key = answer.json()[kind.key]
    assert held(db) == before
    assert http.as_user(user).get(f"{kind.portal}/{key}").json() == answer.json()
    listed = http.as_user(user).get(f"{kind.portal}?limit=200")
    assert [row[kind.key] for row in listed.json()] == [key] and listed.headers["x-total-count"] == "1"
    staff = http.as_admin()
    assert staff.get(f"{kind.staff}/{key}").json()["statut"] == "EN_ATTENTE"
    assert [row[kind.key] for row in staff.get(f"{kind.staff}?statut=EN_ATTENTE").json()] == [key]


@every_kind
def test_a_request_notifies_the_staff_that_sees_the_trade(http: Http, db: Db, kind: Kind) -> None:
    key = kind.request(http, db, account(db, nom="Diabaté", prenoms="Fanta"))
    event = events(db, kind.created)[-1]
    assert (event["permission"], event["donnees"][kind.key]) == (kind.viewer, key)
    manager = http.as_admin()
    assert kind.created in [row["evenement"] for row in manager.get("/notifications").json()]
    other = http.as_user(builders.utilisateur(db, role="RH"))
    assert kind.created not in [row["evenement"] for row in other.get("/notifications").json()]


@every_kind
def test_acceptance_makes_the_request_an_ordinary_row(http: Http, db: Db, kind: Kind) -> None:
    user = account(db)
    key = kind.request(http, db, user)
    answer = kind.decide(http, key, body=kind.acceptance(db))
    assert answer.status_code == 200, answer.text
    assert http.as_user(user).get(f"{kind.portal}/{key}").json()["statut"] == kind.accepted
    mine = http.as_user(user).get("/notifications").json()
    assert [(row["evenement"], row["corps"]) for row in mine] == [(kind.decided, "Acceptée.")]
    again = kind.decide(http, key, body=kind.acceptance(db))
    assert refusal(again) == (409, kind.handled)


@every_kind
def test_a_refusal_shows_its_reason_to_the_requester(http: Http, db: Db, kind: Kind) -> None:
    user = account(db)
    key = kind.request(http, db, user)
    before = held(db)
    answer = kind.decide(http, key, "annuler", {"motif": "Complet ce jour-là"})
    assert answer.status_code == 200, answer.text
    shown = http.as_user(user).get(f"{kind.portal}/{key}").json()
    assert (shown["statut"], shown["motif_annulation"]) == (kind.cancelled, "Complet ce jour-là")
    assert answer.json()["motif_annulation"] == "Complet ce jour-là"
    assert held(db) == before
    mine = http.as_user(user).get("/notifications").json()
    assert [(row["evenement"], row["corps"]) for row in mine] == [(kind.decided, "Refusée : Complet ce jour-là")]
    assert refusal(kind.decide(http, key, body=kind.acceptance(db))) == (409, kind.handled)
    assert refusal(kind.decide(http, key, "annuler")) == (409, "TRANSITION_INTERDITE")


@every_kind
def test_the_requester_cancels_while_the_request_waits(http: Http, db: Db, kind: Kind) -> None:
    user = account(db)
    key = kind.request(http, db, user)
    answer = http.as_user(user).post(f"{kind.portal}/{key}/annuler", json={"motif": "Changement de programme"})
    assert answer.status_code == 200, answer.text
    assert (answer.json()["statut"], answer.json()["motif_annulation"]) == (kind.cancelled, "Changement de programme")
    assert refusal(http.as_user(user).post(f"{kind.portal}/{key}/annuler")) == (409, "DEMANDE_TRAITEE")
    assert events(db, kind.decided) == []


@every_kind
def test_the_requester_cannot_cancel_an_accepted_request(http: Http, db: Db, kind: Kind) -> None:
    user = account(db)
    key = kind.request(http, db, user)
    assert kind.decide(http, key, body=kind.acceptance(db)).status_code == 200
    assert refusal(http.as_user(user).post(f"{kind.portal}/{key}/annuler", json={})) == (409, "DEMANDE_TRAITEE")
    assert kind.state(db, key) == kind.accepted


@every_kind
def test_the_request_of_another_person_is_not_found(http: Http, db: Db, kind: Kind) -> None:
    owner, stranger = account(db), account(db)
    key = kind.request(http, db, owner)
    assert refusal(http.as_user(stranger).get(f"{kind.portal}/{key}")) == (404, "NOT_FOUND")
    assert refusal(http.as_user(stranger).post(f"{kind.portal}/{key}/annuler")) == (404, "NOT_FOUND")
    assert http.as_user(stranger).get(kind.portal).json() == []
    assert kind.state(db, key) == "EN_ATTENTE"


@every_kind
def test_row_level_security_hides_the_request_of_another_person_from_a_cancel(http: Http, db: Db, kind: Kind) -> None:
    """The conditions of the portal's functions are removed: the policy alone answers 404."""
    owner, stranger = account(db), account(db)
    key = kind.request(http, db, owner)
    for row in db.all(
        "select pg_get_functiondef(oid) as text from pg_proc where proowner = 'comptoir_portail'::regrole"
        " and prosrc || pg_get_functiondef(oid) ~ '\\w\\.id_client = (\\w+\\.)?[pv]_id_client'"
    ):
        db.execute(re.sub(r"\b\w+\.id_client = (\w+\.)?[pv]_id_client\b", "true", row["text"]).replace("%", "%%"))
    assert refusal(http.as_user(stranger).post(f"{kind.portal}/{key}/annuler")) == (404, "NOT_FOUND")
    assert http.as_user(owner).get(f"{kind.portal}/{key}").status_code == 200


@every_kind
def test_the_conditions_hide_the_request_of_another_person_without_row_level_security(
    http: Http, db: Db, kind: Kind
) -> None:
    owner, stranger = account(db), account(db)
    key = kind.request(http, db, owner)
    without_row_level_security(db)
    other = http.as_user(stranger)
    assert refusal(other.get(f"{kind.portal}/{key}")) == (404, "NOT_FOUND")
    assert refusal(other.post(f"{kind.portal}/{key}/annuler")) == (404, "NOT_FOUND")
    assert other.get(kind.portal).json() == []
    assert http.as_user(owner).get(f"{kind.portal}/{key}").status_code == 200


@pytest.mark.parametrize("kind", [STAY, HALL, SHOP, LAUNDRY], ids=["stay", "hall", "shop", "laundry"])
def test_an_acceptance_wants_the_verb_of_its_trade(kind: Kind) -> None:
    table = {(route.method, route.path): route.permission for route in routes.load().routes}
    assert table["POST", f"/api/v1{kind.staff}/{{{kind.key}}}/valider"] == kind.accepter


@pytest.mark.parametrize("kind", [MEAL, SHOP], ids=["meal", "shop"])
def test_the_payment_of_a_request_wants_the_verb_of_the_till(kind: Kind) -> None:
    table = {(route.method, route.path): route.permission for route in routes.load().routes}
    assert table["POST", f"/api/v1{kind.staff}/{{{kind.key}}}/encaisser"] == "FINANCES.ENCAISSER"


@every_kind
@pytest.mark.parametrize("role", ["CLIENT", "RESIDENT"])
def test_the_roles_of_the_portal_request_and_do_not_accept(http: Http, db: Db, kind: Kind, role: str) -> None:
    user = account(db, role=role)
    held_permissions = http.as_user(user).get("/auth/me").json()["permissions"]
    assert {"PORTAIL.VOIR", kind.verb} <= set(held_permissions) and kind.accepter not in held_permissions
    key = kind.request(http, db, user)
    assert refusal(http.as_user(user).post(f"{kind.staff}/{key}/{kind.accept}", json={})) == (403, "FORBIDDEN")


@every_kind
def test_an_unconfirmed_account_and_an_account_without_client_cannot_request(http: Http, db: Db, kind: Kind) -> None:
    waiting = builders.utilisateur(db, role="CLIENT", id_client=builders.client(db), a_confirmer=True)
    assert refusal(http.as_user(waiting).post(kind.portal, json=kind.body(db))) == (403, "ADRESSE_A_CONFIRMER")
    assert refusal(http.as_admin().post(kind.portal, json=kind.body(db))) == (403, "SANS_CLIENT")
    assert db.one(f"select count(*) from {kind.table}") == 0


@every_kind
def test_a_request_ignores_no_unknown_field_and_no_client(http: Http, db: Db, kind: Kind) -> None:
    """The client comes from the token: a body that names one is refused."""
    body = kind.body(db) | {"id_client": str(builders.client(db))}
    assert refusal(http.as_user(account(db)).post(kind.portal, json=body)) == (400, "VALIDATION_ERROR")
