"""All that an operation of an earlier day writes is of that day: stock, books, credit notes, prepaid meals."""

from datetime import timedelta

import pytest

from tests import builders
from tests.conftest import ok
from tests.hors_ligne.appareil import age, inscribe, shop
from tests.livre import wrong
from tests.portail.demandes import MEAL, account


@pytest.fixture
def device(http, db):
    return inscribe(http.as_admin(), shop(db))


@pytest.fixture
def now(db):
    return db.one("select clock_timestamp()")


def aged(db, days, quantity="10", **fields):
    """A product that came in so many days ago."""
    product = builders.produit(db, "0", **fields)
    db.execute(
        """insert into market.mouvement_stock (id_produit, type, quantite, date)
                  values (%s, 'ENTREE', %s, now() - make_interval(days => %s))""",
        [product, quantity, days],
    )
    db.execute("update finances.version_fonds set depuis = '-infinity'")
    return product


def enter(db, product, quantity, cost):
    db.call("market.mouvement_stock_creer", id_produit=product, type="ENTREE", quantite=quantity, cout_unitaire=cost)


def stock(http, days, today):
    rows = ok(http.get("/market/rapports/stock", params={"au": str(today - timedelta(days=days))}))
    return [(row["quantite_stock"], row["valeur_stock"]) for row in rows]


def booked(http, day, *types):
    rows = ok(http.get("/compta/ecritures", params={"du": str(day), "au": str(day)}))
    return {(row["type"], row["debit"], row["credit"]) for row in rows if row["type"] in types}


def done(device):
    answers = device.send()
    assert [answer["exception"] for answer in answers if answer["exception"]] == []
    return answers


def test_a_sale_of_yesterday_leaves_the_stock_and_is_booked_yesterday(device, http, db, now):
    product, admin, today = aged(db, 3), http.as_admin(), db.today()
    device.sell(product, "750", "4", instant=now - timedelta(days=1))
    done(device)
    assert [stock(admin, days, today) for days in (2, 1, 0)] == [
        [("10.00", "5000.00")], [("6.00", "3000.00")], [("6.00", "3000.00")],
    ]  # fmt: skip
    assert booked(admin, today - timedelta(days=1), "STOCK", "FACTURE") == {
        ("STOCK", "2000.00", None), ("STOCK", None, "2000.00"),
        ("FACTURE", "3000.00", None), ("FACTURE", None, "3000.00"),
    }  # fmt: skip
    assert booked(admin, today, "STOCK", "FACTURE", "PAIEMENT") == set()
    assert wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_a_sale_that_arrives_after_an_entry_has_its_cost_and_leaves_the_stock_after_it(device, http, db, now):
    product, admin, today = aged(db, 3, "1"), http.as_admin(), db.today()
    enter(db, product, "9", "1500")
    device.sell(product, "750", "5", instant=now - timedelta(days=1))
    [answer] = done(device)
    moved = db.one("select date, jour, valeur from market.mouvement_stock where id_vente = %s",
                   [answer["corps"]["vente"]["id_vente"]])  # fmt: skip
    entered = db.one("select max(date) from market.mouvement_stock where type = 'ENTREE'")
    assert (moved["date"], moved["jour"], moved["valeur"]) == (entered, today, -7000)
    assert [stock(admin, days, today) for days in (1, 0)] == [[("1.00", "500.00")], [("5.00", "7000.00")]]
    assert db.one("select jour from facturation.facture") == today - timedelta(days=1)
    assert wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_sales_of_any_order_leave_no_day_with_less_than_nothing(device, db, now, http):
    """The last article takes the whole value, whichever day it was sold on."""
    product, admin, today = aged(db, 5, "3", prix_achat="333.33"), http.as_admin(), db.today()
    age(db)
    for days in (1, 3, 2):
        device.sell(product, "750", instant=now - timedelta(days=days))
    done(device)
    left = [stock(admin, days, today) for days in (4, 3, 2, 1)]
    assert [[row[0] for row in rows] for rows in left] == [["3.00"], ["2.00"], ["1.00"], []]
    assert db.one("select min(market._valeur_du_stock(core.aujourdhui() - d)) from generate_series(0, 6) d") == 0
    assert wrong(db) == []


def test_a_cancellation_has_its_credit_note_its_refund_and_its_return_on_its_own_day(device, http, db, now):
    product, admin, today = aged(db, 5), http.as_admin(), db.today()
    age(db)
    sale = device.sell(product, "750", "2", instant=now - timedelta(days=3))
    path = f"/market/ventes/{{{sale['id']}/vente/id_vente}}/annuler"
    device.do("POST", path, {"motif": "Rendu"}, instant=now - timedelta(days=2))
    done(device)
    assert [stock(admin, days, today) for days in (3, 2)] == [[("8.00", "4000.00")], [("10.00", "5000.00")]]
    days = db.one("""select a.jour as avoir, p.jour as rendu from facturation.avoir a
                       join finances.paiement p on p.id_facture = a.id_facture and p.type = 'DECAISSEMENT'""")
    assert set(days.values()) == {today - timedelta(days=2)}
    assert wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_a_prepaid_meal_counts_on_the_day_it_was_eaten(http, db, now):
    dish, today = builders.plat(db, "3500"), db.today()
    customer = builders.client(db)
    subscription = builders.souscription(db, id_client=customer, offre={"quota": "10", "max_par_jour": "1"})
    db.tamper("update abonnement.souscription set date_debut = date_debut - 9, date_fin = date_debut - 1")
    db.execute("update finances.version_fonds set depuis = '-infinity'")
    table = inscribe(http.as_admin(), builders.caisse(db, activite_code="RESTAURATION"))
    age(db)
    order = {
        "type": "SUR_PLACE", "id_client": str(customer), "utiliser_abonnement": True,
        "lignes": [{"id_plat": str(dish), "quantite": "1"}],
    }  # fmt: skip
    first, *_ = (
        table.do("POST", "/restaurant/commandes", order, instant=now - timedelta(days=days)) for days in (2, 3, 3)
    )
    place = f"/restaurant/commandes/{{{first['id']}/commande/id_commande}}/annuler"
    table.do("POST", place, {"motif": "Rendu"}, instant=now - timedelta(days=2))
    answers = table.send()
    codes = [a["exception"] and a["exception"]["code"] for a in answers]
    assert codes == [None, None, "ABONNEMENT_EXCEDENT", None], answers
    moved = db.all("""select jour, core.jour(date) as date from abonnement.mouvement
                       where id_souscription = %s order by id_mouvement""", [subscription])  # fmt: skip
    eaten, before = today - timedelta(days=2), today - timedelta(days=3)
    assert [(row["jour"], row["date"]) for row in moved] == [(eaten, eaten), (before, before), (eaten, eaten)]


def test_each_operation_of_a_till_is_of_the_day_of_the_device(http, db, now):
    """One of each, yesterday: all that they write, and the books, are of yesterday."""
    admin, today, yesterday = http.as_admin(), db.today(), {"instant": now - timedelta(days=1)}
    product, dish, kind = aged(db, 3), builders.plat(db, "3500"), str(builders.categorie_depense(db))
    customer, paid = builders.client(db), {"montant": "3500", "id_moyen": "1"}
    order = {"type": "SUR_PLACE", "lignes": [{"id_plat": str(dish), "quantite": "1"}], "paiement": paid}
    request = MEAL.request(http, db, account(db))
    ok(MEAL.decide(http, request))
    linen = [{"type_vetement": "Chemise", "quantite": "1", "prestation": "Lavage", "tarif": "500"}]
    service, lease = builders.facture(db, "900"), builders.contrat(db, montant_loyer="400")
    rent = db.one("select min(id_echeance) from residence.echeance where id_contrat = %s", [lease])
    db.tamper("update facturation.facture set date = date - interval '1 day', jour = jour - 1")
    db.tamper("update restaurant.commande set date = date - interval '1 day'")
    db.execute("update finances.version_fonds set depuis = '-infinity'")

    def till(activity):
        device = inscribe(admin, builders.caisse(db, ouverte=False, activite_code=activity))
        device.do("POST", f"/finances/caisses/{device.till}/ouvrir", {"fond_initial": "0"}, **yesterday)
        return device

    shop = till("VENTE_MARCHANDISES")
    sale = shop.sell(product, "750", **yesterday)
    shop.do("POST", f"/market/ventes/{{{sale['id']}/vente/id_vente}}/annuler", {"motif": "Rendu"}, **yesterday)
    shop.do("POST", "/finances/depenses", {"montant": "5", "libelle": "Thé", "id_categorie_depense": kind}, **yesterday)
    shop.do("POST", "/client/clients", builders.CLIENT, **yesterday)
    done(shop)
    table = till("RESTAURATION")
    first, other = (table.do("POST", "/restaurant/commandes", order, **yesterday) for _ in range(2))
    place = "/restaurant/commandes/{{{}/commande/id_commande}}/{}"
    table.do("POST", place.format(first["id"], "statut"), {"statut": "EN_PREPARATION"}, **yesterday)
    table.do("POST", place.format(first["id"], "statut"), {"statut": "SERVIE"}, **yesterday)
    due = {"montant": "8001", "id_moyen": "1"}
    table.do("POST", f"/restaurant/commandes/{request}/encaisser", due, **yesterday)
    table.do("POST", place.format(other["id"], "annuler"), {"motif": "Rendu"}, **yesterday)
    done(table)
    laundry = till("PRESSING")
    left, undone = (
        laundry.do("POST", "/pressing/commandes", {"id_client": str(customer), "lignes": linen}, **yesterday)
        for _ in range(2)
    )
    place = "/pressing/commandes/{{{}/commande/id_commande}}/{}"
    for step, body in (("traitement", None), ("pret", None), ("retirer", {"solde": "500", "id_moyen": "1"})):
        laundry.do("POST", place.format(left["id"], step), body, **yesterday)
    laundry.do("POST", place.format(undone["id"], "annuler"), {"motif": "Rendu"}, **yesterday)
    done(laundry)
    house = till("LOCATION_RESIDENTIEL")
    house.do("POST", f"/residence/echeances/{rent}/encaisser", {"montant": "400", "id_moyen": "1"}, **yesterday)
    done(house)
    office = till(db.one("select code from core.activite join facturation.facture using (id_activite)"
                         " where id_facture = %s", [service]))  # fmt: skip
    bill = {"id_facture": str(service), "montant": "900", "id_moyen": "1"}
    money = office.do("POST", "/finances/paiements", bill, **yesterday)
    office.do("POST", f"/finances/paiements/{{{money['id']}/id_paiement}}/annuler", {"motif": "Rendu"}, **yesterday)
    done(office)
    ok(admin.get("/finances/caisses"))
    done_functions = {row["fonction"] for row in db.all("select fonction from finances.operation_appareil")}
    assert done_functions == {row["fonction"] for row in db.all("select fonction from finances._hors_ligne_vue")}
    days = db.all("""
      select distinct core.jour(date) as jour from market.vente union select core.jour(date) from restaurant.commande
      union select core.jour(date_depot) from pressing.commande
      union select core.jour(date_retrait_reelle) from pressing.commande where statut = 'RETIRE'
      union select core.jour(ouverture) from finances.periode_caisse
      union select jour from market.mouvement_stock where id_vente is not null
      union select jour from facturation.facture union select jour from facturation.avoir
      union select jour from finances.paiement union select jour from finances.depense""")
    assert [row["jour"] for row in days] == [today - timedelta(days=1)]
    assert wrong(db) == []
