"""The SQL text of an operation. PostgreSQL casts the arguments from text and returns the answer as JSON bytes.

The JSON form of the answer comes from the database: sql/core/_forme.sql.
"""

from app.database.catalogue import Function, Parameter, PgType
from app.database.release import PAST

DISK = "p_disque_attendu => $1::boolean"
CALLER = "$2::bigint, $3::text, $4::text, $5::text, $6::integer, $7::bigint"
SESSION = "p_famille => $8::uuid"
FIRST = 9  # position of the first argument of the operation
NOBODY = (None,) * (FIRST - 2)  # the caller of the process itself: all before the first argument but the disk
CONTEXT = f"core.contexte({CALLER}, {DISK}, {SESSION})"
IDEMPOTENT_CONTEXT = f"core.contexte_idempotent({CALLER}, $9::text, $10::text, {DISK}, {SESSION})"
# Whether all that the statement sees is on disk at its commit. If the transaction wrote, the commit waits for the disk.
# A standby receives only what is on disk.
ON_DISK = """case when pg_is_in_recovery() or pg_current_xact_id_if_assigned() is not null then true
 else pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn() end as sur_disque"""
# An idempotent transaction of several statements begins with the first of these and ends with the second.
OPEN_IDEMPOTENT = f"select {IDEMPOTENT_CONTEXT} as rejeu"
KEEP_ANSWER = "select core.idempotence_garder($1::text, $2::bytea)"
# Holds a resource until the end of the transaction: sql/core/ressource_tenir.sql.
HOLD = f"select case when {CONTEXT} then core.ressource_tenir($9::text, $10::text, $11::text) end"
HTTP_DATE = """'Dy, DD Mon YYYY HH24:MI:SS "GMT"'"""


def statement(function: Function, *, past: bool = False) -> str:
    """The statement of an operation: set the context, call the function, build JSON.

    A list by pages takes a cursor as its last argument (null for the first page). It also returns the number of its
    rows and the cursor of the next page: sql/core/_curseur.sql. The statement of the past takes an instant after these,
    and returns it as an HTTP date.
    """
    # CASE evaluates its condition first, so the operation never runs without a context.
    body, last = f"convert_to({_answer(function, FIRST, past)}, 'UTF8')", FIRST + len(function.parameters)
    row = "r.corps"
    if past:
        instant = f"${last + function.paged}::text::timestamptz"
        body = _at(instant, body)
        row += f", to_char({instant} at time zone 'UTC', {HTTP_DATE}) as memento"
    if function.paged:
        cursor = f"set_config('comptoir.apres', coalesce(${last}::text, ''), true) is not null"
        body = f"case when {cursor} then {body} end"
        row += f", {_setting('total')}, {_setting('suite')}"
    answer = f"case when {CONTEXT} then {body} end as corps"
    if row == "r.corps":
        return f"select {answer}, {ON_DISK}"
    return f"select {row}, {ON_DISK} from (select {answer} offset 0) r"


def _at(instant: str, body: str) -> str:
    return f"case when audit.instant_poser({instant}) then {body} end"


def _setting(name: str) -> str:
    return f"nullif(current_setting('comptoir.{name}', true), '') as {name}"


def totalled_statement(function: Function, names: tuple[str, ...], *, past: bool) -> str:
    """The statement of a file: {"corps": the answer, "totaux": the sums of these columns, by list}.

    One reading of the data gives both. The rows of an operation that returns a set are the list with an empty name. The
    statement of the past takes an instant as its last argument.
    """
    whole, rows = function.returns, "(select '[' || coalesce(string_agg(row_to_json(x)::text, ','), '') || ']'"
    if function.returns_set:
        body = f"{rows} from (select {whole.form} from r) x)"
        sums = f"'', (select to_json(t) from (select {_sums('e', whole, names)} from r e) t)"
    else:
        body = f"(select row_to_json(x)::text from (select {whole.form} from r) x)"
        sums = ", ".join(
            f"'{a.name}', (select to_json(t) from (select {_sums('e', a.type.element, names)}"
            f" from unnest(r.{_quoted(a.name)}) e) t)"
            for a in whole.attributes
            if a.type.element is not None and _sums("e", a.type.element, names)
        )
    totals = f"(select json_build_object({sums})::text from r limit 1)"
    source = (
        f"(with r as materialized (select * from {_call(function, FIRST, past)}) select {body} as corps,"
        f" {totals} as totaux)"
    )
    text = f"(select '{{\"corps\":' || f.corps || ',\"totaux\":' || coalesce(f.totaux, '{{}}') || '}}' from {source} f)"
    body = f"convert_to({text}, 'UTF8')"
    if past:
        body = _at(f"${FIRST + len(function.parameters)}::text::timestamptz", body)
    return f"select case when {CONTEXT} then {body} end as corps, {ON_DISK}"


def _sums(row: str, pg_type: PgType, names: tuple[str, ...]) -> str:
    summed = [a.name for a in pg_type.attributes if a.name in names]
    return ", ".join(f"sum({row}.{_quoted(name)})::text as {_quoted(name)}" for name in summed)


def idempotent_statement(function: Function) -> str:
    """The statement of an operation with an Idempotency-Key. The first answer is stored in the transaction of its
    effect; later requests with the key replay it."""
    stored = f"core.idempotence_garder($9::text, convert_to(coalesce({_answer(function, FIRST + 2)}, ''), 'UTF8'))"
    return (
        f"select case when r.rejeu is null then {stored} else r.rejeu end as corps, r.rejeu is not null as rejoue, "
        f"{ON_DISK} from (select {IDEMPOTENT_CONTEXT} as rejeu offset 0) r"
    )


def _call(function: Function, first: int, past: bool = False) -> str:
    arguments = ", ".join(
        f"p_{parameter.name} => {_argument(parameter, first + position)}"
        for position, parameter in enumerate(function.parameters)
    )
    name = f'"{PAST}"."{function.schema}__{function.name}"' if past else f'"{function.schema}"."{function.name}"'
    return f"{name}({arguments})"


def _answer(function: Function, first: int, past: bool = False) -> str:
    call, returned = _call(function, first, past), function.returns
    if returned.name == "void":
        return f"(select null::text from {call})"
    if returned.kind == "composite":
        rows, answer = f"(select {returned.form} from {call} r)", "row_to_json(x)"
    else:
        rows, answer = f"(select {returned.form} as v from {call} r)", "to_json(x.v)"
    if function.returns_set:
        return f"(select '[' || coalesce(string_agg({answer}::text, ','), '') || ']' from {rows} x)"
    if returned.sparse:
        answer = f"json_strip_nulls({answer})"
    return f"(select {answer}::text from {rows} x)"


def _argument(parameter: Parameter, position: int) -> str:
    text = f"${position}::text"
    value = _from_text(text, parameter.type)
    if parameter.default is None:
        return value
    return f"case when {text} is null then {parameter.default} else {value} end"


def _from_text(text: str, pg_type: PgType) -> str:
    if pg_type.kind == "composite":
        return f"case when {text} is not null then jsonb_populate_record(null::{pg_type.sql}, {text}::jsonb) end"
    if pg_type.kind == "array" and pg_type.element is not None:
        if pg_type.element.kind == "composite":
            item, source = f"jsonb_populate_record(null::{pg_type.element.sql}, e.value)", "jsonb_array_elements"
        else:
            item, source = f"e.value::{pg_type.element.sql}", "jsonb_array_elements_text"
        items = f"select array_agg({item} order by e.ordinality) from {source}({text}::jsonb) with ordinality e"
        return f"case when {text} is not null then coalesce(({items}), '{{}}') end"
    return f"{text}::{pg_type.sql}"


def _quoted(name: str) -> str:
    return f'"{name}"'
