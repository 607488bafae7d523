"""Compares the reports of the ledger with plain sums of its lines, over ledgers that chance writes."""

import random
from datetime import date, timedelta

from tests.conftest import Db

# Each query gives one sentence for each error. `l` is the ledger of all days.
_BALANCE = """
with l as materialized (select * from compta.ecriture_vue),
j as (select %s::date as du, %s::date as au),
d as (
  select l.compte,
         sum(n.net) filter (where (l.date < j.du or l.type::text = 'A_NOUVEAU')
                              and not (l.compte ~ '^[678]' and l.date < date_trunc('year', j.du))) as ouverture,
         sum(l.debit) filter (where l.date >= j.du and l.type::text <> 'A_NOUVEAU') as debit,
         sum(l.credit) filter (where l.date >= j.du and l.type::text <> 'A_NOUVEAU') as credit,
         sum(n.net) filter (where not (l.compte ~ '^[678]' and l.date < date_trunc('year', j.du))) as solde
    from j, l cross join lateral (select coalesce(l.debit, 0) - coalesce(l.credit, 0) as net) n
   where l.date <= j.au group by l.compte),
b as (select b.* from j, compta.balance(j.du, j.au) b)
select format('balance, compte %%s : %%s au lieu de %%s', compte, b::text, d::text)
  from d full join b using (compte)
 where compte not in ('TOTAL', '130')
   and (coalesce(d.ouverture, 0), coalesce(d.debit, 0), coalesce(d.credit, 0), coalesce(d.solde, 0))
       is distinct from (coalesce(b.ouverture_debit - b.ouverture_credit, 0), coalesce(b.debit, 0),
                         coalesce(b.credit, 0), coalesce(b.solde_debit - b.solde_credit, 0))
union all
select format('balance, total : %%s', b::text) from b
 where compte = 'TOTAL' and ((ouverture_debit, debit, solde_debit) <> (ouverture_credit, credit, solde_credit)
   or solde_precedent <> 0 or debit <> (select coalesce(sum(x.debit), 0) from b x where x.compte <> 'TOTAL'))
union all
select format('compte %%s sans nom', compte) from b
 where libelle is null and left(compte, 2) in (select p.compte from compta.plan p)
union all
select format('balance du %%s : un an avant, %%s au lieu de %%s', b.compte, b.solde_precedent, a.solde)
  from b join j on true
  left join lateral (select a.compte, a.solde_debit - a.solde_credit as solde
                       from compta.balance(null, compta._an_avant(j.au)) a) a on a.compte = b.compte
 where b.compte <> 'TOTAL' and b.solde_precedent <> coalesce(a.solde, 0)
union all
select format('journaux, %%s : %%s au lieu de %%s', x.compte, x.n, y.n)
  from (select g.periode::text, g.journal, g.compte, (g.nombre, g.debit, g.credit)::text as n
          from j, compta.journaux(j.du, j.au) g where g.compte <> 'TOTAL') x
  full join (select to_char(l.date, 'YYYY-MM') as periode, l.journal, l.compte::text,
                    (count(*), coalesce(sum(l.debit), 0)::core.somme, coalesce(sum(l.credit), 0)::core.somme)::text as n
               from j, l where l.date between j.du and j.au group by 1, 2, 3) y using (periode, journal, compte)
 where x.n is distinct from y.n
"""
_SIDES = """
with j as (select %s::date as au),
b as (select m.m, b.* from j, unnest(enum_range(null::compta.modele_bilan)) as m (m), compta.bilan(j.au, m.m) b),
l as (select b.m, x.code, x.net, x.net_precedent, x.brut - x.amortissements - x.net as ecart, 1 as sens, x.comptes
        from b, unnest(b.actif) x
      union all select b.m, x.code, x.net, x.net_precedent, 0, -1, x.comptes from b, unnest(b.passif) x),
r as materialized (select r.* from j, compta.resultat(date_trunc('year', j.au)::date, j.au) r),
s as materialized (select s.* from j, compta.balance(date_trunc('year', j.au)::date, j.au) s)
select format('bilan %%s au %%s : %%s', b.m, j.au, b::text) from b, j
 where (select (l.net, l.net_precedent) from l where l.m = b.m and l.code = 'BZ')
    is distinct from (select (l.net, l.net_precedent) from l where l.m = b.m and l.code = 'DZ')
    or exists (select from l where l.ecart <> 0)
union all
select format('résultat au %%s : %%s au compte de résultat, %%s au bilan', j.au, r.montant, l.net)
  from j, l, r
 where r.code = 'XI' and (l.m, l.code) in (('NORMAL', 'CJ'), ('MINIMAL', 'C3')) and r.montant <> l.net
   and not exists (select from compta.ecriture_vue e where e.compte like '13%%')
union all
select format('%%s au %%s : %%s, et %%s par ses comptes %%s', x.code, j.au, x.montant, x.somme, x.comptes)
  from j
 cross join lateral (
    select y.*, (select coalesce(sum(s.solde_debit - s.solde_credit), 0) * y.sens
                   from s where s.compte = any(y.comptes)) as somme
      from (select 'RESULTAT' as etat, r.code, r.montant, -1 as sens, r.comptes from r
            union all
            select case l.m when 'NORMAL' then 'BILAN' else 'BILAN_MINIMAL' end, l.code, l.net, l.sens, l.comptes
              from l) y
      join compta.etat_ligne e on (e.etat::text, e.code) = (y.etat, y.code)
     where e.parties is null and y.code not in ('CJ', 'C3')) x
 where x.montant <> x.somme
"""
# The part of one activity is balanced by what it owes to the rest of the house.
_PARTS = """
select format('part de l''activité %%s au %%s : %%s', a.id_activite, j.au, b::text)
  from (select %s::date as au) j
 cross join core.activite a
 cross join lateral compta.bilan(j.au, 'NORMAL', a.id_activite) b
 where (select x.net from unnest(b.actif) x where x.code = 'BZ')
    <> (select x.net from unnest(b.passif) x where x.code = 'DZ')
    or exists (select from compta.balance(date_trunc('year', j.au)::date, j.au, a.id_activite) l
                where l.compte = 'TOTAL' and (l.debit, l.solde_debit) <> (l.credit, l.solde_credit))
"""
_PAGE = "select date::text, piece, debit, credit, solde, id_ligne from compta.grand_livre(%s, %s, 0, %s, %s)"


def pages(db: Db, account: str, first: date, last: date, size: int) -> list[dict[str, object]]:
    """The rows of the ledger of an account, by pages that each continue the cursor of the one before."""
    rows: list[dict[str, object]] = []
    cursor = ""
    while True:
        db.execute("select set_config('comptoir.apres', %s, true)", [cursor])
        rows += db.all(_PAGE, [account, size, first, last])
        if not (cursor := db.one("select current_setting('comptoir.suite')")):
            assert db.one("select current_setting('comptoir.total')") == str(len(rows))
            return rows


def wrong(db: Db, *days: date) -> list[str]:
    """Each error of the reports that end on these days, as a sentence."""
    errors = []
    for day in days:
        for first in (day.replace(day=1), day.replace(month=1, day=1), day - timedelta(days=40)):
            errors += [next(iter(row.values())) for row in db.all(_BALANCE, [first, day])]
        errors += [next(iter(row.values())) for query in (_SIDES, _PARTS) for row in db.all(query, [day])]
    return errors


def wrong_pages(db: Db, last: date, size: int = 7) -> list[str]:
    """Each account whose pages are not its lines, or do not end with its balance. Results begin each year at zero."""
    errors = []
    first = last - timedelta(days=75)
    accounts = db.all("select distinct compte::text as c from compta.ecriture_vue where date <= %s", [last])
    for account in (row["c"] for row in accounts):
        rows = pages(db, account, first, last, size)
        lines = db.all(
            """select date::text, piece, debit, credit, sum(coalesce(debit, 0) - coalesce(credit, 0))
                        over (order by date, type, id_ligne) as solde, id_ligne, date < %s as before
                 from compta.ecriture_vue where compte = %s and date between %s and %s order by date, type, id_ligne""",
            [first, account, first.replace(month=1, day=1) if account[0] in "678" else date.min, last],
        )
        opening = [line["solde"] for line in lines if line["before"]][-1:]
        head = rows[:1] if rows[:1] and rows[0]["piece"] is None else []
        expected = [{name: line[name] for name in line if name != "before"} for line in lines if not line["before"]]
        if [row["solde"] for row in head] != [amount for amount in opening if amount] or rows[len(head) :] != expected:
            errors.append(f"grand livre de {account} : {len(rows)} lignes, {len(expected)} attendues")
    return errors


def write(db: Db, seed: int, first: date, months: int, entries: int) -> None:
    """Closed months with entries between accounts that chance takes from all classes of the chart."""
    dice = random.Random(seed)
    chart = [row["compte"] for row in db.all("select compte::text from compta.plan")]
    accounts = [
        dice.choice([*chart, *map(str, range(10, 100))]) + dice.choice(["", "", "1", "9A"])
        for _ in range(dice.randint(2, 40))
    ]
    types = [row["t"] for row in db.all("select unnest(enum_range(null::compta.type_ecriture))::text as t")]
    activities = [None, *(row["id"] for row in db.all("select id_activite as id from core.activite"))]
    rows, journals = [], ["VE", "CA", "BQ", "OD"]
    for document in range(1, entries + 1):
        day = first + timedelta(days=dice.randrange(30 * months))
        kind = dice.choice([name for name in types if name != "RESULTAT"])
        lines = [(dice.choice(accounts), dice.randint(1, 10**7) / 100) for _ in range(dice.randint(1, 4))]
        total = round(sum(amount for _, amount in lines), 2)
        side = dice.random() < 0.5
        whole = [(account, amount, side) for account, amount in lines] + [(dice.choice(accounts), total, not side)]
        text = dice.choice(["Facture", 'Avoir "x" ; y', "Lot\n2 | (3)", "Prêt \\ été"])
        rows += [
            (kind, document, document * 100 + rank, dice.choice(journals), day, f"P-{document}", account, text,
             amount if debit else None, None if debit else amount, dice.choice(activities))
            for rank, (account, amount, debit) in enumerate(whole, 1)
        ]  # fmt: skip
    rows.sort(key=lambda row: (row[4], types.index(row[0]), row[2]))
    with db.connection.cursor() as cursor:
        cursor.executemany(
            """insert into compta.ecriture (numero, type, id_document, id_ligne, journal, date, piece, compte, libelle,
                                            debit, credit, id_activite)
               values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)""",
            [(number, *row) for number, row in enumerate(rows, 1)],
        )
    db.execute(
        """insert into compta.periode (periode, premier_numero, dernier_numero, nombre, total_debit, total_credit,
                                       empreinte)
           select to_char(date, 'YYYY-MM'), min(numero), max(numero), count(*), sum(debit), sum(credit), ''
             from compta.ecriture group by 1"""
    )
    db.execute("select compta._cumuler(periode) from compta.periode")
