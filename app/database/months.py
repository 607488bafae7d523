"""The monthly parts of the journal: creates the next month ahead and closes the months that have ended.

The view audit.partie_vue says what a part is. Every step is one transaction that first reads what is left to do, so it
may be repeated, run twice at once, or be killed.
"""

from psycopg import sql

from app.database import schema

LOCK = 0x6D6F6973  # "mois"
STRONG_TIMEOUT = "500ms"  # writers queue behind this lock
INDEX_TIMEOUT = "30s"  # only writers of a past month queue behind this lock, and there are none
# Months are UTC months, so that another time zone of the organisation changes no bound.
_DUE = """
select p.du from audit.partie_vue p
 where p.au is null and p.du < date_trunc('month', now(), 'UTC') + interval '2 months'
"""
_END = """
select date_trunc('month', coalesce(max(date_heure), %(start)s), 'UTC') + interval '1 month',
       to_char(%(start)s at time zone 'UTC', '"journal_"YYYY_MM')
  from audit.journal_suite
"""
# One hour leaves time for a clock that is set back.
_ENDED = "select p.nom from audit.partie_vue p where not p.fermee and p.au < now() - interval '1 hour' order by p.au"
_INDEXES = "select relname from pg_index join pg_class on oid = indexrelid where indrelid = to_regclass(%s)"
_TRIGGERS = (
    "t20_journal_fige before delete or truncate on {} for each statement execute function audit._t20_registre_fige",
    "t20_journal_efface before update on {} for each row execute function audit._t20_journal_efface",
)
_READING = {
    "entite": "entite, entite_id, id_trace desc",
    "id_utilisateur": "id_utilisateur, id_trace desc",
    "module": "module, date_heure desc, id_trace desc",
}


def keep_months(url: str) -> None:
    """Create the parts up to the next month, and the reading indexes of the months that have ended."""
    with schema.connect(url, 5.0) as connection:
        connection.execute("set application_name = 'comptoir worker'")
        while _extend(connection):
            pass
        while _close(connection):
            pass


def _extend(connection: schema.Session) -> bool:
    """Give audit.journal_suite an end and the name of its month, and put an empty one after it.

    It is empty if this runs every month. The rows of missed months stay together in one part.
    """
    with connection.transaction():
        _begin(connection, STRONG_TIMEOUT)
        if not (row := connection.execute(_DUE).fetchone()):
            return False
        (start,) = row
        connection.execute("set local role comptoir_owner")
        connection.execute("alter table audit.journal detach partition audit.journal_suite")
        end, name = connection.execute(_END, {"start": start}).fetchone() or (None, "")
        indexes = connection.execute(_INDEXES, ["audit.journal_suite"]).fetchall()
        part = sql.Identifier("audit", name)
        _run(connection, "alter table audit.journal_suite rename to {}", sql.Identifier(name))
        for (index,) in indexes:
            renamed = sql.Identifier(index.replace("journal_suite", name))
            _run(connection, "alter index {} rename to {}", sql.Identifier("audit", index), renamed)
        create_part(connection, "journal_suite", name)
        bounds = (sql.Literal(start), sql.Literal(end))
        _run(connection, "alter table audit.journal attach partition {} for values from ({}) to ({})", part, *bounds)
        attach = "alter table audit.journal attach partition audit.journal_suite for values from ({}) to (maxvalue)"
        _run(connection, attach, sql.Literal(end))
        _run(connection, "comment on table {} is 'Journal du mois, en UTC.'", part)
        _run(connection, "comment on table audit.journal_suite is 'Journal d''après le dernier mois créé.'")
    return True


def create_part(connection: schema.Session, name: str, model: str) -> None:
    """Create a table like another part. The caller attaches it."""
    part = sql.Identifier("audit", name)
    connection.execute("set local role comptoir_owner")
    _run(connection, "create table {} (like {} including all)", part, sql.Identifier("audit", model))
    # Which « like » does not copy. Migration 0043 says what it is for.
    _run(connection, "alter table {} alter column id_utilisateur set (n_distinct = -0.01)", part)
    connection.execute("reset role")  # comptoir_owner may not execute functions of the code
    for trigger in _TRIGGERS:
        _run(connection, f"create trigger {trigger}()", part)


def _close(connection: schema.Session) -> bool:
    """Create the reading indexes of one month, and return whether there was one to close."""
    with connection.transaction():
        _begin(connection, INDEX_TIMEOUT)
        if not (row := connection.execute(_ENDED).fetchone()):
            return False
        connection.execute("set local role comptoir_owner")
        part = sql.Identifier("audit", row[0])
        for name, columns in _READING.items():
            index = sql.Identifier(f"{row[0]}_{name}")
            _run(connection, "create index {} on {} ({})", index, part, sql.SQL(columns))
        _run(connection, "analyze {}", part)
    return True


def _begin(connection: schema.Session, timeout: str) -> None:
    _run(connection, "set local lock_timeout = {}", sql.Literal(timeout))
    connection.execute("set local timezone = 'UTC'")  # where an hour later or earlier adds nothing to a month
    connection.execute("select pg_advisory_xact_lock(%s)", [LOCK])


def _run(connection: schema.Session, statement: str, *parts: sql.Composable) -> None:
    connection.execute(sql.SQL(statement).format(*parts))
