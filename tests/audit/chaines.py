"""Reads each row of each journaled table in the journal: one INSERT, unbroken images, and the last one is the row."""

from itertools import groupby

ENTRIES = "select * from audit.journal order by module, entite, entite_id, id_trace"
KEYS = """
select n.nspname as module, c.relname as entite,
       string_agg(format('t.%I', a.attname), ' || ''-'' || ' order by k.rang) as cle
  from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_namespace n on n.oid = c.relnamespace
  join pg_index i on i.indrelid = c.oid and i.indisprimary
 cross join unnest(i.indkey::smallint[]) with ordinality k (attnum, rang)
  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
 where g.tgname = 't90_journal_insertion' group by 1, 2
"""


def keys(db):
    return frozenset(rows(db))


def rows(db):
    """Return the present rows of the journaled tables as the journal writes them."""
    present = {}
    for table in db.all(KEYS):
        name = f"{table['module']}.{table['entite']}"
        for row in db.all(f"select {table['cle']}::text as cle, audit._masquer(to_jsonb(t)) as ligne from {name} t"):
            present[table["module"], table["entite"], row["cle"]] = row["ligne"]
    return present


def broken(db, older):
    """Name what is wrong with the entries of each row. The rows in `older` may have no INSERT: migrations made them."""
    present, breaks = rows(db), []
    for key, group in groupby(db.all(ENTRIES), key=lambda row: (row["module"], row["entite"], row["entite_id"])):
        entries = list(group)
        image = entries[0]["avant"]
        if image is not None and key not in older:
            breaks.append(f"{key}: the first entry is no INSERT")
        for entry in entries:
            if entry["avant"] != image:
                breaks.append(f"{key}: entry {entry['id_trace']} does not follow")
            image = entry["apres"]
        if image != present.get(key):
            breaks.append(f"{key}: the last image is not the row")
    unknown = present.keys() - {(row["module"], row["entite"], row["entite_id"]) for row in db.all(ENTRIES)} - older
    return breaks + [f"{key}: no entry" for key in sorted(unknown)]
