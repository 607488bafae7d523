"""The parts of `make bench`: the bare settlement, and the data of the large base."""

import random
import re
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.rows import dict_row

from app.database import wire
from bench import donnees
from bench.outils import CALLER
from bench.run import HERE
from tests import builders
from tests.conftest import Db

BARE = (HERE / "sql" / "bare.sql").read_text()
PRICE = 1_000_000
PAYMENTS = 500


def test_the_bare_settlement_computes_the_sums_of_comptoir(db: Db) -> None:
    db.execute(BARE)
    service = builders.prestation(db, str(PRICE))
    draw = random.Random(19)
    ours, bare = [], []
    for _ in range(40):
        amount = draw.randint(1, 5000)
        if not ours or draw.random() < 0.25:
            ours.append(db.call("facturation.prestation_facturer", id_prestation=service, montant=amount, id_moyen=1))
            bare.append(db.call("bare.regler", montant=amount, id_moyen=1, prix=PRICE))
        else:
            paid = draw.randrange(len(ours))
            db.call("finances.paiement_creer", montant=amount, id_moyen=1, id_facture=ours[paid]["id_facture"])
            bare[paid] |= db.call("bare.regler", montant=amount, id_moyen=1, id_facture=bare[paid]["id_facture"])
    sums = """select montant_total, montant_paye, reste from facturation.facture
               where id_facture = any(%s) order by id_facture"""
    expected = db.all(sums, [[invoice["id_facture"] for invoice in ours]])
    assert [{key: invoice[key] for key in expected[0]} for invoice in bare] == expected
    ranks = [int(invoice["numero"].rpartition("-")[2]) for invoice in bare]
    assert ranks == list(range(1, len(bare) + 1))
    stored = db.all("select montant_paye from bare.facture order by id_facture")
    assert [row["montant_paye"] for row in stored] == [invoice["montant_paye"] for invoice in bare]
    applied = "select sum(montant) from bare.application_paiement"
    assert db.one(applied) == db.one("select sum(montant) from bare.paiement") == sum(i["montant_paye"] for i in bare)


@pytest.fixture(scope="module")
def large(module_url: str) -> Iterator[Db]:
    indexes = """select schemaname, tablename, indexname, indexdef from pg_indexes
                  where schemaname in ('facturation', 'finances') order by 1, 2, 3"""
    with psycopg.connect(module_url, row_factory=dict_row) as connection:
        before = connection.execute(indexes).fetchall()
        connection.commit()
        donnees.fill(module_url, PAYMENTS, lambda _: None)
        assert connection.execute(indexes).fetchall() == before
        connection.execute("select set_config('TimeZone', core.fuseau(), false)")  # the journal has instants in it
        yield Db(connection)


def test_the_data_of_the_bench_keeps_every_invariant(large: Db, module_url: str) -> None:
    assert donnees.broken(module_url) == []
    assert large.one("select count(*) from finances.paiement where type = 'ENCAISSEMENT'") == PAYMENTS


@pytest.mark.parametrize("table, key", [
    ("facturation.facture", "id_facture"), ("facturation.facture_ligne", "id_ligne"),
    ("finances.paiement", "id_paiement"),
])  # fmt: skip
def test_the_journal_of_the_bench_has_the_last_state_of_each_row(large: Db, table: str, key: str) -> None:
    module, entity = table.split(".")
    missing = f"""
        select count(*) from {table} t
         where to_jsonb(t) is distinct from (select j.apres from audit.journal j
                                              where j.module = '{module}' and j.entite = '{entity}'
                                                and j.entite_id = t.{key}::text order by j.id_trace desc limit 1)"""
    assert large.one(missing) == 0
    made = (
        f"select count(*) from audit.journal where module = '{module}' and entite = '{entity}' and operation = 'INSERT'"
    )
    assert large.one(made) == large.one(f"select count(*) from {table}")


def test_the_bench_gives_each_statement_of_the_api_its_first_arguments() -> None:
    """The bare application of the goal `reading-asgi` sends the statement of the API."""
    places = {int(place) for place in re.findall(r"\$(\d+)", wire.CONTEXT)}
    assert places == set(range(1, len(CALLER) + 1))
