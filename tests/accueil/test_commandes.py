"""The command line: each help text has an example and exit codes, and each error is one line that names the remedy."""

import os
import re
import secrets
import subprocess
import sys
from urllib.parse import urlsplit

import psycopg
import pytest

from app.__main__ import COMMANDS, main
from app.base.settings import DEVELOPMENT_SECRET, Settings, SettingsError
from app.commands.place import own_servers
from app.database import schema
from app.leaves.embarque.server import project_lock
from tests import commands
from tests.server import environment, free_port

LONG = "hV4sT9qLm2Xb7Rk5Wz8Yc3Nf6JdPg1Ua"
PRODUCTION = {
    "NODE_ENV": "production", "KVSTORE_URL": "redis://127.0.0.1:6379/0", "JWT_SECRET": LONG, "SECRETS_CLE": LONG,
    "DATABASE_URL": "postgresql://a@b/c", "MAILER": "journal",
}  # fmt: skip
NUMBERS = ("PORT", "WEB_CONCURRENCY", "DATABASE_REPLICA_RETARD", "ATTENTE_BASE", "DATABASE_POOL", "JWT_DUREE",
           "DATABASE_REQUETES_PREPAREES", "REFRESH_DUREE", "RENDU_SANS_SANDBOX", "CAISSE_HORS_LIGNE")  # fmt: skip
KEYS = ("JWT_SECRET", "JWT_SECRET_PRECEDENT", "SECRETS_CLE", "SECRETS_CLE_PRECEDENTE")


@pytest.fixture
def read(monkeypatch, capsys):
    """Let the program read a command line that ends it. Return the exit code and the two outputs."""

    def read(*words):
        monkeypatch.setattr(sys, "argv", ["comptoir", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        return (ended.value.code, *capsys.readouterr())

    return read


def comptoir(*words, **extra):
    return commands.run_apart(environment(extra), *words)


def in_process(*words, **extra):
    return commands.run(environment(extra), *words)


@pytest.mark.parametrize(
    ("variable", "value", "remedy"),
    [
        *((name, "beaucoup", "nombre de") for name in NUMBERS),
        *((name, "9999999999", "nombre de") for name in NUMBERS),
        ("NODE_ENV", "prod", "production"),
        *((name, "court", "32 octets") for name in KEYS),
        ("S3_ENDPOINT", "stockage.exemple:9000", "http://"),
        ("S3_ENDPOINT", "https://stockage.exemple", "S3_ACCESS_KEY"),
        ("S3_BUCKET_SAUVEGARDES", "comptoir", "seau"),
        ("TRUSTED_PROXIES", "10.0.0.0/8, mandataire", "« mandataire »"),
        ("CORS_ORIGINES", "https://a.exemple, b.exemple", "« b.exemple »"),
        ("CORS_ORIGINES", "*", "https://"),
        ("CORS_ORIGINES", "https://a.exemple/", "sans chemin"),
        ("DATABASE_URL", "mysql://a@b/c", "postgresql://"),
        ("DATABASE_OWNER_URL", "localhost:5432", "postgresql://"),
        ("DATABASE_REPLICA_URL", "replique", "postgresql://"),
        ("DATABASE_REPLICA_URL", "postgresql://a@un/c,replique", "une par serveur"),
        ("DATABASE_REPLICA_URL", "postgresql://a@un:5432,deux:5432/c", "une par serveur"),
        ("DATABASE_REPLICA_URL", "postgresql://a@un/c,postgresql://a@un/c", "deux fois"),
        ("MAILER_URL", "courrier.exemple", "https://"),
        ("PUBLIC_URL", "comptoir.exemple.ci", "https://"),
        ("PAGE_MOT_DE_PASSE", "comptoir.exemple.ci/mot-de-passe", "https://"),
        ("MAILER", "pigeon", "journal"),
    ],
)
def test_a_settings_error_names_the_variable_and_a_valid_value(variable, value, remedy):
    with pytest.raises(SettingsError) as refused:
        Settings.from_environment({variable: value})
    message = str(refused.value)
    assert variable in message and remedy in message and "\n" not in message


def test_several_replicas_are_a_list_of_addresses():
    both = ("postgresql://a@un/c", "postgres://a@deux/c")
    assert Settings.from_environment({"DATABASE_REPLICA_URL": ", ".join(both)}).database_replica_urls == both
    assert Settings.from_environment({}).database_replica_urls == ()


def test_several_processes_with_replicas_need_a_shared_store():
    several = {"WEB_CONCURRENCY": "2", "DATABASE_REPLICA_URL": "postgresql://a@un/c"}
    with pytest.raises(SettingsError, match=r"^KVSTORE_URL manque : .*WEB_CONCURRENCY"):
        Settings.from_environment(several)
    assert Settings.from_environment({**several, "KVSTORE_URL": "redis://127.0.0.1/0"}).workers == 2


@pytest.mark.parametrize("variable", ["KVSTORE_URL", "JWT_SECRET", "SECRETS_CLE", "DATABASE_URL"])
def test_production_names_a_missing_setting(variable):
    with pytest.raises(SettingsError, match=f"^{variable} manque : .*donnez-lui"):
        Settings.from_environment({**PRODUCTION, variable: ""})


@pytest.mark.parametrize(
    "weak",
    [
        DEVELOPMENT_SECRET, "x" * 64, "0123456789abcdef" * 2, "abcdefghijklmnopqrstuvwxyzABCDEFGH",
        "un-secret-jwt-qui-compte-bien-plus-de-32-octets", "Changez-Moi-Avant-La-Mise-En-Service",
        "azertyuiopqsdfghjklmwxcvbn7410258963",
    ],
)  # fmt: skip
def test_production_refuses_a_weak_secret(weak):
    for name in ("JWT_SECRET", "SECRETS_CLE"):
        with pytest.raises(SettingsError, match=rf"^{name} .*donnez-lui") as refused:
            Settings.from_environment({**PRODUCTION, name: weak})
        assert weak not in str(refused.value)
    assert Settings.from_environment({"JWT_SECRET": weak}).jwt_secret == weak  # development accepts a weak secret


@pytest.mark.parametrize(
    "generate", [lambda: secrets.token_hex(16), lambda: secrets.token_urlsafe(24), secrets.token_hex]
)
def test_production_accepts_any_random_secret(generate):
    for _ in range(200):
        assert Settings.from_environment({**PRODUCTION, "JWT_SECRET": generate()}).production


def test_production_requires_a_mail_key_or_an_explicit_journal_mailer():
    without = {**PRODUCTION, "MAILER": ""}
    with pytest.raises(SettingsError, match=r"^MAILER_API_KEY manque .*MAILER=journal"):
        Settings.from_environment(without)
    assert Settings.from_environment({**without, "MAILER_API_KEY": "cle"}).mailer_api_key == "cle"
    assert Settings.from_environment(PRODUCTION).mailer_api_key == ""
    assert Settings.from_environment({}).mailer_api_key == ""  # development needs no mail key


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_resolves_and_its_help_has_an_example_and_exit_codes(command, read):
    status, shown, _ = read(command, "--help")
    assert status == 0
    example = re.search(r"^exemple :\n  (?:[A-Z_]+=\S+ )*comptoir (\S+)", shown, re.MULTILINE)
    assert example and example[1] == command
    assert "codes de sortie :" in shown and "\x1b" not in shown


@pytest.mark.parametrize("command", sorted({"organisation", "sceau", "serveur"} & {*COMMANDS}))
def test_the_help_of_each_action_explains_every_argument_and_the_exit_codes(command, read):
    actions = re.findall(r"^    ([a-z]+)\b", read(command, "--help")[1], re.MULTILINE)
    assert len(actions) >= 3
    for action in actions:
        _, shown, _ = read(command, action, "--help")
        assert "codes de sortie :" in shown and "--verbose" in shown
        listed = re.findall(r"^  (\S.*)$", shown.partition("codes de sortie")[0], re.MULTILINE)
        assert [line for line in listed if "  " not in line and len(line) < 20] == [], shown


def test_a_command_without_a_database_setting_names_the_database_that_it_used(tmp_path):
    """Another program holds the folder here, so the command starts no server."""
    state = tmp_path / "etat"
    with project_lock(state, "un essai"):
        checked = in_process("check", COMPTOIR_ETAT=str(state))
    assert checked.stderr.startswith(f"Base embarquée de {state} : DATABASE_URL n'est pas donnée.\n")


def test_the_embedded_database_never_replaces_the_databases_of_a_registry():
    with pytest.raises(SettingsError, match=r"^ANNUAIRE_URL est donnée"):
        own_servers(Settings.from_environment({"ANNUAIRE_URL": "postgresql://a@b/annuaire"}))


@pytest.mark.parametrize(
    ("words", "extra", "message"),
    [
        (["worker"], {}, "redis://127.0.0.1:6379"),
        (["check"], {"DATABASE_URL": "postgresql://x@127.0.0.1:1/x", "ATTENTE_BASE": "0"}, "DATABASE_URL"),
        (["restore", "absent.dump", "--confirmation"], {"DATABASE_URL": "postgresql://a@b/c"}, "absent.dump"),
        (["serve"], {"PORT": "huit mille"}, "PORT"),
        (["serve"], {"HOST": "nulle.part.invalid"}, "HOST"),
        (["admin", "awa"], {}, "COMPTOIR_MOT_DE_PASSE"),
    ],
)
def test_a_failure_prints_one_line(tmp_path, words, extra, message):
    run = comptoir if "worker" in words or "HOST" in extra else in_process  # they start more than the command
    refused = run(*words, **{"COMPTOIR_ETAT": str(tmp_path), **extra})
    assert refused.returncode == 1 and refused.stdout == ""
    assert refused.stderr.startswith("comptoir : ") and message in refused.stderr and refused.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["--verbose", "serve"], ["serve", "--verbose"]])
def test_verbose_prints_the_traceback_of_a_failure(words):
    with pytest.raises(SettingsError, match="PORT"):
        in_process(*words, PORT="huit mille")


def test_each_command_on_an_empty_database_asks_for_migrate(worker_id):
    settings = {"COMPTOIR_MOT_DE_PASSE": "trois mots au hasard", "KVSTORE_URL": "redis://127.0.0.1:1/0"}
    served = {**PRODUCTION, "PORT": str(free_port())}  # in development, `serve` migrates the database itself
    with schema.scratch(os.environ["ESSAIS_POSTGRES"], f"essai_{worker_id}_vide") as empty:
        settings |= {"DATABASE_URL": empty}
        lines = ("openapi", "check", "backup", "restore --sauvegarde 1 --confirmation", "admin awa")
        refused = [in_process(*line.split(), **settings) for line in lines]
        refused += [comptoir("worker", **settings), comptoir("serve", **settings | served | {"DATABASE_URL": empty})]
    message = "comptoir : La base n'a pas été migrée : lancez « comptoir migrate ».\n"
    assert [(done.returncode, done.stdout, done.stderr) for done in refused] == [(1, "", message)] * 7


def test_check_on_database_code_of_another_release_asks_for_migrate(database_url):
    with psycopg.connect(database_url) as connection:
        connection.execute("drop function core.declaration_lister()")
    checked = in_process("check", DATABASE_URL=database_url)
    assert checked.returncode == 1 and checked.stderr == ""
    assert "Le code de la base est d'une autre version : lancez « comptoir migrate »." in checked.stdout


def test_check_names_a_role_of_the_second_factor_that_the_base_does_not_have(database_url):
    checked = in_process("check", DATABASE_URL=database_url, A2F_ROLES="ADMINISTRATEUR,CHEF")
    assert checked.returncode == 1
    assert checked.stdout.splitlines()[-2:] == ["A2F_ROLES nomme un rôle que cette base n'a pas : CHEF.", "1 écart."]


@pytest.mark.parametrize(
    ("command", "part", "wrong", "message"),
    [
        ("migrate", "password", "faux", "refuse le compte {user} ou son mot de passe"),
        ("migrate", "dbname", "inconnue", "n'a pas de base « inconnue »"),
        ("serve", "password", "faux", "refuse le compte {user} ou son mot de passe"),
        ("worker", "password", "faux", "refuse le compte {user} ou son mot de passe"),
    ],
)
def test_a_connection_that_postgresql_refuses_fails_at_once(command, part, wrong, message):
    right = urlsplit(os.environ["ESSAIS_POSTGRES"])
    parts = {"user": right.username, "password": right.password, "dbname": right.path[1:], part: wrong}
    address = f"postgresql://{parts['user']}:{parts['password']}@{right.hostname}:{right.port}/{parts['dbname']}"
    extra = {"DATABASE_URL": address, "KVSTORE_URL": "redis://127.0.0.1:1/0", "PORT": str(free_port())}
    # A command that takes the refusal for a starting server retries for an hour, and the test times out.
    refused = comptoir(command, **extra, ATTENTE_BASE="3600")
    assert refused.returncode == 1 and refused.stderr.count("\n") == 1
    assert message.format(**parts) in refused.stderr and "corrigez DATABASE_URL" in refused.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "comptoir : il manque : commande"),
        (["nimporte"], "commande : nimporte n'existe pas, il y a : "),
        (["migrate", "trop"], "comptoir : en trop : trop"),
        (["restore"], "il faut l'un de : fichier --sauvegarde"),
        (["restore", "--sauvegarde", "une"], "--sauvegarde : « une » n'est pas un nombre"),
        (["check", "--sceau"], "--sceau : attend une valeur"),
    ],
)
def test_a_wrong_command_line_is_explained_in_french(words, message, read):
    status, _, refused = read(*words)
    assert status == 2 and message in refused and "--help" in refused
    assert not re.search(r"\b(error|argument |required|invalid)", refused)


def test_a_closed_output_pipe_prints_no_traceback(database_url):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        line, settings = [sys.executable, "-m", "app", "openapi"], environment({"DATABASE_URL": database_url})
        completed = subprocess.run(line, env=settings, stdout=closed, stderr=subprocess.PIPE, text=True)
    assert "Traceback" not in completed.stderr and "Exception" not in completed.stderr
