"""Bills are paid in parts, from a till or an account, under the rules of an expense."""

import pytest

from tests import builders, livre
from tests.achat.achats import (
    article,
    charge,
    crediter,
    dettes,
    facture,
    fournisseur,
    part,
    payer,
    saisir,
    soldes,
    taxer,
)
from tests.conftest import ok, refused
from tests.tresorerie.argent import caisse, compte, en_caisse, solde
from tests.tresorerie.releve import line, received, rules


@pytest.fixture
def bill(db):
    return facture(db, charge(db, 1000))


def state(db, achat):
    row = db.all("select statut, montant_paye, reste from achat.facture where id_achat = %s", [achat])[0]
    return row["statut"], int(row["montant_paye"]), int(row["reste"])


def pay(db, *parts, **fields):
    return db.call("achat.paiement_creer", factures=list(parts), **{"id_moyen": builders.moyen(db)} | fields)


def delete_expense(db, payment):
    db.call("finances.depense_supprimer", id_depense=db.one(
        "select id_depense from achat.paiement where id_paiement = %s", [payment]))  # fmt: skip


def test_a_bill_is_paid_in_parts_from_a_till_and_an_account(http, db, bill):
    admin, till, bank = http.as_admin(), caisse(db, "5000"), compte(db, "Virement", genre="BANQUE")
    body = {"montant": "400", "id_moyen": str(builders.moyen(db)), "id_caisse": str(till)}
    answer = ok(admin.post(f"/achat/factures/{bill}/payer", json=body))
    assert (answer["statut"], answer["montant_paye"], answer["reste"]) == ("PARTIELLE", "400.00", "600.00")
    assert en_caisse(db, till) == 4600
    assert float(db.call("finances.tirage_creer", montant_compte="0", id_caisse=till)["montant_attendu"]) == 4600
    # Without a till, the account of the method pays.
    payer(db, bill, 500, id_moyen=builders.moyen(db, "Virement"), reference="VIR 12")
    payer(db, bill, 100, id_moyen=builders.moyen(db, "Virement"), id_compte=bank)
    assert state(db, bill) == ("PAYEE", 1000, 0) and solde(db, bank) == -600
    listed = admin.get("/achat/paiements").json()
    assert [(row["montant"], row["id_caisse"], row["id_compte"]) for row in listed] == [
        ("100.00", None, str(bank)), ("500.00", None, str(bank)), ("400.00", str(till), None),
    ]  # fmt: skip
    assert admin.get("/achat/paiements", params={"reference": "vir"}).json() == [listed[1]]
    assert listed[2] == admin.get(f"/achat/paiements/{listed[2]['id_paiement']}").json()
    assert [row["montant"] for row in admin.get(f"/achat/factures/{bill}").json()["paiements"]] == [
        "400.00", "500.00", "100.00",
    ]  # fmt: skip
    assert dettes(db) == [] and soldes(db, "FOURNISSEURS", "DEPENSES") == (0, 1000)
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_one_payment_pays_several_bills_of_one_supplier(http, db):
    supplier = fournisseur(db)
    one, two = (facture(db, charge(db, amount, str(amount)), id_fournisseur=supplier) for amount in (300, 500))
    parts = [{"id_achat": str(one)}, {"id_achat": str(two), "montant": "100"}]
    body = {"factures": parts, "id_moyen": str(builders.moyen(db))}
    made = ok(http.as_admin().post("/achat/paiements", json=body), 201)
    assert made["montant"] == "400.00" and [row["montant"] for row in made["factures"]] == ["300.00", "100.00"]
    assert (state(db, one), state(db, two)) == (("PAYEE", 300, 0), ("PARTIELLE", 100, 400))
    assert db.one("select count(*) from finances.depense") == 1
    with refused("PLUSIEURS_FOURNISSEURS", 400):
        pay(db, part(db, two), part(db, facture(db, charge(db, 1, "b"))))
    with refused("FACTURE_PAYEE_DEUX_FOIS", 409):
        pay(db, part(db, two, 1), part(db, two, 2))
    with refused("PAIEMENT_SANS_FACTURE", 400):
        pay(db)
    with refused("APPLICATION_D_ACHAT_NULLE", 400):
        pay(db, part(db, one))


def test_no_more_is_paid_than_is_owed(db, bill):
    with refused("SURPAIEMENT", 409) as refusal:
        payer(db, bill, "1000.01")
    assert refusal["message"].startswith("De la facture ") and "il reste 1" in refusal["message"]
    draft = saisir(db, charge(db, 5, "b"))["id_achat"]
    with refused("FACTURE_NON_VALIDEE", 409):
        payer(db, draft, 1)
    db.call("achat.facture_annuler", id_achat=draft)
    with refused("FACTURE_NON_VALIDEE", 409):
        payer(db, draft, 1)
    with refused("MONTANT_STRICTEMENT_POSITIF", 400):
        payer(db, bill, 0)
    with refused("SURPAIEMENT", 409):
        pay(db, part(db, bill, -1))
    assert state(db, bill) == ("VALIDEE", 0, 1000)


def test_a_payment_follows_the_rules_of_an_expense(http, db, bill):
    closed, till = caisse(db, "0", ouverte=False), caisse(db, "500")
    wave, mobile = compte(db), builders.moyen(db, "Mobile Money")
    yesterday = db.one("select core.aujourdhui() - 1")
    db.call("finances.tirage_creer", montant_compte="0", id_caisse=till, date=str(yesterday))
    for rule, status, fields in (
        ("PERIODE_CAISSE_FERMEE", 409, {"id_caisse": closed}),
        ("JOUR_DEJA_COMPTE", 409, {"id_caisse": till, "date": f"{yesterday} 12:00:00"}),
        ("DATE_FUTURE", 400, {"date": "2999-01-01"}),
        ("DEPENSE_D_UN_ENDROIT", 400, {"id_caisse": till, "id_compte": wave, "id_moyen": mobile}),
        ("MOYEN_D_UN_AUTRE_COMPTE", 400, {"id_compte": wave}),
        ("PAIEMENT_D_ACHAT_MOYEN_INCONNU", 422, {"id_moyen": 987654321}),
        ("MOYEN_DU_CREDIT", 400, {"id_moyen": db.one("select id_moyen from finances.moyen_paiement where credit")}),
        ("NOT_FOUND", 404, {"id_caisse": 987654321}),
    ):  # fmt: skip
        with refused(rule, status):
            payer(db, bill, 10, **fields)
    payer(db, bill, 10)


def test_a_cashier_pays_from_the_till_of_the_shop(http, db):
    till = caisse(db, "500", activite_code="VENTE_MARCHANDISES")
    goods = facture(db, article(builders.produit(db, "0"), 10, 100))
    cashier = builders.porteur(db, "FINANCES.CREER", "FINANCES.VOIR", caisse=till)
    body = {"montant": "100", "id_moyen": str(builders.moyen(db))}
    ok(http.as_user(cashier).post(f"/achat/factures/{goods}/payer", json=body))
    assert en_caisse(db, till) == 400
    assert [row["montant"] for row in http.as_user(cashier).get("/achat/paiements").json()] == ["100.00"]


def test_the_money_of_a_purchase_changes_only_by_its_cancellation(db, bill):
    till = caisse(db, "5000")
    payer(db, bill, 1000, id_caisse=till)
    payment, expense = db.all("select id_paiement, id_depense from achat.paiement")[0].values()
    for field in ({"montant": "5"}, {"date": str(db.one("select now() - interval '1 day'"))}):
        with refused("DEPENSE_D_UN_ACHAT", 409):
            db.call("finances.depense_modifier", id_depense=expense, champs=field)
    db.call("finances.depense_modifier", id_depense=expense, champs={"justificatif": "Reçu 4"})
    for rule, change in (("PAIEMENT_ANNULE_SEUL", "date_annulation = now()"), ("PAIEMENT_D_ACHAT_FIGE", "montant = 5")):
        with refused(rule, 409):
            db.execute(f"update achat.paiement set {change}")
    delete_expense(db, payment)
    assert state(db, bill) == ("VALIDEE", 0, 1000) and en_caisse(db, till) == 5000
    assert db.one("select date_annulation is not null from achat.paiement")
    assert soldes(db, "FOURNISSEURS", "CAISSES") == (-1000, 5000)
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []
    payer(db, bill, 1000, id_caisse=till)
    assert state(db, bill) == ("PAYEE", 1000, 0)


def test_the_credit_of_a_supplier_pays_another_bill(db):
    supplier, till = fournisseur(db), caisse(db, "5000")
    one, two = (facture(db, charge(db, amount, str(amount)), id_fournisseur=supplier) for amount in (300, 500))
    payer(db, one, 300, id_caisse=till)
    crediter(db, one)
    assert state(db, one) == ("ANNULEE", 300, -300)
    assert [int(dettes(db)[0][name]) for name in ("avoirs", "total", "factures")] == [-300, 200, 2]
    with refused("SURPAIEMENT", 409):
        pay(db, part(db, one, -301), part(db, two))
    made = pay(db, part(db, one, -100), part(db, two), id_caisse=till)
    assert int(made["montant"]) == 400 and en_caisse(db, till) == 4300
    assert (state(db, one), state(db, two)) == (("ANNULEE", 200, -200), ("PAYEE", 500, 0))
    three = facture(db, charge(db, 200, "c"), id_fournisseur=supplier)
    zero = pay(db, part(db, one), part(db, three))  # no money leaves
    assert (int(zero["montant"]), zero["id_depense"]) == (0, None) and state(db, three) == ("PAYEE", 200, 0)
    assert dettes(db) == [] and soldes(db, "FOURNISSEURS") == (0,)
    with refused("PAIEMENT_SUIVI_D_UN_AVOIR", 409):  # its money is what paid the third bill
        delete_expense(db, db.one("select min(id_paiement) from achat.paiement"))
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_a_deduction_between_two_bills_is_undone_once_in_an_open_month(http, db):
    db.execute("update core.parametre set valeur = 'ENCAISSEMENT' where cle = 'TAXES_DUES'")
    admin, supplier, till = http.as_admin(), fournisseur(db), caisse(db, "5000")
    one = facture(db, charge(db, 300, "a"), id_fournisseur=supplier)
    two = facture(db, charge(db, 300, "b", code_taxe=taxer(db)), id_fournisseur=supplier)
    paid = pay(db, part(db, one), id_caisse=till)
    crediter(db, one)
    made = pay(db, part(db, one), part(db, two, 300))
    assert made["id_depense"] is None and (state(db, one)[2], state(db, two)[1:]) == (0, (300, 54))
    with refused("PAIEMENT_ANNULE_SEUL", 409):  # money left the till by its expense
        db.call("achat.paiement_supprimer", id_paiement=paid["id_paiement"])
    path = f"/achat/paiements/{made['id_paiement']}"
    assert admin.delete(path).status_code == 204
    assert (state(db, one), state(db, two)) == (("ANNULEE", 300, -300), ("VALIDEE", 0, 354))
    assert soldes(db, "TAXES_DEDUCTIBLES") == (0,) and admin.get(path).json()["date_annulation"]
    assert admin.delete(path).json()["code"] == "PAIEMENT_D_ACHAT_FIGE"
    old = pay(db, part(db, one, -100), part(db, two, 100), date="2020-03-10")
    db.call("compta.periode_cloturer", periode="2020-03")
    with refused("PERIODE_CLOTUREE", 409):
        db.call("achat.paiement_supprimer", id_paiement=old["id_paiement"])
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_a_credit_note_takes_back_the_tax_that_payments_had_deducted(db):
    db.execute("update core.parametre set valeur = 'ENCAISSEMENT' where cle = 'TAXES_DUES'")
    bill = facture(db, charge(db, 100, code_taxe=taxer(db)), charge(db, 100, "Gaz"))
    payer(db, bill, 109)
    assert soldes(db, "TAXES_EN_ATTENTE", "TAXES_DEDUCTIBLES") == (9, 9)
    line = db.one("select min(id_ligne) from achat.facture_ligne")
    crediter(db, bill, {"id_ligne": line})
    assert soldes(db, "TAXES_EN_ATTENTE", "TAXES_DEDUCTIBLES") == (0, 0)
    with refused("PAIEMENT_SUIVI_D_UN_AVOIR", 409):
        delete_expense(db, db.one("select id_paiement from achat.paiement"))
    assert livre.wrong(db) == []


def test_a_supplier_gives_money_back_to_a_till_or_an_account(http, db):
    admin, till, bank = http.as_admin(), caisse(db, "5000"), compte(db, "Virement", genre="BANQUE")
    bill = facture(db, charge(db, 1000))
    payer(db, bill, 1000, id_caisse=till)
    credited = db.one("select id_ligne from achat.facture_ligne")
    crediter(db, bill, {"id_ligne": credited, "montant": "600"})
    with refused("SURPAIEMENT", 409):
        pay(db, part(db, bill, "-600.01"))
    parts = [{"id_achat": str(bill), "montant": "-200"}]
    body = {"factures": parts, "id_moyen": str(builders.moyen(db)), "id_caisse": str(till)}
    made = ok(admin.post("/achat/paiements", json=body), 201)
    assert (made["montant"], made["id_caisse"]) == ("-200.00", str(till)) and en_caisse(db, till) == 4200
    assert float(db.call("finances.tirage_creer", montant_compte="0", id_caisse=till)["montant_attendu"]) == 4200
    pay(db, part(db, bill), id_moyen=builders.moyen(db, "Virement"), id_compte=bank, reference="VIR 8")
    received(db, bank, line(db.today(), 400, "back"))
    assert rules(db, bank) == {"back": "MONTANT"} and solde(db, bank) == 400
    assert state(db, bill) == ("PAYEE", 400, 0) and dettes(db) == []
    assert soldes(db, "FOURNISSEURS", "CAISSES", "DEPENSES") == (0, 4200, 400)
    labels = {row["libelle"] for row in db.all("select libelle from compta._derivee_vue where cas = 'FOURNISSEURS'")}
    assert "Remboursement, Grossiste" in labels
    expense = admin.get("/finances/depenses").json()[0]
    assert expense["montant"] == "-400.00" and expense["libelle"].startswith("Remboursement, Grossiste")
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []
    delete_expense(db, made["id_paiement"])
    assert state(db, bill) == ("PAYEE", 600, -200) and en_caisse(db, till) == 4000
    assert int(dettes(db)[0]["avoirs"]) == -200
    assert livre.wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_a_refund_follows_the_rules_of_a_till_and_no_expense_else_is_below_zero(db):
    closed, spent = caisse(db, "0", ouverte=False), {"libelle": "Eau", "id_categorie_depense": 1}
    bill = facture(db, charge(db, 100))
    payer(db, bill, 100)
    crediter(db, bill)
    with refused("PERIODE_CAISSE_FERMEE", 409):
        pay(db, part(db, bill), id_caisse=closed)
    with refused("MONTANT_STRICTEMENT_POSITIF", 400):
        db.call("finances.depense_creer", montant="-5", **spent)
    with refused("DEPENSE_D_UN_ACHAT", 409):
        expense = pay(db, part(db, bill))["id_depense"]
        db.call("finances.depense_modifier", id_depense=expense, champs={"montant": "5"})
