"""Two walls between residents: the condition in each query, and row-level security under it. Each holds alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from tests import builders
from tests.conftest import Db, Http
from tests.portail.residents import LISTS, Resident, paths, portal, resident

# Tables that the portal reads, and the key by which a test tells one client's rows.
GUARDED = {
    "client.client": ("id_client", "{client}"),
    "residence.contrat_location": ("id_contrat", "{contrat}"),
    "residence.echeance": ("id_contrat", "{contrat}"),
    "residence.revision_loyer": ("id_contrat", "{contrat}"),
    "residence.caution": ("id_caution", "{caution}"),
    "residence.caution_evenement": ("id_caution", "{caution}"),
    "residence.etat_des_lieux": ("id_photo", "{photo}"),
    "facturation.facture": ("id_client", "{client}"),
    "facturation.facture_ligne": ("id_facture", "{factures}"),
    "finances.application_paiement": ("id_facture", "{factures}"),
    "finances.paiement": ("id_paiement", "{paiements}"),
}
OPEN = {
    "core.activite", "core.parametre", "core.secret_documents", "finances.moyen_paiement", "residence.batiment",
    "residence.logement",
}  # fmt: skip  # no client's


@pytest.fixture
def both(db: Db) -> tuple[Resident, Resident]:
    return resident(db, "Kouassi"), resident(db, "Traore")


def own_mark(mine: Resident, path: str) -> str:
    return {"caution": f'"{mine.caution}"', "etat-des-lieux": f"etat-lieux/{mine.nom}"}.get(path, mine.numero)


def trespass(http: Http, mine: Resident, theirs: Resident) -> None:
    for path in paths(theirs):
        answer = portal(http, mine, path)
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND"), path
        assert not [secret for secret in theirs.secrets if secret in answer.text], path
    for path in LISTS:
        answer = portal(http, mine, path)
        assert answer.status_code == 200, answer.text
        assert not [secret for secret in theirs.secrets if secret in answer.text], path
        assert own_mark(mine, path) in answer.text, path
    # A client in the query, or another header, changes nothing.
    answer = http.as_user(mine.user).get(f"/residence/portail/resume?id_client={theirs.client}&client={theirs.client}")
    assert answer.json()["client"]["id_client"] == str(mine.client)


def test_another_s_things_do_not_exist(http: Http, both: tuple[Resident, Resident]) -> None:
    trespass(http, *both)
    trespass(http, *reversed(both))


def test_another_s_are_told_as_unknown_ones_are(http: Http, both: tuple[Resident, Resident]) -> None:
    mine, theirs = both
    for path in paths(theirs):
        unknown = re.sub(r"\d+", "987654321", path)
        answers = [portal(http, mine, asked).json() for asked in (path, unknown)]
        for answer in answers:
            for changing in ("path", "requestId", "timestamp"):
                del answer[changing]
            # A sentence names what was asked for, the same way whether it is another's or nobody's.
            answer["message"] = re.sub(r"\d+", "n", answer["message"])
        assert answers[0] == answers[1], path


def answers(http: Http, of: Resident) -> dict[str, tuple[int, Any]]:
    found = {path: portal(http, of, path) for path in [*LISTS, *paths(of)]}
    return {path: (answer.status_code, _content(answer)) for path, answer in found.items()}


def _content(answer: Any) -> Any:
    """What two equal answers have in common: a PDF tells when it was made."""
    if answer.headers["content-type"] == "application/pdf":
        return "application/pdf"
    return answer.json().get("code") if answer.status_code > 299 else answer.json()


def test_the_conditions_hold_without_row_level_security(http: Http, db: Db, both: tuple[Resident, Resident]) -> None:
    before = answers(http, both[0])
    db.execute("set constraints all immediate")
    for table in GUARDED:
        db.execute(f"alter table {table} disable row level security")
    assert db.one("select count(*) from pg_class where relrowsecurity") == 0
    trespass(http, *both)
    assert answers(http, both[0]) == before


def test_row_level_security_holds_without_the_conditions(http: Http, db: Db, both: tuple[Resident, Resident]) -> None:
    """Every « id_client = … » of the portal's own functions becomes true."""
    before = answers(http, both[0])
    removed = 0
    for row in db.all(
        "select pg_get_functiondef(oid) as text from pg_proc where proowner = 'comptoir_portail'::regrole"
    ):
        text, count = re.subn(r"\b\w+\.id_client = (\w+\.)?[pv]_id_client\b", "true", row["text"])
        if count:
            db.execute(text.replace("%", "%%"))
            removed += count
    assert removed == 17
    trespass(http, *both)
    assert answers(http, both[0]) == before


# ---- row-level security by itself


def naive(db: Db, table: str) -> Callable[[], list[Any]]:
    """A function of the portal that forgot its WHERE; it answers the key of every row it sees."""
    key, _ = GUARDED[table]
    columns = "*" if table != "client.client" else "id_client, nom, prenoms"
    db.execute(
        f"create function residence.portail_essai() returns setof bigint language sql stable security definer "
        f"set search_path = pg_catalog, pg_temp as 'select {key} from (select {columns} from {table}) t'"
    )
    db.execute("alter function residence.portail_essai() owner to comptoir_portail")
    return lambda: [row["portail_essai"] for row in db.all("select * from residence.portail_essai()")]


def own(of: Resident, table: str) -> set[int]:
    _, name = GUARDED[table]
    value = getattr(of, name.strip("{}"))
    return set(value.values()) if isinstance(value, dict) else {value}


@pytest.mark.parametrize("table", GUARDED)
def test_a_forgotten_where_shows_nothing_of_another(db: Db, both: tuple[Resident, Resident], table: str) -> None:
    mine, theirs = both
    for of in both:
        db.call("residence.contrat_reviser_loyer", id_contrat=of.contrat, nouveau_montant="110000")
    key, _ = GUARDED[table]
    seen = naive(db, table)
    everything = db.one(f"select count(*) from {table}")
    counts = []
    for of in both:
        db.acting(of.user)
        found = seen()
        assert set(found) == own(of, table)
        counts.append(len(found))
    assert min(counts) > 0 and sum(counts) <= everything
    assert set(row["key"] for row in db.all(f"select {key} as key from {table}")) >= own(mine, table) | own(
        theirs, table
    )
    # Somebody who is no client, nobody at all, and a setting that was never made.
    db.acting(builders.utilisateur(db, role="ADMINISTRATEUR"))
    assert seen() == []
    db.acting(None)
    assert seen() == []
    db.execute("reset comptoir.client")
    assert seen() == []


def test_without_a_policy_nothing_is_seen(db: Db, both: tuple[Resident, Resident]) -> None:
    db.execute("drop policy portail on residence.echeance")
    db.acting(both[0].user)
    assert naive(db, "residence.echeance")() == []


def readable(db: Db) -> set[str]:
    rows = db.all(
        "select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace "
        "where n.nspname !~ '^(pg_|information_schema)' and c.relkind in ('r', 'v', 'm', 'p', 'f') "
        "and has_any_column_privilege('comptoir_portail', c.oid, 'select')"
    )
    return {row["name"] for row in rows}


def test_what_the_portal_reads_is_guarded_or_no_client_s(db: Db) -> None:
    assert readable(db) == GUARDED.keys() | OPEN
    guarded = db.all("select polrelid::regclass::text as name, polpermissive from pg_policy where polname = 'portail'")
    assert {row["name"] for row in guarded} == GUARDED.keys()
    on = db.all("select oid::regclass::text as name from pg_class where relrowsecurity")
    assert {row["name"] for row in on} == GUARDED.keys()
    assert not db.all(
        "select attrelid::regclass from pg_attribute where attname = 'id_client' and attrelid = any (%s::regclass[])",
        [sorted(OPEN)],
    )
    # One policy for this role and one for the code on each; nobody else has any.
    roles = db.all(
        "select polrelid, array_agg(polroles::regrole[]::text order by polname) as roles from pg_policy group by 1"
    )
    assert {tuple(row["roles"]) for row in roles} == {("{comptoir_code}", "{comptoir_portail}")}


def test_the_portal_can_write_nothing(db: Db) -> None:
    assert not db.all(
        "select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace "
        "where c.relkind in ('r', 'v', 'p') and n.nspname !~ '^(pg_|information_schema)' "
        "and (has_table_privilege('comptoir_portail', c.oid, 'insert, update, delete, truncate, trigger') "
        "or has_any_column_privilege('comptoir_portail', c.oid, 'insert, update, references'))"
    )
    assert not db.all(
        "select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace "
        "where case when c.relkind = 'S' and n.nspname !~ '^pg_' "
        "then has_sequence_privilege('comptoir_portail', c.oid, 'usage, update') end"
    )
    assert not db.all(
        "select nspname from pg_namespace "
        "where nspname !~ '^pg_' and has_schema_privilege('comptoir_portail', oid, 'create')"
    )
    assert not db.one("select has_database_privilege('comptoir_portail', current_database(), 'connect, create, temp')")
    assert db.all(
        "select rolcanlogin or rolsuper or rolbypassrls or rolcreaterole or rolcreatedb as any from pg_roles "
        "where rolname = 'comptoir_portail'"
    ) == [{"any": False}]
    assert not db.all("select roleid::regrole from pg_auth_members where member = 'comptoir_portail'::regrole")


WRITES = [
    "update residence.echeance set montant_paye = montant",
    "delete from finances.paiement",
    "insert into residence.caution (id_contrat, montant) select id_contrat, 1 from residence.contrat_location",
    "update client.client set nom = 'x'",
    "select date_naissance from client.client",
    "select count(*) from auth.utilisateur",
    "select count(*) from audit.journal",
    "select residence.contrat_lister()",
    "create function residence.x() returns int language sql return 1",
]


@pytest.mark.parametrize("statement", WRITES)
def test_it_is_refused_in_fact(db: Db, both: tuple[Resident, Resident], statement: str) -> None:
    db.acting(both[0].user)
    db.execute("set local role comptoir_portail")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        db.execute(statement)


def test_the_rest_of_the_house_sees_everything(http: Http, db: Db, both: tuple[Resident, Resident]) -> None:
    """A policy binds the portal alone: staff, jobs and the owner of the tables see as before."""
    for role in ("comptoir_code", "comptoir_owner"):
        db.execute(f"set local role {role}")
        assert db.one("select count(distinct id_client) from residence.contrat_location") == 2
        assert db.one("select count(*) from finances.paiement") >= 12
        db.execute("reset role")
    listed = http.as_admin().get("/residence/contrats").json()
    assert {row["numero_contrat"] for row in listed} >= {of.numero for of in both}


@pytest.mark.parametrize("table", ["residence.echeance", "finances.paiement", "finances.application_paiement"])
def test_a_policy_is_an_index_condition(db: Db, table: str) -> None:
    """Even without any WHERE, the portal does not read the rows of all to show those of one."""
    db.execute("set local enable_seqscan = off")
    db.execute("set local comptoir.client = '1'")
    db.execute("set local role comptoir_portail")
    plan = [row["QUERY PLAN"] for row in db.all(f"explain (costs off) select * from {table}")]
    assert any(re.search(r"Index Cond: \(id_\w+ = ANY", line) for line in plan), plan


def test_the_policy_of_the_code_leaves_its_plans_alone(db: Db, both: tuple[Resident, Resident]) -> None:
    """`using (true)` folds away: not a filter more, and an index is an index."""
    db.execute("set local enable_seqscan = off")
    query = (
        "explain (costs off) select * from residence.echeance e "
        "where e.id_contrat = 1 and core._contient(e.montant::text, '9')"
    )
    as_owner = [row["QUERY PLAN"] for row in db.all(query)]
    db.execute("set local role comptoir_code")
    assert [row["QUERY PLAN"] for row in db.all(query)] == as_owner
    assert any("Index" in line for line in as_owner)
