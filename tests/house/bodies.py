"""Reads from the bodies of sql/ functions what each can refuse: calls, writes, and the triggers that writes fire."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.conftest import Db

_REFUSAL = re.compile(r"core\.refuser\(\s*\d+,\s*'(\w+)'")
_NOT_FOUND = re.compile(r"\binto\s+strict\b|\braise\s+no_data_found\b", re.IGNORECASE)
_NAME = re.compile(r"\b[a-z_]+\.\w+\b")
_INSERT = re.compile(r"\binsert\s+into\s+([a-z_]+\.\w+)", re.IGNORECASE)
_UPSERT = re.compile(r"\bdo\s+update\s+set\b", re.IGNORECASE)
_UPDATE = re.compile(r"\bupdate\s+([a-z_]+\.\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b", re.IGNORECASE)
_DELETE = re.compile(r"\bdelete\s+from\s+([a-z_]+\.\w+)", re.IGNORECASE)
_TOKEN = re.compile(r"'(?:[^']|'')*'|\w+|\S")
INSERT, DELETE, UPDATE = 4, 8, 16  # bits of pg_trigger.tgtype


@dataclass(frozen=True, slots=True)
class Write:
    """One statement of a body that writes a table; `columns` are the columns that an update sets."""

    table: str
    event: int
    columns: frozenset[str] = frozenset()


@dataclass(slots=True)
class Body:
    """A function or a view: its own refusals, its calls, its writes, and the domains that it names."""

    refusals: set[str]
    calls: set[str]
    writes: list[Write]
    domains: set[str]
    excluded: set[str] = field(default_factory=set)  # declared by core.ne_refuse_pas


@dataclass(frozen=True, slots=True)
class Constraint:
    """A rule of a table. Deleting a row of `referenced` may break it as well."""

    rule: str
    table: str
    referenced: str | None


class Bodies:
    """The functions and views of the slices, by qualified name."""

    def __init__(self, db: Db, slices: list[str]) -> None:
        texts = {row["name"]: row["body"] for row in db.all(_BODIES, {"slices": slices})}
        self.domains: dict[str, set[str]] = {}
        for row in db.all(_DOMAINS, {"slices": slices}):
            self.domains.setdefault(row["domain"], set()).add(row["name"].upper())
        self.bodies = {
            name: _read(name, re.sub(r"--[^\n]*", "", text), texts.keys(), self.domains.keys())
            for name, text in texts.items()
        }
        for row in db.all("select objet, nom from core.declaration where genre = 'SANS_REFUS'"):
            self.bodies[row["objet"]].excluded.add(row["nom"])
        self._constraints = [
            Constraint(row["name"].upper(), row["table"], row["referenced"])
            for row in db.all(_CONSTRAINTS, {"slices": slices})
        ]
        for row in db.all(TRIGGERS, {"slices": slices}):
            for body in self.bodies.values():
                if any(_fires(row, write) for write in body.writes):
                    body.calls.add(row["function"])

    def refusals(self, name: str) -> dict[str, list[str]]:
        """Return the rules that a function can refuse by, each with the shortest chain of calls to it."""
        ways: dict[str, list[str]] = {}
        waiting = deque([([name], self.bodies[name].excluded)])
        seen: dict[str, list[frozenset[str]]] = {}
        while waiting:
            way, excluded = waiting.popleft()
            body = self.bodies[way[-1]]
            for rule in body.refusals - excluded:
                ways.setdefault(rule, way)
            for called in sorted(body.calls):
                without = frozenset(excluded | self.bodies[called].excluded)
                if not any(earlier <= without for earlier in seen.get(called, [])):
                    seen.setdefault(called, []).append(without)
                    waiting.append(([*way, called], set(without)))
        return ways

    def below(self, name: str) -> set[str]:
        """Return the function and everything that it calls, directly or indirectly."""
        seen = {name}
        waiting = [name]
        while waiting:
            for called in self.bodies[waiting.pop()].calls - seen:
                seen.add(called)
                waiting.append(called)
        return seen

    def constraints(self, name: str) -> set[str]:
        """Return the rules of the tables that a function writes and of the domains that it names, also indirectly."""
        below = [self.bodies[called] for called in self.below(name)]
        written = {write.table for body in below for write in body.writes if write.event != DELETE}
        deleted = {write.table for body in below for write in body.writes if write.event == DELETE}
        rules = {k.rule for k in self._constraints if k.table in written or k.referenced in deleted}
        return rules.union(*(self.domains[domain] for body in below for domain in body.domains))


def _read(name: str, text: str, names: Collection[str], domains: Collection[str]) -> Body:
    refusals = set(_REFUSAL.findall(text))
    if _NOT_FOUND.search(text):
        refusals.add("NOT_FOUND")
    named = {match[0] for match in _NAME.finditer(text)}
    return Body(refusals, (named & set(names)) - {name}, list(_writes(text)), named & set(domains))


def _writes(text: str) -> Iterator[Write]:
    for match in _INSERT.finditer(text):
        yield Write(match[1], INSERT)
        statement = text[match.end() :].split(";")[0]
        if upsert := _UPSERT.search(statement):
            yield Write(match[1], UPDATE, _set_columns(statement[upsert.end() :]))
    for match in _UPDATE.finditer(text):
        yield Write(match[1], UPDATE, _set_columns(text[match.end() :]))
    for match in _DELETE.finditer(text):
        yield Write(match[1], DELETE)


def _set_columns(text: str) -> frozenset[str]:
    """Return the columns on the left of each `=`, up to the end of the assignments."""
    columns: set[str] = set()
    depth, left = 0, True
    for token in (match[0] for match in _TOKEN.finditer(text)):
        depth += (token in "([") - (token in ")]")
        if depth < 0 or (depth == 0 and token.lower() in (";", "from", "where", "returning")):
            break
        if depth == 0 and token in ("=", ","):
            left = token == ","
        elif left:
            columns.add(token)
    return frozenset(columns)


def _fires(trigger: Mapping[str, Any], write: Write) -> bool:
    if trigger["table"] != write.table or not trigger["type"] & write.event:
        return False
    return write.event != UPDATE or not trigger["columns"] or not write.columns.isdisjoint(trigger["columns"])


_BODIES = """
select n.nspname || '.' || p.proname as name,
       case when p.prosqlbody is null then p.prosrc else pg_get_function_sqlbody(p.oid) end as body
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = any(%(slices)s)
union all
select n.nspname || '.' || c.relname, pg_get_viewdef(c.oid)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = any(%(slices)s) and c.relkind = 'v'
"""
TRIGGERS = """
select n.nspname || '.' || c.relname as table, o.nspname || '.' || p.proname as function, t.tgtype::integer as type,
       array(select a.attname::text from pg_attribute a
              where a.attrelid = c.oid and a.attnum = any(t.tgattr::int2[])) as columns
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  join pg_proc p on p.oid = t.tgfoid join pg_namespace o on o.oid = p.pronamespace
 where not t.tgisinternal and n.nspname = any(%(slices)s)
"""
_CONSTRAINTS = """
select k.conname as name, n.nspname || '.' || c.relname as table, m.nspname || '.' || d.relname as referenced
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  left join (pg_class d join pg_namespace m on m.oid = d.relnamespace) on d.oid = k.confrelid
 where n.nspname = any(%(slices)s) and k.contype in ('c', 'f', 'u', 'x')
union all
select c.relname, n.nspname || '.' || t.relname, null
  from pg_index i
  join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  join pg_namespace n on n.oid = t.relnamespace
 where n.nspname = any(%(slices)s) and i.indisunique
"""
_DOMAINS = """
select k.conname as name, n.nspname || '.' || t.typname as domain
  from pg_constraint k join pg_type t on t.oid = k.contypid join pg_namespace n on n.oid = t.typnamespace
 where n.nspname = any(%(slices)s) and k.contype = 'c'
"""
