"""Rebilled charges: meter readings, the client billed, payments."""

from datetime import timedelta
from decimal import Decimal

import pytest

from tests import builders
from tests.conftest import refusal, refused
from tests.residence.leases import empty


@pytest.fixture
def lodging(db):
    logement, client = builders.logement(db), builders.client(db, nom="Locataire")
    builders.contrat(db, id_logement=logement, id_client=client)
    categorie = db.call("residence.categorie_charge_creer", libelle="Eau")["id_categorie_charge"]
    return {"id_logement": logement, "id_categorie_charge": categorie, "id_client": client}


def creer(db, lodging, **fields):
    fields = {key: lodging[key] for key in ("id_logement", "id_categorie_charge")} | fields
    return db.call("residence.charge_creer", **{"periode": "2026-08", "montant": "25000"} | fields)


def payer(db, charge, montant):
    return db.call("residence.charge_payer", id_charge=charge, montant=montant, id_moyen=builders.moyen(db))


def lire(db, charge):
    return db.call("residence.charge_detail", id_charge=charge)


def test_a_charge_is_billed_to_the_tenant(db, lodging):
    row = creer(db, lodging, compteur_numero="CPT-301", lecture_debut="120.5", lecture_fin="165.2")
    assert (str(row["consommation"]), row["statut"], row["reste_a_payer"]) == ("44.70", "IMPAYEE", 25000)
    assert (row["id_client"], row["categorie_libelle"]) == (lodging["id_client"], "Eau")
    facture = db.one("select * from facturation.facture where id_facture = %s", [row["id_facture"]])
    assert (facture["source_type"], facture["source_id"]) == ("CHARGE", row["id_charge"])
    assert (facture["id_client"], facture["statut"]) == (lodging["id_client"], "IMPAYEE")
    assert facture["id_activite"] == builders.activite(db, "LOCATION_RESIDENTIEL")


def test_the_present_tenant_pays_the_charge_not_a_future_tenant(db, lodging):
    room = lodging["id_logement"]
    empty(db, room)
    # After the lease of the lodging.
    builders.contrat(db, id_logement=room, date_debut=db.today() + timedelta(days=400), date_fin_prevue=None)
    assert creer(db, lodging)["id_client"] == lodging["id_client"]


def test_the_consumption_is_the_difference_of_the_readings_else_the_sent_value(db, lodging):
    for debut, fin, sent, stored in (
        ("10", "15", "99", "5.00"),  # the database computes its own value
        (None, None, "12.5", "12.50"),
        ("10", None, None, None),
    ):
        row = creer(db, lodging, lecture_debut=debut, lecture_fin=fin, consommation=sent)
        assert row["consommation"] == (stored if stored is None else Decimal(stored))


def test_the_consumption_follows_the_readings_after_direct_sql(db, lodging):
    charge = creer(db, lodging, lecture_debut="10", lecture_fin="15")["id_charge"]
    db.execute("update residence.charge_facturee set consommation = 99, lecture_fin = 17")
    assert lire(db, charge)["consommation"] == 7


def test_the_guest_of_a_stay_pays_the_charge_without_a_lease(db, lodging):
    stay = {"id_logement": builders.logement(db), "id_client": builders.client(db), "type_prestation": "NUITEE"}
    db.call("residence.sejour_creer", **stay, date_heure_arrivee="2026-03-10 20:00:00+00", tarif="10000")
    assert creer(db, lodging, id_logement=stay["id_logement"])["id_client"] == stay["id_client"]


def test_a_charge_requires_an_occupied_room(db, lodging):
    for statut in ("DISPONIBLE", "RESERVE", "EN_NETTOYAGE", "EN_MAINTENANCE", "INDISPONIBLE"):
        with refused("LOGEMENT_INOCCUPE", status=409):
            creer(db, lodging, id_logement=builders.logement(db, statut=statut))


def test_an_invalid_charge_is_refused(db, lodging):
    for fields, rule, status in (
        ({"lecture_debut": "15", "lecture_fin": "10"}, "RELEVES_ORDONNES", 400),
        ({"lecture_debut": "-1"}, "RELEVE_POSITIF", 400),
        ({"montant": "0"}, "CHARGE_SANS_MONTANT", 400),
        ({"periode": "2026-13"}, "PERIODE_MAL_FORMEE", 400),
        ({"id_logement": 987654321}, "CHARGE_LOGEMENT_INCONNU", 422),
        ({"id_categorie_charge": 987654321}, "CHARGE_CATEGORIE_INCONNUE", 422),
    ):
        with refused(rule, status=status):
            creer(db, lodging, **fields)


def test_an_unknown_category_of_charges_says_how_to_create_one(http, lodging):
    charge = {"id_logement": lodging["id_logement"], "id_categorie_charge": "987654321"}
    answer = http.as_admin().post("/residence/charges", json=charge | {"periode": "2026-08", "montant": "9"})
    assert refusal(answer) == (422, "CHARGE_CATEGORIE_INCONNUE")
    assert "POST /residence/categories-charges" in answer.json()["message"]


def test_a_category_of_charges_is_unique_and_can_be_disabled(db, lodging):
    categorie = lodging["id_categorie_charge"]
    with refused("CATEGORIE_CHARGE_EXISTANTE", status=409):
        db.call("residence.categorie_charge_creer", libelle="Eau")
    row = db.call("residence.categorie_charge_modifier", id_categorie_charge=categorie, champs={"actif": False})
    assert row == {"id_categorie_charge": categorie, "libelle": "Eau", "actif": False}
    with refused("CATEGORIE_CHARGE_INACTIVE", status=409):
        creer(db, lodging)
    other = db.call("residence.categorie_charge_creer", libelle="Électricité")
    for expected, filters in (([other], {"actif": True}), ([other], {"libelle": "electri"}), ([row, other], {})):
        assert db.rows("residence.categorie_charge_lister", **filters) == expected, filters
    with refused("NOT_FOUND", status=404):
        db.call("residence.categorie_charge_modifier", id_categorie_charge=987654321, champs={})


def test_a_charge_is_paid_in_parts_is_in_the_arrears_once_and_is_never_overpaid(db, lodging):
    charge = creer(db, lodging)["id_charge"]
    first = payer(db, charge, "10000")
    row = lire(db, charge)
    assert (row["statut"], row["montant_paye"], row["reste_a_payer"]) == ("PARTIELLE", 10000, 15000)
    (row,) = db.rows("finances.impaye_lister", type="CHARGE")
    assert (row["type"], row["client"], row["reference"]) == ("CHARGE", "Locataire Awa", "2026-08")
    assert (row["montant_du"], row["montant_paye"], row["reste"]) == (25000, 10000, 15000)
    assert db.rows("finances.impaye_lister", type="FACTURE") == []
    with refused("SURPAIEMENT", status=409):
        payer(db, charge, "15000.01")
    assert payer(db, charge, "15000")["numero"] == first["numero"]
    row = lire(db, charge)
    assert (row["statut"], row["reste_a_payer"]) == ("PAYEE", 0)
    assert db.rows("finances.impaye_lister", type="CHARGE") == []
    with refused("NOT_FOUND", status=404):
        payer(db, 987654321, "1")
    with refused("MONTANT_STRICTEMENT_POSITIF", status=400):
        payer(db, charge, "0")


def test_the_list_of_charges_filters(db, lodging):
    first = creer(db, lodging, compteur_numero="CPT-301")["id_charge"]
    second = creer(db, lodging, periode="2026-09", montant="7000")["id_charge"]
    payer(db, second, "7000")
    for expected, filters in [
        ([second, first], {}),
        ([second, first], {"logement": lodging["id_logement"]}),
        ([second, first], {"categorie": lodging["id_categorie_charge"]}),
        ([], {"logement": 987654321}),
        ([first], {"periode": "2026-08"}),
        ([first], {"compteur_numero": "301"}),
        ([first], {"statut": "IMPAYEE"}),
        ([second], {"statut": "PAYEE"}),
        ([second], {"montant": "7000"}),
        ([second], {"recherche": "2026-09"}),
    ]:
        assert [row["id_charge"] for row in db.rows("residence.charge_lister", **filters)] == expected, filters


def test_a_billed_charge_never_changes(db, lodging):
    creer(db, lodging)
    for statement in ("update {} set montant = montant + 1", "update {} set id_client = null", "delete from {}"):
        with refused("LIGNE_FIGEE", 409):
            db.execute(statement.format("residence.charge_facturee"))
