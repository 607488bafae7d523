"""Invoicing a service: one invoice with its lines, an immediate payment, and one answer."""

import json

import pytest

from tests import builders
from tests.builders import facturer
from tests.conftest import refused


@pytest.mark.parametrize(
    ("paid", "reste", "statut"),
    [("0", "15000.00", "IMPAYEE"), ("5000", "10000.00", "PARTIELLE"), ("15000.00", "0.00", "PAYEE")],
)
def test_the_immediate_payment_sets_the_remainder_and_the_state(db, paid, reste, statut):
    answer = facturer(db, montant=paid)
    assert (str(answer["montant_total"]), str(answer["reste"]), answer["statut"]) == ("15000.00", reste, statut)
    assert (answer["id_paiement"] is None) == (paid == "0")
    invoice = db.call("facturation.facture_detail", id_facture=answer["id_facture"])
    assert (invoice["source_type"], invoice["statut"]) == ("PRESTATION", statut)
    assert invoice["libelle"] == "Location de chaises"
    lines = "select count(*) from facturation.facture_ligne where id_facture = %s"
    assert db.one(lines, [answer["id_facture"]]) == 1


def test_invoice_numbers_are_consecutive_and_1000_follows_999(db):
    year = db.one("select extract(year from core.aujourdhui())::int")
    first = db.one("select coalesce(max(valeur), 0) from core.compteur where type = 'FAC' and annee = %s", [year]) + 1
    assert [facturer(db)["numero"] for _ in range(3)] == [f"GSG-FAC-{year}-{first + n:03}" for n in range(3)]
    db.execute("update core.compteur set valeur = 999 where type = 'FAC' and annee = %s", [year])
    assert facturer(db)["numero"] == f"GSG-FAC-{year}-1000"


def test_lines_replace_the_price_and_a_discount_is_subtracted(db):
    lignes = [{"libelle": "Une", "quantite": 1.5, "prix_unitaire": "10.33"}, {"libelle": "Deux", "prix_unitaire": "4"}]
    answer = facturer(db, lignes=lignes, remise="0.50", montant="10")
    assert (str(answer["montant_total"]), str(answer["reste"])) == ("19.00", "9.00")  # 15.50 + 4.00 − 0.50
    rows = db.all(
        "select libelle, total from facturation.facture_ligne where id_facture = %s order by id_ligne",
        [answer["id_facture"]],
    )
    assert [(row["libelle"], str(row["total"])) for row in rows] == [("Une", "15.50"), ("Deux", "4.00")]
    assert str(facturer(db, lignes=[])["montant_total"]) == "15000.00"
    assert facturer(db, remise="15000")["statut"] == "PAYEE"


def test_an_invoice_names_an_existing_or_a_new_client(db):
    existing = builders.client(db)
    invoice = db.call("facturation.facture_detail", id_facture=facturer(db, id_client=existing)["id_facture"])
    assert invoice["id_client"] == existing
    invoice = db.call("facturation.facture_detail", id_facture=facturer(db, client=NEW)["id_facture"])
    assert (invoice["client_nom"], invoice["client_prenoms"]) == ("Nouvelle", "Cliente")


NEW = {"nom": "Nouvelle", "prenoms": "Cliente", "tel_principal": "+2250102030405"}


def test_an_invalid_invoice_is_refused(db):
    prestation = builders.prestation(db)
    for fields, rule, status in (
        ({"montant": "15000.01"}, "SURPAIEMENT", 409),
        ({"montant": "14000.01", "remise": "1000"}, "SURPAIEMENT", 409),
        ({"remise": "15000.01"}, "REMISE_EXCESSIVE", 400),
        ({"montant": "-1"}, "montant_positif", 400),
        ({"id_client": 987654}, "CLIENT_INCONNU", 422),
        ({"montant": "1", "id_moyen": 987654}, "paiement_moyen_inconnu", 422),
        ({"lignes": [{"libelle": "Sans prix"}]}, "VALIDATION_ERROR", 400),
        ({"lignes": [{"libelle": "Rien", "quantite": 0, "prix_unitaire": "1"}]}, "nombre_positif", 400),
        ({"client": NEW, "remise": "99999"}, "REMISE_EXCESSIVE", 400),
    ):
        with refused(rule, status):
            facturer(db, id_prestation=prestation, **fields)


def test_the_refusal_of_an_overpayment_gives_the_remainder(db):
    with refused("SURPAIEMENT", 409) as refusal:
        facturer(db, montant="20000", remise="1000")
    assert json.loads(refusal["details"]) == {"reste": "14000.00"}


def test_an_inactive_service_or_payment_method_is_refused(db):
    with refused("PRESTATION_INACTIVE", 409):
        facturer(db, id_prestation=builders.prestation(db, actif=False))
    method = db.one("insert into finances.moyen_paiement (libelle, actif) values ('Ancien', false) returning id_moyen")
    with refused("MOYEN_PAIEMENT_INACTIF", 409):
        facturer(db, montant="1", id_moyen=method)
    assert facturer(db, montant="0", id_moyen=method)["statut"] == "IMPAYEE"


def test_a_closed_till_refuses_a_payment_but_not_an_unpaid_invoice(db):
    prestation = builders.prestation(db)
    db.acting(builders.utilisateur(db, caisse=builders.caisse(db, ouverte=False)))
    with refused("PERIODE_CAISSE_FERMEE", 409):
        facturer(db, id_prestation=prestation, montant="1")
    assert facturer(db, id_prestation=prestation)["statut"] == "IMPAYEE"
