"""The invariants of money hold where prices are without tax: the tax is added to sales, orders and services only."""

from datetime import timedelta

import pytest

from tests import builders
from tests.facturation.test_taxe import bill, rate, setting
from tests.facturation.test_taxe_metiers import order, product, sell

ACTIVITIES = "PRESSING", "RESTAURATION", "VENTE_MARCHANDISES", "SALLE_FETE", "LOCATION_RESIDENTIEL"


@pytest.fixture(autouse=True)
def prices_without_tax(db):
    rate(db)
    setting(db, "TAXES_PRIX", "HT")
    db.execute("update core.activite set code_taxe = 'TVA' where code = any(%s)", [list(ACTIVITIES)])


def controls(db):
    return [line["c"] for line in db.all("select c from jobs._controler() c")]


def paid(db, amount):
    return {"montant": amount, "id_moyen": builders.moyen(db)}


def credit(db, invoice, amount, **fields):
    line = db.one("select min(id_ligne) from facturation.facture_ligne where id_facture = %s", [invoice])
    lines = [{"id_ligne": line, "montant": amount}]
    db.call("facturation.avoir_creer", id_facture=invoice, lignes=lines, motif="Erreur de prix", **fields)


def last_invoice(db):
    return db.one("select max(id_facture) from facturation.facture")


def test_a_sale_with_a_discount_is_paid_with_its_tax(db):
    sell(db, [product(db, "1000"), product(db, "100")], "649", remise="550")
    credit(db, last_invoice(db), "100", remboursement={"id_moyen": builders.moyen(db)})
    sell(db, [product(db, "1000")], "1180")
    db.call("market.vente_annuler", id_vente=db.one("select max(id_vente) from market.vente"))
    assert controls(db) == []


def test_a_sale_that_is_not_paid_in_full_is_reported(db):
    sell(db, [product(db, "1000")], "1180")
    db.execute("set local session_replication_role = replica")
    db.execute("update market.vente set total = total - 1")
    db.execute("set local session_replication_role = origin")
    line, journal = controls(db)
    assert line.endswith("porte un total de 1179.00, réglé 1180.00.")
    assert "n'est pas ce que dit sa dernière entrée au journal" in journal


def test_an_order_is_paid_with_its_tax_beside_what_a_subscription_covers(db):
    order(db, "1000", "2360")
    client = builders.client(db)
    builders.souscription(db, id_client=client, paiement=paid(db, "900"), offre={"quota": "1", "prix": "900"})
    db.call(
        "restaurant.commande_creer", type="SUR_PLACE", id_client=client, utiliser_abonnement=True,
        accepter_excedent=True, lignes=[{"id_plat": builders.plat(db, "1000"), "quantite": "3"}],
        paiement=paid(db, "2360"),
    )  # fmt: skip
    assert db.one("select montant_taxe from facturation.facture order by id_facture desc limit 1") == 360
    assert controls(db) == []


def test_a_service_with_a_discount_and_its_credit_note_balance(db):
    invoice = bill(db, "10000", remise="1000", montant="10620", id_client=builders.client(db))
    assert (invoice["montant_total"], invoice["montant_taxe"]) == (10620, 1620)
    credit(db, invoice["id_facture"], "1180")
    db.call("facturation.facture_annuler", id_facture=bill(db, "10000")["id_facture"], motif="Erreur")
    assert controls(db) == []


def test_amounts_agreed_before_their_invoice_include_their_tax(db):
    client, now = builders.client(db), db.one("select now()")
    lease = builders.contrat(db, id_logement=builders.logement(db, code_taxe="TVA"), montant_loyer="118000")
    rent = db.one("select min(id_echeance) from residence.echeance where id_contrat = %s", [lease])
    db.call("residence.echeance_encaisser", id_echeance=rent, montant="118000", id_moyen=builders.moyen(db))
    db.call("residence.contrat_resilier", id_contrat=lease, motif="Départ")
    db.call(
        "residence.sejour_creer", type_prestation="NUITEE", id_logement=builders.logement(db), tarif="11800",
        date_heure_arrivee=str(now), date_heure_depart_prevue=str(now + timedelta(days=2)), id_client=client,
        paiement=paid(db, "23600"),
    )  # fmt: skip
    builders.abonnement(db, id_client=client, montant="11800")
    credit(db, last_invoice(db), "1180")
    builders.souscription(db, id_client=client, paiement=paid(db, "25000"))
    lines = [{"type_vetement": "Boubou", "quantite": 1, "prestation": "Couture", "tarif": "1180"}]
    db.call("pressing.commande_creer", id_client=client, lignes=lines, paiement=paid(db, "100"))
    booking = db.call(
        "salle_fete.reservation_creer", id_client=client, date_evenement=str(now.date() + timedelta(days=9)),
        heure_debut="10:00", duree="4", type_manifestation="Mariage", tarif="118000",
    )["id_reservation"]  # fmt: skip
    db.call("salle_fete.reservation_confirmer", id_reservation=booking, paiement=paid(db, "50000"))
    kinds = db.one("select array_agg(distinct source_type::text order by source_type::text) from facturation.facture"
                   " where mode_prix = 'TTC' and montant_taxe > 0")  # fmt: skip
    assert kinds == ["ABONNEMENT", "AUTRE", "COMMANDE_PRESSING", "LOCATION", "RESERVATION_FETE", "SEJOUR"]
    assert controls(db) == []
