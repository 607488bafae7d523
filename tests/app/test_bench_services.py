"""The services that `make bench` compares with Comptoir answer the same invoices."""

from __future__ import annotations

from dataclasses import fields

import httpx
import psycopg
from psycopg.rows import dict_row

from bench.objets import Facture
from bench.outils import CALLER
from bench.reading import other
from tests import builders
from tests.conftest import Db


def test_the_invoice_of_the_bench_has_every_column_of_the_list(db: Db) -> None:
    columns = db.all(
        "select attname from pg_attribute where attrelid = 'facturation.facture_vue'::regclass and attnum > 0"
        " and not attisdropped order by attnum"
    )
    assert [field.name for field in fields(Facture)] == [row["attname"] for row in columns]


def test_each_service_of_the_bench_answers_an_invoice(database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True, row_factory=dict_row) as connection:
        invoice, admin = builders.facture(Db(connection)), builders.utilisateur(Db(connection), role="ADMINISTRATEUR")
    assert admin == CALLER[1]
    path = f"/factures/{invoice}"
    with (
        other(database_url, "bench.asgi:app", path) as bare,
        other(database_url, "bench.objets:app", "/factures") as rows,
    ):
        read = httpx.get(f"{bare}{path}").json()
        [listed] = httpx.get(f"{rows}/factures").json()
    assert read["id_facture"] == str(invoice) and read["numero"] == listed["numero"]
