"""Deposits: declared, collected and refunded, by payment or by declaration, and put right after an error."""

from datetime import timedelta
from decimal import Decimal

import pytest

from tests import builders, livre
from tests.conftest import refused


@pytest.fixture
def lease(db):
    return builders.contrat(db)


def declare(db, lease, montant="150000"):
    return db.call("residence.caution_creer", id_contrat=lease, montant=montant)


def payments(db):
    return db.all("select type, montant::text, motif, reference, id_caisse from finances.paiement order by id_paiement")


def test_a_deposit_is_collected_and_refunded_by_payments(http, db, lease):
    number = db.one("select numero_contrat from residence.contrat_location where id_contrat = %s", [lease])
    moyen = str(builders.moyen(db))
    admin = http.as_admin()
    path = f"/residence/contrats/{lease}/caution"
    assert admin.get(path).status_code == 404
    declared = admin.post(path, json={"montant": "150000"})
    assert (declared.status_code, declared.json()["payee"], declared.json()["statut"]) == (201, False, "EN_COURS")
    collected = admin.post(f"{path}/encaisser", json={"id_moyen": moyen}).json()
    assert (collected["payee"], collected["statut"], collected["montant"]) == (True, "EN_COURS", "150000.00")
    assert collected["id_paiement"] is not None
    refunded = admin.post(
        f"{path}/rembourser", json={"id_moyen": moyen, "retenue": "25000", "motif_retenue": "Vitre cassée"}
    ).json()
    caution = refunded["id_caution"]
    assert {key: refunded[key] for key in ("statut", "montant_restitue", "retenue", "motif_retenue")} == {
        "statut": "RESTITUEE", "montant_restitue": "125000.00", "retenue": "25000.00", "motif_retenue": "Vitre cassée",
    }  # fmt: skip
    common = {"motif": f"Caution {number}", "reference": f"CAUTION-{caution}", "id_caisse": None}
    assert payments(db) == [
        {"type": "ENCAISSEMENT", "montant": "150000.00"} | common,
        {"type": "DECAISSEMENT", "montant": "125000.00"} | common,
    ]
    assert db.one(
        "select array_agg(distinct a.code::text) from finances.paiement join core.activite a using (id_activite)"
    ) == ["LOCATION_RESIDENTIEL"]
    detail = admin.get(path).json()
    assert detail == {key: value for key, value in refunded.items() if key != "id_paiement"}
    assert [(row["evenement"], row["montant"], row["motif"]) for row in detail["historique"]] == [
        ("DECLARATION", "150000.00", None),
        ("ENCAISSEMENT", "150000.00", None),
        ("REMBOURSEMENT", "125000.00", "Vitre cassée"),
    ]


def test_a_deposit_by_declaration_writes_no_payment(http, db, lease):
    admin = http.as_admin()
    path = f"/residence/contrats/{lease}/caution"
    admin.post(path, json={"montant": "150000"})
    received = admin.post(
        f"{path}/versement", json={"date_versement": "2026-01-02", "montant": "140000", "motif": "Reçu 12"}
    )
    assert (received.json()["payee"], received.json()["date_versement"], received.json()["montant"]) == (
        True, "2026-01-02", "140000.00",
    )  # fmt: skip
    returned = admin.post(f"{path}/restitution", json={"retenue": "140000", "motif_retenue": "Loyers"}).json()
    assert (returned["statut"], returned["montant_restitue"]) == ("RETENUE", "0.00")
    assert [row["evenement"] for row in returned["historique"]] == ["DECLARATION", "VERSEMENT", "RESTITUTION"]
    assert payments(db) == []


def test_withholding_the_whole_deposit_writes_no_refund(db, lease):
    declare(db, lease)
    moyen = builders.moyen(db)
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=moyen, reference="BORDEREAU-7")
    answer = db.call("residence.caution_rembourser", id_contrat=lease, id_moyen=moyen, retenue="150000")
    assert (answer["statut"], answer["id_paiement"], answer["montant_restitue"]) == ("RETENUE", None, 0)
    assert [(row["type"], row["reference"]) for row in payments(db)] == [("ENCAISSEMENT", "BORDEREAU-7")]


def test_the_payments_of_a_deposit_go_through_the_till_of_the_cashier(db, lease):
    declare(db, lease)
    moyen = builders.moyen(db)
    till = builders.caisse(db, activite_code="LOCATION_RESIDENTIEL", ouverte=False)
    db.acting(builders.utilisateur(db, caisse=till))
    with refused("PERIODE_CAISSE_FERMEE", 409):
        db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=moyen)
    assert db.call("residence.caution_detail", id_contrat=lease)["payee"] is False
    db.call("finances.caisse_ouvrir", id_caisse=till)
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=moyen)
    db.call("residence.caution_rembourser", id_contrat=lease, id_moyen=moyen)
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
@pytest.mark.parametrize("action", ACTIONS)
def test_each_action_on_a_deposit_is_allowed_only_in_its_states(db, lease, state, action):
    moyen = builders.moyen(db)
    for reached, function in [("declaree", "creer"), ("versee", "verser"), ("rendue", "restituer")]:
        if STATES.index(state) >= STATES.index(reached):
            db.call(
                f"residence.caution_{function}", id_contrat=lease, **({"montant": "100"} if function == "creer" else {})
            )
    events = db.one("select count(*) from residence.caution_evenement")
    fields = {"creer": {"montant": "5"}, "encaisser": {"id_moyen": moyen}, "rembourser": {"id_moyen": moyen}}.get(
        action, {}
    )
    rule = ACTIONS[action].get(state)
    if rule is None:
        db.call(f"residence.caution_{action}", id_contrat=lease, **fields)
        assert db.one("select count(*) from residence.caution_evenement") == events + 1
        return
    with refused(rule, 404 if rule == "NOT_FOUND" else 409):
        db.call(f"residence.caution_{action}", id_contrat=lease, **fields)
    assert db.one("select count(*) from residence.caution_evenement") == events
    assert payments(db) == []


@pytest.mark.parametrize("action", ["rembourser", "restituer"])
def test_a_retained_amount_above_the_deposit_is_refused(db, lease, action):
    declare(db, lease, "100")
    db.call("residence.caution_verser", id_contrat=lease)
    fields = {"id_moyen": builders.moyen(db)} if action == "rembourser" else {}
    with refused("RETENUE_INVALIDE", 400):
        db.call(f"residence.caution_{action}", id_contrat=lease, retenue="100.01", **fields)
    with refused("MONTANT_POSITIF", 400):
        db.call(f"residence.caution_{action}", id_contrat=lease, retenue="-1", **fields)
    assert db.call("residence.caution_detail", id_contrat=lease)["statut"] == "EN_COURS"


def test_a_deposit_refuses_a_future_date(db, lease):
    declare(db, lease)
    tomorrow = db.one("select core.aujourdhui()") + timedelta(days=1)
    with refused("DATE_FUTURE", 400):
        db.call("residence.caution_verser", id_contrat=lease, date_versement=tomorrow)
    with refused("DATE_FUTURE", 400):
        db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=builders.moyen(db), date=tomorrow)


@pytest.mark.parametrize("action", ["rembourser", "restituer"])
def test_a_deposit_cannot_be_refunded_before_its_receipt(db, lease, action):
    declare(db, lease)
    today = db.one("select core.aujourdhui()")
    if action == "rembourser":
        db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=builders.moyen(db))
        with refused("CAUTION_RESTITUEE_APRES_VERSEMENT", 400):
            body = {"id_moyen": builders.moyen(db), "date": today - timedelta(days=1)}
            db.call("residence.caution_rembourser", id_contrat=lease, **body)
        assert [row["type"] for row in payments(db)] == ["ENCAISSEMENT"]
    else:
        db.call("residence.caution_verser", id_contrat=lease, date_versement=today)
        with refused("CAUTION_RESTITUEE_APRES_VERSEMENT", 400):
            db.execute(
                "update residence.caution set (date_restitution, montant_restitue, retenue) = "
                "(date_versement - 1, montant, 0)"
            )


def test_a_user_of_another_activity_sees_no_deposit(db, lease):
    declare(db, lease)
    db.acting(builders.utilisateur(db, activite=builders.activite(db)))
    for action in ("detail", "verser"):
        with refused("NOT_FOUND", 404):
            db.call(f"residence.caution_{action}", id_contrat=lease)
    with refused("NOT_FOUND", 404):
        db.call("residence.caution_creer", id_contrat=lease, montant="1")


def test_the_return_of_a_collected_deposit_pays_it_back_by_the_same_method(http, db, lease):
    declare(db, lease, "150000.50")
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=builders.moyen(db, "Virement"))
    path = f"/residence/contrats/{lease}/caution/restitution"
    returned = http.as_admin().post(path, json={"retenue": "25000", "motif_retenue": "Vitre cassée"}).json()
    assert (returned["statut"], returned["montant_restitue"], returned["retenue"]) == (
        "RESTITUEE", "125000.50", "25000.00",
    )  # fmt: skip
    assert [row["evenement"] for row in returned["historique"]] == ["DECLARATION", "ENCAISSEMENT", "REMBOURSEMENT"]
    payment = db.one(
        "select p.type::text, p.montant, m.libelle from finances.paiement p"
        " join finances.moyen_paiement m using (id_moyen) where id_paiement = %s",
        [returned["id_paiement"]],
    )
    assert payment == {"type": "DECAISSEMENT", "montant": Decimal("125000.50"), "libelle": "Virement"}
    again = http.as_admin().post(path)
    assert (again.status_code, again.json()["code"]) == (409, "CAUTION_DEJA_RESTITUEE")


def test_returning_a_collected_deposit_requires_the_permission_to_pay(http, db, lease):
    """A user who may only change leases may declare a deposit returned, but may not take money out of a till."""
    declare(db, lease)
    role = db.call("auth.role_creer", code="GARDIEN", libelle="Gardien")["id_role"]
    db.execute(
        "insert into auth.role_permission (id_role, id_permission) select %s, id_permission from auth.permission"
        " where code in ('RESIDENCE.VOIR', 'RESIDENCE.MODIFIER')",
        [role],
    )
    keeper = http.as_user(builders.utilisateur(db, role="GARDIEN"))
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=builders.moyen(db))
    answer = keeper.post(f"/residence/contrats/{lease}/caution/restitution")
    assert (answer.status_code, answer.json()["code"]) == (403, "RESTITUTION_EN_ARGENT")
    assert [row["type"] for row in payments(db)] == ["ENCAISSEMENT"]
    other = builders.contrat(db)
    declare(db, other)
    db.call("residence.caution_verser", id_contrat=other)
    assert keeper.post(f"/residence/contrats/{other}/caution/restitution").json()["statut"] == "RESTITUEE"


# ---- errors put right


def events(db):
    rows = db.all("select evenement, montant from residence.caution_evenement order by id_evenement")
    return [(row["evenement"], row["montant"]) for row in rows]


def ended(db, lease):
    db.call("residence.contrat_resilier", id_contrat=lease)


def test_a_deposit_collected_by_mistake_is_given_back_and_collected_again(db, lease):
    moyen = builders.moyen(db)
    first = declare(db, lease)
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=moyen, montant="1500000")
    db.call("residence.caution_rembourser", id_contrat=lease, id_moyen=moyen)
    again = declare(db, lease, "160000")
    assert (again["id_caution"], again["montant"], again["payee"], again["statut"]) == (
        first["id_caution"], 160000, False, "EN_COURS",
    )  # fmt: skip
    assert [again[key] for key in ("date_versement", "date_restitution", "montant_restitue", "retenue")] == [None] * 4
    with refused("CAUTION_NON_VERSEE", 409):
        db.call("residence.caution_rembourser", id_contrat=lease, id_moyen=moyen)
    assert livre.wrong(db) == []
    row = db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=moyen, montant="150000")
    assert events(db) == [
        ("DECLARATION", 150000), ("ENCAISSEMENT", 1500000), ("REMBOURSEMENT", 1500000),
        ("DECLARATION", 160000), ("ENCAISSEMENT", 150000),
    ]  # fmt: skip
    assert (row["montant"], row["payee"], row["statut"]) == (150000, True, "EN_COURS")
    assert livre.wrong(db) == []
    assert db.all("select * from jobs._controler()") == []


def test_a_deposit_collected_by_mistake_may_be_received_by_declaration(db, lease):
    """The last receipt decides: no till pays back money that was only declared."""
    moyen = builders.moyen(db)
    declare(db, lease)
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=moyen)
    db.call("residence.caution_rembourser", id_contrat=lease, id_moyen=moyen)
    declare(db, lease)
    db.call("residence.caution_verser", id_contrat=lease)
    with refused("CAUTION_NON_ENCAISSEE", 409):
        db.call("residence.caution_rembourser", id_contrat=lease, id_moyen=moyen)
    assert livre.wrong(db) == []
    returned = db.call("residence.caution_restituer", id_contrat=lease, retenue="100")
    assert (returned["id_paiement"], returned["retenue"]) == (None, 100)
    assert livre.wrong(db) == []


@pytest.mark.parametrize("kept, after", [("100", lambda db, lease: None), ("0", ended)])
def test_a_deposit_partly_kept_or_of_an_ended_lease_is_not_declared_again(db, lease, kept, after):
    declare(db, lease)
    db.call("residence.caution_verser", id_contrat=lease)
    db.call("residence.caution_restituer", id_contrat=lease, retenue=kept)
    after(db, lease)
    with refused("CAUTION_DEJA_DECLAREE", 409):
        declare(db, lease)


@pytest.mark.parametrize("action", ["rembourser", "restituer"])
def test_the_kept_part_of_a_deposit_is_given_back_later(db, lease, action):
    moyen = builders.moyen(db)
    declare(db, lease)
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=moyen)
    fields = {"id_contrat": lease} | ({"id_moyen": moyen} if action == "rembourser" else {})

    def give_back(**more):
        return db.call(f"residence.caution_{action}", **fields, **more)

    give_back(retenue="150000", motif_retenue="Peinture")
    for refusal in ({}, {"retenue": "150000"}):  # without an amount it is a second click
        with refused("CAUTION_DEJA_RESTITUEE", 409):
            give_back(**refusal)
    row = give_back(retenue="15000", motif_retenue="Vitre")
    assert (row["statut"], row["montant_restitue"], row["retenue"], row["motif_retenue"]) == (
        "RESTITUEE", 135000, 15000, "Vitre",
    )  # fmt: skip
    assert livre.wrong(db) == []
    row = give_back(retenue="0")
    assert (row["montant_restitue"], row["retenue"], row["motif_retenue"]) == (150000, 0, None)
    assert [(p["type"], p["montant"]) for p in payments(db)] == [
        ("ENCAISSEMENT", "150000.00"), ("DECAISSEMENT", "135000.00"), ("DECAISSEMENT", "15000.00"),
    ]  # fmt: skip
    assert events(db)[2:] == [("REMBOURSEMENT", 0), ("REMBOURSEMENT", 135000), ("REMBOURSEMENT", 15000)]
    assert livre.wrong(db) == []
    with refused("CAUTION_DEJA_RESTITUEE", 409):
        give_back(retenue="0")


def test_the_kept_part_of_a_deposit_is_not_given_back_before_its_receipt(db, lease):
    moyen, today = builders.moyen(db), db.one("select core.aujourdhui()")
    declare(db, lease)
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=moyen)
    db.call("residence.caution_rembourser", id_contrat=lease, id_moyen=moyen, retenue="100")
    with refused("CAUTION_RESTITUEE_APRES_VERSEMENT", 400):
        body = {"retenue": "0", "date": today - timedelta(days=1)}
        db.call("residence.caution_rembourser", id_contrat=lease, id_moyen=moyen, **body)


def test_a_received_deposit_and_its_history_never_change(db, lease):
    declare(db, lease)
    db.execute("update residence.caution set montant = 140000")  # the deposit is not received yet
    db.call("residence.caution_verser", id_contrat=lease)
    for statement in (
        "update residence.caution set montant = 1",
        "delete from residence.caution",
        "update residence.caution_evenement set montant = 1",
        "delete from residence.caution_evenement",
    ):
        with refused("LIGNE_FIGEE", 409):
            db.execute(statement)
