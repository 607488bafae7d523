"""One settlement function serves payments for one source and for several. Only this function issues invoices."""

from decimal import Decimal

from tests import builders

WRITERS = """
select p.oid::regproc::text as nom from pg_proc p
 where p.pronamespace in (select n.oid from pg_namespace n where n.nspname not in ('pg_catalog', 'information_schema'))
   and p.prosrc ~ %s order by 1
"""


def test_only_the_settlement_issues_an_invoice_and_its_lines(db):
    for table in ("facture", "facture_ligne"):
        rows = db.all(WRITERS, [rf"insert into facturation\.{table}\s"])
        assert [row["nom"] for row in rows] == ["finances._sources_regler"], table


def test_a_batch_of_one_instalment_equals_the_collection_of_that_instalment(db):
    """Both ways give the same invoice, lines and reference."""
    moyen, invoices = builders.moyen(db), []
    for collect in ("un", "lot"):
        lease = builders.contrat(db, montant_loyer="95000.50")
        first = db.one("select min(id_echeance) from residence.echeance where id_contrat = %s", [lease])
        if collect == "un":
            db.call("residence.echeance_encaisser", id_echeance=first, montant="30000.25", id_moyen=moyen)
        else:
            db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="30000.25", id_moyen=moyen)
        number = db.one("select numero_contrat from residence.contrat_location where id_contrat = %s", [lease])
        row = db.one(
            "select f.libelle, f.montant_total, f.montant_paye, f.statut, f.source_type, l.libelle as ligne,"
            " l.quantite, l.prix_unitaire, p.motif, p.reference,"
            " p.id_activite = f.id_activite as meme_activite, p.montant"
            "  from facturation.facture f join facturation.facture_ligne l using (id_facture)"
            "  join finances.paiement p using (id_facture) where f.source_type = 'LOCATION' and f.source_id = %s",
            [first],
        )
        invoices.append({key: str(value).replace(number, "CON") for key, value in row.items()})
    assert invoices[0] == invoices[1]


def test_a_batch_pays_the_invoice_of_an_earlier_payment(db):
    lease, moyen = builders.contrat(db, montant_loyer="1000"), builders.moyen(db)
    rows = db.all("select id_echeance from residence.echeance where id_contrat = %s order by date_echeance", [lease])
    second = rows[1]["id_echeance"]
    db.call("residence.echeance_encaisser", id_echeance=second, montant="400", id_moyen=moyen)
    db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="2100", id_moyen=moyen)
    invoices = db.all(
        "select source_id, montant_paye, statut from facturation.facture"
        " where source_type = 'LOCATION' order by source_id"
    )
    assert [(row["source_id"], row["montant_paye"], row["statut"]) for row in invoices] == [
        (rows[0]["id_echeance"], Decimal(1000), "PAYEE"),
        (second, Decimal(1000), "PAYEE"),
        (rows[2]["id_echeance"], Decimal(500), "PARTIELLE"),
    ]
    assert db.all("select * from jobs._controler()") == []
