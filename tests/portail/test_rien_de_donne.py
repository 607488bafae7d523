"""Nothing is given away: an order, sale, booking or laundry that was handed over has an invoice, or units that pay it.

A stay also counts when it stands among the debts: its invoice comes with its first payment."""

import random

import psycopg
import pytest

from tests import builders
from tests.conftest import ok
from tests.portail.demandes import KINDS, account, client_of
from tests.preuve import selon

INVOICED = "exists (select from facturation.facture f where (f.source_type, f.source_id) = ({}) and not f.annulee)"
GIVEN = f"""
select 'repas', x.id_commande from restaurant.commande x
 where x.statut in ('SERVIE', 'PAYEE') and x.montant_couvert is distinct from x.total
   and not {INVOICED.format("'COMMANDE_RESTAURANT', x.id_commande")}
union all
select 'vente', v.id_vente from market.vente v
 where v.statut in ('EN_COURS', 'PAYEE') and not {INVOICED.format("'VENTE', v.id_vente")}
union all
select 'salle', r.id_reservation from salle_fete.reservation r
 where r.statut in ('CONFIRMEE', 'REALISEE') and not {INVOICED.format("'RESERVATION_FETE', r.id_reservation")}
union all
select 'linge', c.id_commande from pressing.commande c
 where c.statut = 'RETIRE' and c.montant_couvert < c.montant_total
   and not {INVOICED.format("'COMMANDE_PRESSING', c.id_commande")}
union all
select 'séjour', s.id_sejour from residence.sejour_court s
 where s.statut in ('EN_COURS', 'TERMINE') and s.montant_total > 0 and not {INVOICED.format("'SEJOUR', s.id_sejour")}
   and not exists (select from finances._impaye_vue i where i.type = 'SEJOUR' and i.cle = s.id_sejour)
"""
STEPS = {
    "meal": [("statut", {"statut": state}) for state in ("EN_COURS", "EN_PREPARATION", "SERVIE", "PAYEE", "ANNULEE")]
    + [("encaisser", {"montant": "8001", "utiliser_abonnement": True, "accepter_excedent": True}), ("annuler", {})],
    "shop": [("valider", {}), ("encaisser", {"montant": "4951.50"}), ("annuler", {})],
    "hall": [
        ("valider", {"tarif": "180000", "acompte": "45000"}),
        ("confirmer", {"paiement": {"montant": "45000"}}),
        ("realiser", {"paiement": {"montant": "135000"}}),
        ("annuler", {}),
    ],
    "laundry": [
        ("valider", KINDS["laundry"].acceptance),
        ("traitement", {}),
        ("pret", {}),
        ("retirer", {"solde": "8000.50"}),
        ("annuler", {}),
    ],
    "stay": [("valider", {"tarif": "12500"}), ("payer", {"montant": "5000"}), ("payer", {"montant": "37500"})],
}


def step(http, db, trade, key, name, body):
    body = body(db) if callable(body) else dict(body)
    moyen = str(builders.moyen(db))
    if "paiement" in body:
        body["paiement"] = body["paiement"] | {"id_moyen": moyen}
    elif {"montant", "solde"} & body.keys():
        body["id_moyen"] = moyen
    answer = http.as_admin().post(f"{KINDS[trade].staff}/{key}/{name}", json=body)
    assert answer.status_code < 500 and answer.status_code != 404, (name, answer.text)
    return int(answer.status_code)


@pytest.mark.parametrize("seed", selon([0], range(4)))
@pytest.mark.parametrize("trade", STEPS)
def test_every_thing_given_has_an_invoice_or_units_that_pay_it(http, db, trade, seed):
    dice = random.Random(seed)
    key = KINDS[trade].request(http, db, account(db))
    done = 0
    for n in range(12):
        # The first walk of each trade is the straight one.
        chosen = STEPS[trade][n % len(STEPS[trade])] if seed == 0 else dice.choice(STEPS[trade])
        done += step(http, db, trade, key, *chosen) < 300
        assert db.all(GIVEN) == []
    assert done > 0
    assert db.all("select * from jobs._controler()") == []


def test_an_order_is_never_served_without_an_invoice_by_hand_either(http, db):
    key = KINDS["meal"].request(http, db, account(db))
    for state in ("EN_COURS", "EN_PREPARATION"):
        db.execute(f"update restaurant.commande set statut = '{state}' where id_commande = %s", [key])
    with pytest.raises(psycopg.Error) as error:
        db.execute("update restaurant.commande set statut = 'SERVIE' where id_commande = %s", [key])
    assert error.value.diag.constraint_name == "COMMANDE_NON_FACTUREE"


def test_units_pay_a_served_order_by_a_credit_note(http, db):
    user = account(db)
    key = KINDS["meal"].request(http, db, user)
    for state in ("EN_COURS", "EN_PREPARATION", "SERVIE"):
        assert step(http, db, "meal", key, "statut", {"statut": state}) == 200
    builders.souscription(db, id_client=client_of(db, user), offre={"quota": "2"})
    body = {"montant": "0", "id_moyen": "1", "utiliser_abonnement": True, "accepter_excedent": True}
    refused = http.as_admin().post(f"/restaurant/commandes/{key}/encaisser", json=body)
    assert refused.json()["code"] == "PAIEMENT_DIFFERENT_DU_TOTAL", refused.text
    body["montant"] = refused.json()["details"]["total"]
    paid = ok(http.as_admin().post(f"/restaurant/commandes/{key}/encaisser", json=body))
    amounts = "montant_total, montant_avoirs, montant_paye, reste"
    facts = db.one(f"select {amounts} from facturation.facture where source_type = 'COMMANDE_RESTAURANT'")
    assert (facts["montant_total"], facts["reste"]) == (8001, 0)
    assert facts["montant_avoirs"] > 0 and facts["montant_avoirs"] + facts["montant_paye"] == 8001
    assert paid["commande"]["statut"] == "PAYEE"
    assert db.all(GIVEN) == [] and db.all("select * from jobs._controler()") == []


def test_each_gift_of_an_earlier_release_gets_its_document_of_the_day_once(http, db):
    repair = "select objet, id from jobs._documents_reprendre()"
    meal, sale = (KINDS[trade].request(http, db, account(db)) for trade in ("meal", "shop"))
    db.execute("drop trigger t30_commande_non_facturee on restaurant.commande")
    for state in ("EN_COURS", "EN_PREPARATION", "SERVIE"):
        db.execute("update restaurant.commande set statut = %s where id_commande = %s", [state, meal])
    db.execute("update market.vente set statut = 'EN_COURS' where id_vente = %s", [sale])
    db.execute("select market._vente_stock_sortir(%s, 'Vente')", [sale])
    db.acting(None)
    lease = builders.contrat(db, date_debut="2026-01-01", montant_loyer="100000")
    db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="200000", id_moyen=builders.moyen(db))
    credit = db.one("select pg_get_functiondef('residence._loyers_factures_crediter'::regproc)")
    db.execute(credit.partition("AS $function$")[0] + "as 'begin end'")
    db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation="2026-02-14")
    db.execute(credit)
    owed = db.call("residence.contrat_detail", id_contrat=lease)["montant_a_rembourser"]
    assert owed == 50000 and len(db.all(GIVEN)) == 2
    done = {(row["objet"], row["id"]) for row in db.all(repair)}
    given = {("restaurant.commande", int(meal)), ("market.vente", int(sale)), ("residence.contrat_location", lease)}
    assert done == given
    assert db.all(GIVEN) == []
    invoices = db.all("select statut from facturation.facture where source_type <> 'LOCATION'")
    assert [row["statut"] for row in invoices] == ["IMPAYEE", "IMPAYEE"]
    note = db.one("select montant_total, motif, jour = core.aujourdhui() as today from facturation.avoir")
    assert (note["montant_total"], note["motif"], note["today"]) == (50000, "Prorata de la résiliation", True)
    assert db.call("residence.contrat_detail", id_contrat=lease)["montant_a_rembourser"] == owed
    assert db.all("select * from jobs._controler()") == [] and db.all(repair) == []
