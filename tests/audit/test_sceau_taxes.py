"""The seal covers the tax of invoices and credit notes, and keeps the fingerprints that were made before taxes."""

import hashlib
import json

import pytest

from tests import builders
from tests.audit.test_sceau import after, findings, tamper
from tests.facturation.test_taxe import bill, detail, rate, setting


@pytest.fixture
def taxed(db):
    rate(db)
    setting(db, "TAXES_PRIX", "HT")
    invoice = bill(db, "1000")
    db.call("facturation.facture_annuler", id_facture=bill(db, "10000")["id_facture"], motif="Erreur")
    db.call("audit.sceller")
    assert findings(db) == []
    return invoice["id_facture"]


def test_a_changed_tax_is_reported_with_its_invoice(db, taxed):
    for statement in (
        "update facturation.facture_ligne_taxe set montant = montant - 1 where id_facture = %s",
        "update facturation.facture_ligne_taxe set base = base - 1 where id_facture = %s",
        "delete from facturation.facture_ligne_taxe where id_facture = %s",
        "update core.taxe set taux = 20 where %s > 0",
        "update facturation.facture set mode_prix = 'TTC' where id_facture = %s",
        "update facturation.facture set mode_prix = null where id_facture = %s",
    ):
        assert ("CHANGEE", "facture") in {row[:2] for row in after(db, statement, taxed)}, statement


def test_a_changed_tax_is_reported_with_its_credit_note(db, taxed):
    tamper(db, "update facturation.avoir_ligne set montant_taxe = montant_taxe - 1 where id_ligne > %s", 0)
    assert [row[:2] for row in findings(db)] == [("CHANGEE", "avoir")]


def test_an_invoice_without_tax_keeps_the_fingerprint_that_it_had_before_taxes(db):
    rate(db)
    key = builders.facture(db)
    row = db.one(
        """select json_build_array(
             f.id_facture, f.numero, extract(epoch from f.date), f.jour, f.id_client, f.id_activite, f.id_utilisateur,
             f.source_type, f.source_id, f.montant_total + f.remise,
             case when f.source_type <> 'LOCATION' then f.remise end,
             (select string_agg(json_build_array(l.id_ligne, l.libelle, l.quantite, l.prix_unitaire, l.total)::text, ''
                                order by l.id_ligne) from facturation.facture_ligne l where l.id_facture = f.id_facture)
           )::text as entree, e.empreinte
             from facturation.facture f join audit.empreinte_vue e on e.registre = 'facture' and e.id = f.id_facture
            where f.id_facture = %s""",
        [key],
    )
    assert json.loads(row["entree"])[0] == key
    assert hashlib.sha256(row["entree"].encode()).digest() == bytes(row["empreinte"])


def test_the_integrity_check_names_a_wrong_tax(db, taxed):
    assert db.all("select * from jobs._controler()") == []
    assert detail(db, taxed)["montant_taxe"] == 180
    tamper(db, "update facturation.facture_ligne_taxe set montant = 179 where id_facture = %s", taxed)
    (row,) = db.all("select * from jobs._controler_par_nom() where controle = 'taxes'")
    assert "180" in str(row) and "179" in str(row)
