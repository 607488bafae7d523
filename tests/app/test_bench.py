"""The parts of `make bench`: the bare settlement, the data of the large base, the disabled triggers, the page."""

from __future__ import annotations

import html
import json
import random
import re
import xml.etree.ElementTree as Xml
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.rows import dict_row

from app.database import wire
from bench import donnees, history, page, settlement
from bench.goal import Goal
from bench.outils import CALLER
from bench.run import HERE, MEASURES
from tests import builders
from tests.conftest import Db

BARE = (HERE / "sql" / "bare.sql").read_text()
PRICE = 1_000_000
PAYMENTS = 2_000


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


def test_payments_without_journal_are_recorded_and_its_triggers_come_back(database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True, row_factory=dict_row) as connection:
        db = Db(connection)
        db.execute(BARE)
        traces = "select count(*) from audit.journal where entite = 'paiement'"
        db.call("finances.paiement_creer", montant=5, id_moyen=1)
        before = db.one(traces)
        with settlement.without_journal(database_url):
            silent = db.call("finances.paiement_creer", montant=5, id_moyen=1)["id_paiement"]
            assert db.one(traces) == before
        db.call("finances.paiement_creer", montant=5, id_moyen=1)
        assert db.one(traces) == before + 1
        assert [row["id_paiement"] for row in db.all("select id_paiement from bare.sans_journal")] == [silent]


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


@pytest.mark.parametrize("name", donnees.INVARIANTS)
def test_the_data_of_the_bench_keeps_every_invariant(large: Db, name: str) -> None:
    assert large.one(donnees.INVARIANTS[name]) == 0


def test_the_data_of_the_bench_is_uneven(large: Db) -> None:
    lines = large.all("select count(*) as n from facturation.facture_ligne group by id_facture")
    assert sum(row["n"] for row in lines) == PAYMENTS and {1, 2, 3, 7} <= {row["n"] for row in lines}
    payments = large.all("select count(*) as n from finances.paiement where type = 'ENCAISSEMENT' group by id_facture")
    assert sum(row["n"] for row in payments) == PAYMENTS and {1, 2, 6} <= {row["n"] for row in payments}
    assert large.one("select count(*) from facturation.facture where annulee") > 0
    assert large.one("select count(*) from finances.paiement where type = 'DECAISSEMENT'") > 0
    assert large.one("select bool_or(extract(day from date_debut) > 1) from residence.contrat_location")


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


def test_each_change_in_the_journal_of_the_bench_begins_where_the_one_before_ended(large: Db) -> None:
    assert large.one("select count(*) from audit.journal where entite = 'facture' and operation = 'UPDATE'") > 0
    broken = """
        select count(*)
          from (select j.avant, j.operation,
                       lag(j.apres) over (partition by j.entite_id order by j.id_trace) as precedent
                  from audit.journal j where j.entite = 'facture') s
         where s.operation = 'UPDATE' and s.avant is distinct from s.precedent"""
    assert large.one(broken) == 0


def test_the_page_shows_each_goal_with_its_sentence_and_the_history(tmp_path) -> None:  # type: ignore[no-untyped-def]
    goal = Goal("settlement-bare", 0.47, 0.5, "Part de la fonction nue.", rounds=[{"value": 0.46}, {"value": 0.48}])
    page.write(tmp_path / "index.html", [goal], history.read())
    content = (tmp_path / "index.html").read_text()
    assert "goal settlement-bare: 0.47 (&gt;= 0.5) missed" in content and goal.text in content
    assert all(html.escape(run["commit"]) in content for run in history.read())
    assert Xml.fromstring(content[content.index("<svg") : content.index("</svg>") + len("</svg>")]) is not None


def test_the_bench_gives_each_statement_of_the_api_its_first_arguments() -> None:
    """The bare application of the goal `reading-asgi` sends the statement of the API."""
    places = {int(place) for place in re.findall(r"\$(\d+)", wire.CONTEXT)}
    assert places == set(range(1, len(CALLER) + 1))


def test_each_goal_of_the_bench_has_one_name() -> None:
    names = [name for names in MEASURES.values() for name in names]
    assert len(names) == len(set(names)) and set(history.GOALS) <= set(names)


def test_a_second_run_of_a_commit_replaces_its_line_of_the_history(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(history, "FILE", tmp_path / "histoire.json")
    before = [{"commit": "An earlier change", "date": "2026-11-21", "settlement-bare": 0.3}]
    history.FILE.write_text(json.dumps(before))
    for value in (0.4, 0.5):
        history.add([Goal("settlement-bare", value, 0.5, ""), Goal("lists", 4, 3, "")])
    assert history.read()[:-1] == before
    assert history.read()[-1]["settlement-bare"] == 0.5 and "lists" not in history.read()[-1]
