"""Deposits: declared, collected and refunded, by payment or by declaration, and put right after an error."""

from contextlib import nullcontext
from datetime import timedelta
from decimal import Decimal

import pytest

from tests import builders, livre
from tests.conftest import refusal, refused, values_of
from tests.residence.leases import numero, terminate


@pytest.fixture
def lease(db):
    return builders.contrat(db)


def declare(db, lease, montant="150000"):
    return db.call("residence.caution_creer", id_contrat=lease, montant=montant)


def payments(db):
    return db.all("select type, montant::text, motif, reference, id_caisse from finances.paiement order by id_paiement")


def act(db, lease, action, **fields):
    return db.call(f"residence.caution_{action}", id_contrat=lease, **fields)


def collect(db, lease, **fields):
    """Collect the deposit, in cash if no method is given."""
    return act(db, lease, "encaisser", **{"id_moyen": builders.moyen(db)} | fields)


def give_back(db, lease, action="rembourser", **fields):
    """Give back the deposit, or declare it returned."""
    return act(db, lease, action, **({"id_moyen": builders.moyen(db)} if action == "rembourser" else {}) | fields)


def test_a_deposit_is_collected_and_refunded_by_payments(http, db, lease):
    moyen = str(builders.moyen(db))
    admin, path = http.as_admin(), f"/residence/contrats/{lease}/caution"
    assert admin.get(path).status_code == 404
    declared = admin.post(path, json={"montant": "150000"})
    assert (declared.status_code, declared.json()["payee"], declared.json()["statut"]) == (201, False, "EN_COURS")
    collected = admin.post(f"{path}/encaisser", json={"id_moyen": moyen}).json()
    assert (collected["payee"], collected["statut"], collected["montant"]) == (True, "EN_COURS", "150000.00")
    assert collected["id_paiement"] is not None
    body = {"id_moyen": moyen, "retenue": "25000", "motif_retenue": "Vitre cassée"}
    refunded = admin.post(f"{path}/rembourser", json=body).json()
    assert {key: refunded[key] for key in ("statut", "montant_restitue", "retenue", "motif_retenue")} == {
        "statut": "RESTITUEE", "montant_restitue": "125000.00", "retenue": "25000.00", "motif_retenue": "Vitre cassée",
    }  # fmt: skip
    common = {"motif": f"Caution {numero(db, lease)}", "reference": f"CAUTION-{refunded['id_caution']}"}
    assert payments(db) == [
        {"type": "ENCAISSEMENT", "montant": "150000.00", "id_caisse": None} | common,
        {"type": "DECAISSEMENT", "montant": "125000.00", "id_caisse": None} | common,
    ]
    activities = (
        "select array_agg(distinct a.code::text) from finances.paiement join core.activite a using (id_activite)"
    )
    assert db.one(activities) == ["LOCATION_RESIDENTIEL"]
    detail = admin.get(path).json()
    assert detail == {key: value for key, value in refunded.items() if key != "id_paiement"}
    assert [(row["evenement"], row["montant"], row["motif"]) for row in detail["historique"]] == [
        ("DECLARATION", "150000.00", None),
        ("ENCAISSEMENT", "150000.00", None),
        ("REMBOURSEMENT", "125000.00", "Vitre cassée"),
    ]


def test_a_deposit_by_declaration_writes_no_payment(http, db, lease):
    admin, path = http.as_admin(), f"/residence/contrats/{lease}/caution"
    admin.post(path, json={"montant": "150000"})
    body = {"date_versement": "2026-01-02", "montant": "140000", "motif": "Reçu 12"}
    received = admin.post(f"{path}/versement", json=body).json()
    assert received["payee"] is True
    assert (received["date_versement"], received["montant"]) == ("2026-01-02", "140000.00")
    returned = admin.post(f"{path}/restitution", json={"retenue": "140000", "motif_retenue": "Loyers"}).json()
    assert (returned["statut"], returned["montant_restitue"]) == ("RETENUE", "0.00")
    assert [row["evenement"] for row in returned["historique"]] == ["DECLARATION", "VERSEMENT", "RESTITUTION"]
    assert payments(db) == []


def test_the_payments_of_a_deposit_go_through_the_till_of_the_cashier(db, lease):
    declare(db, lease)
    till = builders.caisse(db, activite_code="LOCATION_RESIDENTIEL", ouverte=False)
    db.acting(builders.utilisateur(db, caisse=till))
    with refused("PERIODE_CAISSE_FERMEE", 409):
        collect(db, lease)
    db.call("finances.caisse_ouvrir", id_caisse=till)
    collect(db, lease)
    give_back(db, lease)
    assert [(row["type"], row["id_caisse"]) for row in payments(db)] == [("ENCAISSEMENT", till), ("DECAISSEMENT", till)]


STATES = ["absente", "declaree", "versee", "rendue"]
ACTIONS = {
    "creer": {"declaree": "CAUTION_DEJA_DECLAREE", "versee": "CAUTION_DEJA_DECLAREE"},
    "verser": {"absente": "NOT_FOUND", "versee": "CAUTION_DEJA_VERSEE", "rendue": "CAUTION_DEJA_VERSEE"},
    "encaisser": {"absente": "NOT_FOUND", "versee": "CAUTION_DEJA_VERSEE", "rendue": "CAUTION_DEJA_VERSEE"},
    "rembourser": {
        "absente": "NOT_FOUND",
        "declaree": "CAUTION_NON_VERSEE",
        "versee": "CAUTION_NON_ENCAISSEE",  # received by declaration
        "rendue": "CAUTION_DEJA_RESTITUEE",
    },
    "restituer": {"absente": "NOT_FOUND", "declaree": "CAUTION_NON_VERSEE", "rendue": "CAUTION_DEJA_RESTITUEE"},
}


@pytest.mark.parametrize("state", STATES)
def test_each_action_on_a_deposit_is_allowed_only_in_its_states(db, lease, state):
    if state != "absente":
        declare(db, lease, "100")
    for reached, function in [("versee", "verser"), ("rendue", "restituer")]:
        if STATES.index(state) >= STATES.index(reached):
            act(db, lease, function)
    events, moyen = "select count(*) from residence.caution_evenement", {"id_moyen": builders.moyen(db)}
    before = db.one(events)
    for action, refusals in ACTIONS.items():
        fields = {"creer": {"montant": "5"}, "encaisser": moyen, "rembourser": moyen}.get(action, {})
        rule = refusals.get(state)
        with db.connection.transaction(force_rollback=True):
            with refused(rule, 404 if rule == "NOT_FOUND" else 409) if rule else nullcontext():
                act(db, lease, action, **fields)
            assert db.one(events) == before + (rule is None), action
            assert not rule or payments(db) == []


@pytest.mark.parametrize("action", ["rembourser", "restituer"])
def test_a_retained_amount_above_the_deposit_is_refused(db, lease, action):
    declare(db, lease, "100")
    act(db, lease, "verser")
    for retained, rule in (("100.01", "RETENUE_INVALIDE"), ("-1", "MONTANT_POSITIF")):
        with refused(rule, 400):
            give_back(db, lease, action, retenue=retained)


def test_a_deposit_refuses_a_future_date(db, lease):
    declare(db, lease)
    tomorrow = db.today() + timedelta(days=1)
    with refused("DATE_FUTURE", 400):
        act(db, lease, "verser", date_versement=tomorrow)
    with refused("DATE_FUTURE", 400):
        collect(db, lease, date=tomorrow)


@pytest.mark.parametrize("kept", [None, "100"])
def test_a_deposit_or_its_kept_part_is_not_refunded_before_its_receipt(db, lease, kept):
    declare(db, lease)
    collect(db, lease)
    if kept:
        give_back(db, lease, retenue=kept)
    with refused("CAUTION_RESTITUEE_APRES_VERSEMENT", 400):
        give_back(db, lease, retenue="0", date=db.today() - timedelta(days=1))
    returned = "(date_restitution, montant_restitue, retenue) = (date_versement - 1, montant, 0)"
    with refused("CAUTION_RESTITUEE_APRES_VERSEMENT", 400):
        db.execute(f"update residence.caution set {returned}")


def test_the_return_of_a_collected_deposit_pays_it_back_by_the_same_method(http, db, lease):
    declare(db, lease, "150000.50")
    collect(db, lease, id_moyen=builders.moyen(db, "Virement"))
    admin, path = http.as_admin(), f"/residence/contrats/{lease}/caution/restitution"
    returned = admin.post(path, json={"retenue": "25000", "motif_retenue": "Vitre cassée"}).json()
    assert values_of(returned, "statut montant_restitue retenue") == ("RESTITUEE", "125000.50", "25000.00")
    assert [row["evenement"] for row in returned["historique"]] == ["DECLARATION", "ENCAISSEMENT", "REMBOURSEMENT"]
    paid = db.one("select * from finances.paiement where id_paiement = %s", [returned["id_paiement"]])
    expected = ("DECAISSEMENT", Decimal("125000.50"), builders.moyen(db, "Virement"))
    assert values_of(paid, "type montant id_moyen") == expected
    assert refusal(admin.post(path)) == (409, "CAUTION_DEJA_RESTITUEE")


def test_returning_a_collected_deposit_requires_the_permission_to_pay(http, db, lease):
    """A user who may only change leases may declare a deposit returned, but may not take money out of a till."""
    keeper = http.as_user(builders.porteur(db, "RESIDENCE.VOIR", "RESIDENCE.MODIFIER"))
    other = builders.contrat(db)
    for number in (lease, other):
        declare(db, number)
    collect(db, lease)
    assert refusal(keeper.post(f"/residence/contrats/{lease}/caution/restitution")) == (403, "RESTITUTION_EN_ARGENT")
    assert [row["type"] for row in payments(db)] == ["ENCAISSEMENT"]
    act(db, other, "verser")
    assert keeper.post(f"/residence/contrats/{other}/caution/restitution").json()["statut"] == "RESTITUEE"


def events(db):
    rows = db.all("select evenement, montant from residence.caution_evenement order by id_evenement")
    return [(row["evenement"], row["montant"]) for row in rows]


def test_a_deposit_collected_by_mistake_is_given_back_and_collected_again(db, lease):
    first = declare(db, lease)
    collect(db, lease, montant="1500000")
    give_back(db, lease)
    again = declare(db, lease, "160000")
    assert values_of(again, "id_caution montant payee statut") == (first["id_caution"], 160000, False, "EN_COURS")
    assert [again[key] for key in ("date_versement", "date_restitution", "montant_restitue", "retenue")] == [None] * 4
    with refused("CAUTION_NON_VERSEE", 409):
        give_back(db, lease)
    assert livre.wrong(db) == []
    row = collect(db, lease, montant="150000")
    assert events(db) == [
        ("DECLARATION", 150000), ("ENCAISSEMENT", 1500000), ("REMBOURSEMENT", 1500000),
        ("DECLARATION", 160000), ("ENCAISSEMENT", 150000),
    ]  # fmt: skip
    assert (row["montant"], row["payee"], row["statut"]) == (150000, True, "EN_COURS")
    assert livre.wrong(db) == db.all("select * from jobs._controler()") == []


def test_a_deposit_collected_by_mistake_may_be_received_by_declaration(db, lease):
    """The last receipt decides: no till pays back money that was only declared."""
    declare(db, lease)
    collect(db, lease)
    give_back(db, lease)
    declare(db, lease)
    act(db, lease, "verser")
    with refused("CAUTION_NON_ENCAISSEE", 409):
        give_back(db, lease)
    assert livre.wrong(db) == []
    returned = give_back(db, lease, "restituer", retenue="100")
    assert (returned["id_paiement"], returned["retenue"]) == (None, 100)
    assert livre.wrong(db) == []


@pytest.mark.parametrize("kept", ["100", "0"])
def test_a_deposit_partly_kept_or_of_an_ended_lease_is_not_declared_again(db, lease, kept):
    declare(db, lease)
    act(db, lease, "verser")
    act(db, lease, "restituer", retenue=kept)
    if kept == "0":
        terminate(db, lease)
    with refused("CAUTION_DEJA_DECLAREE", 409):
        declare(db, lease)


@pytest.mark.parametrize("action", ["rembourser", "restituer"])
def test_the_kept_part_of_a_deposit_is_given_back_later(db, lease, action):
    declare(db, lease)
    collect(db, lease, reference="BORDEREAU-7")
    whole = give_back(db, lease, action, retenue="150000", motif_retenue="Peinture")
    assert (whole["statut"], whole["id_paiement"], whole["montant_restitue"]) == ("RETENUE", None, 0)
    assert [row["reference"] for row in payments(db)] == ["BORDEREAU-7"]
    for fields in ({}, {"retenue": "150000"}):  # without an amount it is a second click
        with refused("CAUTION_DEJA_RESTITUEE", 409):
            give_back(db, lease, action, **fields)
    row = give_back(db, lease, action, retenue="15000", motif_retenue="Vitre")
    assert values_of(row, "statut montant_restitue retenue motif_retenue") == ("RESTITUEE", 135000, 15000, "Vitre")
    assert livre.wrong(db) == []
    row = give_back(db, lease, action, retenue="0")
    assert (row["montant_restitue"], row["retenue"], row["motif_retenue"]) == (150000, 0, None)
    assert [(p["type"], p["montant"]) for p in payments(db)] == [
        ("ENCAISSEMENT", "150000.00"), ("DECAISSEMENT", "135000.00"), ("DECAISSEMENT", "15000.00"),
    ]  # fmt: skip
    assert events(db)[2:] == [("REMBOURSEMENT", 0), ("REMBOURSEMENT", 135000), ("REMBOURSEMENT", 15000)]
    assert livre.wrong(db) == []
    with refused("CAUTION_DEJA_RESTITUEE", 409):
        give_back(db, lease, action, retenue="0")


def test_a_received_deposit_and_its_history_never_change(db, lease):
    declare(db, lease)
    db.execute("update residence.caution set montant = 140000")  # the deposit is not received yet
    act(db, lease, "verser")
    for table in ("caution", "caution_evenement"):
        for statement in (f"update residence.{table} set montant = 1", f"delete from residence.{table}"):
            with refused("LIGNE_FIGEE", 409):
                db.execute(statement)
    other = builders.contrat(db)
    for change in ("date_versement = null", "date_versement = date_versement - 1", f"id_contrat = {other}"):
        with refused("LIGNE_FIGEE", 409):
            db.execute(f"update residence.caution set {change}")
