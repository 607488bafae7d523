"""The catalogue of operations, read from the database once at start.

A public operation is a SECURITY DEFINER function of a slice's schema whose name does not start with `_`. Its
signature is the contract. http/arguments.py derives the checker from it, wire.py the SQL text, openapi/ the document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

import asyncpg

from app.base.failure import Failure
from app.database import words
from app.database.release import PAST, SLICES

Kind = Literal["base", "domain", "enum", "composite", "array"]


class CatalogueError(Failure):
    """The routes and the database disagree. The message has one line for each difference."""


@dataclass(slots=True)
class Check:
    """One check constraint of a domain, in a form that the API can check too."""

    rule: str
    sentence: str
    operator: str = ""
    bound: Decimal = Decimal(0)
    pattern: re.Pattern[str] | None = None
    source: str = ""  # the pattern as PostgreSQL writes it


@dataclass(slots=True)
class Attribute:
    name: str
    type: PgType
    comment: str | None
    nullable: bool = False  # declared in core.declaration; a nullable field may also be absent from a body


@dataclass(slots=True)
class PgType:
    schema: str
    name: str
    kind: Kind
    comment: str | None = None
    base: PgType | None = None  # of a domain
    element: PgType | None = None  # of an array
    modifier: int = -1
    sparse: bool = False  # null fields are absent from the answer
    form: str = ""  # of what operations return, and of domains: the SQL text of the JSON form of a row or value `r`
    labels: list[str] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    forms: dict[str, PgType] = field(default_factory=dict)  # of the body of an event: the view of each type
    clear: PgType | None = None  # for a domain of hashes: <name>_clair, the domain of the text before it is hashed

    @property
    def qualified(self) -> str:
        return f"{self.schema}.{self.name}"

    @property
    def sql(self) -> str:
        """The name of the type in a cast."""
        if self.element is not None:
            return f"{self.element.sql}[]"
        return f'"{self.schema}"."{self.name}"'

    @property
    def component(self) -> str:
        """The name of its schema in the OpenAPI document: facturation.facture_detail_vue → FactureDetail."""
        return camel(self.name.removesuffix("_vue"))

    @property
    def root(self) -> PgType:
        """The type below all domains."""
        return self if self.base is None else self.base.root

    @property
    def precision(self) -> tuple[int, int] | None:
        """Digits and decimals of a numeric(p, s) domain."""
        if self.modifier >= 0 and self.root.name == "numeric":
            return (self.modifier - 4) >> 16, (self.modifier - 4) & 0xFFFF
        return self.base.precision if self.base else None

    @property
    def all_checks(self) -> list[Check]:
        return [*self.checks, *(self.base.all_checks if self.base else [])]


def camel(name: str) -> str:
    """salle_fete → SalleFete"""
    return "".join(part.capitalize() for part in name.split("_"))


@dataclass(slots=True)
class Parameter:
    name: str  # without the p_
    type: PgType
    required: bool
    default: str | None  # SQL text; None when the default is NULL


@dataclass(slots=True)
class Function:
    schema: str
    name: str
    parameters: list[Parameter]
    returns: PgType
    returns_set: bool
    volatility: str
    comment: str | None
    refusals: list[str] = field(default_factory=list)  # names of rules, declared in core.declaration
    instant: Parameter | None = None  # of a past answer, where the schema passe has a twin of the function

    @property
    def qualified(self) -> str:
        return f"{self.schema}.{self.name}"

    @property
    def paged(self) -> bool:
        """Whether it returns one page of a list, made by core._liste."""
        return self.returns_set and any(parameter.name == "offset" for parameter in self.parameters)

    @property
    def accepted(self) -> list[Parameter]:
        """The parameters that the API accepts, the instant last."""
        return [*self.parameters, self.instant] if self.instant else self.parameters


@dataclass(slots=True)
class Event:
    type: str
    version: int
    permission: str
    form: PgType  # the view whose row is its body
    comment: str


@dataclass(slots=True)
class Catalogue:
    functions: dict[str, Function]
    types: dict[str, PgType]  # by qualified name
    sentences: dict[str, str]  # constraint or unique index → the sentence shown to the user
    permissions: set[str]
    events: list[Event]

    def named(self, qualified: str) -> PgType:
        pg_type = self.types.get(qualified)
        if pg_type is None:
            raise CatalogueError(f"Le type {qualified} n'existe pas.")
        return pg_type


async def read(connection: asyncpg.Connection[Any]) -> Catalogue:
    """Read functions, types, constraints and comments of the slices' schemas, and the words for their names."""
    await words.read(connection)
    slices = list(SLICES)
    declared: dict[tuple[str, str], list[str]] = {}
    for row in await connection.fetch("select objet, genre::text, nom from core.declaration_lister()"):
        declared.setdefault((row["objet"], row["genre"]), []).append(row["nom"])
    types = await read_types(connection)
    for pg_type in types.values():
        nullable = declared.get((pg_type.qualified, "NULL"), ())
        for attribute in pg_type.attributes:
            attribute.nullable = attribute.name in nullable
        pg_type.sparse = (pg_type.qualified, "ABSENT") in declared
    for row in await connection.fetch("select type::oid, forme from core.forme_lister()"):
        types[row["type"]].form = row["forme"]
    by_name = {pg_type.qualified: pg_type for pg_type in types.values()}
    events = [
        Event(row["type"], row["version"], row["permission"], by_name[row["forme"]], row["description"])
        for row in await connection.fetch("select * from evenement.type_lister()")
    ]
    by_name["evenement.corps"].forms = {f"{event.type} {event.version}": event.form for event in events}
    functions = {}
    instant = Parameter("instant", by_name["pg_catalog.timestamptz"], required=False, default=None)
    for row in await connection.fetch(_FUNCTIONS, slices, PAST):
        parameters = []
        for name, oid, default in zip(row["names"] or (), row["types"], row["defaults"], strict=True):
            if not name.startswith("p_"):
                raise CatalogueError(f"{row['schema']}.{row['name']} : le paramètre {name} doit s'appeler p_{name}.")
            is_null = default is None or default.upper().startswith("NULL")
            parameters.append(Parameter(name[2:], types[oid], default is None, None if is_null else default))
        function = Function(
            row["schema"],
            row["name"],
            parameters,
            types[row["returns"]],
            row["returns_set"],
            row["volatility"],
            row["comment"],
            declared.get((f"{row['schema']}.{row['name']}", "REFUS"), []),
            instant if row["recalls"] else None,
        )
        if function.qualified in functions:
            raise CatalogueError(f"{function.qualified} a deux signatures : donnez un autre nom à l'une d'elles.")
        functions[function.qualified] = function
    return Catalogue(
        functions=functions,
        types=by_name,
        sentences={row["name"]: row["comment"] for row in await connection.fetch(_SENTENCES, slices)},
        permissions={row["code"] for row in await connection.fetch("select code from auth.permission_lister()")},
        events=events,
    )


async def read_types(connection: asyncpg.Connection[Any]) -> dict[int, PgType]:
    """Read every type that a signature may name, with the rules of domains."""
    slices = list(SLICES)
    rows = await connection.fetch(_TYPES, slices)
    types = {row["oid"]: PgType(**{name: row[name] for name in _READ}) for row in rows}
    for row in rows:
        types[row["oid"]].base = types.get(row["base"])
        types[row["oid"]].element = types.get(row["element"])
    by_name = {pg_type.qualified: pg_type for pg_type in types.values()}
    for name, pg_type in by_name.items():
        pg_type.clear = by_name.get(f"{name}_clair")
    for row in await connection.fetch(_CHECKS, slices):
        types[row["oid"]].checks.append(_check(row["name"], row["comment"] or "", row["definition"]))
    for row in await connection.fetch(_ATTRIBUTES, slices):
        types[row["owner"]].attributes.append(Attribute(row["name"], types[row["type"]], row["comment"]))
    return types


_VALUE = r"(?:\(VALUE\)::\w+|VALUE)"
_NUMBER = r"\(?'?(-?[\d.]+)'?\)?(?:::\w+)?"
_BOUND = re.compile(rf"CHECK \(\({_VALUE} (>=|>|<=|<) {_NUMBER}\)\)")
_LENGTH = re.compile(rf"CHECK \(\((char|octet)_length\({_VALUE}\) (>=|<=) (\d+)\)\)")
_PATTERN = re.compile(rf"CHECK \(\({_VALUE} ~ '(.*)'::text\)\)", re.DOTALL)


def _check(rule: str, sentence: str, definition: str) -> Check:
    """Parse the definition of a check constraint. An unknown form stops the start."""
    if match := _BOUND.fullmatch(definition):
        return Check(rule, sentence, match[1], Decimal(match[2]))
    if match := _LENGTH.fullmatch(definition):
        return Check(rule, sentence, f"{'length' if match[1] == 'char' else 'size'} {match[2]}", Decimal(match[3]))
    if match := _PATTERN.fullmatch(definition):
        source = match[1].replace("''", "'")
        # PostgreSQL's `$` matches only at the end of the text. Python's `$` also matches before a final newline.
        return Check(rule, sentence, pattern=re.compile(re.sub(r"\$$", r"\\Z", source)), source=source)
    raise CatalogueError(f"La contrainte de domaine {rule} a une forme inconnue : {definition}")


_READ = ("schema", "name", "kind", "comment", "modifier", "labels")
_TYPES = """
select t.oid, n.nspname as schema, t.typname as name,
       case when t.typcategory = 'A' then 'array'
            else case t.typtype when 'd' then 'domain' when 'e' then 'enum' when 'c' then 'composite' else 'base' end
       end as kind,
       t.typbasetype as base, case when t.typcategory = 'A' then t.typelem else 0 end as element,
       t.typtypmod as modifier,
       coalesce(obj_description(t.oid, 'pg_type'), obj_description(t.typrelid, 'pg_class')) as comment,
       array(select e.enumlabel::text from pg_catalog.pg_enum e
              where e.enumtypid = t.oid order by e.enumsortorder) as labels
  from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace
 where n.nspname = 'pg_catalog' or n.nspname = any($1)
"""

_CHECKS = """
select k.contypid as oid, k.conname as name, pg_get_constraintdef(k.oid) as definition,
       obj_description(k.oid, 'pg_constraint') as comment
  from pg_catalog.pg_constraint k join pg_catalog.pg_namespace n on n.oid = k.connamespace
 where k.contypid <> 0 and k.contype = 'c' and n.nspname = any($1)
 order by k.conname
"""

_ATTRIBUTES = """
select c.reltype as owner, a.attname as name, a.atttypid as type,
       col_description(c.oid, a.attnum) as comment
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
 where n.nspname = any($1) and c.reltype <> 0 and a.attnum > 0 and not a.attisdropped
 order by c.oid, a.attnum
"""

_FUNCTIONS = """
select n.nspname as schema, p.proname as name, p.proargnames::text[] as names, p.proargtypes::oid[] as types,
       array(select pg_get_function_arg_default(p.oid, i) from generate_series(1, p.pronargs) i order by i) as defaults,
       p.prorettype as returns, p.proretset as returns_set, p.provolatile::text as volatility,
       obj_description(p.oid, 'pg_proc') as comment,
       to_regproc($2 || '.' || n.nspname || '__' || p.proname) is not null as recalls
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
 where n.nspname = any($1) and p.prosecdef and p.proname !~ '^_' and p.prorettype <> 'trigger'::regtype
 order by n.nspname, p.proname
"""

_SENTENCES = """
select k.conname as name, obj_description(k.oid, 'pg_constraint') as comment
  from pg_catalog.pg_constraint k join pg_catalog.pg_namespace n on n.oid = k.connamespace
 where n.nspname = any($1) and obj_description(k.oid, 'pg_constraint') is not null
union all
select c.relname, obj_description(c.oid, 'pg_class')
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
 where n.nspname = any($1) and c.relkind = 'i' and obj_description(c.oid, 'pg_class') is not null
"""
