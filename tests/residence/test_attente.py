"""A pending lease: it owes nothing, and it can be cancelled."""

from datetime import timedelta
from decimal import Decimal

from tests import builders
from tests.conftest import ok, refusal
from tests.residence.leases import collect, empty, instalments, room_of


def pending_lease(db, **fields):
    """A pending lease that was to begin two months ago."""
    start = db.today() - timedelta(days=63)
    return builders.contrat(db, **{"actif": False, "date_debut": start, "date_fin_prevue": None} | fields)


def test_a_pending_lease_owes_nothing_in_any_report(http, db):
    client = builders.client(db)
    lease = pending_lease(db, id_client=client)
    collect(db, instalments(db, lease)[0], "500.50")
    admin = http.as_admin()
    resident = http.as_user(db.one("select id_utilisateur from auth.utilisateur where id_client = %s", [client]))

    def owed():
        states = {row["statut"] for row in admin.get("/residence/suivi").json()}
        assert {row["statut"] for row in admin.get(f"/residence/contrats/{lease}").json()["echeances"]} == states
        lists = [len(admin.get(f"/{part}/impayes").json()) for part in ("residence", "finances")]
        portal = resident.get("/residence/portail/resume").json()["total_impayes"]
        return states, lists, {portal, admin.get("/dashboard").json()["residence"]["impayes"]}

    assert owed() == ({"A_VENIR"}, [0, 0], {"0.00"})
    db.call("residence.contrat_activer", id_contrat=lease)
    due = db.one("select count(*) from residence.echeance where date_echeance <= core.aujourdhui()")
    states, lists, sums = owed()
    assert due >= 2 and (states, lists) == ({"IMPAYE", "PARTIEL", "A_VENIR"}, [due, due]) and "0.00" not in sums


def test_a_pending_lease_can_be_cancelled(http, db):
    lease = pending_lease(db)
    admin, path = http.as_admin(), f"/residence/contrats/{lease}/annuler"
    assert room_of(db, lease)["statut"] == "RESERVE"
    row = ok(admin.post(path, json={"motif": "Le client a renoncé"}))
    assert (row["statut"], row["echeances"], row["montant_a_rembourser"]) == ("RESILIE", [], "0.00")
    assert (row["motif_resiliation"], row["date_resiliation"]) == ("Le client a renoncé", row["date_debut"])
    assert admin.get("/residence/suivi").json() == []
    room = room_of(db, lease)
    assert room["statut"] == "DISPONIBLE"
    # The room is free again from the first day of the lease.
    builders.contrat(db, id_logement=room["id_logement"], date_debut=row["date_debut"], date_fin_prevue=None)
    assert refusal(admin.post(path)) == (409, "TRANSITION_INTERDITE")


def test_the_payments_of_a_cancelled_pending_lease_are_refunded(db):
    lease = pending_lease(db)
    collect(db, instalments(db, lease)[0], "500.50")
    assert db.call("residence.contrat_annuler", id_contrat=lease)["montant_a_rembourser"] == Decimal("500.50")
    refund = db.call("residence.contrat_rembourser", id_contrat=lease, id_moyen=builders.moyen(db))
    assert (refund["montant_rembourse"], refund["montant_a_rembourser"]) == (Decimal("500.50"), 0)
    assert db.one("select statut::text from facturation.facture") == "ANNULEE"
    assert [row for row in instalments(db, lease) if not row["annulee"]] == []
    assert db.all("select * from jobs._controler()") == []


def test_cancelling_one_of_two_pending_leases_keeps_the_room_reserved(db):
    start = db.today()
    first = pending_lease(db, date_debut=start, date_fin_prevue=start + timedelta(days=13))
    room = room_of(db, first)["id_logement"]
    empty(db, room)
    # The second lease is signed while the first is pending.
    second = pending_lease(db, id_logement=room, date_debut=start + timedelta(days=14))
    for lease, left in ((first, "RESERVE"), (second, "DISPONIBLE")):
        db.call("residence.contrat_annuler", id_contrat=lease)
        assert room_of(db, second)["statut"] == left
