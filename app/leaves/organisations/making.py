"""Makes and drops the database of an organisation: a copy of a template, which has this release's tables and code."""

from psycopg import sql

from app.base.progress import Say
from app.database import schema
from app.database.release import HERE
from app.leaves.organisations.organisation import Organisation
from app.leaves.organisations.registry import Registry, RegistryError

TEMPLATE = "comptoir__modele_"  # with the version of its release; no organisation has a database of such a name
LOCK = 0x6D6F64656C65  # "modele", on the database postgres of a server
TAKEN = "Le serveur {server} a déjà une base {database} : renommez-la ou supprimez-la, puis recommencez."


def make(registry: Registry, code: str, server: str | None, hosts: list[str], say: Say = print) -> Organisation:
    """Enrol an organisation and make its database. An interrupted making is taken up by the next call."""
    with registry.alone(code):
        organisation = registry.enrol(code, server, hosts)
        with registry.connect(organisation.address) as admin:
            present = _mark_of(admin, organisation)
            if present is not None and not present.startswith(organisation.id):
                raise RegistryError(TAKEN.format(server=organisation.server, database=organisation.database))
            if present != _mark(organisation):
                template = ensure_template(registry, organisation.address, admin, say)
                _build(registry, admin, organisation, template)
        registry.move_to(code, "ACTIVE", version=HERE.version())
        return registry.find(code)


def drop(registry: Registry, organisation: Organisation) -> None:
    """Drop the database of an organisation. One that is not made yet owns only the database that bears its mark."""
    with registry.connect(organisation.address) as admin:
        if organisation.version is not None or (_mark_of(admin, organisation) or "").startswith(organisation.id):
            schema.drop_database(admin, organisation.database)
        schema.drop_database(admin, _unfinished(organisation))


def _build(registry: Registry, admin: schema.Session, organisation: Organisation, template: str) -> None:
    """Copy the template under another name, give the copy its own secrets, and rename it at the end."""
    unfinished = _unfinished(organisation)
    name = sql.Identifier(unfinished)
    schema.drop_database(admin, unfinished)
    _copy(admin, template, unfinished)
    with registry.connect(organisation.address, unfinished) as connection, connection.transaction():
        connection.execute((HERE.code / "grants.sql").read_bytes())  # a copy has no grants on the database itself
        connection.execute("select jobs._organisation_naitre()")
    admin.execute(sql.SQL("comment on database {} is {}").format(name, sql.Literal(_mark(organisation))))
    schema.drop_database(admin, organisation.database)  # made by another release, and interrupted before it served
    admin.execute(sql.SQL("alter database {} rename to {}").format(name, sql.Identifier(organisation.database)))


def _copy(admin: schema.Session, template: str, name: str) -> None:
    admin.execute(sql.SQL("create database {} template {}").format(sql.Identifier(name), sql.Identifier(template)))


def _mark_of(admin: schema.Session, organisation: Organisation) -> str | None:
    """The comment of the database with the name of this organisation's. None means that there is no such database."""
    query = "select coalesce(shobj_description(oid, 'pg_database'), '') from pg_database where datname = %s"
    row = admin.execute(query, [organisation.database]).fetchone()
    return row and row[0]


def _mark(organisation: Organisation) -> str:
    """The comment of a database that this release made for this organisation."""
    return f"{organisation.id} {HERE.version()}"


def _unfinished(organisation: Organisation) -> str:
    return f"{organisation.database}__naissance"


def template_name() -> str:
    return TEMPLATE + HERE.version()


def ensure_template(registry: Registry, address: str, admin: schema.Session, say: Say) -> str:
    """Make the template of this release on a server if it is not there, and drop the templates of other releases."""
    name = template_name()
    complete = "select from pg_database where datname = %s and datistemplate"
    former = "select datname from pg_database where starts_with(datname, %s) and datname <> %s"
    mark = sql.SQL("alter database {} is_template {}")
    if admin.execute(complete, [name]).fetchone() is not None:
        return name
    admin.execute("select pg_advisory_lock(%s)", [LOCK])
    try:
        if admin.execute(complete, [name]).fetchone() is None:
            say(f"Modèle {name} : en préparation.")
            schema.drop_database(admin, name)
            admin.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
            schema.migrate(registry.on_server(address, name), lambda _: None)
            with registry.connect(address, name) as template:
                template.execute("vacuum full")  # each copy is as large as the template
            admin.execute(mark.format(sql.Identifier(name), True))
            for (other,) in admin.execute(former, [TEMPLATE, name]).fetchall():
                admin.execute(mark.format(sql.Identifier(other), False))
                schema.drop_database(admin, other)
    finally:
        admin.execute("select pg_advisory_unlock(%s)", [LOCK])
    return name
