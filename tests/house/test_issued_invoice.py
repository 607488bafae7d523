"""An issued invoice keeps its amount, its lines, its taxes and its discount: what it loses is a credit note."""

import re

import pytest

from tests import builders
from tests.conftest import Db, refused

KEPT = {
    "facturation.facture": {"montant_total", "montant_taxe", "remise", "mode_prix", "numero", "date", "jour"},
    "facturation.facture_ligne": {"libelle", "quantite", "prix_unitaire", "total", "code_taxe"},
    "facturation.facture_ligne_taxe": {"id_taxe", "base", "montant"},
}


@pytest.mark.parametrize("table", KEPT)
def test_the_code_has_no_right_to_change_an_issued_invoice(db: Db, table: str) -> None:
    rows = db.all(
        "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and not attisdropped"
        " and has_column_privilege('comptoir_code', attrelid, attname, 'update')",
        [table],
    )
    assert KEPT[table] & {row["attname"] for row in rows} == set()


def test_no_body_updates_the_amount_the_lines_or_the_discount_of_an_invoice(db: Db) -> None:
    bodies = db.all(
        "select oid::regprocedure::text as name, prosrc as body from pg_proc where prosrc ~ 'facturation.facture'"
    )
    assert bodies
    for row in bodies:
        for update in re.findall(r"update (facturation\.facture\w*)(.*?)(?:\bwhere\b|;)", row["body"], re.DOTALL):
            written = set(re.findall(r"(?<![.\w])\w+(?=\s*[,)=])", update[1]))
            assert KEPT.get(update[0], set()) & written == set(), row["name"]


def test_an_invoice_refuses_another_discount_line_or_tax_and_ignores_another_amount(db: Db) -> None:
    invoice = builders.facture(db)
    for statement in (
        "update facturation.facture set remise = 1 where id_facture = %s",
        "update facturation.facture_ligne set quantite = 2 where id_facture = %s",
        "delete from facturation.facture_ligne where id_facture = %s",
    ):
        with refused("FACTURE_EMISE", 409):
            db.execute(statement, [invoice])
    before = db.one("select montant_total from facturation.facture where id_facture = %s", [invoice])
    db.execute("update facturation.facture set montant_total = 1, montant_taxe = 1 where id_facture = %s", [invoice])
    after = "select montant_total from facturation.facture where id_facture = %s and montant_taxe = 0"
    assert db.one(after, [invoice]) == before
