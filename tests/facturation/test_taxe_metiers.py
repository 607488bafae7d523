"""Each trade bills the tax code of what it sells, else the code of its activity; the end of a lease credits its tax."""

import re

import pytest

from app.database.release import HERE
from tests import builders
from tests.conftest import refused
from tests.facturation.test_taxe import detail, rate, setting, taxes


@pytest.fixture(autouse=True)
def codes(db):
    rate(db, "TVA", "18")
    rate(db, "TVA9", "9")


def activity_code(db, activity, code="TVA9"):
    db.execute("update core.activite set code_taxe = %s where code = %s", [code, activity])


def last(db):
    return detail(db, db.one("select max(id_facture) from facturation.facture"))


def codes_of(db):
    return [line["code_taxe"] for line in last(db)["lignes"]]


def product(db, price, code=None):
    fields = {"nom": f"Article {price}", "prix_achat": "1", "prix_vente": price, "quantite_initiale": "10"}
    return db.call("market.produit_creer", **fields, code_taxe=code)["id_produit"]


def paid(db, amount):
    return {"montant": amount, "id_moyen": builders.moyen(db)}


def sell(db, products, amount, **fields):
    lines = [{"id_produit": p, "quantite": "1"} for p in products]
    return db.call("market.vente_creer", lignes=lines, paiement=paid(db, amount), **fields)


def test_a_sale_takes_the_code_of_each_product(db):
    activity_code(db, "VENTE_MARCHANDISES")
    sell(db, [product(db, "1180", "TVA"), product(db, "109")], "1289")
    assert codes_of(db) == ["TVA", "TVA9"]
    assert taxes(last(db)) == [("TVA", 18, 1000, 180), ("TVA9", 9, 100, 9)]


def test_a_sale_without_tax_in_its_prices_is_paid_with_its_tax(db):
    setting(db, "TAXES_PRIX", "HT")
    products = [product(db, "1000", "TVA"), product(db, "100", "TVA9")]
    with refused("PAIEMENT_DIFFERENT_DU_TOTAL", 400):
        sell(db, products, "1100")
    sell(db, products, "1289")
    assert (last(db)["montant_total"], last(db)["statut"]) == (1289, "PAYEE")
    sell(db, products, "645", remise="550")  # 500 and 90 of tax, 50 and 4.50, rounded to 5
    assert (last(db)["montant_total"], last(db)["statut"]) == (645, "PAYEE")


def order(db, price, amount, code=None):
    """The taxes of an order of two portions of a dish with this tax code."""
    dish = db.call("restaurant.plat_creer", nom=f"Plat {price} {code}", prix=price, code_taxe=code)["id_plat"]
    lines = [{"id_plat": dish, "quantite": "2"}]
    db.call("restaurant.commande_creer", type="SUR_PLACE", lignes=lines, paiement=paid(db, amount))
    return taxes(last(db))


def test_an_order_takes_the_code_of_its_dishes(db):
    activity_code(db, "RESTAURATION")
    assert order(db, "1180", "2360", "TVA") == [("TVA", 18, 2000, 360)]
    assert order(db, "1090", "2180") == [("TVA9", 9, 2000, 180)]
    setting(db, "TAXES_PRIX", "HT")
    assert order(db, "1000", "2360", "TVA") == [("TVA", 18, 2000, 360)]


def test_laundry_takes_the_code_of_its_service(db):
    activity_code(db, "PRESSING")
    db.call("pressing.prestation_creer", libelle="Teinture", code_taxe="TVA")
    lines = [
        {"type_vetement": "Boubou", "quantite": 1, "prestation": service, "tarif": "1180"}
        for service in ("Teinture", "Couture")
    ]
    db.call("pressing.commande_creer", id_client=builders.client(db), lignes=lines, paiement=paid(db, "100"))
    assert codes_of(db) == ["TVA", "TVA9"]


def test_the_hall_takes_the_code_of_its_event_type(db):
    activity_code(db, "SALLE_FETE")
    db.call("salle_fete.type_manifestation_creer", libelle="Baptême", code_taxe="TVA")
    for label, code, day in (("Baptême", "TVA", "2027-02-01"), ("Colloque", "TVA9", "2027-02-03")):
        db.call(
            "salle_fete.reservation_creer", id_client=builders.client(db), date_evenement=day, heure_debut="10:00",
            duree="4", type_manifestation=label, tarif="118000",
        )  # fmt: skip
        booking = db.one("select max(id_reservation) from salle_fete.reservation")
        db.call("salle_fete.reservation_confirmer", id_reservation=booking, paiement=paid(db, "50000"))
        assert codes_of(db) == [code]


def rename_catalogue(db):
    db.execute("update pressing.prestation set libelle = 'Teinture et apprêt'")
    db.execute("update salle_fete.type_manifestation set libelle = 'Baptême ou communion'")


MIGRATION = (HERE.migrations / "0099.core-catalogues-renommes.sql").read_text()
BACKFILL = [f"update {text}" for text in re.findall(r"^update ([^;]+);", MIGRATION, re.M)]


def pick_up(db, order, amount):
    for step in ("traiter", "marquer_prete"):
        db.call(f"pressing.commande_{step}", id_commande=order)
    db.call("pressing.commande_retirer", id_commande=order, solde=amount, id_moyen=builders.moyen(db))


@pytest.mark.parametrize("upgraded", [False, True])
def test_a_renamed_service_keeps_the_code_of_the_orders_made_before(db, upgraded):
    activity_code(db, "PRESSING")
    db.call("pressing.prestation_creer", libelle="Teinture", code_taxe="TVA")
    line = {"type_vetement": "Boubou", "quantite": 1, "prestation": "Teinture", "tarif": "1180"}
    db.call("pressing.commande_creer", id_client=builders.client(db), lignes=[line])
    order = db.one("select max(id_commande) from pressing.commande")
    if upgraded:
        db.tamper("update pressing.commande_ligne set id_prestation = null")
        db.tamper(BACKFILL[0])
    rename_catalogue(db)
    db.call("pressing.prestation_creer", libelle="Teinture", code_taxe="TVA9")
    changed = {"lignes": [line | {"quantite": "2", "hors_catalogue": True}]}
    db.call("pressing.commande_modifier", id_commande=order, champs=changed)
    pick_up(db, order, "2360")
    assert codes_of(db) == ["TVA"]


@pytest.mark.parametrize("upgraded", [False, True])
def test_a_renamed_event_type_keeps_the_code_of_the_bookings_made_before(db, upgraded):
    activity_code(db, "SALLE_FETE")
    db.call("salle_fete.type_manifestation_creer", libelle="Baptême", code_taxe="TVA")
    db.call(
        "salle_fete.reservation_creer", id_client=builders.client(db), date_evenement="2027-02-01", heure_debut="10:00",
        duree="4", type_manifestation="Baptême", tarif="118000",
    )  # fmt: skip
    booking = db.one("select max(id_reservation) from salle_fete.reservation")
    if upgraded:
        db.tamper("update salle_fete.reservation set id_type_manifestation = null")
        db.tamper(BACKFILL[1])
    rename_catalogue(db)
    db.call("salle_fete.reservation_modifier", id_reservation=booking, champs={"duree": "5"})
    db.call("salle_fete.reservation_confirmer", id_reservation=booking, paiement=paid(db, "50000"))
    assert codes_of(db) == ["TVA"]


def test_a_service_that_leaves_the_database_gives_no_tax_to_its_orders(db):
    db.call("pressing.prestation_creer", libelle="Teinture", code_taxe="TVA")
    line = {"type_vetement": "Boubou", "quantite": 1, "prestation": "Teinture", "tarif": "1180"}
    db.call("pressing.commande_creer", id_client=builders.client(db), lignes=[line])
    db.execute("delete from pressing.prestation")
    order = db.one("select max(id_commande) from pressing.commande")
    pick_up(db, order, "1180")
    assert codes_of(db) == [None]


def test_rents_take_the_code_of_their_room(db):
    lease = builders.contrat(db, id_logement=builders.logement(db, code_taxe="TVA"), montant_loyer="118000")
    echeance = db.one("select min(id_echeance) from residence.echeance where id_contrat = %s", [lease])
    setting(db, "TAXES_PRIX", "HT")  # an amount of a contract includes its tax
    db.call("residence.echeance_encaisser", id_echeance=echeance, montant="118000", id_moyen=builders.moyen(db))
    assert taxes(last(db)) == [("TVA", 18, 100000, 18000)]


def test_an_opening_invoice_has_no_tax(db):
    """The original invoice declared it."""
    activity_code(db, "PRESSING")
    opening = "row(null, null, %s, 'Solde', '2026-01-05', 11800, 'PRESSING', null)::echange.factures"
    db.one(f"select echange._factures({opening})", [builders.client(db)])
    assert last(db)["montant_taxe"] == 0 and last(db)["taxes"] == []


def test_the_end_of_a_lease_credits_the_tax_at_its_first_rate(db):
    today = db.today()
    start = today.replace(year=today.year + 1, month=1, day=1)
    terms = {"date_debut": start, "date_fin_prevue": start.replace(year=today.year + 3), "type_location": "ANNUEL"}
    room = builders.logement(db, code_taxe="TVA")
    lease = builders.contrat(db, id_logement=room, montant_loyer="11800000", **terms)
    echeance = db.one("select min(id_echeance) from residence.echeance where id_contrat = %s", [lease])
    db.call("residence.echeance_encaisser", id_echeance=echeance, montant="1000", id_moyen=builders.moyen(db))
    before = last(db)
    rate(db, "TVA", "20", du=str(today))
    db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation=start.replace(day=20), motif="Départ")
    after = detail(db, before["id_facture"])
    fixed = ("montant_total", "montant_ht", "montant_taxe", "taxes", "lignes")
    assert [after[name] for name in fixed] == [before[name] for name in fixed]
    query = "select montant_total, montant_taxe from facturation.avoir where id_facture = %s"
    [note] = db.all(query, [before["id_facture"]])
    assert 0 < note["montant_total"] <= before["montant_total"] - 1000
    share = float(note["montant_total"]) / before["montant_total"]
    assert note["montant_taxe"] == round(before["montant_taxe"] * share)
    assert after["reste"] == before["montant_total"] - float(note["montant_total"]) - 1000
