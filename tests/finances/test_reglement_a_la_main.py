"""Hand-written SQL on the tables of a settlement: what a trigger derives cannot be given, and its rules hold."""

import pytest

from tests import builders
from tests.conftest import refused

BALANCE = "select reste::text, statut::text from facturation.facture where id_facture = %s"


def test_the_total_of_a_line_follows_from_its_quantity_and_price(db):
    total = db.one(
        "insert into facturation.facture_ligne (id_facture, libelle, quantite, prix_unitaire, total)"
        " values (987654, 'Chaises', 3, 2.50, 999) returning total::text"
    )
    assert total == "7.50"


def test_an_application_of_nothing_is_refused(db):
    payment = builders.paiement(db, "10")["id_paiement"]
    with refused("APPLICATION_NON_NULLE", 400):
        builders.part(db, payment, builders.facture(db), 0)


def test_a_payment_that_names_its_invoice_settles_it(db):
    invoice = builders.facture(db, "100")
    pay = "insert into finances.paiement (montant, id_moyen, id_facture) values (%s, 1, %s)"
    db.execute(pay, [40, invoice])
    assert db.one(BALANCE, [invoice]) == {"reste": "60.00", "statut": "PARTIELLE"}
    with refused("SURPAIEMENT", 409):
        db.execute(pay, [61, invoice])
    with refused("paiement_facture_inconnue", 422):
        db.execute(pay, [1, 987654])
        db.execute("set constraints all immediate")


def test_a_cancellation_names_the_payment_that_it_cancels(db):
    with refused("ANNULATION_D_UN_PAIEMENT", 400):
        db.execute("insert into finances.paiement (montant, id_moyen, annulation) values (1, 1, true)")


@pytest.mark.parametrize("change", ["reste = 1", "statut = 'PAYEE'"])
def test_the_integrity_check_recounts_the_balance_of_an_invoice(db, change):
    invoice = builders.facture(db, "100")
    db.alter("alter table facturation.facture disable trigger t50_facture_sommer")
    db.execute(f"update facturation.facture set {change} where id_facture = %s", [invoice])
    (line,) = db.all("select * from jobs._controler() as phrase")
    assert line["phrase"].endswith("ses sommes font 100.00 et IMPAYEE.")


def test_the_integrity_check_recounts_the_total_of_a_line(db):
    invoice = builders.facture(db, "100")
    db.alter("alter table facturation.facture_ligne disable trigger t20_facture_emise")
    db.execute("update facturation.facture_ligne set total = 90 where id_facture = %s", [invoice])
    lines = [row["phrase"] for row in db.all("select * from jobs._controler() as phrase")]
    assert any(line.endswith("porte 90.00, quantité × prix font 100.00.") for line in lines)


def test_an_invoice_whose_tax_exceeds_its_total_is_refused(db):
    line = db.one(
        "insert into facturation.facture_ligne (id_facture, libelle, prix_unitaire) values (987654, 'Chaise', 5)"
        " returning id_ligne"
    )
    tax = db.call("core.taxe_creer", code="TVA", libelle="TVA", taux="18", nature="TAUX", du="2020-01-01")["id_taxe"]
    db.execute(
        "insert into facturation.facture_ligne_taxe (id_ligne, id_facture, id_taxe, base, montant)"
        " values (%s, 987654, %s, 0, 6)",
        [line, tax],
    )
    with refused("FACTURE_TAXE_BORNEE", 400):
        db.execute(
            "insert into facturation.facture (id_facture, numero, source_type, mode_prix) overriding system value"
            " values (987654, 'A-LA-MAIN', 'AUTRE', 'TTC')"
        )


def test_the_join_of_settled_amounts_uses_an_index(db):
    db.execute("set local enable_seqscan = off")
    join = "select from facturation.facture f join finances.imputation_vue a on a.id_facture = f.id_facture"
    plan = db.all(f"explain {join} where f.id_client = 1", [])
    assert any("Index Cond: (id_facture = f.id_facture)" in row["QUERY PLAN"] for row in plan), plan
