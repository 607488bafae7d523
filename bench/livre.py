"""A ledger of ten million lines in closed months, and documents of the running one: its reports and pages."""

import os
import statistics
import time
from collections.abc import Iterator
from typing import Any

import psycopg

from app.database import schema
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
YEAR = "make_date(extract(year from core.aujourdhui())::integer - 1, 1, 1), make_date(extract(year from core.aujourdhui())::integer - 1, 12, 31)"
