"""The rules of the registry: names, states, servers, and the making of an organisation."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import patch

import psycopg
import pytest
from psycopg import sql

from app.base.failure import Failure
from app.commands.accounts import first_administrator
from app.database import schema
from app.database.release import HERE
from app.leaves.organisations import making
from app.leaves.organisations.making import drop, make, template_name
from app.leaves.organisations.organisation import Organisation
from app.leaves.organisations.registry import Registry, RegistryError
from tests.annuaire import SERVER, Annuaire
from tests.annuaire import annuaire as opened
from tests.conftest import execute
from tests.server import eventually, quiet

ALLOWED = {
    "CREATION": {"ACTIVE", "SUPPRESSION"},
    "ACTIVE": {"SUSPENDUE", "EN_RETARD", "DEPLACEMENT", "SUPPRESSION"},
    "SUSPENDUE": {"ACTIVE", "DEPLACEMENT", "SUPPRESSION"},
    "EN_RETARD": {"ACTIVE", "SUSPENDUE", "SUPPRESSION"},
    "DEPLACEMENT": {"ACTIVE", "SUSPENDUE"},
    "SUPPRESSION": {"ACTIVE", "SUSPENDUE", "EN_RETARD"},
}


@pytest.fixture(scope="module")
def registry(worker_id: str) -> Iterator[Annuaire]:
    with opened(worker_id) as made:
        yield made


@pytest.fixture
def annuaire(registry: Annuaire) -> Iterator[Annuaire]:
    yield registry
    registry.empty()


def enrolled(annuaire: Annuaire, name: str, *hosts: str, server: str | None = None) -> Organisation:
    """An organisation of the registry without a database."""
    return annuaire.registry.enrol(name, server, hosts)


def databases(annuaire: Annuaire, start: str) -> set[str]:
    rows = execute(annuaire.url, "select datname from pg_database where starts_with(datname, %s)", start)
    return {name for (name,) in rows}


# ---- names


def test_the_registry_refuses_a_malformed_code_host_or_server(annuaire: Annuaire) -> None:
    registry = annuaire.registry
    codes = ("", "a", "Acme", "1acme", "acme-", "-acme", "ac me", "ac_me", "acmé", "a" * 31, "ac--me", "acme\n", "a;b")
    for code in codes:
        with pytest.raises(RegistryError, match="Un code compte 2 à 30 lettres minuscules"):
            enrolled(annuaire, code)
    for host in ("", "Acme.example.com", "acme.example.com:443", "acme_1.example.com", "-acme", "acme."):
        with pytest.raises(RegistryError, match="Un nom d'hôte s'écrit en minuscules, sans port"):
            enrolled(annuaire, "acme", host)
    assert registry.organisations() == []
    for code in ("ab", "a1", "a-b-c", "a" * 30):
        assert enrolled(annuaire, code).code == code
    for address in ("", "127.0.0.1", "127.0.0.1:", ":5432", "a b:1", "me@host:1", "host/base:1", "h:123456"):
        with pytest.raises(RegistryError, match="L'adresse d'un serveur s'écrit hôte:port"):
            registry.add_server("deux", address, [])
        with pytest.raises(RegistryError, match="L'adresse d'une réplique s'écrit hôte:port"):
            registry.add_server("deux", "127.0.0.1:1", ["127.0.0.1:2", address or "x"])
    for name in ("", "Un", "1er", "u n", "u" * 31):
        with pytest.raises(RegistryError, match="Un nom de serveur compte 1 à 30 lettres minuscules"):
            registry.add_server(name, "127.0.0.1:1", [])
    assert [server.name for server in registry.servers()] == [SERVER]


def test_an_organisation_replaces_its_hosts_and_takes_none_of_another(annuaire: Annuaire) -> None:
    enrolled(annuaire, "acme", "a.example.com", "b.example.com")
    with pytest.raises(RegistryError, match=r"b\.example\.com répond déjà pour acme\."):
        enrolled(annuaire, "bobo", "c.example.com", "b.example.com")
    enrolled(annuaire, "bobo")
    with pytest.raises(RegistryError, match=r"b\.example\.com répond déjà pour acme\."):
        annuaire.registry.name("bobo", ["b.example.com"])
    annuaire.registry.name("acme", ["c.example.com", "a.example.com", "a.example.com"])
    annuaire.registry.name("bobo", ["b.example.com"])
    hosts = {one.code: one.hosts for one in annuaire.registry.organisations()}
    assert hosts == {"acme": ("a.example.com", "c.example.com"), "bobo": ("b.example.com",)}


def test_an_organisation_lends_its_database_to_no_other(annuaire: Annuaire) -> None:
    """A database beside the database of an organisation has two underscores in its name, which no code makes."""
    names = {enrolled(annuaire, code).database for code in ("modele", "acme", "acme-naissance", "acme-arrivee")}
    assert len(names) == 4 and not [name for name in names if "__" in name] and "__" in template_name()


# ---- states


def test_each_state_passes_to_the_states_of_its_transitions_only(annuaire: Annuaire) -> None:
    registry = annuaire.registry
    cases = {f"{state}-{target}".lower().replace("_", ""): (state, target) for state in ALLOWED for target in ALLOWED}
    with psycopg.connect(annuaire.url) as connection, connection.cursor() as cursor:
        cursor.executemany("select organisation.inscrire(%s, null, '{}')", [(code,) for code in cases])
        cursor.execute("set local session_replication_role = replica")
        states = [(state, code) for code, (state, _) in cases.items()]
        cursor.executemany("update organisation.organisation set etat = %s where code = %s", states)
    for code, (state, target) in cases.items():
        if target == state or target in ALLOWED[state]:
            registry.move_to(code, target)
            assert registry.find(code).state == target, code
        else:
            refusal = f"L'organisation {code} est {state} : elle ne passe pas à {target}."
            with pytest.raises(RegistryError, match=refusal):
                registry.move_to(code, target)


def test_a_moved_organisation_takes_up_its_state_and_its_reason(annuaire: Annuaire) -> None:
    registry = annuaire.registry
    registry.add_server("deux", "127.0.0.1:2", [])
    enrolled(annuaire, "acme", server=SERVER)
    registry.move_to("acme", "ACTIVE", version="1")
    registry.move_to("acme", "SUSPENDUE", reason="Impayé.")
    for _ in range(2):  # the second call takes up a move that was killed
        registry.move_to("acme", "DEPLACEMENT", reason="Elle change de serveur.")
    registry.arrive("acme", "deux", "2")
    arrived = registry.find("acme")
    assert (arrived.state, arrived.reason, arrived.server, arrived.version) == ("SUSPENDUE", "Impayé.", "deux", "2")


def test_a_renounced_removal_gives_the_state_back_until_the_archive_is_complete(annuaire: Annuaire) -> None:
    registry = annuaire.registry
    enrolled(annuaire, "acme")
    registry.move_to("acme", "ACTIVE", version="1")
    registry.move_to("acme", "SUSPENDUE", reason="Impayé.")
    registry.move_to("acme", "SUPPRESSION")
    with pytest.raises(RegistryError, match="n'est pas en suppression"):
        registry.forget("absente")
    registry.renounce("acme")
    assert (registry.find("acme").state, registry.find("acme").reason) == ("SUSPENDUE", "Impayé.")
    registry.move_to("acme", "SUPPRESSION")
    registry.archived("acme", "/archives/acme")
    assert registry.archive("acme") == "/archives/acme"
    for attempt in (lambda: registry.renounce("acme"), lambda: registry.move_to("acme", "ACTIVE")):
        with pytest.raises(RegistryError, match="est archivée : sa suppression ne peut plus que finir"):
            attempt()
    registry.forget("acme")
    assert registry.organisations() == []


def test_an_active_organisation_is_not_forgotten(annuaire: Annuaire) -> None:
    enrolled(annuaire, "acme")
    annuaire.registry.move_to("acme", "ACTIVE")
    with pytest.raises(RegistryError, match="L'organisation acme n'est pas en suppression"):
        annuaire.registry.forget("acme")
    with pytest.raises(RegistryError, match="L'annuaire n'a pas d'organisation bobo"):
        annuaire.registry.move_to("bobo", "ACTIVE")
    assert [one.code for one in annuaire.registry.organisations()] == ["acme"]


# ---- servers


def test_a_server_with_organisations_stays_in_the_registry(annuaire: Annuaire) -> None:
    registry = annuaire.registry
    enrolled(annuaire, "acme")
    with pytest.raises(RegistryError, match="Ce serveur porte des organisations : déplacez-les d'abord"):
        registry.remove_server(SERVER)
    registry.move_to("acme", "SUPPRESSION")
    registry.forget("acme")
    assert [registry.remove_server(SERVER) for _ in range(2)] == [True, False]
    with pytest.raises(RegistryError, match="L'annuaire n'a pas de serveur : comptoir serveur ajouter"):
        enrolled(annuaire, "acme")


def test_a_new_organisation_goes_to_the_least_loaded_server(annuaire: Annuaire) -> None:
    registry = annuaire.registry
    for name in ("deux", "trois"):
        registry.add_server(name, "127.0.0.1:1", [])
    chosen = [enrolled(annuaire, f"o{number}").server for number in range(6)]
    assert sorted(chosen[:3]) == sorted(chosen[3:]) == ["deux", "trois", SERVER]
    assert enrolled(annuaire, "choisie", server="trois").server == "trois"
    assert {enrolled(annuaire, f"p{number}").server for number in range(2)} == {"deux", SERVER}
    with pytest.raises(RegistryError, match="L'annuaire n'a pas de serveur quatre"):
        enrolled(annuaire, "ailleurs", server="quatre")


# ---- accounts


def test_the_account_of_the_service_reads_the_view_and_writes_nothing(annuaire: Annuaire) -> None:
    enrolled(annuaire, "acme", "acme.example.com")
    statements = [
        "insert into organisation.serveur values ('x', '127.0.0.1:1')", "delete from organisation.hote",
        "update organisation.organisation set etat = 'ACTIVE'", "select * from organisation.organisation",
        "select organisation.passer('acme', 'ACTIVE')", "select organisation.inscrire('bobo', null, '{}')",
        "select organisation.nommer('acme', '{}')", "select organisation.oublier('acme')",
        "select organisation.arriver('acme', 'un', '1')", "select organisation.mettre_a_jour('acme', '1', null)",
        "select organisation.archiver('acme', '/')", "select organisation.renoncer('acme')",
        "create table public.essai ()", "create schema essai",
    ]  # fmt: skip
    with psycopg.connect(annuaire.url, autocommit=True, options="-c role=comptoir_app") as connection:
        codes = connection.execute("select code, hotes from organisation.annuaire").fetchall()
        assert codes == [("acme", ["acme.example.com"])]
        for statement in statements:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
        executable = """select proname from pg_proc where pronamespace = 'organisation'::regnamespace
                           and has_function_privilege(oid, 'execute')"""
        assert connection.execute(executable).fetchall() == []


def test_every_change_of_the_registry_is_announced(annuaire: Annuaire) -> None:
    registry = annuaire.registry
    enrolled(annuaire, "acme")
    with psycopg.connect(annuaire.url, autocommit=True) as connection:
        connection.execute("listen annuaire")
        registry.move_to("acme", "ACTIVE", version="1")
        registry.name("acme", ["acme.example.com"])
        registry.add_server(SERVER, "127.0.0.1:1", [])
        registry.move_to("acme", "SUPPRESSION")
        registry.forget("acme")
        heard = [note.payload for note in connection.notifies(timeout=5, stop_after=6)]
    assert heard[:4] == ["acme", "acme", "", "acme"] and "acme" in heard[4:]


# ---- the making


@pytest.fixture(scope="module")
def pair(worker_id: str) -> Iterator[tuple[Annuaire, list[Organisation]]]:
    """Two new organisations of a registry of their own."""
    with opened(f"{worker_id}p") as registry:
        yield (
            registry,
            [
                make(registry.registry, registry.code(name), SERVER, [f"{name}.example.com"], quiet)
                for name in ("acme", "bobo")
            ],
        )


def test_a_new_organisation_is_complete_and_empty(pair: tuple[Annuaire, list[Organisation]]) -> None:
    annuaire, (made, _) = pair
    url, complete = annuaire.address(made), ("ACTIVE", HERE.version(), None, ("acme.example.com",))
    assert (made.state, made.version, made.reason, made.hosts) == complete
    assert schema.drift(url) == []
    assert execute(url, "select count(*) from auth.utilisateur") == [(0,)]
    connect = "select role from unnest('{public,comptoir_travail}'::text[]) role"
    assert execute(url, f"{connect} where has_database_privilege(role, current_database(), 'connect')") == [
        ("comptoir_travail",)
    ]
    with pytest.raises(RegistryError, match="existe déjà"):
        make(annuaire.registry, made.code, SERVER, [], quiet)


RANDOM = """
select format('%I.%I', n.nspname, c.relname), a.attname
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
 where n.nspname not in ('pg_catalog', 'information_schema', 'migration') and c.relkind in ('r', 'p') and a.attnum > 0
   and not a.attisdropped and a.atttypid in ('bytea'::regtype, 'uuid'::regtype)
 order by 1, 2
"""
SECRETS = {("core.secret_documents", "secret")}  # the columns that a new database has random bytes in


def test_organisations_share_no_secret_with_each_other_or_with_their_template(
    pair: tuple[Annuaire, list[Organisation]],
) -> None:
    """Every column that can hold random bytes is read. A fresh database holds some in the listed columns only."""
    annuaire, both = pair
    urls = [*map(annuaire.address, both), annuaire.registry.on_server(both[0].address, template_name())]
    values: dict[tuple[str, str], list[Any]] = {}
    for url in urls:
        for table, column in execute(url, RANDOM):
            rows = execute(url, f"select {column}::text from {table} where {column} is not null")
            values.setdefault((table, column), []).extend(rows)
    filled = {place: rows for place, rows in values.items() if rows}
    assert filled.keys() == SECRETS
    secrets = filled["core.secret_documents", "secret"]
    assert len(set(secrets)) == len(urls)
    assert {len(bytes.fromhex(secret.removeprefix("\\x"))) for (secret,) in secrets} == {64}


def test_a_used_database_keeps_its_secrets(pair: tuple[Annuaire, list[Organisation]]) -> None:
    annuaire, (_, made) = pair
    url, secret = annuaire.address(made), "select secret from core.secret_documents"
    before = execute(url, secret)
    assert first_administrator(url, "admin", "un mot de passe long")
    with pytest.raises(psycopg.Error, match="Cette base a déjà servi : ses secrets restent les siens"):
        execute(url, "select jobs._organisation_naitre()")
    assert execute(url, secret) == before


def interrupted(place: Any, step: str) -> Any:
    """Let the process die after this step, or before the organisation becomes active."""
    real = getattr(place, step)

    def die(*arguments: Any) -> None:
        real(*arguments)
        raise KeyboardInterrupt

    return patch.object(place, step, side_effect=die if place is making else KeyboardInterrupt)


@pytest.mark.parametrize(("place", "step"), [(making, "_copy"), (making, "_build"), (Registry, "move_to")])
def test_an_interrupted_creation_is_taken_up_by_the_next_call(annuaire: Annuaire, place: Any, step: str) -> None:
    code = annuaire.code("acme")
    with interrupted(place, step), pytest.raises(KeyboardInterrupt):
        make(annuaire.registry, code, SERVER, ["acme.example.com"], quiet)
    present = annuaire.registry.find(code)
    assert (present.state, present.version) == ("CREATION", None)
    made = make(annuaire.registry, code, None, ["acme.example.com"], quiet)
    assert (made.id, made.state, made.hosts) == (present.id, "ACTIVE", ("acme.example.com",))
    assert schema.drift(annuaire.address(made)) == []
    assert first_administrator(annuaire.address(made), "admin", "un mot de passe long")
    assert databases(annuaire, made.database) == {made.database}


def test_an_interrupted_creation_is_given_up_without_a_trace(annuaire: Annuaire) -> None:
    with interrupted(making, "_build"), pytest.raises(KeyboardInterrupt):
        make(annuaire.registry, annuaire.code("acme"), SERVER, [], quiet)
    present = annuaire.registry.find(annuaire.code("acme"))
    assert databases(annuaire, present.database)
    drop(annuaire.registry, present)
    assert not databases(annuaire, present.database)


def test_a_creation_neither_replaces_nor_drops_a_foreign_database(annuaire: Annuaire) -> None:
    """A database of another program may have the name. Its sessions are closed, so PostgreSQL would drop it."""
    code = annuaire.code("acme")
    database = enrolled(annuaire, code).database
    execute(annuaire.url, sql.SQL("create database {}").format(sql.Identifier(database)))
    url = annuaire.registry.on_server(annuaire.registry.find(code).address, database)
    execute(url, "create table precieux as select 1 as n")
    for _ in range(2):
        with pytest.raises(RegistryError, match=f"a déjà une base {database} : renommez-la ou supprimez-la"):
            make(annuaire.registry, code, SERVER, [], quiet)
    drop(annuaire.registry, annuaire.registry.find(code))
    assert execute(url, "select n from precieux") == [(1,)]


def test_two_creations_of_one_code_make_one_organisation(annuaire: Annuaire) -> None:
    code = annuaire.code("acme")

    def create(_: int) -> str:
        try:
            made = make(annuaire.registry, code, SERVER, [], quiet)
        except Failure as error:
            return str(error)
        assert first_administrator(annuaire.address(made), "admin", "un mot de passe long")
        return "faite"

    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(create, range(4)))
    refusals = [result for result in results if result != "faite"]
    assert len(refusals) == 3, results
    assert {"Une autre commande travaille" in text or "existe déjà" in text for text in refusals} == {True}
    made = annuaire.registry.find(code)
    assert execute(annuaire.address(made), "select login from auth.utilisateur") == [("admin",)]
    assert databases(annuaire, made.database) == {made.database}


def test_a_second_command_on_an_organisation_is_refused_or_waits(annuaire: Annuaire) -> None:
    registry = annuaire.registry
    waiting = "select from pg_locks l join pg_database d on d.oid = l.database where not granted and datname = %s"
    with ThreadPoolExecutor(1) as threads, registry.alone("bobo"):

        def wait() -> None:
            with registry.alone("acme", wait=True):
                pass

        with registry.alone("acme"):
            with pytest.raises(RegistryError, match="Une autre commande travaille sur acme"), registry.alone("acme"):
                pytest.fail("two commands at once")
            second = threads.submit(wait)
            eventually(lambda: execute(annuaire.url, waiting, f"annuaire_{annuaire.prefix[1:]}"))
            assert not second.done()
        second.result(20)
