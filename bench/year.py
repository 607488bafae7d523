"""The instalments of a year for many leases, against bare inserts of the same rows."""

import os
import statistics
import time
from collections.abc import Iterator
from typing import Any

import psycopg

from app.database import schema
from bench import donnees
from bench.goal import ROUNDS, Bench, Goal, say

LEASES = int(os.environ.get("BAUX", "10000"))
# Leases without end that began on any day of the last sixty: about twelve instalments each.
GENERATE = "select (jobs.generer_echeances((core.aujourdhui() + interval '10 months')::date)).echeances"
BARE = """
create table bare.echeance (
  like residence.echeance including defaults including identity including generated including indexes)
"""
INSERT = """
insert into bare.echeance (id_contrat, date_echeance, date_fin, montant)
select e.id_contrat, e.date_echeance, e.date_fin, e.montant from residence.echeance e
"""


def year(bench: Bench) -> Iterator[Goal]:
    """Each round has a copy of its own of the database, so that both sides write into empty tables."""
    url = bench.server.url("annee")
    with psycopg.connect(bench.server.url("postgres"), autocommit=True) as admin:
        admin.execute("create database annee")
        schema.migrate(url, lambda _: None)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("create schema bare")
            donnees.parameters(connection, baux=LEASES)
        donnees.stage(url, lambda _: None, donnees.script("baux"))
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("drop schema brouillon cascade")
            connection.execute("vacuum analyze")
        rounds = [_round(bench, admin, number) for number in range(1, ROUNDS + 1)]
        admin.execute("drop database annee")
    text = (
        f"Durée de jobs.generer_echeances pour un an de {LEASES} baux, journal compris, divisée par celle des "
        "insertions nues des mêmes lignes dans une table aux mêmes index."
    )
    yield Goal("year", statistics.median(r["value"] for r in rounds), 3, text, at_least=False, rounds=rounds)


def _round(bench: Bench, admin: psycopg.Connection[Any], number: int) -> dict[str, Any]:
    admin.execute(f"create database annee_{number} template annee")
    with psycopg.connect(bench.server.url(f"annee_{number}"), autocommit=True) as connection:
        started = time.perf_counter()
        instalments = donnees.value(connection, GENERATE)
        generated = time.perf_counter() - started
        connection.execute(BARE)
        started = time.perf_counter()
        connection.execute(INSERT)
        bare = time.perf_counter() - started
    admin.execute(f"drop database annee_{number}")
    say(f"année, tour {number} : {instalments} échéances en {generated:.2f} s, nues en {bare:.2f} s")
    return {"generated_s": generated, "bare_s": bare, "instalments": instalments, "value": generated / bare}
