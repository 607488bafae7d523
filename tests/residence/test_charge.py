"""Rebilled charges: readings, who pays, payments."""

from decimal import Decimal

import pytest

from tests import builders
from tests.conftest import refused


@pytest.fixture
def ground(db):
    logement, client = builders.logement(db), builders.client(db, nom="Locataire")
    builders.contrat(db, id_logement=logement, id_client=client)
    categorie = db.call("residence.categorie_charge_creer", libelle="Eau")["id_categorie_charge"]
    return {"id_logement": logement, "id_categorie_charge": categorie, "id_client": client}


def creer(db, ground, **fields):
    fields = {
        "id_logement": ground["id_logement"],
        "id_categorie_charge": ground["id_categorie_charge"],
        "periode": "2026-08",
        "montant": "25000",
    } | fields
    return db.call("residence.charge_creer", **fields)


def payer(db, charge, montant):
    return db.call("residence.charge_payer", id_charge=charge, montant=montant, id_moyen=builders.moyen(db))


def test_a_charge_is_billed_to_the_tenant(db, ground):
    row = creer(db, ground, compteur_numero="CPT-301", lecture_debut="120.5", lecture_fin="165.2")
    assert (str(row["consommation"]), row["statut"], row["reste_a_payer"]) == ("44.70", "IMPAYEE", 25000)
    assert (row["id_client"], row["categorie_libelle"]) == (ground["id_client"], "Eau")
    facture = db.one("select * from facturation.facture where id_facture = %s", [row["id_facture"]])
    assert (facture["source_type"], facture["source_id"]) == ("CHARGE", row["id_charge"])
    assert (facture["id_client"], facture["statut"]) == (ground["id_client"], "IMPAYEE")
    activite = builders.activite(db, "LOCATION_RESIDENTIEL")
    assert facture["id_activite"] == activite


def test_who_has_moved_in_pays_not_who_will(db, ground):
    soon = db.one("select core.aujourdhui() + 400")  # after the lease of the ground
    db.execute("update residence.logement set statut = 'DISPONIBLE' where id_logement = %s", [ground["id_logement"]])
    builders.contrat(db, id_logement=ground["id_logement"], date_debut=soon, date_fin_prevue=None)
    assert creer(db, ground)["id_client"] == ground["id_client"]


@pytest.mark.parametrize(
    "debut, fin, sent, kept",
    [
        ("10", "15", None, "5.00"),
        ("10", "15", "5", "5.00"),
        ("10", "15", "99", "5.00"),  # the database's own
        ("10", "10", None, "0.00"),
        (None, None, "12.5", "12.50"),
        ("10", None, None, None),
        (None, None, None, None),
    ],
)
def test_consumption(db, ground, debut, fin, sent, kept):
    row = creer(db, ground, lecture_debut=debut, lecture_fin=fin, consommation=sent)
    assert row["consommation"] == (kept if kept is None else Decimal(kept))


def test_consumption_follows_the_readings_whoever_writes(db, ground):
    charge = creer(db, ground, lecture_debut="10", lecture_fin="15")["id_charge"]
    db.execute(
        "update residence.charge_facturee set consommation = 99, lecture_fin = 17 where id_charge = %s", [charge]
    )
    assert db.one("select consommation from residence.charge_facturee where id_charge = %s", [charge]) == 7


def test_the_guest_of_a_stay_pays_when_there_is_no_lease(db, ground):
    logement, client = builders.logement(db), builders.client(db)
    db.call(
        "residence.sejour_creer",
        type_prestation="NUITEE",
        id_logement=logement,
        id_client=client,
        date_heure_arrivee="2026-03-10 20:00:00+00",
        tarif="10000",
    )
    assert creer(db, ground, id_logement=logement)["id_client"] == client


@pytest.mark.parametrize("statut", ["DISPONIBLE", "RESERVE", "EN_NETTOYAGE", "EN_MAINTENANCE", "INDISPONIBLE"])
def test_only_an_occupied_room_is_charged(db, ground, statut):
    with refused("LOGEMENT_INOCCUPE", status=409):
        creer(db, ground, id_logement=builders.logement(db, statut=statut))


@pytest.mark.parametrize(
    "fields, rule, status",
    [
        ({"lecture_debut": "15", "lecture_fin": "10"}, "RELEVES_ORDONNES", 400),
        ({"lecture_debut": "-1"}, "RELEVE_POSITIF", 400),
        ({"montant": "0"}, "CHARGE_SANS_MONTANT", 400),
        ({"periode": "2026-13"}, "PERIODE_MAL_FORMEE", 400),
        ({"id_logement": 987654321}, "CHARGE_LOGEMENT_INCONNU", 422),
        ({"id_categorie_charge": 987654321}, "CHARGE_CATEGORIE_INCONNUE", 422),
    ],
)
def test_refusals_leave_no_trace(db, ground, fields, rule, status):
    with refused(rule, status=status):
        creer(db, ground, **fields)
    assert db.one("select count(*) from residence.charge_facturee") == 0
    assert db.one("select count(*) from facturation.facture") == 0


def test_categories(db, ground):
    categorie = ground["id_categorie_charge"]
    with refused("CATEGORIE_CHARGE_EXISTANTE", status=409):
        db.call("residence.categorie_charge_creer", libelle="Eau")
    row = db.call("residence.categorie_charge_modifier", id_categorie_charge=categorie, champs={"actif": False})
    assert row == {"id_categorie_charge": categorie, "libelle": "Eau", "actif": False}
    with refused("CATEGORIE_CHARGE_INACTIVE", status=409):
        creer(db, ground)
    other = db.call("residence.categorie_charge_creer", libelle="Électricité")
    assert db.rows("residence.categorie_charge_lister", actif=True) == [other]
    assert db.rows("residence.categorie_charge_lister", libelle="electri") == [other]
    assert db.rows("residence.categorie_charge_lister") == [row, other]
    with refused("NOT_FOUND", status=404):
        db.call("residence.categorie_charge_modifier", id_categorie_charge=987654321, champs={})


def test_paid_in_part_then_in_full(db, ground):
    charge = creer(db, ground)["id_charge"]
    first = payer(db, charge, "10000")
    row = db.call("residence.charge_detail", id_charge=charge)
    assert (row["statut"], row["montant_paye"], row["reste_a_payer"]) == ("PARTIELLE", 10000, 15000)
    with refused("SURPAIEMENT", status=409):
        payer(db, charge, "15000.01")
    second = payer(db, charge, "15000")
    assert second["numero"] == first["numero"]
    row = db.call("residence.charge_detail", id_charge=charge)
    assert (row["statut"], row["reste_a_payer"]) == ("PAYEE", 0)
    with refused("NOT_FOUND", status=404):
        payer(db, 987654321, "1")
    with refused("MONTANT_STRICTEMENT_POSITIF", status=400):
        payer(db, charge, "0")


def test_its_invoice_is_another_door(db, ground):
    row = creer(db, ground)
    db.call("finances.paiement_creer", montant="25000", id_moyen=builders.moyen(db), id_facture=row["id_facture"])
    assert db.call("residence.charge_detail", id_charge=row["id_charge"])["statut"] == "PAYEE"


def test_what_is_owed_is_listed_once(db, ground):
    charge = creer(db, ground)["id_charge"]
    payer(db, charge, "10000")
    (row,) = db.rows("finances.impaye_lister", type="CHARGE")
    assert (row["type"], row["client"], row["reference"]) == ("CHARGE", "Locataire Awa", "2026-08")
    assert (row["montant_du"], row["montant_paye"], row["reste"]) == (25000, 10000, 15000)
    assert db.rows("finances.impaye_lister", type="FACTURE") == []
    payer(db, charge, "15000")
    assert db.rows("finances.impaye_lister", type="CHARGE") == []


def test_filters(db, ground):
    one = creer(db, ground, compteur_numero="CPT-301")["id_charge"]
    two = creer(db, ground, periode="2026-09", montant="7000")["id_charge"]
    payer(db, two, "7000")

    def ids(**filters):
        return [row["id_charge"] for row in db.rows("residence.charge_lister", **filters)]

    assert ids() == [two, one]
    assert ids(logement=ground["id_logement"]) == ids(categorie=ground["id_categorie_charge"]) == [two, one]
    assert ids(logement=987654321) == []
    assert ids(periode="2026-08") == ids(compteur_numero="301") == ids(statut="IMPAYEE") == [one]
    assert ids(statut="PAYEE") == ids(montant="7000") == ids(recherche="2026-09") == [two]


def test_another_activity_sees_no_charge(db, ground):
    charge = creer(db, ground)["id_charge"]
    db.acting(builders.utilisateur(db, activite=builders.activite(db, "PRESSING")))
    assert db.rows("residence.charge_lister") == []
    with refused("NOT_FOUND", status=404):
        payer(db, charge, "1")
    with refused("NOT_FOUND", status=404):
        creer(db, ground)


def test_over_http(http, db, ground):
    admin = http.as_admin()
    body = {
        "id_logement": str(ground["id_logement"]),
        "id_categorie_charge": str(ground["id_categorie_charge"]),
        "periode": "2026-08",
        "compteur_numero": "CPT-301",
        "lecture_debut": "120.5",
        "lecture_fin": "165.2",
        "consommation": "44.7",
        "montant": "25000.00",
    }
    answer = admin.post("/residence/charges", json=body)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert (made["consommation"], made["montant_paye"], made["reste_a_payer"]) == ("44.70", "0.00", "25000.00")
    paid = admin.post(
        f"/residence/charges/{made['id_charge']}/payer",
        json={"montant": "25000.00", "id_moyen": str(builders.moyen(db))},
    )
    assert paid.status_code == 200
    assert paid.json()["charge"]["statut"] == "PAYEE" and paid.json()["facture"]["reste"] == "0.00"
    assert admin.get("/residence/charges?statut=PAYEE").json() == [paid.json()["charge"]]


def test_a_billed_charge_is_not_rewritten(db, ground):
    creer(db, ground)
    for statement in (
        "update residence.charge_facturee set montant = montant + 1",
        "update residence.charge_facturee set id_client = null",
        "delete from residence.charge_facturee",
    ):
        with refused("LIGNE_FIGEE", 409):
            db.execute(statement)
