"""The services that `make bench` compares with Comptoir answer the same invoices."""

from dataclasses import fields

from bench.objets import Facture
from tests.conftest import Db


def test_the_invoice_of_the_bench_has_every_column_of_the_list(db: Db) -> None:
    columns = db.all(
        "select attname from pg_attribute where attrelid = 'facturation.facture_vue'::regclass and attnum > 0"
        " and not attisdropped order by attnum"
    )
    assert [field.name for field in fields(Facture)] == [row["attname"] for row in columns]
