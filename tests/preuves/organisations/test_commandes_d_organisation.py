"""The commands of the operator of many organisations, as processes: their outputs, their errors, and removals."""

import io
import json
import os
import pty
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.base.refusal import Refusal
from app.base.settings import Settings
from app.database.release import HERE
from app.files.storage import Storage
from app.leaves.embarque.seaweedfs import at_hand
from app.leaves.organisations.organisation import Organisation, settings_of
from tests import builders, commands
from tests.annuaire import SERVER, Annuaire
from tests.conftest import connected, execute
from tests.organisations.test_annuaire import databases
from tests.preuves.accueil.test_export import content
from tests.preuves.backup.test_vault import read, using
from tests.server import environment, eventually, free_port

OF_THE_REGISTRY = [
    ("organisation", "lister"),
    ("organisation", "creer", "acme"),
    ("organisation", "nommer", "acme"),
    ("organisation", "suspendre", "acme"),
    ("organisation", "reprendre", "acme"),
    ("organisation", "deplacer", "acme", "--vers", "deux"),
    ("organisation", "supprimer", "acme", "--archive", "/nonexistent", "--confirmation", "acme"),
    ("serveur", "lister"),
    ("serveur", "ajouter", "un", "127.0.0.1:1"),
    ("serveur", "retirer", "un"),
    ("pgbouncer",),
    ("migrate", "--toutes"),
    ("migrate", "--repetition", "acme"),
    ("--organisation", "acme", "check"),
]


def refused(annuaire: Annuaire, *words: str, **extra: str) -> str:
    """The one line of an expected refusal."""
    completed = annuaire.comptoir(*words, **extra)
    assert completed.returncode == 1, completed
    assert completed.stdout == "" and completed.stderr.count("\n") == 1, completed
    assert completed.stderr.startswith("comptoir : "), completed
    return completed.stderr.removeprefix("comptoir : ").strip()


def done(annuaire: Annuaire, *words: str, **extra: str) -> list[str]:
    completed = annuaire.comptoir(*words, **extra)
    assert completed.returncode == 0, completed
    return completed.stdout.splitlines()


# ---- the registry and its address


def test_a_command_without_a_registry_names_the_missing_variable(annuaire: Annuaire) -> None:
    for words in OF_THE_REGISTRY:
        assert "ANNUAIRE_URL manque" in refused(annuaire, *words, ANNUAIRE_URL=""), words


def test_one_database_and_a_registry_exclude_each_other(annuaire: Annuaire) -> None:
    line = refused(annuaire, "organisation", "lister", DATABASE_URL="postgresql://x@127.0.0.1:1/x")
    assert line.startswith("DATABASE_URL et ANNUAIRE_URL sont données toutes les deux")


def test_a_command_of_one_organisation_wants_its_code(annuaire: Annuaire, tmp_path: Path) -> None:
    """Without this refusal the command would start and migrate a database of the project's own folder."""
    for words in (["check"], ["backup"], ["migrate"], ["admin", "awa"], ["psql"], ["export", str(tmp_path / "x")]):
        extra = {"COMPTOIR_ETAT": str(tmp_path), "COMPTOIR_MOT_DE_PASSE": "un mot de passe long"}
        assert "comptoir --organisation acme" in refused(annuaire, *words, **extra)
    assert not list(tmp_path.glob("postgres*"))


def test_a_command_of_all_organisations_takes_no_code(annuaire: Annuaire) -> None:
    for words in (["serve"], ["worker"], ["organisation", "lister"], ["serveur", "lister"], ["pgbouncer"]):
        completed = annuaire.comptoir("--organisation", "acme", *words)
        assert completed.returncode == 2
        assert f"--organisation ne vaut pas pour {words[0]}" in completed.stderr


def test_an_unreachable_registry_is_named_by_its_address(annuaire: Annuaire) -> None:
    for words in (["organisation", "lister"], ["--organisation", "acme", "check"]):  # each waits for five seconds
        line = refused(annuaire, *words, ANNUAIRE_URL=f"postgresql://postgres@127.0.0.1:{free_port()}/x")
        assert line.startswith("PostgreSQL ne répond pas (connection") and "ANNUAIRE_URL" in line


def test_a_registry_of_another_name_is_refused(annuaire: Annuaire) -> None:
    absent = annuaire.url.replace(f"/annuaire_{annuaire.prefix[1:]}", "/absente")
    line = refused(annuaire, "organisation", "lister", ANNUAIRE_URL=absent)
    assert "PostgreSQL n'a pas de base « absente »" in line and "ANNUAIRE_URL" in line


def test_an_empty_registry_wants_a_server_first(annuaire: Annuaire) -> None:
    execute(annuaire.url, "drop schema organisation cascade")
    execute(annuaire.url, "drop schema migration cascade")
    for words in (["organisation", "lister"], ["organisation", "suspendre", "acme"], ["pgbouncer"]):
        assert refused(annuaire, *words).startswith("L'annuaire est vide : comptoir serveur ajouter")
    assert "L'annuaire n'a pas de serveur : comptoir serveur ajouter" in refused(
        annuaire, "organisation", "creer", "acme"
    )


# ---- servers


def test_servers_are_added_listed_and_removed(annuaire: Annuaire) -> None:
    address = annuaire.registry.server(SERVER).address
    assert done(annuaire, "serveur", "ajouter", "deux", address, "--replique", "127.0.0.1:2") == [
        f"Serveur deux : {address}."
    ]
    annuaire.registry.enrol("acme", SERVER, [])
    rows = [line.split() for line in done(annuaire, "serveur", "lister")]
    assert rows == [
        ["nom", "adresse", "répliques", "organisations"],
        ["deux", address, "127.0.0.1:2", "0"],
        ["un", address, "-", "1"],
    ]
    assert "Ce serveur porte des organisations" in refused(annuaire, "serveur", "retirer", SERVER)
    assert done(annuaire, "serveur", "retirer", "deux") == ["Serveur deux retiré de l'annuaire."]
    assert "n'a pas de serveur deux : comptoir serveur lister" in refused(annuaire, "serveur", "retirer", "deux")


def test_an_unreachable_server_is_not_added(annuaire: Annuaire) -> None:
    line = refused(annuaire, "serveur", "ajouter", "deux", f"127.0.0.1:{free_port()}")
    assert line.startswith("PostgreSQL ne répond pas (connection") and "annuaire" in line
    assert [server.name for server in annuaire.registry.servers()] == [SERVER]


def test_a_creation_on_an_unreachable_server_can_be_taken_up(annuaire: Annuaire) -> None:
    registry, code = annuaire.registry, annuaire.code("acme")
    address = registry.server(SERVER).address
    registry.add_server("deux", f"127.0.0.1:{free_port()}", [])
    line = refused(annuaire, "organisation", "creer", code, "--serveur", "deux")
    assert line.startswith("PostgreSQL ne répond pas (connection")
    assert registry.find(code).state == "CREATION"
    registry.add_server("deux", address, [])
    assert done(annuaire, "organisation", "creer", code)[-2].endswith(" sur deux.")
    assert registry.find(code).state == "ACTIVE"


# ---- organisations


@pytest.mark.bref
def test_organisations_are_created_named_suspended_and_resumed(annuaire: Annuaire) -> None:
    acme, bobo, zoe = (annuaire.code(name) for name in ("acme", "bobo", "zoe"))
    lines = done(annuaire, "organisation", "creer", acme, "--hote", "a.example.com", "--hote", "b.example.com")
    assert lines[0] == f"{acme} : base comptoir_{acme.replace('-', '_')} sur {SERVER}."
    assert re.fullmatch(r"1 organisation en \d+\.\d s\.", lines[1])
    lines = done(annuaire, "organisation", "creer", bobo, zoe)
    assert re.fullmatch(r"2 organisations en \d+\.\d s\.", lines[2])
    assert refused(annuaire, "organisation", "creer", acme) == f"L'organisation {acme} existe déjà."
    assert "--hote vaut pour une organisation" in refused(
        annuaire, "organisation", "creer", "o1", "o2", "--hote", "c.example.com"
    )
    assert "Un code compte 2 à 30" in refused(annuaire, "organisation", "creer", "Acme")
    assert "répond déjà pour" in refused(annuaire, "organisation", "nommer", bobo, "a.example.com")
    assert done(annuaire, "organisation", "nommer", acme) == [f"{acme} répond à X-Organisation seulement."]
    assert done(annuaire, "organisation", "nommer", bobo, "a.example.com") == [f"{bobo} répond à a.example.com."]
    line = done(annuaire, "organisation", "suspendre", zoe, "--motif", "Impayé de mai.")[0]
    assert line.startswith(f"{zoe} ne répond plus.")
    assert [line.split() for line in done(annuaire, "organisation", "lister")] == [
        ["code", "état", "serveur", "version", "hôtes", "motif"],
        [acme, "ACTIVE", SERVER, HERE.version(), "-"],
        [bobo, "ACTIVE", SERVER, HERE.version(), "a.example.com"],
        [zoe, "SUSPENDUE", SERVER, HERE.version(), "-", "Impayé", "de", "mai."],
    ]
    assert done(annuaire, "organisation", "reprendre", zoe) == [f"{zoe} répond de nouveau."]
    assert (annuaire.registry.find(zoe).state, annuaire.registry.find(zoe).reason) == ("ACTIVE", None)


def test_a_command_with_a_wrong_code_names_it(annuaire: Annuaire, tmp_path: Path) -> None:
    actions = [
        ["organisation", "nommer", "absente"],
        ["organisation", "suspendre", "absente"],
        ["organisation", "reprendre", "absente"],
        ["organisation", "deplacer", "absente", "--vers", SERVER],
        ["organisation", "supprimer", "absente", "--archive", str(tmp_path / "x"), "--confirmation", "absente"],
        ["migrate", "--repetition", "absente"],
        ["--organisation", "absente", "check"],
        ["--organisation", "absente", "admin", "awa"],
    ]
    for words in actions:
        assert refused(annuaire, *words).startswith("L'annuaire n'a pas d'organisation absente"), words
    annuaire.registry.enrol("acme", None, [])
    assert "n'a pas de serveur trois" in refused(annuaire, "organisation", "deplacer", "acme", "--vers", "trois")


def test_pgbouncer_reads_one_line_for_each_organisation(annuaire: Annuaire, tmp_path: Path) -> None:
    assert done(annuaire, "pgbouncer") == ["[databases]"]
    bases = [annuaire.registry.enrol(code, SERVER, []).database for code in ("acme", "bo-bo")]
    host, _, port = annuaire.registry.server(SERVER).address.partition(":")
    expected = ["[databases]", *(f"{base} = host={host} port={port} dbname={base}" for base in bases)]
    assert done(annuaire, "pgbouncer") == expected
    file = tmp_path / "organisations.ini"
    file.write_text("former")
    (line,) = done(annuaire, "pgbouncer", str(file))
    assert line.startswith(f"{file} est écrit.")
    assert file.read_text().splitlines() == expected
    assert [path.name for path in tmp_path.iterdir()] == ["organisations.ini"]


def test_a_command_with_a_code_acts_on_this_organisation_only(annuaire: Annuaire) -> None:
    codes = [annuaire.code(name) for name in ("acme", "bobo")]
    done(annuaire, "organisation", "creer", *codes)
    acme, bobo = (annuaire.registry.find(code) for code in codes)
    password = {"COMPTOIR_MOT_DE_PASSE": "un mot de passe long"}
    assert done(annuaire, "--organisation", acme.code, "admin", "awa", **password) == ["Administrateur awa créé."]
    logins = "select login from auth.utilisateur"
    assert [execute(annuaire.address(one), logins) for one in (acme, bobo)] == [[("awa",)], []]
    assert done(annuaire, "--organisation", acme.code, "check")[-1] == ("La base, le code et les routes s'accordent.")
    execute(annuaire.address(bobo), "alter table core.parametre add essai text")
    checked = annuaire.comptoir("--organisation", bobo.code, "check")
    assert checked.returncode == 1 and "core.parametre" in checked.stdout
    words = ("--organisation", acme.code, "psql")
    shown = commands.run_apart(environment(annuaire.environment), *words, entered="select current_database();\\q\n")
    assert acme.database in shown.stdout and bobo.database not in shown.stdout
    assert done(annuaire, "--organisation", acme.code, "migrate") == ["Rien à faire : tables et code sont à jour."]


# ---- removal


class Stored:
    """The object store of a test, and the photos that it holds for organisations."""

    def __init__(self, annuaire: Annuaire, state: Path) -> None:
        self._annuaire = annuaire
        self.state = {"COMPTOIR_ETAT": str(state)}

    def settings(self, organisation: Organisation) -> Settings:
        settings = Settings.from_environment(environment({**self._annuaire.environment, **self.state}))
        return settings_of(settings, organisation)

    def put(self, organisation: Organisation, key: str, content: bytes) -> None:
        using(Storage(self.settings(organisation)), lambda store: store.put(key, io.BytesIO(content), "image/jpeg"))

    def get(self, organisation: Organisation, key: str) -> bytes | None:
        try:
            return read(Storage(self.settings(organisation)), key)
        except Refusal as refusal:
            assert refusal.status == 404
            return None


PHOTO, ORPHAN = "client-photo/1-essai.jpg", "client-photo/1-perdue.jpg"


@pytest.fixture
def stored(annuaire: Annuaire, tmp_path: Path) -> Iterator[Stored]:
    with at_hand(tmp_path / "etat" / "objets"):
        yield Stored(annuaire, tmp_path / "etat")


def furnish(annuaire: Annuaire, stored: Stored, name: str) -> Organisation:
    """Make an organisation with a client, whose photo is in the store beside one that no row names."""
    organisation = annuaire.make(name, f"{name}.example.com")
    with connected(annuaire.address(organisation)) as db:
        db.one("select core.contexte(1, 'ADMINISTRATEUR', '192.0.2.1', 'essai')")
        builders.client(db, nom=name, photo=PHOTO)
        builders.facture(db, "15000.00")
        db.one("select core._differer('menage')")
    stored.put(organisation, PHOTO, name.encode())
    stored.put(organisation, ORPHAN, name.encode())
    return organisation


def remove(organisation: Organisation, archive: Path) -> list[str]:
    code = organisation.code
    return ["organisation", "supprimer", code, "--archive", str(archive), "--confirmation", code]


def test_a_removal_asks_for_the_code_and_does_nothing_without_it(annuaire: Annuaire, tmp_path: Path) -> None:
    acme = annuaire.make("acme")
    words = ["organisation", "supprimer", acme.code, "--archive", str(tmp_path / "archive")]
    line = refused(annuaire, *words, "--confirmation", "bobo")
    assert line == f"« bobo » n'est pas {acme.code} : rien n'est fait."
    assert refused(annuaire, *words) == "Sans terminal, donnez le code par --confirmation."
    typed = on_terminal(annuaire, words, "bobo")
    assert typed.returncode == 1 and "« bobo » n'est pas" in typed.stderr
    assert annuaire.registry.find(acme.code) == acme
    assert execute(annuaire.address(acme), "select login from auth.utilisateur") == [("admin",)]
    assert not (tmp_path / "archive").exists()
    typed = on_terminal(annuaire, words, acme.code)
    assert typed.returncode == 0 and f"Écrivez le code {acme.code}" in typed.stdout, typed
    assert annuaire.registry.organisations() == []


def on_terminal(annuaire: Annuaire, words: list[str], line: str) -> subprocess.CompletedProcess[str]:
    master, terminal = pty.openpty()
    try:
        os.write(master, f"{line}\n".encode())
        command, variables = [sys.executable, "-m", "app", *words], environment(annuaire.environment)
        return subprocess.run(command, env=variables, stdin=terminal, capture_output=True, text=True)
    finally:
        os.close(terminal)
        os.close(master)


def test_a_removal_that_cannot_write_its_archive_changes_nothing(annuaire: Annuaire, tmp_path: Path) -> None:
    acme = annuaire.make("acme")
    annuaire.registry.move_to(acme.code, "SUSPENDUE", reason="Impayé.")
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "autre.txt").write_text("une autre archive")
    completed = annuaire.comptoir(*remove(acme, tmp_path / "archive"))
    assert completed.returncode == 1 and "n'est pas vide : donnez un dossier neuf" in completed.stderr
    kept = annuaire.registry.find(acme.code)
    assert (kept.state, kept.reason) == ("SUSPENDUE", "Impayé.")
    assert execute(annuaire.address(acme), "select login from auth.utilisateur") == [("admin",)]


def test_a_removal_without_a_photo_of_a_row_changes_nothing(annuaire: Annuaire, stored: Stored, tmp_path: Path) -> None:
    acme = annuaire.make("acme")
    with connected(annuaire.address(acme)) as db:
        builders.client(db, photo=PHOTO)
    stored.put(acme, ORPHAN, b"photo")
    completed = annuaire.comptoir(*remove(acme, tmp_path / "archive"), **stored.state)
    assert completed.returncode == 1 and "L'archive est incomplète, rien n'est supprimé" in completed.stderr
    assert PHOTO in completed.stderr
    assert annuaire.registry.find(acme.code).state == "ACTIVE"
    assert stored.get(acme, ORPHAN) == b"photo"


def test_a_removal_without_the_store_of_the_files_changes_nothing(annuaire: Annuaire, tmp_path: Path) -> None:
    acme = annuaire.make("acme")
    production = {
        "NODE_ENV": "production", "KVSTORE_URL": "redis://127.0.0.1:1/0", "MAILER": "journal",
        "JWT_SECRET": secrets.token_hex(32), "SECRETS_CLE": secrets.token_hex(32),
    }  # fmt: skip
    completed = annuaire.comptoir(*remove(acme, tmp_path / "archive"), **production)
    assert completed.returncode == 1 and "S3_ENDPOINT" in completed.stderr, completed
    assert annuaire.registry.find(acme.code) == acme
    assert not (tmp_path / "archive").exists()


def test_a_removed_organisation_comes_back_from_its_archive(annuaire: Annuaire, stored: Stored, tmp_path: Path) -> None:
    """Every row and file comes back in a new organisation. The files of another one stay where they are."""
    acme, bobo = (furnish(annuaire, stored, name) for name in ("acme", "bobo"))
    before = content(annuaire.address(acme))
    lines = done(annuaire, *remove(acme, tmp_path / "archive"), **stored.state)
    assert re.match(rf"Archive : {tmp_path}/archive \(\d+ tables, \d+ fichiers\)\.", lines[-2])
    assert lines[-1].startswith(f"{acme.code} est supprimée.")
    assert [one.code for one in annuaire.registry.organisations()] == [bobo.code]
    assert databases(annuaire, acme.database) == set()
    assert [stored.get(acme, key) for key in (PHOTO, ORPHAN)] == [None, None]
    assert [stored.get(bobo, key) for key in (PHOTO, ORPHAN)] == [b"bobo", b"bobo"]

    done(annuaire, "organisation", "creer", acme.code, "--hote", "acme.example.com")
    again = annuaire.registry.find(acme.code)
    assert again.id != acme.id
    done(annuaire, "--organisation", acme.code, "import", str(tmp_path / "archive"), **stored.state)
    after = content(annuaire.address(again))
    apart = {"core.empreinte", "auth.jeton_rafraichissement", "jobs.sauvegarde", "jobs.restauration"}
    differing = {name for name in before if before[name] != after[name]}
    assert differing <= apart, differing
    assert stored.get(again, PHOTO) == b"acme"
    assert done(annuaire, "--organisation", acme.code, "check")[-1].startswith("La base, le code")


KILLED = """
import sys
from app.leaves.organisations import removal
from app.leaves.echange.whole import writing
from app.files.storage import Storage
from app.leaves.organisations.registry import Registry

def halt(place, name, after):
    real = getattr(place, name)
    def halted(*arguments, **options):
        if after:
            real(*arguments, **options)
        print("arrêt", flush=True)
        sys.stdin.read()  # until the test kills this process
    setattr(place, name, halted)

halt(*{
    "export begins": (writing, "_write", False),
    "database closed": (Registry, "archived", False),
    "archive recorded": (Registry, "archived", True),
    "files deleted": (removal, "drop", False),
    "database dropped": (removal, "drop", True),
}[sys.argv.pop(1)])
from app.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    "step", ["export begins", "database closed", "archive recorded", "files deleted", "database dropped"]
)
def test_a_killed_removal_is_taken_up(annuaire: Annuaire, stored: Stored, tmp_path: Path, step: str) -> None:
    acme = furnish(annuaire, stored, "acme")
    archive = tmp_path / "archive"
    command = [sys.executable, "-c", KILLED, step, *remove(acme, archive)]
    variables = environment({**annuaire.environment, **stored.state})
    with subprocess.Popen(
        command, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            assert any(line == "arrêt\n" for line in process.stdout)
        finally:
            process.kill()
    killed = annuaire.registry.find(acme.code)
    assert killed.state == "SUPPRESSION"
    if step in ("export begins", "database closed"):  # nothing is deleted yet, so the operator may also change his mind
        assert annuaire.registry.archive(acme.code) is None
        eventually(lambda: annuaire.comptoir("organisation", "reprendre", acme.code).returncode == 0)
        assert annuaire.registry.find(acme.code) == acme
        assert execute(annuaire.address(acme), "select nom from client.client") == [("acme",)]
        second = tmp_path / "seconde"
    else:
        assert annuaire.registry.archive(acme.code) == str(archive)
        second = archive
    eventually(lambda: not execute(annuaire.url, "select from pg_locks where locktype = 'advisory' and objsubid = 1"))
    done(annuaire, *remove(acme, second), **stored.state)
    assert annuaire.registry.organisations() == []
    assert databases(annuaire, acme.database) == set()
    assert [stored.get(acme, key) for key in (PHOTO, ORPHAN)] == [None, None]
    described = json.loads((second / "manifeste.json").read_text())
    assert f"fichiers/{PHOTO}" in described["fichiers"]
    assert (second / "fichiers" / PHOTO).read_bytes() == b"acme"


def test_a_write_during_the_export_does_not_get_lost(annuaire: Annuaire, stored: Stored, tmp_path: Path) -> None:
    """A transaction that has begun ends before the export, and one that begins later is refused."""
    acme = furnish(annuaire, stored, "acme")
    code = acme.code
    with connected(annuaire.address(acme)) as db:
        builders.client(db, nom="Tardif")
        with subprocess.Popen(
            [sys.executable, "-m", "app", *remove(acme, tmp_path / "archive")],
            env=environment({**annuaire.environment, **stored.state}),
        ) as process:
            blocked = "select from pg_locks where not granted and mode = 'ExclusiveLock' and locktype = 'relation'"
            eventually(lambda: execute(annuaire.address(acme), blocked))
            db.connection.commit()
            assert process.wait(60) == 0
    assert code not in {one.code for one in annuaire.registry.organisations()}
    clients = (tmp_path / "archive" / "tables" / "client.client.csv").read_text("utf-8-sig")
    assert "Tardif" in clients


def test_an_organisation_whose_creation_failed_needs_no_archive(annuaire: Annuaire, tmp_path: Path) -> None:
    enrolled = annuaire.registry.enrol(annuaire.code("acme"), SERVER, [])
    done(annuaire, *remove(enrolled, tmp_path / "archive"))
    assert annuaire.registry.organisations() == []
    assert not (tmp_path / "archive").exists()
