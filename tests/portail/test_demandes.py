"""The life of a request from the portal, the same in every trade."""

import pytest

from app import routes
from tests import builders
from tests.conftest import ok, refusal
from tests.portail.demandes import (
    HALL,
    KINDS,
    LAUNDRY,
    MEAL,
    SHOP,
    STAY,
    account,
    without_conditions,
    without_row_level_security,
)  # fmt: skip

pytestmark = pytest.mark.promesse(
    "Demandes : une demande ne tient rien avant d'être acceptée, et n'est acceptée qu'une fois"
)

every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def held(db):
    """Everything that a request must not touch: rooms, stock, money, invoices, numbers of invoices."""
    return db.one(
        "select (select json_agg(l.statut order by id_logement) from residence.logement l) as rooms,"
        " (select count(*) from residence.occupation) as occupations,"
        " (select json_agg(p.quantite_stock order by id_produit) from market.produit p) as stock,"
        " (select count(*) from market.mouvement_stock) as movements,"
        " (select count(*) from facturation.facture) as invoices, (select count(*) from finances.paiement) as payments"
    )


def events(db, name):
    return db.all("select * from notification.notification where evenement = %s order by id_notification", [name])


@every_kind
def test_a_request_holds_nothing_and_notifies_the_staff_of_its_trade(http, db, kind):
    user, body = account(db, nom="Diabaté", prenoms="Fanta"), kind.body(db)
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
    event = events(db, kind.created)[-1]
    assert (event["permission"], event["donnees"][kind.key]) == (kind.viewer, key)
    other = http.as_user(builders.utilisateur(db, role="RH"))
    for person, notified in ((staff, True), (other, False)):
        assert (kind.created in [row["evenement"] for row in person.get("/notifications").json()]) is notified


@every_kind
def test_acceptance_makes_the_request_an_ordinary_row_once(http, db, kind):
    user = account(db)
    key = kind.request(http, db, user)
    answer = kind.decide(http, key, body=kind.acceptance(db))
    assert answer.status_code == 200, answer.text
    mine = http.as_user(user).get("/notifications").json()
    assert [(row["evenement"], row["corps"]) for row in mine] == [(kind.decided, "Acceptée.")]
    assert refusal(kind.decide(http, key, body=kind.acceptance(db))) == (409, kind.handled)
    assert refusal(http.as_user(user).post(f"{kind.portal}/{key}/annuler", json={})) == (409, "DEMANDE_TRAITEE")
    assert http.as_user(user).get(f"{kind.portal}/{key}").json()["statut"] == kind.accepted


@every_kind
def test_a_refusal_shows_its_reason_to_the_requester(http, db, kind):
    user = account(db)
    key = kind.request(http, db, user)
    before = held(db)
    answer = ok(kind.decide(http, key, "annuler", {"motif": "Complet ce jour-là"}))
    shown = http.as_user(user).get(f"{kind.portal}/{key}").json()
    assert (shown["statut"], shown["motif_annulation"]) == (kind.cancelled, "Complet ce jour-là")
    assert answer["motif_annulation"] == "Complet ce jour-là"
    assert held(db) == before
    mine = http.as_user(user).get("/notifications").json()
    assert [(row["evenement"], row["corps"]) for row in mine] == [(kind.decided, "Refusée : Complet ce jour-là")]
    assert refusal(kind.decide(http, key, body=kind.acceptance(db))) == (409, kind.handled)
    assert refusal(kind.decide(http, key, "annuler")) == (409, "TRANSITION_INTERDITE")


@every_kind
def test_the_requester_cancels_while_the_request_waits(http, db, kind):
    user = account(db)
    key = kind.request(http, db, user)
    path, reason = f"{kind.portal}/{key}/annuler", {"motif": "Changement de programme"}
    answer = ok(http.as_user(user).post(path, json=reason))
    assert (answer["statut"], answer["motif_annulation"]) == (kind.cancelled, "Changement de programme")
    assert refusal(http.as_user(user).post(path)) == (409, "DEMANDE_TRAITEE")
    assert events(db, kind.decided) == []


@pytest.mark.parametrize("remove", [without_row_level_security, without_conditions])
def test_each_guard_alone_hides_the_request_of_another_person(http, db, remove):
    owner, other = account(db), http.as_user(account(db))
    requests = [(kind, kind.request(http, db, owner)) for kind in KINDS.values()]
    remove(db)
    for kind, key in requests:
        assert refusal(other.get(f"{kind.portal}/{key}")) == (404, "NOT_FOUND")
        assert refusal(other.post(f"{kind.portal}/{key}/annuler")) == (404, "NOT_FOUND")
        assert other.get(kind.portal).json() == []
        assert http.as_user(owner).get(f"{kind.portal}/{key}").json()["statut"] == "EN_ATTENTE"


def test_an_acceptance_wants_the_verb_of_its_trade_and_a_payment_that_of_the_till():
    table = {(route.method, route.path): route.permission for route in routes.load().routes}
    verbs = [(kind, "valider", kind.accepter) for kind in (STAY, HALL, SHOP, LAUNDRY)]
    verbs += [(kind, "encaisser", "FINANCES.ENCAISSER") for kind in (MEAL, SHOP)]
    for kind, verb, permission in verbs:
        assert table["POST", f"/api/v1{kind.staff}/{{{kind.key}}}/{verb}"] == permission


@every_kind
def test_a_request_needs_a_confirmed_account_of_a_client_and_names_no_client(http, db, kind):
    """The client comes from the token: a body that names one is refused."""
    body, client = kind.body(db), builders.client(db)
    waiting = builders.utilisateur(db, role="CLIENT", id_client=client, a_confirmer=True)
    assert refusal(http.as_user(waiting).post(kind.portal, json=body)) == (403, "ADRESSE_A_CONFIRMER")
    assert refusal(http.as_admin().post(kind.portal, json=body)) == (403, "SANS_CLIENT")
    named = http.as_user(account(db)).post(kind.portal, json=body | {"id_client": str(client)})
    assert refusal(named) == (400, "VALIDATION_ERROR")
    assert db.one(f"select count(*) from {kind.table}") == 0
