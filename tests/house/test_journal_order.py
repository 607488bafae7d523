"""The entries of a row are in the order of its versions, because no trigger writes the table on which it fires.

A statement inside a trigger writes its entries before the statement that fired the trigger, which writes them at its
end. If both change the same table, an earlier version of a row may get a later entry, and the past is read wrongly.
"""

from collections import deque

import pytest

from tests.conftest import Db
from tests.house.rule import holds

CASCADES = """
select k.conrelid::regclass::text as source
  from pg_constraint k
  join pg_trigger g on g.tgrelid = k.conrelid and g.tgname = 't90_journal_insertion'
 where k.contype = 'f' and k.conrelid = k.confrelid
   and (k.confdeltype in ('c', 'n', 'd') or k.confupdtype in ('c', 'n', 'd'))
"""


TRIGGERS = """
select t.tgrelid::regclass::text as entite, t.tgfoid::regproc::text as fonction
  from pg_trigger t where not t.tgisinternal and t.tgfoid::regproc::text in (select nom from core._corps_vue)
"""


def written_again(db: Db) -> list[str]:
    """Return each trigger from which a chain of calls and further triggers leads to a write of its own table."""
    db.execute("set local enable_nestloop = off")  # as the loading reads the views
    calls: dict[str, set[str]] = {}
    for row in db.all("select appelante, appelee from core._appel_vue"):
        calls.setdefault(row["appelante"], set()).add(row["appelee"])
    writes: dict[str, set[str]] = {}
    for row in db.all("select fonction, entite from core._ecriture_vue"):
        writes.setdefault(row["fonction"], set()).add(row["entite"])
    return [
        f"{row['fonction']} on {row['entite']}: {' → '.join(way)}"
        for row in db.all(TRIGGERS)
        if (way := _way(calls, writes, row["fonction"], row["entite"]))
    ]


def _way(calls: dict[str, set[str]], writes: dict[str, set[str]], start: str, table: str) -> list[str]:
    waiting, seen = deque([[start]]), {start}
    while waiting:
        way = waiting.popleft()
        if table in writes.get(way[-1], ()):
            return [*way, table]
        for called in sorted(calls.get(way[-1], set()) - seen):
            seen.add(called)
            waiting.append([*way, called])
    return []


def test_no_trigger_writes_the_table_on_which_it_fires(db: Db) -> None:
    holds(
        "no trigger leads to a write of the table on which it fires: the journal is in the order of the row versions",
        written_again(db),
        "change the row in a BEFORE trigger, or call what writes from the operation, after its statement",
    )


def test_no_foreign_key_changes_rows_of_its_own_table(db: Db) -> None:
    holds(
        "no foreign key of a journaled table cascades to the same table",
        [row["source"] for row in db.all(CASCADES)],
        "delete the referencing rows in the operation",
    )


@pytest.mark.parametrize("directly", [True, False])
def test_a_trigger_that_writes_its_own_table_is_reported(db: Db, directly: bool) -> None:
    """Directly, and through the trigger of another table."""
    written, column = ("client.client", "ville") if directly else ("finances.caisse", "actif")
    db.execute(
        f"""set local role comptoir_code;
            create function client._t50_essai() returns trigger language plpgsql as $$
            begin update {written} set {column} = null; return null; end $$;
            create trigger t50_essai after insert on client.client
              for each row execute function client._t50_essai();
            create function finances._t50_essai() returns trigger language plpgsql as $$
            begin update client.client set ville = null; return null; end $$;
            create trigger t50_essai after update of actif on finances.caisse
              for each row execute function finances._t50_essai()"""
    )
    assert any(line.startswith("client._t50_essai on client.client") for line in written_again(db))
