"""Goods that come before their bill enter at an expected cost, and the bill writes the difference."""

import pytest

from tests import builders, livre
from tests.achat.achats import article, dettes, facture, fournisseur, recevoir, soldes, stock, taxer
from tests.conftest import ok, refused
from tests.market.test_cout_moyen import correct, last, move


@pytest.fixture
def supplier(db):
    return fournisseur(db)


@pytest.fixture
def product(db):
    return builders.produit(db, "0")


def test_a_delivery_is_in_stock_and_its_bill_is_expected(http, db, supplier, product):
    admin = http.as_admin()
    body = {
        "id_fournisseur": str(supplier), "document_ref": "BL-4",
        "lignes": [{"id_produit": str(product), "quantite": "10", "cout_unitaire": "99.95"}],
    }  # fmt: skip
    made = ok(admin.post("/achat/receptions", json=body), 201)
    assert (made["date"], made["montant"], made["a_facturer"]) == (str(db.today()), "1000.00", True)
    assert stock(db, product) == (10, 1000) and dettes(db) == []
    assert soldes(db, "RECEPTIONS", "ACHATS") == (-1000, 1000)
    assert [row["id_reception"] for row in admin.get("/achat/receptions", params={"a_facturer": True}).json()] == [
        made["id_reception"]
    ]
    assert admin.get(f"/achat/receptions/{made['id_reception']}").json() == made


def test_the_bill_of_a_delivery_books_the_difference(db, supplier, product):
    reception = recevoir(db, product, 10, 100, id_fournisseur=supplier)
    move(db, product, "SORTIE", 4)
    facture(db, article(product, 10, 120, code_taxe=taxer(db), id_reception=reception), id_fournisseur=supplier,
            frais="50")  # fmt: skip
    assert (last(db)["origine_cout"], int(last(db)["valeur"]), int(last(db)["ecart_de_cout"])) == (
        "CORRECTION",
        150,
        100,
    )
    assert stock(db, product) == (6, 750)
    assert soldes(db, "FOURNISSEURS", "RECEPTIONS", "ACHATS", "FRAIS_ACHAT", "TAXES_DEDUCTIBLES") == (
        -1475, 0, 1200, 50, 225,
    )  # fmt: skip
    assert db.one("select a_facturer from achat.reception_vue") is False
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_several_bills_take_a_delivery_in_parts(db, supplier, product):
    reception = recevoir(db, product, 3, "33.33", id_fournisseur=supplier)
    for price in (50, 20):
        facture(db, article(product, 1, price, id_reception=reception), id_fournisseur=supplier)
    assert stock(db, product) == (3, 103) and soldes(db, "RECEPTIONS", "ACHATS") == (-33, 103)
    with refused("RECEPTION_DEJA_FACTUREE", 409) as refusal:
        facture(db, article(product, 2, 30, id_reception=reception), id_fournisseur=supplier)
    assert refusal["message"] == "De cette réception, il reste 1 à facturer."
    facture(db, article(product, 1, 33, id_reception=reception), id_fournisseur=supplier)  # as expected: no correction
    assert stock(db, product) == (3, 103) and soldes(db, "RECEPTIONS") == (0,)
    assert livre.wrong(db) == []


def test_a_delivery_is_cancelled_once_and_before_its_bill(http, db, supplier, product):
    move(db, product, "ENTREE", 10, cout_unitaire="50")
    reception = recevoir(db, product, 10, 100, id_fournisseur=supplier)
    answer = ok(http.as_admin().post(f"/achat/receptions/{reception}/annuler"))
    assert answer["id_reception_contraire"] and answer["a_facturer"] is False
    assert stock(db, product) == (10, 500) and soldes(db, "RECEPTIONS", "ACHATS") == (0, 0)
    with refused("RECEPTION_DEJA_ANNULEE", 409):
        db.call("achat.reception_annuler", id_reception=reception)
    with refused("RECEPTION_ANNULEE", 409):
        db.call("achat.reception_annuler", id_reception=answer["id_reception_contraire"])
    with refused("RECEPTION_ANNULEE", 409):
        facture(db, article(product, 1, id_reception=reception), id_fournisseur=supplier)
    billed = recevoir(db, product, 1, id_fournisseur=supplier)
    facture(db, article(product, 1, id_reception=billed), id_fournisseur=supplier)
    with refused("RECEPTION_DEJA_FACTUREE", 409):
        db.call("achat.reception_annuler", id_reception=billed)
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_an_invalid_delivery_is_refused_by_name(db, supplier, product):
    line = {"id_produit": product, "quantite": "1", "cout_unitaire": "5"}
    last_month = db.one("select (date_trunc('month', core.aujourdhui()::timestamp) - interval '1 day')::date")
    db.call("compta.periode_cloturer", periode=str(last_month)[:7])
    for rule, status, given, fields in (
        ("RECEPTION_SANS_LIGNE", 400, [], {}),
        ("PRODUIT_DEJA_RECU", 409, [line, line], {}),
        ("RECEPTION_FOURNISSEUR_INCONNU", 422, [line], {"id_fournisseur": 987654321}),
        ("MONTANT_TROP_GRAND", 400, [line | {"cout_unitaire": "1000000001"}], {}),
        ("DATE_FUTURE", 400, [line], {"date": "2999-01-01"}),
        ("PERIODE_CLOTUREE", 409, [line], {"date": str(last_month)}),
    ):
        with refused(rule, status):
            db.call("achat.reception_creer", **{"id_fournisseur": supplier, "lignes": given} | fields)
    with refused("PRODUIT_NON_RECU", 409):
        reception = recevoir(db, product, id_fournisseur=fournisseur(db, "Autre"))
        facture(db, article(product, 1, id_reception=reception), id_fournisseur=supplier)


def test_the_cost_of_bought_goods_is_corrected_by_their_bill_only(db, supplier, product):
    recevoir(db, product, id_fournisseur=supplier)
    received = last(db)["id_mouvement"]
    facture(db, article(product), id_fournisseur=supplier)
    for entry in (received, last(db)["id_mouvement"]):
        with refused("COUT_D_UN_ACHAT", 409):
            correct(db, entry, 5)
    other = move(db, product, "ENTREE", 1)["id_mouvement"]
    assert correct(db, other, 5)
