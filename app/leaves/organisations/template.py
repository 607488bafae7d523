"""The template of a release on a server: a database with its tables and code, which new organisations copy."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

from app.base.progress import Say
from app.database import schema
from app.database.release import HERE
from app.leaves.organisations.registry import Registry

TEMPLATE = "comptoir__modele_"  # with the version of its release; no organisation has a database of such a name
PATIENCE = 5.0
LOCK = 0x6D6F64656C65  # "modele", on the database postgres of a server


def template_name() -> str:
    return TEMPLATE + HERE.version()


def ensure_template(registry: Registry, address: str, admin: psycopg.Connection[Any], say: Say) -> str:
    """Make the template of this release on a server if it is not there, and drop the templates of other releases."""
    name = template_name()
    if _is_template(admin, name):
        return name
    admin.execute("select pg_advisory_lock(%s)", [LOCK])
    try:
        if not _is_template(admin, name):
            say(f"Modèle {name} : en préparation.")
            schema.drop_database(admin, name)
            admin.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
            schema.migrate(registry.on_server(address, name), lambda _: None)
            with schema.connect(registry.on_server(address, name), PATIENCE) as template:
                template.execute("vacuum full")  # each copy is as large as the template
            admin.execute(sql.SQL("alter database {} is_template true").format(sql.Identifier(name)))
            _drop_former(admin, name)
    finally:
        admin.execute("select pg_advisory_unlock(%s)", [LOCK])
    return name


def _is_template(admin: psycopg.Connection[Any], name: str) -> bool:
    """Whether the template is complete."""
    row = admin.execute("select from pg_database where datname = %s and datistemplate", [name]).fetchone()
    return row is not None


def _drop_former(admin: psycopg.Connection[Any], present: str) -> None:
    query = "select datname from pg_database where starts_with(datname, %s) and datname <> %s"
    for (name,) in admin.execute(query, [TEMPLATE, present]).fetchall():
        admin.execute(sql.SQL("alter database {} is_template false").format(sql.Identifier(name)))
        schema.drop_database(admin, name)
