"""Stock at its weighted average cost: each movement has its cost and its value, and past values never change."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import accepted, ok, refused
from tests.examples import EXAMPLES

VALUES = "select quantite_stock::text, valeur_stock::text from market.produit where id_produit = %s"


def value(db, product):
    return tuple(db.all(VALUES, [product])[0].values())


def move(db, product, kind, quantity, **fields):
    return db.call("market.mouvement_stock_creer", id_produit=product, type=kind, quantite=str(quantity), **fields)


def sell(db, *basket, price=100):
    """The ids of a sale and of its invoice."""
    lines = [{"id_produit": product, "quantite": str(quantity)} for product, quantity in basket]
    total = str(sum(Decimal(line["quantite"]) for line in lines) * price)
    made = db.call("market.vente_creer", lignes=lines, paiement={"montant": total, "id_moyen": 1})
    sale = db.one("select max(id_vente) from market.vente")
    return sale, db.one("select id_facture from facturation.facture where numero = %s", [made["numero"]])


def take_back(db, invoice, place, quantity):
    line = db.all("select id_ligne from facturation.facture_ligne where id_facture = %s order by id_ligne", [invoice])
    credited = {"id_ligne": line[place]["id_ligne"], "quantite": str(quantity), "retour_stock": True}
    db.call("facturation.avoir_creer", id_facture=invoice, lignes=[credited], motif="rendu",
            remboursement={"id_moyen": 1})  # fmt: skip


def correct(db, movement, cost, **fields):
    return db.call("market.mouvement_stock_corriger", id_mouvement=movement, cout_unitaire=str(cost), **fields)


def last(db):
    return db.all("select * from market.mouvement_stock_vue order by id_mouvement desc limit 1")[0]


def test_a_sale_and_its_margin_take_the_average_cost_of_their_moment(http, db):
    admin = http.as_admin()
    product = builders.produit(db, "10", "300", prix_achat="100")
    body = {"id_produit": str(product), "type": "ENTREE", "quantite": "10", "cout_unitaire": "200"}
    entry = ok(admin.post("/market/mouvements", json=body), 201)
    names = ("cout_unitaire", "origine_cout", "valeur", "valeur_resultante")
    assert [entry[name] for name in names] == ["200.00", "SAISI", "2000.00", "3000.00"]
    read = admin.get(f"/market/produits/{product}").json()
    assert (read["cout_moyen"], read["valeur_stock"], read["prix_achat"]) == ("150.00", "3000.00", "100.00")
    sell(db, (product, 4), price=300)
    move(db, product, "ENTREE", 4, cout_unitaire="500")
    sell(db, (product, 1), price=300)
    report = admin.get("/market/rapports/ventes").json()
    assert (report["ca_total"], report["marge_totale"]) == ("1500.00", "680.00")  # − 4 × 150 − 1 × 220
    assert report["top_produits"][0]["marge"] == "680.00"
    dashboard = admin.get("/dashboard").json()["market"]["stock"]
    assert dashboard["valeur_stock"] == admin.get(f"/market/produits/{product}").json()["valeur_stock"] == "4180.00"


def test_an_entry_without_a_cost_says_which_one_it_takes(db):
    product = builders.produit(db, "0", prix_achat="70")
    moves = [move(db, product, "ENTREE", 2)]  # the stock is empty: the sheet
    db.call("market.produit_modifier", id_produit=product, champs={"prix_achat": "500"})
    moves += [move(db, product, "ENTREE", 3), move(db, product, "AJUSTEMENT", 1), move(db, product, "AJUSTEMENT", -2)]
    moves += [move(db, product, "AJUSTEMENT", 4, cout_unitaire="20"), move(db, product, "SORTIE", 8)]
    moves += [move(db, product, "AJUSTEMENT", 2)]
    assert [(m["origine_cout"], int(m["cout_unitaire"]), int(m["valeur"])) for m in moves] == [
        ("FICHE", 70, 140), ("MOYEN", 70, 210), ("MOYEN", 70, 70), ("MOYEN", 70, -140), ("SAISI", 20, 80),
        ("MOYEN", 45, -360), ("FICHE", 500, 1000),
    ]  # fmt: skip
    for kind, quantity in (("SORTIE", 1), ("AJUSTEMENT", -1)):
        with refused("COUT_D_UNE_SORTIE", 400):
            move(db, product, kind, quantity, cout_unitaire="20")


def test_the_last_article_takes_what_rounding_has_left(db):
    product = builders.produit(db, "0")
    move(db, product, "ENTREE", 3, cout_unitaire="33.33")  # worth 100: the unit of the currency has no decimals
    assert [int(move(db, product, "SORTIE", 1)["valeur"]) for _ in range(3)] == [-33, -34, -33]
    assert value(db, product) == ("0.00", "0.00")


def test_returned_articles_come_back_at_the_cost_at_which_they_left(db):
    product = builders.produit(db, "10", "100", prix_achat="60")
    sale, invoice = sell(db, (product, 3), (product, 1))
    move(db, product, "ENTREE", 6, cout_unitaire="90")
    take_back(db, invoice, 0, "0.5")
    assert (int(last(db)["valeur"]), last(db)["origine_cout"]) == (30, "RETOUR")
    db.call("market.vente_annuler", id_vente=sale)
    assert (int(last(db)["valeur"]), str(last(db)["cout_unitaire"])) == (210, "60.00")
    assert value(db, product) == ("16.00", "1140.00")


def test_a_sale_of_before_the_average_cost_keeps_its_purchase_price(db):
    product = builders.produit(db, "10", "100", prix_achat="60")
    sale, invoice = sell(db, (product, 4))
    before = "cout_unitaire = null, origine_cout = null, valeur = null, valeur_resultante = null"
    db.tamper(f"update market.mouvement_stock set {before} where id_vente = %s", sale)
    db.tamper("update market.produit set prix_achat = 80, valeur_stock = 600")  # which six articles were worth, at 100
    db.tamper("update market.mouvement_stock set valeur = 600, cout_unitaire = 100 where id_vente is null")
    assert db.call("market.rapport_ventes")["marge_totale"] == 160
    take_back(db, invoice, 0, 1)
    assert int(last(db)["valeur"]) == 60
    db.call("market.vente_annuler", id_vente=sale)
    assert (last(db)["origine_cout"], int(last(db)["valeur"])) == ("RETOUR", 180)
    with refused("COUT_NON_CORRIGEABLE", 409):
        correct(db, db.one("select min(id_mouvement) from market.mouvement_stock where id_vente = %s", [sale]), 5)


def test_a_late_cost_changes_the_average_and_writes_what_is_sold_as_one_line(http, db):
    late, right = builders.produit(db, "10", prix_achat="100"), builders.produit(db, "10", prix_achat="100")
    entry = move(db, late, "ENTREE", 30)["id_mouvement"]
    move(db, right, "ENTREE", 30, cout_unitaire="140")
    for product in (late, right):
        move(db, product, "SORTIE", 10)
        move(db, product, "ENTREE", 10, cout_unitaire="160")
        move(db, product, "AJUSTEMENT", -20)
    before = db.all("select * from market.mouvement_stock order by id_mouvement")
    answer = ok(http.as_admin().post(f"/market/mouvements/{entry}/corriger", json={"cout_unitaire": "140"}))
    assert (answer["type"], answer["quantite_mouvement"], answer["origine_cout"]) == (
        "AJUSTEMENT",
        "0.00",
        "CORRECTION",
    )
    assert (answer["valeur"], answer["ecart_de_cout"]) == ("450.00", "750.00")  # 30 × 40, of which ¾ × ½ is still there
    assert answer["id_mouvement_origine"] == str(entry) and answer["motif"] == f"Coût du mouvement {entry} corrigé"
    assert value(db, late) == value(db, right)
    assert db.all("select * from market.mouvement_stock order by id_mouvement")[:-1] == before
    assert db.call("market.rapport_ventes")["ecarts_de_cout"] == 750
    # The next correction starts from this one.
    again = correct(db, entry, 100, motif="Erreur")
    assert (int(again["valeur"]), int(again["ecart_de_cout"]), again["motif"]) == (-450, -750, "Erreur")
    move(db, late, "SORTIE", 20)
    gone = correct(db, entry, 101)
    assert (int(gone["valeur"]), int(gone["ecart_de_cout"])) == (0, 30)
    assert value(db, late) == ("0.00", "0.00")


def test_only_the_cost_of_what_came_in_is_corrected(db):
    product = builders.produit(db, "10", "100")
    sale, _ = sell(db, (product, 1))
    db.call("market.vente_annuler", id_vente=sale)
    back = last(db)["id_mouvement"]
    entry = move(db, product, "ENTREE", 1)["id_mouvement"]
    correction = correct(db, entry, 1)["id_mouvement"]
    for movement in (back, correction, move(db, product, "SORTIE", 1)["id_mouvement"]):
        with refused("COUT_NON_CORRIGEABLE", 409):
            correct(db, movement, 5)
    with refused("NOT_FOUND", 404):
        correct(db, 987654321, 5)


def test_the_value_of_the_stock_is_known_at_any_past_day(http, db):
    admin, today = http.as_admin(), db.today()
    one, two = builders.produit(db, "0", nom="Huile"), builders.produit(db, "0", nom="Riz", actif=False)
    for days, product, kind, quantity in ((9, one, "ENTREE", 4), (6, two, "ENTREE", 3), (3, one, "SORTIE", 3)):
        movement = move(db, product, kind, quantity)["id_mouvement"]
        back = "update market.mouvement_stock set date = date - make_interval(days => %s) where id_mouvement = %s"
        db.tamper(back, days, movement)
    correct(db, db.one("select min(id_mouvement) from market.mouvement_stock"), 600)

    def stock(days):
        day = {"au": str(today - timedelta(days=days))}
        rows = admin.get("/market/rapports/stock", params=day).json()
        total = admin.get("/dashboard", params=day).json()["market"]["stock"]["valeur_stock"]
        return [(row["nom"], row["quantite_stock"], row["cout_moyen"], row["valeur_stock"]) for row in rows], total

    assert stock(10) == ([], "0.00")
    assert stock(7) == ([("Huile", "4.00", "500.00", "2000.00")], "2000.00")
    rice = ("Riz", "3.00", "500.00", "1500.00")
    assert stock(4) == ([("Huile", "4.00", "500.00", "2000.00"), rice], "3500.00")
    assert stock(1) == ([("Huile", "1.00", "500.00", "500.00"), rice], "2000.00")
    assert stock(0) == stock(-5) == ([("Huile", "1.00", "600.00", "600.00"), rice], "2100.00")
    # Before the average cost: what moved between that day and the upgrade has no value.
    db.tamper("update market.mouvement_stock set valeur = null, origine_cout = null where type = 'SORTIE'")
    assert stock(4)[1] is None and stock(4)[0][0] == ("Huile", "4.00", None, None)


def test_only_staff_see_what_the_stock_is_worth(http, db):
    product = builders.produit(db, "10")
    buyer = http.as_user(builders.porteur(db, "MARCHANDISE.COMMANDER"))
    row = buyer.get(f"/market/produits/{product}").json()
    assert (row["quantite_stock"], row["cout_moyen"], row["valeur_stock"]) == ("10.00", None, None)
    assert buyer.get("/market/rapports/stock").status_code == 403
    other = builders.porteur(db, "MARCHANDISE.VOIR", activite=builders.activite(db, "PRESSING"))
    assert http.as_user(other).get("/market/rapports/stock").json() == []


def test_a_value_written_by_hand_is_replaced_and_a_wrong_one_is_named(db):
    product = builders.produit(db, "10")
    db.execute("update market.produit set valeur_stock = 7 where id_produit = %s", [product])
    assert value(db, product) == ("10.00", "5000.00")
    db.execute(
        "insert into market.mouvement_stock (id_produit, type, quantite, valeur) values (%s, 'SORTIE', 1, 9)", [product]
    )
    assert value(db, product) == ("9.00", "4500.00")
    db.tamper("update market.produit set valeur_stock = 4499")
    reference = db.one("select reference from market.produit")
    assert [row["phrase"] for row in db.all("select phrase from jobs._controler() as phrase")][:1] == [
        f"Le stock du produit {reference}, 9.00 unités, porte valeur_stock 4499.00, ses mouvements font 4500.00."
    ]
    [gap] = db.all("select (unnest((market.stock_reesolder()).ecarts)).*")
    assert (int(gap["ecart"]), int(gap["valeur_avant"]), int(gap["valeur_apres"])) == (0, 4499, 4500)


# ---- any history

PRICES = (Decimal("100"), Decimal("33.33"), Decimal("0.50"))
product = st.integers(0, len(PRICES) - 1)
quantity = st.decimals(min_value="0.01", max_value=12, places=2)
cost = st.decimals(min_value=0, max_value=300, places=2)
step = st.one_of(
    st.tuples(st.just("move"), product, st.just("ENTREE"), quantity, st.none() | cost),
    st.tuples(st.just("move"), product, st.just("SORTIE"), quantity, st.none()),
    st.tuples(st.just("move"), product, st.just("AJUSTEMENT"), st.decimals(min_value=-8, max_value=8, places=2),
              st.none()),
    st.tuples(st.just("sell"), st.lists(st.tuples(product, quantity), min_size=1, max_size=3)),
    st.tuples(st.just("take back"), st.integers(0, 5), st.integers(0, 2), quantity),
    st.tuples(st.just("cancel"), st.integers(0, 5)),
    st.tuples(st.just("correct"), st.integers(0, 9), cost),
)  # fmt: skip
REFUSALS = {
    "STOCK_INSUFFISANT", "quantite_du_mouvement", "TRANSITION_INTERDITE", "AVOIR_EXCESSIF", "FACTURE_ANNULEE",
}  # fmt: skip


class Shop:
    """A model of the values. A refused step does not reach it."""

    def __init__(self, products, decimals):
        self.products = products
        self.unit = Decimal(1).scaleb(-decimals)
        self.stock = [[Decimal(0), Decimal(0)] for _ in products]
        self.sales = []
        self.entries = []

    def rounded(self, amount):
        """The amount in units of the currency; halves go away from zero."""
        units = Fraction(amount) / Fraction(self.unit)
        whole = int(abs(units) + Fraction(1, 2))
        return (whole if units > 0 else -whole) * self.unit

    def part(self, whole, total, quantity):
        return (
            whole
            if quantity == total
            else min(whole, self.rounded(Fraction(whole) * Fraction(quantity) / Fraction(total)))
        )

    def add(self, n, quantity, worth):
        if quantity < 0:
            for entry in self.entries:
                if entry["n"] == n:
                    entry["left"] *= Fraction(self.stock[n][0] + quantity) / Fraction(self.stock[n][0])
        self.stock[n][0] += quantity
        self.stock[n][1] += worth

    def out(self, n, quantity):
        worth = self.part(self.stock[n][1], self.stock[n][0], quantity)
        self.add(n, -quantity, -worth)
        return worth

    def enter(self, n, quantity, price):
        held, worth = self.stock[n]
        unit = (
            Fraction(price) if price is not None else Fraction(worth) / Fraction(held) if held else Fraction(PRICES[n])
        )
        added = self.rounded(unit * Fraction(quantity))
        self.add(n, quantity, added)
        self.entries.append({"n": n, "quantity": quantity, "worth": added, "left": Fraction(1)})
        return added


def run(db, shop, action, *values):
    """Act on the database, then on the model. Return the key of the movement, of the sale or nothing."""
    if action == "move":
        n, kind, quantity, price = values
        fields = {} if price is None else {"cout_unitaire": str(price)}
        made = move(db, shop.products[n], kind, quantity, **fields)
        if made["delta"] < 0:
            assert -made["valeur"] == shop.out(n, -made["delta"])
        else:
            assert made["valeur"] == shop.enter(n, quantity, price)
            shop.entries[-1]["key"] = made["id_mouvement"]
    elif action == "sell":
        sale, invoice = sell(db, *((shop.products[n], quantity) for n, quantity in values[0]))
        wanted = Counter()
        for n, quantity in values[0]:
            wanted[n] += quantity
        left = {n: [quantity, shop.out(n, quantity)] for n, quantity in sorted(wanted.items())}
        shop.sales.append({"key": sale, "invoice": invoice, "lines": [n for n, _ in values[0]], "left": left})
    elif action == "take back" and shop.sales:
        sale = shop.sales[values[0] % len(shop.sales)]
        place = values[1] % len(sale["lines"])
        take_back(db, sale["invoice"], place, values[2])
        come_back(shop, sale, sale["lines"][place], values[2])
    elif action == "cancel" and shop.sales:
        sale = shop.sales[values[0] % len(shop.sales)]
        db.call("market.vente_annuler", id_vente=sale["key"])
        for n in sale["left"]:
            come_back(shop, sale, n, sale["left"][n][0])
    elif action == "correct" and shop.entries:
        entry = shop.entries[values[0] % len(shop.entries)]
        made = correct(db, entry["key"], values[1])
        change = shop.rounded(Fraction(entry["quantity"]) * Fraction(values[1])) - entry["worth"]
        assert made["valeur"] + made["ecart_de_cout"] == change
        share = max(-shop.stock[entry["n"]][1], shop.rounded(Fraction(change) * entry["left"]))
        assert abs(made["valeur"] - share) <= shop.unit  # the share is rounded to thirty digits
        shop.stock[entry["n"]][1] += made["valeur"]
        entry["worth"] += change


def come_back(shop, sale, n, quantity):
    left = sale["left"][n]
    if quantity:
        worth = shop.part(left[1], left[0], quantity)
        shop.add(n, quantity, worth)
        left[0] -= quantity
        left[1] -= worth


@EXAMPLES
@given(steps=st.lists(step, min_size=1, max_size=16), decimals=st.sampled_from([0, 2]))
@example(  # each action, with a value that rounding touches
    steps=[
        ("move", 1, "ENTREE", Decimal("7.77"), Decimal("33.33")), ("sell", [(1, Decimal("2.5")), (1, Decimal("0.27"))]),
        ("take back", 0, 0, Decimal("0.99")), ("correct", 0, Decimal("41.5")), ("move", 1, "ENTREE", Decimal(5), None),
        ("take back", 0, 0, Decimal("9")), ("cancel", 0), ("cancel", 0),
        ("move", 1, "AJUSTEMENT", Decimal("-1.11"), None), ("correct", 1, Decimal(0)),
        ("sell", [(1, Decimal("11.66"))]), ("correct", 0, Decimal("12.34")), ("cancel", 1),
        ("correct", 1, Decimal(300)),
    ],
    decimals=0,
)  # fmt: skip
def test_after_any_history_the_values_of_the_movements_make_the_value_of_the_stock(db, steps, decimals):
    with db.connection.transaction(force_rollback=True):
        db.execute("update core.parametre set valeur = %s where cle = 'DEVISE_DECIMALES'", [str(decimals)])
        products = [builders.produit(db, "0", "100", prix_achat=str(price)) for price in PRICES]
        shop = Shop(products, decimals)
        for action in steps:
            accepted(db, REFUSALS, run, db, shop, *action)
            rows = db.all(
                "select p.quantite_stock, p.valeur_stock, coalesce(sum(m.valeur), 0) as moved"
                "  from market.produit p left join market.mouvement_stock m using (id_produit)"
                " where p.id_produit = any(%s) group by p.id_produit order by p.id_produit", [products],
            )  # fmt: skip
            assert [list(row.values()) for row in rows] == [[held, worth, worth] for held, worth in shop.stock], action
            assert all(worth >= 0 and (held or not worth) for held, worth in shop.stock)
        assert db.all("select * from jobs._controler()") == []
