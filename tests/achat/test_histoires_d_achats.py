"""After any history of purchases, the stock, the debts, the tax and the ledger add up."""

from datetime import timedelta
from decimal import Decimal

from hypothesis import example, given
from hypothesis import strategies as st

from tests import builders, livre
from tests.achat.achats import article, crediter, dettes, fournisseur, part, payer, recevoir, saisir, taxer
from tests.conftest import accepted
from tests.examples import EXAMPLES
from tests.market.test_cout_moyen import sell

product, any_of = st.integers(0, 1), st.integers(0, 5)
quantity = st.decimals(min_value="0.01", max_value=20, places=2)
price = st.decimals(min_value=0, max_value=400, places=2)
line = st.tuples(product, quantity, price, st.booleans())
share = st.none() | st.decimals(min_value="0.01", max_value=1, places=2)
step = st.one_of(
    st.tuples(st.just("bill"), st.lists(line, max_size=3), st.none() | price, price, price, st.booleans()),
    st.tuples(st.just("receive"), product, quantity, price),
    st.tuples(st.just("late bill"), any_of, share, price, st.booleans()),
    st.tuples(st.just("credit"), any_of, any_of, share),
    st.tuples(st.just("rebate"), any_of, any_of, share),
    st.tuples(st.just("pay"), any_of, share),
    st.tuples(st.just("pay all")),
    st.tuples(st.just("void"), any_of),
    st.tuples(st.just("return"), any_of),
    st.tuples(st.just("sell"), product, quantity),
    st.tuples(st.just("close")),
)
REFUSALS = {
    "ACHAT_SANS_LIGNE", "FRAIS_SANS_MARCHANDISE", "REMISE_EXCESSIVE", "STOCK_INSUFFISANT", "RECEPTION_DEJA_FACTUREE",
    "RECEPTION_ANNULEE", "AVOIR_EXCESSIF", "FACTURE_NON_CREDITABLE", "SURPAIEMENT", "PAIEMENT_SUIVI_D_UN_AVOIR",
    "PERIODE_CLOTUREE", "PAIEMENT_SANS_FACTURE", "achat_sans_montant", "reception_deja_annulee",
    "application_d_achat_nulle", "quantite_positive", "montant_strictement_positif",
}  # fmt: skip


class House:
    def __init__(self, db, taxed):
        self.products = [builders.produit(db, "0", "100") for _ in range(2)]
        self.supplier, self.taxed = fournisseur(db), taxed
        self.category = builders.categorie_depense(db, "Eau")
        self.today = db.today()
        self.last_month = self.today.replace(day=1) - timedelta(days=1)
        self.receptions, self.owed = [], Decimal(0)


def enter(db, house, lines, **fields):
    made = saisir(db, *lines, id_fournisseur=house.supplier, **fields)
    db.call("achat.facture_valider", id_achat=made["id_achat"])
    house.owed += made["montant_total"]


def pick(db, query, place):
    """The row at a place of the answer, as its values; nothing of an empty answer."""
    rows = db.all(query)
    return tuple(rows[place % len(rows)].values()) if rows else None


def run(db, house, action, *values):
    if action == "bill":
        lines, expense, freight, discount, early = values
        given = [
            article(house.products[n], q, p, **({"code_taxe": house.taxed} if tax else {})) for n, q, p, tax in lines
        ]
        if expense is not None:
            eau = {"id_categorie_depense": house.category, "libelle": "Eau", "montant": str(expense)}
            given.append(eau | {"code_taxe": house.taxed})
        date = house.last_month if early else house.today
        enter(db, house, given, frais=str(freight), remise=str(discount), date=str(date))
    elif action == "receive":
        n, q, cost = values
        key = recevoir(db, house.products[n], q, cost, id_fournisseur=house.supplier)
        house.receptions.append((key, house.products[n], q))
    elif action == "late bill" and house.receptions:
        place, some, cost, tax = values
        key, bought, q = house.receptions[place % len(house.receptions)]
        part_of = q if some is None else (q * some).quantize(Decimal("0.01"))
        code = {"code_taxe": house.taxed} if tax else {}
        enter(db, house, [article(bought, part_of, cost, id_reception=key, **code)])
    elif action in ("credit", "rebate"):
        place, of_line, some = values
        bill = pick(db, "select id_achat from achat.facture where jour is not null order by id_achat", place)
        if bill:
            rows = (
                f"select id_ligne, quantite, net from achat.facture_ligne where id_achat = {bill[0]} order by id_ligne"
            )
            key, q, net = pick(db, rows, of_line)
            given_back = some and q and action == "credit"
            unit = {"quantite": q * some} if given_back else {"montant": net * some} if some else {}
            given = [] if some is None else [{"id_ligne": key} | {k: str(round(v, 2)) for k, v in unit.items()}]
            crediter(db, bill[0], *given)
            house.owed -= db.one("select montant_total from achat.avoir order by id_avoir desc limit 1")
    elif action == "pay":
        bill = pick(db, "select id_achat, reste from achat.facture where jour is not null order by id_achat", values[0])
        if bill:
            amount = bill[1] if values[1] is None else round(bill[1] * values[1], 2)
            payer(db, bill[0], amount)
            house.owed -= amount
    elif action == "pay all":
        rows = db.all("select id_achat, reste from achat.facture where jour is not null and reste <> 0")
        parts = [part(db, row["id_achat"]) for row in rows]
        made = db.call("achat.paiement_creer", factures=parts, id_moyen=builders.moyen(db))
        house.owed -= made["montant"]
    elif action == "void":
        held = "select id_depense, montant from achat.paiement where id_depense is not null and date_annulation is null"
        payment = pick(db, held, values[0])
        if payment:
            db.call("finances.depense_supprimer", id_depense=payment[0])
            house.owed += payment[1]
    elif action == "return" and house.receptions:
        db.call("achat.reception_annuler", id_reception=house.receptions[values[0] % len(house.receptions)][0])
    elif action == "sell":
        sell(db, (house.products[values[0]], values[1]))
    elif action == "close":
        db.call("compta.periode_cloturer", periode=str(house.last_month)[:7])


def balance(db, *cases):
    query = "select coalesce(sum(coalesce(debit, -credit)), 0) from compta._derivee_vue where cas::text = any(%s)"
    return db.one(query, [list(cases)])


@EXAMPLES
@given(steps=st.lists(step, min_size=1, max_size=14), regime=st.sampled_from(["FACTURE", "ENCAISSEMENT", None]))
@example(  # the last articles go back and take the whole value
    steps=[
        ("bill", [(0, Decimal(10), Decimal(100), False)], None, Decimal(0), Decimal(0), False),
        ("bill", [(0, Decimal(10), Decimal(200), False)], None, Decimal(0), Decimal(0), False),
        ("sell", 0, Decimal(10)), ("credit", 0, 0, None),
    ],
    regime="FACTURE",
)  # fmt: skip
@example(
    steps=[
        ("receive", 0, Decimal("7.77"), Decimal("33.33")), ("sell", 0, Decimal("2.5")),
        ("bill", [(0, Decimal(3), Decimal("33.33"), True), (1, Decimal("0.27"), Decimal(5), False)], Decimal(70),
         Decimal("10.5"), Decimal(7), True), ("close",), ("late bill", 0, Decimal("0.33"), Decimal(41), True),
        ("pay", 0, Decimal("0.5")), ("late bill", 0, None, Decimal(1), False), ("credit", 1, 0, Decimal("0.5")),
        ("credit", 0, 2, Decimal("0.4")), ("late bill", 0, Decimal("0.67"), Decimal("12.34"), True),
        ("pay", 1, None), ("credit", 1, 0, None), ("void", 0), ("pay all",), ("void", 1), ("credit", 0, 0, None),
    ],
    regime="ENCAISSEMENT",
)  # fmt: skip
def test_after_any_history_of_purchases_everything_adds_up(db, steps, regime):
    with db.connection.transaction(force_rollback=True):
        house = House(db, taxer(db))
        if regime:
            db.execute("update core.parametre set valeur = %s where cle = 'TAXES_DUES'", [regime])
        else:
            db.call("core.regime_creer", regime="NON_ASSUJETTI", du="2020-01-01")
        for action in steps:
            accepted(db, REFUSALS, run, db, house, *action)
            assert sum(row["total"] for row in dettes(db)) == house.owed == -balance(db, "FOURNISSEURS"), action
            # The cost of goods is in the stock, or went with a sale.
            moved = "select coalesce(sum(valeur + coalesce(ecart_de_cout, 0)), 0) from market.mouvement_stock"
            bought = db.one(f"{moved} where id_vente is null")
            assert bought == balance(db, "ACHATS", "FRAIS_ACHAT"), action
        unpaid = "select coalesce(sum(reste), 0) from achat.facture where reste > 0"
        if not db.one(unpaid):
            assert abs(balance(db, "TAXES_EN_ATTENTE")) <= len(steps), "what is paid is deducted, to the franc"
        assert livre.wrong(db) == []
        assert db.all("select * from jobs._controler()") == []
