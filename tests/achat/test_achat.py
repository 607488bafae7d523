"""Bills of suppliers: a draft owes nothing, a valid bill brings its goods at their cost and is owed."""

import pytest

from tests import builders, livre
from tests.achat.achats import article, charge, dettes, facture, fournisseur, payer, saisir, soldes, stock, taxer
from tests.conftest import ok, refusal, refused


def lines(db, bill):
    query = "select remise, frais, net, montant_taxe from achat.facture_ligne where id_achat = %s order by id_ligne"
    return [tuple(int(value) for value in row.values()) for row in db.all(query, [bill["id_achat"]])]


def test_a_bill_is_a_draft_then_valid_with_its_goods_in_stock(http, db):
    admin, product, supplier = http.as_admin(), builders.produit(db, "0"), fournisseur(db)
    body = {
        "id_fournisseur": str(supplier), "numero_fournisseur": "A-17", "date": str(db.today()), "frais": "60",
        "lignes": [{"id_produit": str(product), "quantite": "12", "prix_unitaire": "95"}],
    }  # fmt: skip
    made = ok(admin.post("/achat/factures", json=body), 201)
    assert (made["statut"], made["numero"], made["montant_total"], made["reste"]) == (
        "BROUILLON", None, "1200.00", "1200.00",
    )  # fmt: skip
    assert stock(db, product) == (0, 0) and dettes(db) == [] and soldes(db, "FOURNISSEURS") == (0,)
    valid = ok(admin.post(f"/achat/factures/{made['id_achat']}/valider"))
    assert valid["numero"].endswith(f"ACH-{db.today().year}-001") and valid["jour"] == str(db.today())
    assert stock(db, product) == (12, 1200) and valid["lignes"][0]["id_mouvement"] is not None
    assert soldes(db, "FOURNISSEURS", "ACHATS", "FRAIS_ACHAT") == (-1200, 1140, 60)
    [debt] = admin.get("/achat/dettes").json()
    assert (debt["fournisseur"], debt["factures"], debt["non_echu"], debt["total"], debt["depuis"]) == (
        "Grossiste", 1, "1200.00", "1200.00", str(db.today()),
    )  # fmt: skip
    [listed] = admin.get("/achat/factures", params={"recherche": "a-17", "statut": "VALIDEE"}).json()
    assert listed["reste"] == "1200.00" and livre.wrong(db) == []


def test_freight_and_discount_are_shared_by_value_to_the_last_franc(db):
    one, two, free = (builders.produit(db, "0") for _ in range(3))
    bill = saisir(db, article(one, 1, 100), article(two, 2, 100), charge(db, 33), article(free, 5, 0),
                  frais="100", remise="10")  # fmt: skip
    assert lines(db, bill) == [(3, 33, 130, 0), (6, 67, 261, 0), (1, 0, 32, 0), (0, 0, 0, 0)]
    assert (bill["montant_ht"], bill["montant_total"]) == (423, 423)
    db.call("achat.facture_valider", id_achat=bill["id_achat"])
    assert [stock(db, product) for product in (one, two, free)] == [(1, 130), (2, 261), (5, 0)]
    assert db.all("select * from jobs._controler()") == [] and livre.wrong(db) == []


def test_the_category_of_a_line_is_not_deleted(http, db):
    line = charge(db, 100)
    saisir(db, line)
    deleted = http.as_admin().delete(f"/finances/categories-depenses/{line['id_categorie_depense']}")
    assert refusal(deleted) == (409, "CATEGORIE_UTILISEE")


def test_a_price_of_the_bill_is_worth_its_amount_whatever_the_unit_cost(db):
    product = builders.produit(db, "0")
    facture(db, article(product, 3, "33.33"), frais="1")
    assert stock(db, product) == (3, 101)
    facture(db, article(product, 7000, "0.01"))
    assert stock(db, product) == (7003, 171)


def test_the_tax_of_a_bill_is_deducted_or_is_in_the_cost(db):
    taxed, exempt = taxer(db), builders.produit(db, "0")
    product = builders.produit(db, "0")
    facture(db, article(product, 10, 100, code_taxe=taxed), charge(db, 50, code_taxe=taxed), article(exempt, 1, 70))
    assert soldes(db, "FOURNISSEURS", "ACHATS", "DEPENSES", "TAXES_DEDUCTIBLES") == (-1309, 1070, 50, 189)
    assert stock(db, product) == (10, 1000)
    db.call("core.regime_creer", regime="NON_ASSUJETTI", du=str(db.today()))
    facture(db, article(product, 10, 100, code_taxe=taxed), charge(db, 50, "Gaz", code_taxe=taxed))
    assert stock(db, product) == (20, 2180)
    assert soldes(db, "FOURNISSEURS", "ACHATS", "DEPENSES", "TAXES_DEDUCTIBLES") == (-2548, 2250, 109, 189)
    assert livre.wrong(db) == []


def test_the_tax_waits_for_the_payment_where_the_regime_says_so(db):
    db.execute("update core.parametre set valeur = 'ENCAISSEMENT' where cle = 'TAXES_DUES'")
    bill = facture(db, charge(db, 100, code_taxe=taxer(db)))
    assert soldes(db, "TAXES_EN_ATTENTE", "TAXES_DEDUCTIBLES") == (18, 0)
    for amount, deducted in ((59, 9), (1, 9), (58, 18)):
        payer(db, bill, amount)
        assert soldes(db, "TAXES_EN_ATTENTE", "TAXES_DEDUCTIBLES") == (18 - deducted, deducted)
    assert livre.wrong(db) == []


def test_a_number_of_a_supplier_is_entered_once(db):
    one, two = fournisseur(db), fournisseur(db, "Autre")
    first = saisir(db, charge(db), id_fournisseur=one, numero_fournisseur="F-1a")
    with refused("NUMERO_FOURNISSEUR_DEJA_SAISI", 409):
        saisir(db, charge(db, 1, "b"), id_fournisseur=one, numero_fournisseur="f-1A")
    saisir(db, charge(db, 1, "c"), id_fournisseur=two, numero_fournisseur="F-1a")
    db.call("achat.facture_annuler", id_achat=first["id_achat"])
    saisir(db, charge(db, 1, "d"), id_fournisseur=one, numero_fournisseur="F-1a")


def test_a_draft_is_given_up_and_a_valid_bill_is_not(db):
    draft = saisir(db, charge(db))["id_achat"]
    assert db.call("achat.facture_annuler", id_achat=draft)["statut"] == "ANNULEE"
    valid = facture(db, charge(db, 5, "Gaz"))
    for done in (draft, valid):
        for act in ("valider", "annuler"):
            with refused("FACTURE_DEJA_VALIDEE", 409):
                db.call(f"achat.facture_{act}", id_achat=done)
    # The draft took no number.
    assert facture(db, charge(db, 5, "Bois")) and db.one("select max(numero) from achat.facture").endswith("-002")
    assert db.all("select * from jobs._controler()") == []


def test_an_invalid_bill_is_refused_by_name(db):
    product, later = builders.produit(db, "0"), str(db.one("select core.aujourdhui() + 1"))
    goods, eau = article(product), charge(db)
    for rule, status, given, fields in (
        ("ACHAT_SANS_LIGNE", 400, [], {}),
        ("LIGNE_D_ACHAT", 400, [{"id_produit": product}], {}),
        ("LIGNE_D_ACHAT", 400, [goods | {"montant": "5"}], {}),
        ("LIGNE_D_ACHAT", 400, [eau | {"quantite": "5"}], {}),
        ("LIGNE_D_ACHAT", 400, [{}], {}),
        ("FRAIS_SANS_MARCHANDISE", 400, [eau], {"frais": "5"}),
        ("FRAIS_SANS_MARCHANDISE", 400, [eau, article(product, 1, 0)], {"frais": "5"}),
        ("REMISE_EXCESSIVE", 400, [eau], {"remise": "101"}),
        ("ACHAT_SANS_MONTANT", 400, [eau], {"remise": "100"}),
        ("ACHAT_ECHEANCE_APRES_DATE", 400, [eau], {"echeance": "2020-01-01"}),
        ("DATE_FUTURE", 400, [eau], {"date": later}),
        ("ACHAT_FOURNISSEUR_INCONNU", 422, [eau], {"id_fournisseur": 987654321}),
        ("ACHAT_LIGNE_PRODUIT_INCONNU", 422, [article(987654321)], {}),
        ("ACHAT_LIGNE_CODE_TAXE_INCONNU", 422, [article(product, code_taxe="RIEN")], {}),
        ("ACTIVITE_DES_MARCHANDISES", 400, [goods], {"id_activite": builders.activite(db)}),
        ("MONTANT_TROP_GRAND", 400, [charge(db, "1000000001", "Gaz")], {}),
    ):
        with refused(rule, status):
            saisir(db, *given, **fields)


def test_goods_and_the_rest_take_their_own_permission(http, db):
    product, eau = builders.produit(db, "0"), charge(db)
    shop, money = (builders.porteur(db, f"{name}.CREER", f"{name}.VOIR") for name in ("MARCHANDISE", "FINANCES"))
    body = {"id_fournisseur": str(fournisseur(db)), "date": str(db.today())}
    goods = {"id_produit": str(product), "quantite": "1", "prix_unitaire": "5"}
    rest = eau | {"id_categorie_depense": str(eau["id_categorie_depense"])}
    for user, mine, other, rule in (
        (shop, goods, rest, "DEPENSES_INTERDITES"), (money, rest, goods, "MARCHANDISES_INTERDITES"),
    ):  # fmt: skip
        caller = http.as_user(user)
        made = ok(caller.post("/achat/factures", json=body | {"numero_fournisseur": rule, "lignes": [mine]}), 201)
        answer = caller.post("/achat/factures", json=body | {"numero_fournisseur": "2", "lignes": [mine, other]})
        assert (answer.status_code, answer.json()["code"]) == (403, rule)
        ok(caller.post(f"/achat/factures/{made['id_achat']}/valider"))
    pressing = builders.porteur(db, "MARCHANDISE.VOIR", "FINANCES.VOIR", activite=builders.activite(db, "PRESSING"))
    assert http.as_user(pressing).get("/achat/factures").json() == []
    # The shop sees the bill of its goods, and not the bill of the whole house.
    seller = builders.porteur(db, "MARCHANDISE.VOIR", activite=builders.activite(db, "VENTE_MARCHANDISES"))
    assert len(http.as_user(seller).get("/achat/factures").json()) == 1


def test_a_bill_of_a_closed_month_counts_today_and_nothing_in_it_changes(db):
    last = db.one("select (date_trunc('month', core.aujourdhui()::timestamp) - interval '1 day')::date")
    open_bill = facture(db, charge(db), date=str(last))
    assert db.one("select jour from achat.facture where id_achat = %s", [open_bill]) == last
    db.call("compta.periode_cloturer", periode=str(last)[:7])
    late = facture(db, charge(db, 70, "Gaz"), date=str(last))
    assert db.one("select jour from achat.facture where id_achat = %s", [late]) == db.today()
    with refused("PERIODE_CLOTUREE", 409):
        payer(db, late, 5, date=f"{last} 12:00:00")
    payer(db, open_bill, 100)
    assert livre.wrong(db) == []


def test_the_debts_are_known_by_age_at_any_day(http, db):
    supplier = fournisseur(db)
    days = {5: 1, 35: 20, 65: 300, 95: 4000}
    for age, amount in days.items():
        date = str(db.one("select core.aujourdhui() - %s", [age]))
        last = facture(db, charge(db, amount, f"de {age}"), id_fournisseur=supplier, date=date)
    soon = str(db.one("select core.aujourdhui() + 3"))
    facture(db, charge(db, 50000, "à échoir"), id_fournisseur=supplier, echeance=soon)
    payer(db, last, 1500)
    [row] = dettes(db)
    ages = [
        "non_echu",
        "de_1_a_30_jours",
        "de_31_a_60_jours",
        "de_61_a_90_jours",
        "plus_de_90_jours",
        "avoirs",
        "total",
        "factures",
    ]
    assert [int(row[name]) for name in ages] == [50000, 1, 20, 300, 2500, 0, 52821, 5]
    assert row["depuis"] == db.one("select core.aujourdhui() - 95")
    [row] = dettes(db, au=str(db.one("select core.aujourdhui() - 40")))
    assert [int(row[name]) for name in ages] == [0, 300, 4000, 0, 0, 0, 4300, 2]
    sheet = http.as_admin().get("/achat/dettes", params={"format": "csv"})
    assert sheet.status_code == 200 and "Grossiste" in sheet.text


@pytest.mark.parametrize("statement", [
    "update achat.facture set numero = 'X'", "update achat.facture_ligne set id_mouvement = null",
    "delete from achat.facture", "delete from achat.facture_ligne",
])  # fmt: skip
def test_a_valid_bill_never_changes(db, statement):
    facture(db, article(builders.produit(db, "0")))
    with refused("ACHAT_FIGE", 409):
        db.execute(statement)
