"""Buildings and rooms: numbers given by the database, and transitions of the status."""

import pytest

from tests import builders
from tests.conftest import ok, reachable, refusal, refused


def test_room_numbers_are_consecutive_in_each_building(db):
    first, second = builders.batiment(db, code="B"), builders.batiment(db, code="RES")
    rooms = [(first, "CHAMBRE"), (second, "CHAMBRE"), (first, "STUDIO"), (second, "MEUBLE")]
    numbers = [creer(db, building, type=kind) for building, kind in rooms]
    assert numbers == ["GSG-CH01-B", "GSG-CH01-RES", "GSG-ST02-B", "GSG-ME02-RES"]


def test_a_given_room_number_is_kept_and_skipped_by_the_counter(db):
    building = builders.batiment(db, code="B")
    assert creer(db, building, numero="GSG-CH02-B") == "GSG-CH02-B"
    lot = db.rows("residence.logement_lot_creer", id_batiment=building, type="CHAMBRE", tarif="1", quantite=3)
    assert [room["numero"] for room in lot] == ["GSG-CH01-B", "GSG-CH03-B", "GSG-CH04-B"]
    with refused("NUMERO_LOGEMENT_EXISTANT", 409):
        creer(db, building, numero="GSG-CH01-B")
    with refused("MONTANT_POSITIF", 400):
        creer(db, building, tarif="-1")
    with refused("NUMERO_LOGEMENT_FIGE", 409):
        db.execute("update residence.logement set numero = 'X' where numero = 'GSG-CH01-B'")


def creer(db, building, **fields):
    fields = {"id_batiment": building, "type": "CHAMBRE", "tarif": "1"} | fields
    return db.call("residence.logement_creer", **fields)["numero"]


@pytest.mark.parametrize("count", [0, 101])
def test_a_lot_of_0_or_101_rooms_is_refused(http, db, count):
    building = builders.batiment(db)
    body = {"id_batiment": str(building), "type": "CHAMBRE", "tarif": "35000", "quantite": count}
    answer = http.as_admin().post("/residence/logements/lot", json=body)
    assert answer.status_code == 400
    assert answer.json()["details"][0]["property"] == "quantite"
    assert db.one("select count(*) from residence.logement where id_batiment = %s", [building]) == 0


def test_a_room_is_created_changed_and_listed_over_http(http, db):
    admin = http.as_admin()
    building = ok(admin.post("/residence/batiments", json={"code": "D", "nom": "Bloc D", "adresse": None}), 201)
    key = building["id_batiment"]
    assert building == {"id_batiment": key, "code": "D", "nom": "Bloc D", "adresse": None, "actif": True}
    body = {"id_batiment": key, "type": "STUDIO", "tarif": "35000", "statut": "DISPONIBLE"}
    room = admin.post("/residence/logements", json=body)
    assert (room.status_code, room.json()["numero"], room.json()["tarif"]) == (201, "GSG-ST01-D", "35000.00")
    path = f"/residence/logements/{room.json()['id_logement']}"
    assert admin.patch(path, json={"numero": "X"}).status_code == 400
    listed = admin.get(f"/residence/logements?batiment={key}&statut=DISPONIBLE&type=STUDIO")
    assert [row["numero"] for row in listed.json()] == ["GSG-ST01-D"]
    assert admin.get("/residence/logements?batiment=999999").json() == []
    unknown = {"id_batiment": "999999", "type": "STUDIO", "tarif": "35000"}
    assert admin.post("/residence/logements", json=unknown).json()["code"] == "LOGEMENT_BATIMENT_INCONNU"


def test_a_building_with_rooms_cannot_be_deleted(http, db):
    admin = http.as_admin()
    empty, full = builders.batiment(db), builders.batiment(db, code="PLEIN")
    builders.logement(db, id_batiment=full)
    assert admin.delete(f"/residence/batiments/{empty}").status_code == 204
    assert refusal(admin.delete(f"/residence/batiments/{full}")) == (409, "BATIMENT_NON_VIDE")
    assert admin.delete(f"/residence/batiments/{empty}").status_code == 404
    assert [row["code"] for row in admin.get("/residence/batiments?code=plein&actif=true").json()] == ["PLEIN"]
    twice = admin.post("/residence/batiments", json={"code": "PLEIN", "nom": "Autre"})
    assert refusal(twice) == (409, "CODE_BATIMENT_EXISTANT")
    renamed = admin.patch(f"/residence/batiments/{full}", json={"nom": "Le plein", "actif": False}).json()
    assert (renamed["nom"], renamed["actif"], renamed["code"]) == ("Le plein", False, "PLEIN")


def test_the_occupation_counts_the_rooms_of_each_building(http, db):
    building, bare = builders.batiment(db, code="OCC"), builders.batiment(db, code="VIDE")
    for state in ["OCCUPE", "OCCUPE", "RESERVE", "DISPONIBLE", "EN_MAINTENANCE", "EN_NETTOYAGE", "INDISPONIBLE"]:
        builders.logement(db, id_batiment=building, statut=state)
    rows = {row["code"]: row for row in http.as_admin().get("/residence/occupation").json()}
    assert rows["OCC"] == {
        "id_batiment": str(building), "code": "OCC", "nom": "Résidence des Essais", "total": 7, "occupes": 2,
        "reserves": 1, "disponibles": 1, "autres": 3, "taux": 28.57,
    }  # fmt: skip
    assert (rows["VIDE"]["total"], rows["VIDE"]["taux"], rows["VIDE"]["id_batiment"]) == (0, 0, str(bare))


def test_only_users_of_the_residence_see_its_rooms(db):
    builders.logement(db)
    activite = builders.activite(db, "LOCATION_RESIDENTIEL")
    for user, visible in [
        (builders.utilisateur(db, activite=builders.activite(db)), False),
        (builders.utilisateur(db, activite=activite), True),
        (builders.utilisateur(db, role="RESIDENT", id_client=builders.client(db)), False),
    ]:
        db.acting(user)
        assert bool(db.rows("residence.logement_lister")) is bool(db.rows("residence.occupation_lister")) is visible


def test_a_user_of_another_activity_does_not_change_the_residence(db):
    """The calls that tests/security/test_matrice.py does not try, or tries where any account is refused."""
    lease, room = builders.contrat(db), builders.logement(db)
    instalment = db.one("select min(id_echeance) from residence.echeance")
    category = db.call("residence.categorie_charge_creer", libelle="Eau")["id_categorie_charge"]
    moyen, pending = builders.moyen(db), builders.contrat(db, actif=False)
    stay = {"type_prestation": "NUITEE", "id_logement": room, "date_heure_arrivee": "2026-03-10 20:00:00+00"}
    charge = {"id_categorie_charge": category, "periode": "2026-08", "montant": "1"}
    charge["id_logement"] = db.one("select id_logement from residence.contrat_location where id_contrat = %s", [lease])
    db.acting(builders.utilisateur(db, activite=builders.activite(db), caisse=builders.caisse(db)))
    assert reachable(db, {
        "residence.batiment_creer": {"code": "INTRUS", "nom": "Intrus"},
        "residence.categorie_charge_creer": {"libelle": "Gaz"},
        "residence.charge_creer": charge,
        "residence.sejour_creer": stay | {"tarif": "1"},
        "residence.contrat_activer": {"id_contrat": pending},
        "residence.contrat_annuler": {"id_contrat": pending},
        "residence.contrat_rembourser": {"id_contrat": lease, "id_moyen": moyen},
        "residence.echeance_encaisser": {"id_echeance": instalment, "montant": "1", "id_moyen": moyen},
        "residence.caution_creer": {"id_contrat": lease, "montant": "1"},
        "residence.caution_rembourser": {"id_contrat": lease, "id_moyen": moyen},
        "residence.caution_restituer": {"id_contrat": lease},
        "jobs.generer_echeances": {},
        "jobs.transition_contrats_expires": {},
    }) == []  # fmt: skip
