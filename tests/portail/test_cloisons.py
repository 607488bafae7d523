"""Two guards keep residents apart: the condition in each query, and row-level security. Each suffices alone."""

import re

import psycopg
import pytest

from tests import builders
from tests.portail.demandes import account, without_conditions, without_row_level_security
from tests.portail.residents import LISTS, paths, portal, resident

# The tables that the portal reads, by their key column and the field of the resident that holds the keys.
GUARDED = {
    table: pair
    for pair, tables in {
        ("id_client", "client"): "client.client facturation.facture facturation.avoir finances.mouvement_credit",
        ("id_contrat", "contrat"): "residence.contrat_location residence.echeance residence.revision_loyer",
        ("id_caution", "caution"): "residence.caution residence.caution_evenement",
        ("id_photo", "photo"): "residence.etat_des_lieux",
        ("id_facture", "factures"): "facturation.facture_ligne facturation.facture_ligne_taxe"
        " finances.application_paiement",
        ("id_paiement", "paiements"): "finances.paiement",
        ("id_commande", "commande_pressing"): "pressing.commande pressing.commande_ligne",
        ("id_souscription", "souscription"): "abonnement.souscription abonnement.mouvement",
        ("id_sejour", "sejour"): "residence.sejour_court",
        ("id_reservation", "reservation"): "salle_fete.reservation",
        ("id_vente", "vente"): "market.vente market.vente_ligne",
        ("id_commande", "repas"): "restaurant.commande restaurant.commande_ligne",
        ("id_signalement", "signalement"): "signalement.signalement",
        ("id_photo", "photo_incident"): "signalement.photo",
    }.items()
    for table in tables.split()
}
# The tables that the portal reads and that hold no data of a client.
OPEN = {
    "abonnement.offre", "core.activite", "core.parametre", "core.secret_documents", "core.taxe",
    "finances.moyen_paiement",
    "market.produit", "pressing.prestation", "residence.batiment", "residence.logement", "residence.occupation",
    "restaurant.plat", "tresorerie.compte",
}  # fmt: skip
# The views that read their tables with the rights of the portal.
INVOKER = {"abonnement._souscription_vue", "abonnement.mouvement_vue", "finances.imputation_vue"}


@pytest.fixture
def two_residents(db):
    return resident(db, "Kouassi"), resident(db, "Traore")


def own_text(reader, path):
    own = {"caution": f'"{reader.caution}"', "etat-des-lieux": f"etat-lieux/{reader.nom}", "sejours": reader.nom}
    return own.get(path, reader.numero)


def assert_isolated(http, reader, owner):
    for path in paths(owner):
        answer = portal(http, reader, path)
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND"), path
        assert not [secret for secret in owner.secrets if secret in answer.text], path
    for path in LISTS:
        answer = portal(http, reader, path)
        assert answer.status_code == 200, answer.text
        assert not [secret for secret in owner.secrets if secret in answer.text], path
        assert own_text(reader, path) in answer.text, path
    # Another client in the query has no effect.
    answer = http.as_user(reader.user).get(f"/residence/portail/resume?id_client={owner.client}&client={owner.client}")
    assert answer.json()["client"]["id_client"] == str(reader.client)


def test_a_row_of_another_resident_answers_like_an_unknown_row(http, two_residents):
    reader, owner = two_residents
    for path in paths(owner):
        unknown = re.sub(r"\d+", "987654321", path)
        answers = [portal(http, reader, target).json() for target in (path, unknown)]
        for answer in answers:
            for field in ("path", "requestId", "timestamp"):
                del answer[field]
            # The message names the requested id, in the same words for both.
            answer["message"] = re.sub(r"\d+", "n", answer["message"])
        assert answers[0] == answers[1], path


def answers(http, person):
    answers_by_path = {path: portal(http, person, path) for path in [*LISTS, *paths(person)]}
    return {path: (answer.status_code, _content(answer)) for path, answer in answers_by_path.items()}


def _content(answer):
    """The part of an answer to compare. Two PDFs of the same data differ in their date."""
    if answer.headers["content-type"] == "application/pdf":
        return "application/pdf"
    return answer.json().get("code") if answer.status_code > 299 else answer.json()


@pytest.mark.parametrize(("remove", "count"), [(without_row_level_security, len(GUARDED)), (without_conditions, 26)])
def test_each_guard_alone_isolates_residents(http, db, two_residents, remove, count):
    before = answers(http, two_residents[0])
    assert remove(db) == count
    assert_isolated(http, *two_residents)
    assert_isolated(http, *reversed(two_residents))
    assert answers(http, two_residents[0]) == before


def keys_without_condition(db, table):
    """Create a portal function without a condition. Calling the result returns the key of every row that it sees."""
    key, _ = GUARDED[table]
    columns = "*" if table != "client.client" else "id_client, nom, prenoms"
    body = f"select {key} from (select {columns} from {table}) t"
    db.execute("create or replace function residence.portail_essai() returns setof bigint language sql stable "
               f"security definer set search_path = pg_catalog, pg_temp as '{body}'")  # fmt: skip
    db.execute("alter function residence.portail_essai() owner to comptoir_portail")
    return lambda: [row["portail_essai"] for row in db.all("select * from residence.portail_essai()")]


def own_keys(person, table):
    value = getattr(person, GUARDED[table][1])
    return set(value.values()) if isinstance(value, dict) else {value}


def tax_every_line_and_credit_every_client(db):
    """Write the tax of lines whose invoices were issued without one, as no operation does, and credits."""
    db.call("core.taxe_creer", code="TVA", libelle="TVA", taux="18", nature="TAUX", du="2026-01-01")
    db.alter("alter table facturation.facture_ligne_taxe disable trigger t20_ligne_taxe_tardive")
    db.execute(
        "insert into facturation.facture_ligne_taxe"
        " select l.id_ligne, l.id_facture, t.id_taxe, l.total, 0 from facturation.facture_ligne l, core.taxe t"
    )
    db.execute("insert into finances.mouvement_credit (id_client, montant, id_avoir)"
               " select a.id_client, 1, a.id_avoir from facturation.avoir a")  # fmt: skip


def settle_a_part_of_every_invoice(db):
    """Write a part beside each payment that names its invoice, as no operation does."""
    db.alter("alter table finances.application_paiement disable trigger t50_application_regler")
    db.execute("insert into finances.application_paiement (id_paiement, id_facture, montant)"
               " select max(p.id_paiement), p.id_facture, 1 from finances.paiement p"
               "  where p.id_facture is not null group by p.id_facture")  # fmt: skip


def test_a_query_without_condition_shows_no_row_of_another_resident(db, two_residents):
    for person in two_residents:
        db.call("residence.contrat_reviser_loyer", id_contrat=person.contrat, nouveau_montant="110000")
    tax_every_line_and_credit_every_client(db)
    settle_a_part_of_every_invoice(db)
    administrator = builders.utilisateur(db, role="ADMINISTRATEUR")
    for table, (key, _) in GUARDED.items():
        visible = keys_without_condition(db, table)
        owned = [own_keys(person, table) for person in two_residents]
        counts = []
        for person, keys in zip(two_residents, owned, strict=True):
            db.acting(person.user)
            seen = visible()
            assert set(seen) == keys, table
            counts.append(len(seen))
        everything = [row["key"] for row in db.all(f"select {key} as key from {table}")]
        assert min(counts) > 0 and sum(counts) <= len(everything) and set(everything) >= set.union(*owned), table
        # An account without client, no account, and no context at all.
        for nobody in (administrator, None):
            db.acting(nobody)
            assert visible() == [], table
        db.execute("reset comptoir.client")
        assert visible() == [], table


def test_a_table_without_policy_shows_no_row(db, two_residents):
    db.execute("drop policy portail on residence.echeance")
    db.acting(two_residents[0].user)
    assert keys_without_condition(db, "residence.echeance")() == []


def test_every_table_of_the_portal_has_a_policy_or_holds_no_client_data(db):
    def names(source, column="oid"):
        return {row["name"] for row in db.all(f"select {column}::regclass::text as name from {source}")}

    readable = """pg_class where relkind in ('r', 'v', 'm', 'p', 'f')
        and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
        and has_any_column_privilege('comptoir_portail', oid, 'select')"""
    assert names(readable) == GUARDED.keys() | OPEN | INVOKER
    assert names("pg_class where reloptions @> '{security_invoker=true}'") == INVOKER
    assert names("pg_policy where polname = 'portail'", "polrelid") == GUARDED.keys()
    assert names("pg_class where relrowsecurity") == GUARDED.keys()
    assert not names("pg_attribute where attname = 'id_client'", "attrelid") & OPEN
    # Each table has one policy for this role and one for the role of the code, and no other.
    roles = db.all(
        "select polrelid, array_agg(polroles::regrole[]::text order by polname) as roles from pg_policy group by 1"
    )
    assert {tuple(row["roles"]) for row in roles} == {("{comptoir_code}", "{comptoir_portail}")}


def test_the_role_of_the_portal_has_no_write_privilege(db):
    assert not db.all(
        "select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace "
        "where c.relkind in ('r', 'v', 'p') and n.nspname !~ '^(pg_|information_schema)' "
        "and (has_table_privilege('comptoir_portail', c.oid, 'insert, update, delete, truncate, trigger') "
        "or has_any_column_privilege('comptoir_portail', c.oid, 'insert, update, references'))"
    )
    assert not db.all("select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace "
                      "where case when c.relkind = 'S' and n.nspname !~ '^pg_' "
                      "then has_sequence_privilege('comptoir_portail', c.oid, 'usage, update') end")  # fmt: skip
    assert not db.all(
        "select nspname from pg_namespace "
        "where nspname !~ '^pg_' and has_schema_privilege('comptoir_portail', oid, 'create')"
    )
    assert not db.one("select has_database_privilege('comptoir_portail', current_database(), 'connect, create, temp')")
    assert db.all("select rolcanlogin or rolsuper or rolbypassrls or rolcreaterole or rolcreatedb as any from pg_roles "
                  "where rolname = 'comptoir_portail'") == [{"any": False}]  # fmt: skip
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


def test_postgresql_refuses_a_forbidden_statement_of_the_portal_role(db):
    db.acting(account(db))
    db.execute("set local role comptoir_portail")
    for statement in WRITES:
        with pytest.raises(psycopg.errors.InsufficientPrivilege), db.connection.transaction():
            db.execute(statement)


def test_staff_and_table_owner_see_every_row(http, db, two_residents):
    """A policy binds only the role of the portal. Staff, jobs and the owner of the tables still see every row."""
    for role in ("comptoir_code", "comptoir_owner"):
        db.execute(f"set local role {role}")
        assert db.one("select count(distinct id_client) from residence.contrat_location") == 2
        assert db.one("select count(*) from finances.paiement") >= 12
        db.execute("reset role")
    listed = http.as_admin().get("/residence/contrats").json()
    assert {row["numero_contrat"] for row in listed} >= {person.numero for person in two_residents}


def test_a_policy_filters_through_an_index(db):
    """Even without a WHERE clause, the portal does not scan the rows of all clients."""
    db.execute("set local enable_seqscan = off")
    db.execute("set local comptoir.client = '1'")
    db.execute("set local role comptoir_portail")
    for table in ("residence.echeance", "finances.paiement", "finances.application_paiement"):
        plan = [row["QUERY PLAN"] for row in db.all(f"explain (costs off) select * from {table}")]
        assert any(re.search(r"Index Cond: \(id_\w+ = ANY", line) for line in plan), plan


def test_the_policy_of_the_code_does_not_change_its_plans(db):
    """The planner removes `using (true)`: it adds no filter, and indexes are used as before."""
    db.execute("set local enable_seqscan = off")
    query = "explain (costs off) select * from residence.echeance where id_contrat = 1"
    as_owner = db.all(f"{query} and core._contient(montant::text, '9')")
    db.execute("set local role comptoir_code")
    assert db.all(f"{query} and core._contient(montant::text, '9')") == as_owner
    assert any("Index" in row["QUERY PLAN"] for row in as_owner)
