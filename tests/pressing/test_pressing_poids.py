"""Orders by weight: the price by kilogram, the lines, the total, the invoice and the ticket."""

from decimal import ROUND_HALF_UP, Decimal

from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import ok, refusal, refused
from tests.examples import EXAMPLES
from tests.pressing.test_pressing_commande import facture, lignes

SHEET = {"type_vetement": "Drap", "quantite": "7", "prestation": "Lavage", "poids_kg": "4.385"}
CURTAIN = {"type_vetement": "Rideau", "quantite": "1", "prestation": "Nettoyage à sec", "poids_kg": "0.7"}
SHIRT = {"type_vetement": "Chemise", "quantite": "3", "prestation": "Lavage", "tarif": "500.50"}


def price(db, amount="1550"):
    db.call("pressing.tarif_kg_creer", prix_kg=amount)


def deposit(db, *lines, mode="POIDS", **fields):
    client = builders.client(db)
    db.call("pressing.commande_creer", id_client=client, lignes=[*lines], mode_tarification=mode, **fields)
    return int(db.one("select max(id_commande) from pressing.commande"))


def total(db, id_commande):
    return str(db.one("select montant_total from pressing.commande where id_commande = %s", [id_commande]))


def test_the_price_of_a_kilogram_is_missing_until_it_is_set(http):
    admin = http.as_admin()
    assert refusal(admin.get("/pressing/tarif-kg")) == (404, "NOT_FOUND")
    first = admin.post("/pressing/tarif-kg", json={"prix_kg": "1500"})
    assert (first.status_code, first.json()["prix_kg"]) == (201, "1500.00"), first.text
    second = admin.post("/pressing/tarif-kg", json={"prix_kg": 1725.5})
    assert int(second.json()["id_tarif_kg"]) > int(first.json()["id_tarif_kg"])
    assert admin.get("/pressing/tarif-kg").json() == second.json()
    assert set(second.json()) == {"id_tarif_kg", "prix_kg", "date_creation", "date_effet", "id_utilisateur"}


def test_a_price_is_above_zero_and_below_the_ceiling_and_never_changes(db):
    for amount, rule in (("0", "PRIX_KG_NUL"), ("1000000001", "MONTANT_TROP_GRAND")):
        with refused(rule, 400):
            price(db, amount)
    price(db)
    for statement in ("update pressing.tarif_kg set prix_kg = 1", "delete from pressing.tarif_kg"):
        with refused("TARIF_KG_FIGE", 409):
            db.execute(statement)


def test_an_order_by_weight_costs_its_kilograms_at_the_price_of_the_day(http, db):
    admin, body = http.as_admin(), {"id_client": str(builders.client(db)), "mode_tarification": "POIDS"}
    price(db)
    made = ok(admin.post("/pressing/commandes", json=body | {"lignes": [SHEET, CURTAIN]}), 201)
    command = made["commande"]
    # 4.385 × 1550 is 6796.75, and the franc has no cents.
    assert (command["mode_tarification"], command["montant_total"]) == ("POIDS", "7882.00")
    columns = ("poids_kg", "prix_kg", "tarif", "quantite", "total")
    assert [[row[name] for name in columns] for row in command["lignes"]] == [
        ["4.385", "1550.00", None, 7, "6797.00"], ["0.700", "1550.00", None, 1, "1085.00"],
    ]  # fmt: skip
    listed = admin.get("/pressing/commandes", params={"numero_commande": command["numero_commande"]}).json()
    assert [row["mode_tarification"] for row in listed] == ["POIDS"]


def test_an_order_by_weight_is_refused_without_a_price(db):
    with refused("TARIF_KG_ABSENT", 409):
        deposit(db, SHEET)


def test_a_new_price_leaves_old_orders_at_their_price(db):
    price(db, "1000")
    old = deposit(db, SHEET)
    price(db, "3000")
    assert (total(db, old), total(db, deposit(db, SHEET))) == ("4385.00", "13155.00")
    # Changed lines of the old order are weighed at the price of its deposit.
    db.call("pressing.commande_modifier", id_commande=old, champs={"lignes": [{**SHEET, "poids_kg": "2"}, CURTAIN]})
    assert total(db, old) == "2700.00"


def test_lines_that_do_not_fit_the_mode_are_refused(http, db):
    price(db)
    admin, client = http.as_admin(), str(builders.client(db))
    for mode, rows, rule in (
        ("POIDS", [SHEET, SHIRT], "LIGNE_SELON_LE_MODE"),
        ("UNITAIRE", [SHIRT, SHEET], "LIGNE_SELON_LE_MODE"),
        ("POIDS", [{**SHEET, "tarif": "500"}], "LIGNE_TARIF_OU_POIDS"),
        ("UNITAIRE", [{**SHIRT, "poids_kg": "1"}], "LIGNE_TARIF_OU_POIDS"),
        ("POIDS", [{**SHEET, "poids_kg": None}], "VALIDATION_ERROR"),
        ("POIDS", [{**SHEET, "poids_kg": "0"}], "VALIDATION_ERROR"),
        ("POIDS", [{**SHEET, "poids_kg": "1.0005"}], "VALIDATION_ERROR"),
        ("POIDS", [{**SHEET, "poids_kg": "999999.999"}], "MONTANT_TROP_GRAND"),
    ):
        body = {"id_client": client, "mode_tarification": mode, "lignes": rows}
        assert refusal(admin.post("/pressing/commandes", json=body)) == (400, rule), rows
    assert db.one("select count(*) from pressing.commande_ligne") == 0


def test_the_mode_of_an_order_never_changes(http, db):
    admin = http.as_admin()
    price(db)
    path = f"/pressing/commandes/{deposit(db, SHEET)}"
    same = admin.patch(path, json={"mode_tarification": "POIDS", "lignes": [{**SHEET, "poids_kg": "3"}]})
    assert (same.status_code, same.json()["montant_total"]) == (200, "4650.00")
    other = {"mode_tarification": "UNITAIRE"}
    for body in (other, other | {"lignes": [SHIRT]}, {"lignes": [SHIRT]}):
        assert refusal(admin.patch(path, json=body)) == (400, "LIGNE_SELON_LE_MODE"), body
    assert admin.get(path).json() == same.json()


def test_an_invoiced_order_by_weight_accepts_its_unchanged_lines(db):
    price(db)
    order = deposit(db, SHEET, paiement={"montant": "100", "id_moyen": builders.moyen(db)})
    db.call("pressing.commande_modifier", id_commande=order, champs={"lignes": [SHEET]})
    with refused("COMMANDE_FACTUREE", 409):
        db.call("pressing.commande_modifier", id_commande=order, champs={"lignes": [{**SHEET, "poids_kg": "4.386"}]})


def test_the_invoice_of_an_order_by_weight_shows_weight_and_price_and_has_its_total(db):
    price(db)
    long = {**CURTAIN, "type_vetement": "R" * 150, "prestation": "N" * 150}
    order = deposit(db, SHEET, long, paiement={"montant": "7882", "id_moyen": builders.moyen(db)})
    invoice = facture(db, order)
    assert (invoice["montant_total"], invoice["statut"]) == (7882, "PAYEE")
    rows = db.all("select * from facturation.facture_ligne order by id_ligne")
    assert [(row["quantite"], row["total"]) for row in rows] == [(1, 6797), (1, 1085)]
    labels = [row["libelle"].replace("\N{NO-BREAK SPACE}", " ") for row in rows]
    assert labels[0] == "Drap : Lavage, 4,385 kg à 1 550 FCFA"
    assert len(labels[1]) == 200 and labels[1].endswith("N, 0,7 kg à 1 550 FCFA")


def test_the_ticket_of_an_order_by_weight_shows_the_weight(http, db):
    price(db)
    page = http.as_admin().get(f"/pressing/commandes/{deposit(db, SHEET)}/recu", params={"largeur": 58})
    assert page.status_code == 200
    assert "7 pièces, 4,385 kg × " in page.text and "1 550" in page.text and "6 797" in page.text


WEIGHT = st.integers(1, 40_000).map(lambda grams: Decimal(grams) / 1000)
PRICE = st.integers(1, 400_000).map(lambda cents: Decimal(cents) / 100)


@EXAMPLES
@given(weights=st.lists(WEIGHT, min_size=1, max_size=4), amount=PRICE, decimals=st.sampled_from(["0", "2"]))
def test_the_total_is_the_sum_of_the_rounded_lines(db, weights, amount, decimals):
    with db.connection.transaction(force_rollback=True):
        db.execute("update core.parametre set valeur = %s where cle = 'DEVISE_DECIMALES'", [decimals])
        price(db, str(amount))
        order = deposit(db, *({**SHEET, "poids_kg": str(weight)} for weight in weights))
        unit = Decimal(10) ** -int(decimals)
        expected = [(weight * amount).quantize(unit, ROUND_HALF_UP) for weight in weights]
        assert [row["total"] for row in lignes(db, order)] == expected
        assert Decimal(total(db, order)) == sum(expected)
