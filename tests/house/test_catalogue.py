"""Rules for every table, function, constraint and route, read from the PostgreSQL catalogue."""

import re

import pytest

from app import routes
from app.base.settings import ROOT
from app.database import catalogue
from app.database.catalogue import CatalogueError
from app.database.release import HERE, SLICES
from app.http.route import GET, RouteTable
from app.routes.check import check_routes, route_problems
from outils import generated
from tests.conftest import Db, Http
from tests.house.rule import holds

IN_A_MIGRATION = "in its migration, or in a new one if that was released"


def names(db: Db, query: str, **more: list[str]) -> list[str]:
    return [next(iter(row.values())) for row in db.all(query, {"slices": list(SLICES), **more})]


FUNCTIONS = """select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                where n.nspname = any(%(slices)s) and """
RELATIONS = """select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = any(%(slices)s) and """
CONSTRAINTS = """select {} from pg_constraint k join pg_namespace n on n.oid = k.connamespace
                  where n.nspname = any(%(slices)s) and """
DEFINER = "write « security definer set search_path = pg_catalog, pg_temp »"
GRANTED = "take the grant out; sql/grants.sql has every grant"
COMMENTED = "add « comment on … is … », in French, to its file"
# A rule of the catalogue, the query that names its offenders, and what to do.
RULES = [
    (
        "A definer function pins its search_path.",
        f"""{FUNCTIONS} p.prosecdef
              and not coalesce(p.proconfig, '{{}}') @> '{{"search_path=pg_catalog, pg_temp"}}'""",
        DEFINER,
    ),
    (
        "A helper (its name begins with _) runs with the rights of its caller.",
        f"{FUNCTIONS} p.proname ~ '^_' and p.prosecdef and p.prorettype <> 'trigger'::regtype",
        "take « security definer » out",
    ),
    # Before PostgreSQL 18, it runs at the commit with the rights of the account of the API.
    (
        "The function of a deferrable trigger is a definer function.",
        """select p.oid::regprocedure::text from pg_trigger t join pg_proc p on p.oid = t.tgfoid
            where t.tgdeferrable and not t.tgisinternal and not p.prosecdef""",
        DEFINER,
    ),
    (
        "comptoir_app may execute every public operation and nothing else.",
        f"""{FUNCTIONS} has_function_privilege('comptoir_app', p.oid, 'execute')
              <> (p.prosecdef and p.proname !~ '^_' and p.prorettype <> 'trigger'::regtype)""",
        "name a helper _…; make an operation « security definer »; sql/grants.sql does the rest",
    ),
    (
        "comptoir_app has no right on a table or a view.",
        f"""{RELATIONS} c.relkind in ('r', 'p', 'v', 'm', 'S')
              and (has_table_privilege('comptoir_app', c.oid, 'select, insert, update, delete, truncate')
                   or has_any_column_privilege('comptoir_app', c.oid, 'select, insert, update'))""",
        "take the grant out; the application calls functions",
    ),
    (
        "No server compiles plans in a database of the service.",
        "select datname from pg_database where datname = current_database() and current_setting('jit') <> 'off'",
        "set « jit » of the database in sql/grants.sql",
    ),
    (
        "PUBLIC executes nothing.",
        f"""{FUNCTIONS} exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
                                 where a.grantee = 0)""",
        GRANTED,
    ),
    (
        "comptoir_app makes no temporary table and no schema.",
        "select 'the database' where has_database_privilege('comptoir_app', current_database(), 'temp, create')",
        GRANTED,
    ),
    (
        "Each function has one signature.",
        f"{FUNCTIONS} exists (select from pg_proc o where o.oid <> p.oid and o.pronamespace = n.oid"
        " and o.proname = p.proname)",
        "give the second one another name, or the first one an optional parameter",
    ),
    # Dropping the code must drop no column, default, constraint or index of a table.
    (
        "No table depends on code: dropping the code drops no part of a table.",
        """select pg_describe_object(d.classid, d.objid, d.objsubid)
             from pg_depend d join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
            where p.proowner in ('comptoir_code'::regrole, 'comptoir_portail'::regrole)
              and d.classid = any ('{pg_class, pg_attrdef, pg_constraint, pg_type, pg_policy}'::regclass[])""",
        "write the expression in the table without the function",
    ),
    (
        "comptoir_owner owns the tables, comptoir_code the views.",
        f"""{RELATIONS} c.relkind in ('r', 'p', 'v')
              -- data that is part of the code
              and c.oid <> all ('{{core.transition, core.declaration, core.forme, core.mot,
                                  evenement.type_evenement}}'::regclass[])
              and c.relowner <> (case c.relkind when 'v' then 'comptoir_code' else 'comptoir_owner' end)::regrole""",
        "create tables in migrations/ and views in sql/",
    ),
    (
        "comptoir_code or comptoir_portail owns every function.",
        f"{FUNCTIONS} p.proowner not in ('comptoir_code'::regrole, 'comptoir_portail'::regrole)",
        "create functions in sql/",
    ),
    (
        "A public operation belongs to comptoir_portail if its name begins with portail_, and only then.",
        f"""{FUNCTIONS} (p.prosecdef or p.proname ~ '^_?portail_')
              and (p.proowner = 'comptoir_portail'::regrole) <> (p.proname ~ '^_?portail_')""",
        "rename the function, or put it into the portal",
    ),
    (
        "Every foreign key has an index.",
        f"""{CONSTRAINTS.format("k.conrelid::regclass || '.' || k.conname")} k.contype = 'f'
              and not exists (select from pg_index i where i.indrelid = k.conrelid
                                 and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)""",
        f"add the index {IN_A_MIGRATION}",
    ),
    (
        "Every table has a primary key, or its whole row as its identity.",
        f"""{RELATIONS} c.relkind = 'r' and c.relreplident <> 'f'
              and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)""",
        "give it a primary key, or « alter table … replica identity full »: an organisation that moves is replicated",
    ),
    (
        "Every constraint has a comment: the sentence for the user.",
        f"""{CONSTRAINTS.format("k.conrelid::regclass || '.' || k.conname")}
              obj_description(k.oid, 'pg_constraint') is null
              and (k.contype in ('c', 'u', 'x') or k.contype = 'f' and k.conname !~ '_utilisateur_inconnu')
              and k.conname !~ '_(jeton|secret)_'
              and k.conrelid::regclass::text !~ '^(auth.(jeton|secret|connexion)|notification.lecture)'""",
        f"add « comment on constraint … » {IN_A_MIGRATION}",
    ),
    (
        "Each constraint has a unique name: the API identifies a rule by its name.",
        CONSTRAINTS.format("k.conname") + "k.contype in ('c', 'u', 'x', 'f') group by 1 having count(*) > 1",
        f"rename one {IN_A_MIGRATION}",
    ),
    (
        "Every function has a comment.",
        """select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
            where n.nspname = any(%(slices)s || '{passe}'::text[]) and obj_description(p.oid, 'pg_proc') is null""",
        COMMENTED,
    ),
    (
        "Every table and every view has a comment.",
        f"""{RELATIONS} c.relkind in ('r', 'p', 'v', 'c') and obj_description(c.oid, 'pg_class') is null
              and coalesce(obj_description(c.reltype, 'pg_type'), '') = ''""",
        COMMENTED,
    ),
    # sql/commentaires.sql writes the comments of clear names; id_utilisateur is no clear name.
    (
        "Every column of a table has a comment.",
        """select a.attrelid::regclass || '.' || a.attname from pg_attribute a
             join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = any(%(slices)s) and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
              and col_description(c.oid, a.attnum) is null""",
        f"add « comment on column … is … » {IN_A_MIGRATION}",
    ),
    (
        "Every type has a comment.",
        """select t.oid::regtype::text from pg_type t join pg_namespace n on n.oid = t.typnamespace
            where n.nspname = any(%(slices)s) and t.typtype in ('e', 'd')
              and obj_description(t.oid, 'pg_type') is null""",
        COMMENTED,
    ),
    (
        "Every schema has a comment.",
        """select n.nspname from pg_namespace n
            where n.nspname = any(%(slices)s) and obj_description(n.oid, 'pg_namespace') is null""",
        COMMENTED,
    ),
]


@pytest.mark.parametrize(("rule", "query", "to_do"), RULES, ids=[rule for rule, *_ in RULES])
def test_the_catalogue_keeps_its_rules(db: Db, rule: str, query: str, to_do: str) -> None:
    holds(rule, names(db, query), to_do)


def test_a_comment_names_a_function_without_its_signature() -> None:
    signed = re.compile(r"^comment on function [\w.]+\(.*", re.MULTILINE)
    holds(
        "No function is overloaded, so a comment names it alone.",
        [
            f"{path.relative_to(ROOT)}: {line}"
            for path in HERE.code_files()
            for line in signed.findall(path.read_text())
        ],
        "write « comment on function core.refuser is … »",
    )


def test_no_function_catches_everything_or_builds_sql_from_text(db: Db) -> None:
    """Procedures run only while the code is loaded."""
    bodies = db.all(
        """select p.oid::regprocedure::text as name, p.prosrc as body from pg_proc p
             join pg_namespace n on n.oid = p.pronamespace where n.nspname = any(%(slices)s) and p.prokind = 'f'""",
        {"slices": list(SLICES)},
    )
    holds(
        "No function catches every error.",
        [row["name"] for row in bodies if re.search(r"when\s+others", row["body"], re.IGNORECASE)],
        "catch one named condition, or none",
    )
    dynamic = [
        row["name"]
        for row in bodies
        if re.search(r"\bexecute\b(?!\s+(core\._liste|core\._ressource))", row["body"], re.IGNORECASE)
    ]
    holds(
        "Only the texts of core._liste and core._ressource run as SQL.",
        dynamic,
        "write the statement out, or call core._liste or core._ressource",
    )


WITHOUT_JOURNAL = {
    "audit.arbre", "audit.cle_sceau", "audit.feuillage", "audit.journal", "audit.noeud", "audit.publication",
    "audit.publication_envoi", "audit.sceau", "audit.tete", "auth.connexion", "auth.jeton_rafraichissement",
    "auth.jeton_reinitialisation", "core.compteur", "core.empreinte", "core.idempotence", "core.resume_etat",
    "auth.cle_usage", "auth.second_facteur_pas", "compta.cumul", "compta.ecriture", "echange.ligne",
    "evenement.evenement", "evenement.livraison", "evenement.webhook_suite", "facturation.resume_facture",
    "finances.operation_appareil", "finances.resume_application", "finances.resume_depense", "finances.resume_impaye",
    "finances.resume_moyen", "finances.resume_paiement", "finances.version_fonds", "jobs.horloge", "jobs.restauration",
    "jobs.sauvegarde", "jobs.total", "notification.lecture", "tresorerie.avis", "tresorerie.demande_suite",
    "tresorerie.ligne",
}  # fmt: skip


def test_every_business_table_is_journaled(db: Db) -> None:
    unjournaled = names(
        db,
        """select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = any(%(slices)s) and c.relkind in ('r', 'p') and not c.relispartition
              and c.relowner = 'comptoir_owner'::regrole
              and (select count(*) from pg_trigger t join pg_proc p on p.oid = t.tgfoid
                    where t.tgrelid = c.oid and p.proname ~ '^_t(00|90)_journal') <> 3""",
    )
    holds(
        "Every business table has the three triggers of the journal.",
        sorted({*unjournaled} ^ WITHOUT_JOURNAL),
        "add the table to the loop of sql/audit/_journal.sql, or name a table without history in WITHOUT_JOURNAL",
    )


def test_every_public_operation_is_called(http: Http) -> None:
    code = "\n".join(path.read_text() for path in (ROOT / "app").rglob("*.py"))
    named = {*re.findall(r"[a-z_]+\.[a-z_0-9]+", code)}
    served = [name for name in http.services.catalogue.functions if name.partition(".")[0] in routes.modules()]
    holds(
        "Every public operation has its route, or a caller in app/.",
        sorted({*served} - named),
        "add its line to app/routes/<slice>.py",
    )


def test_every_route_has_a_function(http: Http) -> None:
    holds(
        "Every route has its function.",
        route_problems(routes.load(), http.services.catalogue),
        "correct app/routes/<slice>.py or the function",
    )


WITHOUT_FUNCTION = RouteTable([GET("/x", "core.n_existe_pas", "ADMIN.VOIR")], {})


def test_a_route_without_function_stops_the_start(http: Http) -> None:
    with pytest.raises(
        CatalogueError, match=r"^GET /x appelle core\.n_existe_pas, qui n'est pas une opération publique"
    ):
        check_routes(WITHOUT_FUNCTION, http.services.catalogue)


def test_a_domain_rule_of_unknown_shape_is_refused() -> None:
    with pytest.raises(CatalogueError):
        catalogue._check("x", "", "CHECK ((VALUE % 2) = 0)")


def test_each_slice_has_the_same_name_everywhere() -> None:
    patterns = [pattern for name in SLICES for pattern in (f"migrations/*.{name}-*.sql", f"sql/{name}/*.sql")]
    slices = {route.slice for route in routes.load().routes}
    holds(
        "A slice has the same name in migrations/, sql/ and app/routes/.",
        [f"{pattern} has no file" for pattern in patterns if not any(HERE.code.parent.glob(pattern))]
        + [f"app/routes/{name}.py is no slice" for name in sorted(slices - {*SLICES, *routes.WITHOUT_SCHEMA})],
        "rename the files, or correct FOLDERS in app/database/release.py",
    )


def test_generated_files_are_up_to_date(worker_url: str) -> None:
    written = generated.documents(worker_url)
    holds(
        "The generated documents are up to date.",
        [str(path.relative_to(ROOT)) for path, text in written.items() if path.read_text() != text],
        "python -m outils generer",
    )


def test_no_document_is_written_while_a_function_is_missing(worker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "load", lambda: WITHOUT_FUNCTION)
    with pytest.raises(CatalogueError, match=r"core\.n_existe_pas"):
        generated.documents(worker_url)


def test_states_change_only_by_declared_transitions(db: Db) -> None:
    tables = names(
        db,
        """select c.oid::regclass::text from pg_attribute a join pg_class c on c.oid = a.attrelid
             join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = any(%(slices)s) and c.relkind = 'r' and a.attname = 'statut' and a.attgenerated = ''
              and c.oid <> 'facturation.facture'::regclass  -- its state follows from its sums""",
    )
    guarded = names(
        db,
        """select t.tgrelid::regclass::text from pg_trigger t
            where t.tgfoid = 'core._t20_transition'::regproc and not t.tgisinternal""",
    )
    declared = names(db, "select distinct entite from core.transition")
    holds(
        "A table with a column statut has the trigger core._t20_transition, and pairs in core.transition.",
        sorted(({*tables} ^ {*guarded}) | ({*tables} ^ {*declared})),
        "call core.transitions in sql/<slice>/_<entity>.sql",
    )
