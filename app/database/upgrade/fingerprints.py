"""Fingerprints of the database: `comptoir migrate` records them in core.empreinte, `comptoir check` compares them."""

from collections.abc import Iterator
from typing import Any

import psycopg

from app.database.release import PAST, QUEUE, SLICES, Release


def migrated(connection: psycopg.Connection[Any]) -> bool:
    # to_regclass would fail for an account without rights on the schema.
    table = "select from pg_class where relname = 'empreinte' and relnamespace = to_regnamespace('core')"
    return connection.execute(table).fetchone() is not None


def stored(connection: psycopg.Connection[Any], kind: str) -> dict[str, str]:
    if not migrated(connection):
        return {}
    return dict(connection.execute("select nom, valeur from core.empreinte where genre = %s", [kind]).fetchall())


def present(connection: psycopg.Connection[Any]) -> dict[str, dict[str, str]]:
    """Kind → name → fingerprint of every object in the schemas of the slices, of the past and of the queue."""
    rows = connection.execute(_PRESENT, [[*SLICES, PAST, QUEUE]]).fetchall()
    return {kind: {name: value for genre, name, value in rows if genre == kind} for kind in ("objet", "table")}


def record(connection: psycopg.Connection[Any], release: Release, waiting: set[str]) -> None:
    """Record the present state. `waiting` are the migrations that are not applied yet."""
    migrations = {name: value for name, value in release.migration_hashes().items() if name not in waiting}
    fingerprints = {"fichier": release.code_hashes(), "migration": migrations, **present(connection)}
    connection.execute("delete from core.empreinte")
    with connection.cursor() as cursor:
        cursor.executemany(
            "insert into core.empreinte (genre, nom, valeur) values (%s, %s, %s)",
            [(kind, name, value) for kind, names in fingerprints.items() for name, value in names.items()],
        )


def differences(noun: str, recorded: dict[str, str], now: dict[str, str]) -> Iterator[str]:
    for name in sorted(recorded.keys() | now.keys()):
        if name not in now:
            yield f"{noun} {name} a disparu depuis la dernière mise à jour."
        elif name not in recorded:
            yield f"{noun} {name} est en plus depuis la dernière mise à jour."
        elif recorded[name] != now[name]:
            yield f"{noun} {name} a changé depuis la dernière mise à jour."


# The output of pg_get_*def depends on search_path: the record and the check must use the same one. An index that is
# still being built, or whose build failed, is no difference: the next `comptoir migrate` finishes it. Partitions
# come with the months (app/database/months.py), so they are not compared.
_PRESENT = """
with schemas as (select oid, nspname from pg_namespace where nspname = any(%s)),
objets as (
  select 'objet' as genre, 'fonction ' || p.oid::regprocedure as nom,
         pg_get_functiondef(p.oid) || p.proowner::regrole || coalesce(p.proacl::text, '') as texte
    from pg_proc p join schemas s on s.oid = p.pronamespace
  union all
  select 'objet', 'vue ' || c.oid::regclass,
         pg_get_viewdef(c.oid) || c.relowner::regrole || coalesce(c.relacl::text, '')
         || coalesce(c.reloptions::text, '')
    from pg_class c join schemas s on s.oid = c.relnamespace where c.relkind = 'v'
  union all
  select 'objet', 'déclencheur ' || t.tgname || ' de ' || t.tgrelid::regclass,
         pg_get_triggerdef(t.oid) || t.tgenabled::text
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join schemas s on s.oid = c.relnamespace
   where not t.tgisinternal and not c.relispartition
  union all
  select 'objet', 'politique ' || p.polname || ' de ' || c.oid::regclass,
         p.polcmd::text || p.polpermissive || p.polroles::regrole[]::text
         || coalesce(pg_get_expr(p.polqual, c.oid), '') || coalesce(pg_get_expr(p.polwithcheck, c.oid), '')
    from pg_policy p join pg_class c on c.oid = p.polrelid join schemas s on s.oid = c.relnamespace
  union all
  select case c.relkind when 'c' then 'objet' else 'table' end,
         case c.relkind when 'c' then 'type ' else '' end || c.oid::regclass,
         c.relowner::regrole || coalesce(c.relacl::text, '') || c.relrowsecurity || coalesce(c.reloptions::text, '')
         || coalesce((select string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || a.attnotnull
                              || a.attidentity::text || a.attgenerated::text || coalesce(a.attacl::text, '')
                              || coalesce(pg_get_expr(d.adbin, d.adrelid), ''), ',' order by a.attname)
                        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '')
         || coalesce((select string_agg(k.conname || pg_get_constraintdef(k.oid), ',' order by k.conname)
                        from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n'), '')
         || coalesce((select string_agg(pg_get_indexdef(i.indexrelid), ',' order by i.indexrelid::regclass::text)
                        from pg_index i where i.indrelid = c.oid and i.indisvalid), '')
    from pg_class c join schemas s on s.oid = c.relnamespace where c.relkind in ('r', 'p', 'c') and not c.relispartition
  union all
  select 'objet', 'règle ' || r.rulename || ' de ' || r.ev_class::regclass, pg_get_ruledef(r.oid) || r.ev_enabled::text
    from pg_rewrite r join pg_class c on c.oid = r.ev_class join schemas s on s.oid = c.relnamespace
   where r.rulename <> '_RETURN'
  union all
  select 'objet', 'droits du schéma ' || n.nspname, n.nspowner::regrole || coalesce(n.nspacl::text, '')
    from pg_namespace n join schemas s on s.oid = n.oid
  union all
  select 'table', 'séquence ' || q.seqrelid::regclass,
         q.seqincrement || ' ' || q.seqmin || ' ' || q.seqmax || ' ' || q.seqcycle || coalesce(c.relacl::text, '')
    from pg_sequence q join pg_class c on c.oid = q.seqrelid join schemas s on s.oid = c.relnamespace
  union all
  select 'objet', 'transitions de ' || t.entite, string_agg(t.de || t.vers, ',' order by t.de, t.vers)
    from core.transition t group by t.entite
  union all
  select 'objet', 'déclarations de ' || d.objet,
         string_agg(concat(d.genre, d.nom, d.champ), ',' order by d.genre, d.rang, d.nom)
    from core.declaration d group by d.objet
  union all
  select 'objet', 'mots', string_agg(concat_ws(' ', m.genre, m.nom, m.mots), ',' order by m.genre, m.nom)
    from core.mot m
  union all
  select 'objet', 'forme JSON de ' || f.type, f.forme from core.forme f
  union all
  select 'objet', 'événement ' || t.type, concat_ws(' ', t.version, t.forme, t.permission, t.limite, t.description)
    from evenement.type_evenement t
  union all
  select 'table', 'type ' || t.oid::regtype,
         coalesce(t.typdefault, '') || t.typnotnull
         || coalesce((select string_agg(e.enumlabel, ',' order by e.enumsortorder)
                     from pg_enum e where e.enumtypid = t.oid), '')
         || coalesce((select string_agg(pg_get_constraintdef(k.oid), ',' order by k.conname)
                        from pg_constraint k where k.contypid = t.oid), '')
    from pg_type t join schemas s on s.oid = t.typnamespace where t.typtype in ('e', 'd')
)
select genre, nom, md5(texte) from objets
"""
