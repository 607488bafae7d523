"""Makes the database of a new organisation: a copy of a template that has this release's tables and code."""

from __future__ import annotations

import time
from typing import Any

import psycopg
import psycopg.errors as pg
from psycopg import sql

from app.base.progress import Say
from app.database import schema
from app.database.release import HERE
from app.organisations.organisation import Organisation
from app.organisations.registry import Registry
from app.organisations.template import ensure_template

PATIENCE = 5.0
ATTEMPTS = 20
PAUSE_SECONDS = 0.25


def make(registry: Registry, code: str, server: str | None, hosts: list[str], say: Say = print) -> Organisation:
    """Enrol an organisation and make its database. An interrupted making is taken up by the next call."""
    organisation = registry.enrol(code, server, hosts)
    url = registry.on_server(organisation.address, organisation.database)
    with schema.connect(registry.on_server(organisation.address), PATIENCE) as admin:
        template = ensure_template(registry, organisation.address, admin, say)
        admin.execute(sql.SQL("drop database if exists {}").format(sql.Identifier(organisation.database)))
        _copy(admin, template, organisation.database)
    with schema.connect(url, PATIENCE) as connection, connection.transaction():
        connection.execute(schema.GRANTS.read_bytes())  # a copy has no grants on the database itself
        connection.execute("select jobs._organisation_naitre()")
    registry.move_to(code, "ACTIVE", version=HERE.version())
    return registry.find(code)


def _copy(admin: psycopg.Connection[Any], template: str, name: str) -> None:
    """Copy a template. A process that starts may read it for a moment, and PostgreSQL then refuses the copy."""
    statement = sql.SQL("create database {} template {}").format(sql.Identifier(name), sql.Identifier(template))
    for attempt in range(1, ATTEMPTS + 1):
        try:
            admin.execute(statement)
            return
        except pg.ObjectInUse:
            if attempt == ATTEMPTS:
                raise
            time.sleep(PAUSE_SECONDS)
