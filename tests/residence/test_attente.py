"""A pending lease: it owes nothing, and it can be cancelled."""

from datetime import timedelta
from decimal import Decimal

from tests import builders
from tests.conftest import refused


def pending_lease(db, **fields):
    """A pending lease that was to begin two months ago."""
    start = db.one("select core.aujourdhui()") - timedelta(days=63)
    return builders.contrat(db, **{"actif": False, "date_debut": start, "date_fin_prevue": None} | fields)


def first(db, lease):
    return db.one(
        "select id_echeance from residence.echeance where id_contrat = %s order by date_echeance limit 1", [lease]
    )


def room_of(db, lease):
    return db.one(
        "select l.id_logement, l.statut::text from residence.logement l"
        " join residence.contrat_location using (id_logement) where id_contrat = %s",
        [lease],
    )


def test_a_pending_lease_owes_nothing_in_any_report(http, db):
    client = builders.client(db)
    lease = pending_lease(db, id_client=client)
    db.call("residence.echeance_encaisser", id_echeance=first(db, lease), montant="500.50", id_moyen=builders.moyen(db))
    admin = http.as_admin()
    resident = http.as_user(db.one("select id_utilisateur from auth.utilisateur where id_client = %s", [client]))

    def owed():
        states = {row["statut"] for row in admin.get("/residence/suivi").json()}
        assert {row["statut"] for row in admin.get(f"/residence/contrats/{lease}").json()["echeances"]} == states
        portal = resident.get("/residence/portail/resume").json()
        dashboard = admin.get("/dashboard").json()["residence"]
        return (
            states, len(admin.get("/residence/impayes").json()), len(admin.get("/finances/impayes").json()),
            portal["total_impayes"] != "0.00", dashboard["impayes"] != "0.00",
        )  # fmt: skip

    assert owed() == ({"A_VENIR"}, 0, 0, False, False)
    db.call("residence.contrat_activer", id_contrat=lease)
    due = db.one("select count(*) from residence.echeance where date_echeance <= core.aujourdhui()")
    assert due >= 2 and owed() == ({"IMPAYE", "PARTIEL", "A_VENIR"}, due, due, True, True)


def test_a_pending_lease_can_be_cancelled(http, db):
    lease = pending_lease(db)
    path = f"/residence/contrats/{lease}"
    assert room_of(db, lease)["statut"] == "RESERVE"
    admin = http.as_admin()
    answer = admin.post(f"{path}/annuler", json={"motif": "Le client a renoncé"})
    assert answer.status_code == 200, answer.text
    lease_row = answer.json()
    assert (lease_row["statut"], lease_row["echeances"], lease_row["montant_a_rembourser"]) == ("RESILIE", [], "0.00")
    assert (lease_row["motif_resiliation"], lease_row["date_resiliation"]) == (
        "Le client a renoncé",
        lease_row["date_debut"],
    )
    assert admin.get("/residence/suivi").json() == []
    room = room_of(db, lease)
    assert room["statut"] == "DISPONIBLE"
    # The room is free again from the first day of the lease.
    builders.contrat(db, id_logement=room["id_logement"], date_debut=lease_row["date_debut"], date_fin_prevue=None)
    again = admin.post(f"{path}/annuler")
    assert (again.status_code, again.json()["code"]) == (409, "TRANSITION_INTERDITE")
    reader = http.as_user(builders.utilisateur(db, role="DIRIGEANT"))
    assert reader.post(f"{path}/annuler").status_code == 403


def test_the_payments_of_a_cancelled_pending_lease_are_refunded(db):
    lease, moyen = pending_lease(db), builders.moyen(db)
    db.call("residence.echeance_encaisser", id_echeance=first(db, lease), montant="500.50", id_moyen=moyen)
    cancelled = db.call("residence.contrat_annuler", id_contrat=lease)
    assert cancelled["montant_a_rembourser"] == Decimal("500.50")
    refund = db.call("residence.contrat_rembourser", id_contrat=lease, id_moyen=moyen)
    assert (refund["montant_rembourse"], refund["montant_a_rembourser"]) == (Decimal("500.50"), 0)
    assert db.one("select statut::text from facturation.facture") == "ANNULEE"
    assert db.one("select count(*) from residence.echeance where id_contrat = %s and not annulee", [lease]) == 0
    assert db.all("select * from jobs._controler()") == []


def test_cancelling_one_of_two_pending_leases_keeps_the_room_reserved(db):
    start = db.one("select core.aujourdhui()")
    first_lease = pending_lease(db, date_debut=start, date_fin_prevue=start + timedelta(days=13))
    room = room_of(db, first_lease)["id_logement"]
    db.execute("update residence.logement set statut = 'DISPONIBLE' where id_logement = %s", [room])
    # The second lease is signed while the first is pending.
    second = builders.contrat(
        db, id_logement=room, date_debut=start + timedelta(days=14), date_fin_prevue=None, actif=False
    )
    db.call("residence.contrat_annuler", id_contrat=first_lease)
    assert room_of(db, second)["statut"] == "RESERVE"
    db.call("residence.contrat_annuler", id_contrat=second)
    assert room_of(db, second)["statut"] == "DISPONIBLE"


def test_a_lease_in_force_cannot_be_cancelled(db):
    lease = builders.contrat(db)
    with refused("TRANSITION_INTERDITE", 409):
        db.call("residence.contrat_annuler", id_contrat=lease)
    assert room_of(db, lease)["statut"] == "OCCUPE"
