"""A credit note of a supplier credits a bill, whole or by line, and its goods go out at the cost at which they came."""

from tests import builders, livre
from tests.achat.achats import article, charge, crediter, facture, payer, recevoir, saisir, soldes, stock, taxer
from tests.conftest import ok, refused
from tests.market.test_cout_moyen import last, move


def ids(db, achat):
    return [row["id_ligne"] for row in db.all(
        "select id_ligne from achat.facture_ligne where id_achat = %s order by id_ligne", [achat])]  # fmt: skip


def test_a_whole_credit_note_cancels_the_bill(http, db):
    product, taxed = builders.produit(db, "10", prix_achat="50"), taxer(db)
    bill = facture(db, article(product, 10, 100, code_taxe=taxed), charge(db, 30), frais="100")
    assert stock(db, product) == (20, 1600)
    answer = ok(
        http.as_admin().post(f"/achat/factures/{bill}/avoir", json={"motif": "Abîmé", "numero_fournisseur": "AV-3"})
    )
    assert (answer["statut"], answer["montant_avoirs"], answer["reste"]) == ("ANNULEE", "1328.00", "0.00")
    [credit] = answer["avoirs"]
    assert credit["numero"].endswith(f"AVA-{db.today().year}-001") and credit["numero_fournisseur"] == "AV-3"
    assert [(row["quantite"], row["montant"], row["montant_taxe"]) for row in credit["lignes"]] == [
        ("10.00", "1100.00", "198.00"), (None, "30.00", "0.00"),
    ]  # fmt: skip
    assert stock(db, product) == (10, 500)
    assert soldes(db, "FOURNISSEURS", "ACHATS", "FRAIS_ACHAT", "DEPENSES", "TAXES_DEDUCTIBLES") == (0, -100, 100, 0, 0)
    with refused("FACTURE_NON_CREDITABLE", 409):
        crediter(db, bill)
    # The number of the supplier is free again.
    number = db.one("select numero_fournisseur from achat.facture")
    supplier = db.one("select id_fournisseur from achat.facture")
    saisir(db, charge(db, 1, "b"), numero_fournisseur=number, id_fournisseur=supplier)
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_parts_of_a_line_add_up_to_it(db):
    product, taxed = builders.produit(db, "0"), taxer(db)
    bill = facture(db, article(product, 3, "33.33", code_taxe=taxed), charge(db, 10, code_taxe=taxed))
    goods, rest = ids(db, bill)
    for _ in range(3):
        crediter(db, bill, {"id_ligne": goods, "quantite": "1"})
    crediter(db, bill, {"id_ligne": rest, "montant": "4"})
    crediter(db, bill, {"id_ligne": rest})
    rows = db.all("select montant::integer, montant_taxe::integer from achat.avoir_ligne order by id_ligne_avoir")
    assert [tuple(row.values()) for row in rows] == [(33, 6), (34, 6), (33, 6), (4, 1), (6, 1)]
    assert db.one("select statut from achat.facture") == "ANNULEE" and stock(db, product) == (0, 0)
    assert soldes(db, "FOURNISSEURS", "ACHATS", "DEPENSES", "TAXES_DEDUCTIBLES") == (0, 0, 0, 0)


def test_goods_go_out_at_the_cost_at_which_they_came(db):
    product = builders.produit(db, "0")
    cheap, dear = facture(db, article(product, 10, 100)), facture(db, article(product, 10, 200))
    crediter(db, dear, {"id_ligne": ids(db, dear)[0], "quantite": "4"})
    assert stock(db, product) == (16, 2200) and (last(db)["origine_cout"], int(last(db)["valeur"])) == ("RETOUR", -800)
    move(db, product, "SORTIE", 6)
    crediter(db, cheap)  # the last article takes the whole value
    assert stock(db, product) == (0, 0)
    assert (int(last(db)["valeur"]), int(last(db)["ecart_de_cout"])) == (-1375, 375)
    with refused("STOCK_INSUFFISANT", 409):
        crediter(db, dear)
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_goods_received_before_their_bill_go_back_at_its_cost(db):
    product = builders.produit(db, "0")
    supplier = db.call("market.fournisseur_creer", nom="Grossiste")["id_fournisseur"]
    reception = recevoir(db, product, 10, 100, id_fournisseur=supplier)
    bill = facture(db, article(product, 10, 130, id_reception=reception), id_fournisseur=supplier)
    crediter(db, bill, {"id_ligne": ids(db, bill)[0], "quantite": "5"})
    assert stock(db, product) == (5, 650) and soldes(db, "FOURNISSEURS", "RECEPTIONS", "ACHATS") == (-650, 0, 650)


def test_a_rebate_lowers_the_cost_of_goods_that_stay(http, db):
    product, taxed = builders.produit(db, "0"), taxer(db)
    bill = facture(db, article(product, 10, 100, code_taxe=taxed))
    move(db, product, "SORTIE", 4)
    body = {"lignes": [{"id_ligne": str(ids(db, bill)[0]), "montant": "200"}]}
    answer = ok(http.as_admin().post(f"/achat/factures/{bill}/avoir", json=body))
    assert (answer["statut"], answer["montant_avoirs"], answer["reste"]) == ("VALIDEE", "236.00", "944.00")
    [line] = answer["avoirs"][0]["lignes"]
    assert (line["quantite"], line["montant"], line["montant_taxe"]) == (None, "200.00", "36.00")
    # Six of ten articles are still here; the part of the four that went is a difference of today.
    movement = last(db)
    assert (movement["origine_cout"], movement["motif"]) == ("CORRECTION", "Rabais du fournisseur")
    assert (int(movement["valeur"]), int(movement["ecart_de_cout"])) == (-120, -80)
    assert stock(db, product) == (6, 480)
    assert soldes(db, "FOURNISSEURS", "ACHATS", "TAXES_DEDUCTIBLES", "STOCK") == (-944, 800, 144, 480)
    # Articles that go back after the rebate go at the lower price.
    crediter(db, bill, {"id_ligne": ids(db, bill)[0], "quantite": "5"})
    assert stock(db, product) == (1, 80) and int(last(db)["valeur"]) == -400
    # All articles that were not given back are the one in stock, and four that went.
    crediter(db, bill, {"id_ligne": ids(db, bill)[0], "montant": "50"})
    assert (int(last(db)["valeur"]), int(last(db)["ecart_de_cout"])) == (-10, -40)
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_a_rebate_on_goods_of_a_delivery_corrects_its_entry_and_not_others(db):
    product, supplier = builders.produit(db, "10", prix_achat="50"), db.call("market.fournisseur_creer", nom="G")
    reception = recevoir(db, product, 10, 100, id_fournisseur=supplier["id_fournisseur"])
    bill = facture(db, article(product, 10, 130, id_reception=reception), id_fournisseur=supplier["id_fournisseur"])
    crediter(db, bill, {"id_ligne": ids(db, bill)[0], "montant": "300"})
    assert stock(db, product) == (20, 1500) and int(last(db)["ecart_de_cout"]) == 0
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_an_invalid_credit_note_is_refused_by_name(db):
    product = builders.produit(db, "0")
    bill, other = facture(db, article(product, 2), charge(db, 50)), facture(db, charge(db, 5, "b"))
    goods, rest = ids(db, bill)
    payer(db, bill, 250)
    for rule, status, line in (
        ("AVOIR_EXCESSIF", 409, {"id_ligne": goods, "quantite": "2.01"}),
        ("AVOIR_EXCESSIF", 409, {"id_ligne": rest, "montant": "50.01"}),
        ("QUANTITE_OU_MONTANT", 400, {"id_ligne": goods, "montant": "5", "quantite": "1"}),
        ("AVOIR_EXCESSIF", 409, {"id_ligne": goods, "montant": "200.01"}),
        ("QUANTITE_OU_MONTANT", 400, {"id_ligne": rest, "quantite": "1"}),
        ("LIGNE_D_UNE_AUTRE_FACTURE", 400, {"id_ligne": ids(db, other)[0]}),
    ):
        with refused(rule, status):
            crediter(db, bill, line)
    with refused("LIGNE_D_AVOIR_REPETEE", 409):
        crediter(db, bill, {"id_ligne": goods, "quantite": "1"}, {"id_ligne": goods, "quantite": "1"})
    with refused("FACTURE_NON_CREDITABLE", 409):
        crediter(db, saisir(db, charge(db, 5, "c"))["id_achat"])
    with refused("DATE_FUTURE", 400):
        crediter(db, bill, date="2999-01-01")
    crediter(db, bill, {"id_ligne": rest})
    with refused("AVOIR_EXCESSIF", 409):
        crediter(db, bill, {"id_ligne": rest})
