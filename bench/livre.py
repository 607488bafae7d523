"""A ledger of ten million lines in closed months, and documents of the running one: its reports and pages."""

import os
import statistics
import time
from collections.abc import Iterator
from typing import Any

import psycopg

from app.database import schema
from app.leaves.embarque.postgres import Postgres
from bench import large
from bench.goal import ROUNDS, Bench, Goal, say

LINES = int(os.environ.get("ECRITURES", "10000000"))
SIZES = (LINES // 100, LINES)
MONTHS = 60  # closed ones, up to the month before the running one
# Entries of two lines: forty accounts of sales, money and expenses against the account of the clients.
FILL = """
insert into compta.ecriture (numero, type, id_document, id_ligne, journal, date, piece, compte, libelle, debit, credit,
                             id_activite)
select g, 'FACTURE', d.id, d.id * 100 + g %% 2, 'VE', p.premier + ((d.id - 1) * p.jours / (%(lines)s / 2))::integer,
       'FAC-' || d.id,
       case when g %% 2 = 0 then '4111'
            else (array['701', '706', '7073', '571', '6581'])[1 + d.id %% 5] || 1 + d.id / 5 %% 8 end,
       'Facture', case when g %% 2 = 0 then 1000 end, case when g %% 2 = 1 then 1000 end, 1 + d.id %% 3
  from (select x.premier, date_trunc('month', core.aujourdhui())::date - x.premier as jours
          from (select (date_trunc('month', core.aujourdhui()) - %(months)s * interval '1 month')::date as premier) x) p
 cross join generate_series(2, %(lines)s + 1) g
 cross join lateral (select g::bigint / 2 as id) d
"""
CLOSE = """
with m as (select to_char(date, 'YYYY-MM') as periode, min(numero) as de, max(numero) as a, count(*) as n,
                  sum(debit) as debit, sum(credit) as credit from compta.ecriture group by 1),
p as (insert into compta.periode (periode, premier_numero, dernier_numero, nombre, total_debit, total_credit, empreinte)
      select m.periode, m.de, m.a, m.n, m.debit, m.credit, '' from m returning periode)
select count(compta._cumuler(p.periode)) from p
"""
# As many payments in the running month as a closed month has.
OPEN = """
insert into finances.paiement (montant, id_moyen, date)
select 1000, m.id_moyen, date_trunc('month', now()) + g * (now() - date_trunc('month', now())) / %(payments)s
  from finances.moyen_paiement m cross join generate_series(1, %(payments)s) g where m.libelle = 'Espèces'
"""
YEAR = "to_char(core.aujourdhui() - interval '1 year', 'YYYY')"
# The reports of a closed year, and a page of the busiest account in the middle of it.
REPORTS = {
    name: f"select count(*) from compta.{name}(({YEAR} || '-01-01')::date, ({YEAR} || '-12-31')::date)"
    for name in ("balance", "resultat", "journaux")
} | {"bilan": f"select periode from compta.bilan(({YEAR} || '-12-31')::date)"}
LEDGER = f"compta.grand_livre('4111', 50, 0, ({YEAR} || '-01-01')::date, ({YEAR} || '-12-31')::date)"
FIRST = f"select count(*) from {LEDGER}"  # adds up the balance before the page
PAGE = f"""
select count(*) from (select set_config('comptoir.apres', jsonb_build_object('rang', 10000, 'cles', jsonb_build_array(
                                e.date, e.type, e.id_ligne, 0))::text, true)
                        from compta.ecriture e
                       where e.compte = '4111' and e.date >= ({YEAR} || '-06-15')::date
                       order by e.date, e.type, e.id_ligne limit 1) c
 cross join lateral {LEDGER}
"""
RUNNING = "select count(*) from compta.balance(date_trunc('year', core.aujourdhui())::date)"


def ledger(bench: Bench) -> Iterator[Goal]:
    """The reports of both sizes take turns. The databases stay in the folder of the large ones."""
    server = large.of(bench).server
    server.start()
    urls = {lines: _database(server, lines) for lines in SIZES}
    rounds = []
    for number in range(1, ROUNDS + 1):
        times = {lines: _times(url) for lines, url in urls.items()}
        rounds.append({name: [times[lines][name] for lines in SIZES] for name in times[LINES]})
        measured = ", ".join(f"{name} {few:.1f} puis {many:.1f} ms" for name, (few, many) in rounds[-1].items())
        say(f"livre, tour {number}, {SIZES[0]} puis {LINES} lignes : {measured}")
    middle = {name: statistics.median(turn[name][1] for turn in rounds) for name in rounds[0]}
    growth = {name: statistics.median(turn[name][1] / turn[name][0] for turn in rounds) for name in REPORTS}
    dearest = max(growth, key=lambda name: growth[name])
    size = f"{LINES} lignes en {MONTHS} mois clôturés"
    running = f"L'année en cours, avec un mois ouvert de {LINES // MONTHS // 2} paiements : {middle['running']:.0f} ms."
    text = f"Millisecondes de la balance d'une année close, sur {size}. {running}"
    shown = {name: [turn | {"value": turn[name][1]} for turn in rounds] for name in ("balance", "first")}
    yield Goal("livre", middle["balance"], 300, text, False, " ms", shown["balance"])
    text = f"Millisecondes de la première page du compte 4111, sur {size}. Au milieu : {middle['page']:.1f} ms."
    yield Goal("livre-page", middle["first"], 20, text, False, " ms", shown["first"])
    text = f"L'état d'une année qui ralentit le plus ({dearest}), sur {size}, divisé par le même avec un centième."
    ratios = [turn | {"value": turn[dearest][1] / turn[dearest][0]} for turn in rounds]
    yield Goal("livre-growth", growth[dearest], 1.5, text, False, rounds=ratios)


def _database(server: Postgres, lines: int) -> str:
    """The address of a database with this number of lines. The first call fills it."""
    name = f"livre{lines}"
    url = server.url(name)
    with psycopg.connect(server.url("postgres"), autocommit=True) as admin:
        if admin.execute("select from pg_database where datname = %s", [name]).rowcount:
            return url
        admin.execute(f"create database {name}_vide")
    schema.migrate(server.url(f"{name}_vide"), lambda _: None)
    started = time.monotonic()
    with psycopg.connect(server.url(f"{name}_vide"), autocommit=True) as connection:
        connection.execute("drop index compta.ecriture_compte")
        connection.execute(FILL, {"lines": lines, "months": MONTHS})
        connection.execute("create index ecriture_compte on compta.ecriture (compte, date, type, id_ligne)")
        connection.execute(CLOSE)
        connection.execute(OPEN, {"payments": lines // MONTHS // 2})
        connection.execute("vacuum analyze")
    with psycopg.connect(server.url("postgres"), autocommit=True) as admin:
        admin.execute(f"alter database {name}_vide rename to {name}")
    say(f"livre de {lines} lignes : écrit en {time.monotonic() - started:.0f} s")
    return url


def _times(url: str) -> dict[str, float]:
    """The least of three tries of each query, in milliseconds: the first one plans it."""
    with psycopg.connect(url) as connection:
        return {
            name: min(_time(connection, query) for _ in range(3))
            for name, query in (REPORTS | {"first": FIRST, "page": PAGE, "running": RUNNING}).items()
        }


def _time(connection: psycopg.Connection[Any], query: str) -> float:
    started = time.perf_counter()
    connection.execute(query).fetchone()
    return (time.perf_counter() - started) * 1000
