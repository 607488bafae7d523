"""A lease that waits: it owes nothing, and can be given up."""

from datetime import timedelta
from decimal import Decimal

from tests import builders
from tests.conftest import refused


def waiting(db, **fields):
    """One that was to begin two months ago."""
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


def test_a_lease_that_waits_owes_nothing_anywhere(http, db):
    client = builders.client(db)
    lease = waiting(db, id_client=client)
    db.call("residence.echeance_encaisser", id_echeance=first(db, lease), montant="500.50", id_moyen=builders.moyen(db))
    admin = http.as_admin()
    resident = http.as_user(db.one("select id_utilisateur from auth.utilisateur where id_client = %s", [client]))

    def owed():
        states = {row["statut"] for row in admin.get("/residence/suivi").json()}
        assert {row["statut"] for row in admin.get(f"/residence/contrats/{lease}").json()["echeances"]} == states
        portal = resident.get("/residence/portail/resume").json()
        dashboard = admin.get("/dashboard").json()["residence"]
        return (
            states,
            len(admin.get("/residence/impayes").json()),
            len(admin.get("/finances/impayes").json()),
            portal["total_impayes"] != "0.00",
            dashboard["impayes"] != "0.00",
        )

    assert owed() == ({"A_VENIR"}, 0, 0, False, False)
    db.call("residence.contrat_activer", id_contrat=lease)
    due = db.one("select count(*) from residence.echeance where date_echeance <= core.aujourdhui()")
    assert due >= 2 and owed() == ({"IMPAYE", "PARTIEL", "A_VENIR"}, due, due, True, True)


def test_a_lease_that_waits_can_be_given_up(http, db):
    lease = waiting(db)
    path = f"/residence/contrats/{lease}"
    assert room_of(db, lease)["statut"] == "RESERVE"
    admin = http.as_admin()
    answer = admin.post(f"{path}/annuler", json={"motif": "Le client a renoncé"})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["statut"], found["echeances"], found["montant_a_rembourser"]) == ("RESILIE", [], "0.00")
    assert (found["motif_resiliation"], found["date_resiliation"]) == ("Le client a renoncé", found["date_debut"])
    assert admin.get("/residence/suivi").json() == []
    room = room_of(db, lease)
    assert room["statut"] == "DISPONIBLE"
    # The room is free from that first day on.
    builders.contrat(db, id_logement=room["id_logement"], date_debut=found["date_debut"], date_fin_prevue=None)
    again = admin.post(f"{path}/annuler")
    assert (again.status_code, again.json()["code"]) == (409, "TRANSITION_INTERDITE")
    reader = http.as_user(builders.utilisateur(db, role="DIRIGEANT"))
    assert reader.post(f"{path}/annuler").status_code == 403


def test_what_was_paid_for_a_lease_that_is_given_up_goes_back(db):
    lease, moyen = waiting(db), builders.moyen(db)
    db.call("residence.echeance_encaisser", id_echeance=first(db, lease), montant="500.50", id_moyen=moyen)
    found = db.call("residence.contrat_annuler", id_contrat=lease)
    assert found["montant_a_rembourser"] == Decimal("500.50")
    given = db.call("residence.contrat_rembourser", id_contrat=lease, id_moyen=moyen)
    assert (given["montant_rembourse"], given["montant_a_rembourser"]) == (Decimal("500.50"), 0)
    assert db.one("select statut::text from facturation.facture") == "ANNULEE"
    assert db.one("select count(*) from residence.echeance where id_contrat = %s and not annulee", [lease]) == 0
    assert db.all("select * from jobs._controler()") == []


def test_giving_up_one_of_two_reservations_leaves_the_room_to_the_other(db):
    start = db.one("select core.aujourdhui()")
    first_lease = waiting(db, date_debut=start, date_fin_prevue=start + timedelta(days=13))
    room = room_of(db, first_lease)["id_logement"]
    db.execute("update residence.logement set statut = 'DISPONIBLE' where id_logement = %s", [room])
    second = builders.contrat(
        db, id_logement=room, date_debut=start + timedelta(days=14), date_fin_prevue=None, actif=False
    )  # signed while the first one waits
    db.call("residence.contrat_annuler", id_contrat=first_lease)
    assert room_of(db, second)["statut"] == "RESERVE"
    db.call("residence.contrat_annuler", id_contrat=second)
    assert room_of(db, second)["statut"] == "DISPONIBLE"


def test_a_lease_in_force_is_not_given_up_but_terminated(db):
    lease = builders.contrat(db)
    with refused("TRANSITION_INTERDITE", 409):
        db.call("residence.contrat_annuler", id_contrat=lease)
    assert room_of(db, lease)["statut"] == "OCCUPE"
