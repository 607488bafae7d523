"""A statement of ten thousand lines: how long it takes to be stored, matched and explained."""

import json
import os
import statistics
import time
from collections.abc import Iterator
from typing import Any

import psycopg

from app.database import schema
from bench.goal import ROUNDS, Bench, Goal, say

LINES = int(os.environ.get("LIGNES", "10000"))
# One payment in two has the reference of its line. The others share seven hundred amounts, so that most are ambiguous.
FILL = """
with compte as (
  insert into tresorerie.compte (libelle, genre, id_moyen)
  select 'Mobile', 'MOBILE', m.id_moyen from finances.moyen_paiement m where m.libelle = 'Mobile Money'
  returning id_moyen)
insert into finances.paiement (montant, id_moyen, date, reference)
select 100 + g % 700 * 5, c.id_moyen, now() - make_interval(days => g % 28),
       case when g % 2 = 0 then 'TX-' || 100000 + g end
  from compte c cross join generate_series(1, {}) g
"""
PARTS = """
select jsonb_build_array(jsonb_build_object('lignes', jsonb_agg(jsonb_build_object(
         'ligne', p.rang, 'jour', p.jour, 'libelle', 'Reçu ' || p.id_paiement, 'reference', p.reference,
         'montant', p.montant, 'solde', p.solde) order by p.rang)))::text
  from (select p.*, row_number() over w as rang, sum(p.montant) over w as solde
          from finances.paiement p window w as (order by p.jour, p.id_paiement)) p
"""
SEND = "select * from tresorerie.releve_creer(1, 'banque.csv', 'empreinte', 'FEUILLE', %s)"
STATE = "select difference, cardinality(propositions) from tresorerie.rapprochement(1)"


def statement(bench: Bench) -> Iterator[Goal]:
    """Each round has a copy of its own of the database."""
    url = bench.server.url("releve")
    with psycopg.connect(bench.server.url("postgres"), autocommit=True) as admin:
        admin.execute("create database releve")
        schema.migrate(url, lambda _: None)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(FILL.format(LINES))
            [parts] = connection.execute(PARTS).fetchone() or [json.dumps([])]
            connection.execute("vacuum analyze")
        rounds = [_round(bench, admin, parts, number) for number in range(1, ROUNDS + 1)]
        admin.execute("drop database releve")
    text = f"Secondes pour prendre un relevé de {LINES} lignes et les rapprocher, journal compris."
    yield Goal("releve", statistics.median(r["value"] for r in rounds), 5, text, False, " s", rounds)


def _round(bench: Bench, admin: psycopg.Connection[Any], parts: str, number: int) -> dict[str, Any]:
    admin.execute(f"create database releve_{number} template releve")
    with psycopg.connect(bench.server.url(f"releve_{number}"), autocommit=True) as connection:
        started = time.perf_counter()
        connection.execute(SEND, [parts])
        taken = time.perf_counter() - started
        started = time.perf_counter()
        [difference, proposed] = connection.execute(STATE).fetchone() or (None, None)
        explained = time.perf_counter() - started
    admin.execute(f"drop database releve_{number}")
    assert difference == 0
    say(
        f"relevé, tour {number} : {LINES} lignes en {taken:.2f} s, l'état en {explained:.2f} s, {proposed} propositions"
    )
    return {"value": taken, "state_s": explained}
