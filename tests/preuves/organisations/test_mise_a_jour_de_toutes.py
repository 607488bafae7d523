"""The upgrade of all organisations: each is apart from the others, and each release serves its own organisations."""

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.database import schema
from app.database.release import HERE
from app.leaves.organisations import upgrading
from app.leaves.organisations.making import make
from app.leaves.organisations.organisation import Organisation
from tests import builders, commands
from tests.annuaire import SERVER, Annuaire
from tests.conftest import execute
from tests.organisations.test_annuaire import databases
from tests.server import Service, environment, eventually, kill, quiet, running
from tests.upgrades import count_payment_methods, functions, next_release

COLUMN = "alter table core.parametre add essai text;"
# Each organisation may have a row that makes its own upgrade fail, last or stop.
GUARDED = f"{COLUMN}\nalter table core.parametre add constraint essai check (cle <> 'CASSE');"
SLOW = f"{COLUMN}\nselect pg_sleep(600) from core.parametre where cle = 'LENTE';"
SLEEPING = "select datname from pg_stat_activity where wait_event = 'PgSleep' and starts_with(datname, %s)"
REASON = 'check constraint "essai" of relation "parametre" is violated by some row'


class Next:
    """The whole tree of the next release: its commands and its service run from there."""

    def __init__(self, annuaire: Annuaire, root: Path, migration: str) -> None:
        self._annuaire = annuaire
        self.release = next_release(root, migration)
        shutil.copytree(HERE.root / "app", root / "app")
        self.version = self.release.version()

    @property
    def environment(self) -> dict[str, str]:
        """Python takes the program from this tree, and not from the current folder."""
        return {**self._annuaire.environment, "PYTHONPATH": str(self.release.root), "PYTHONSAFEPATH": "1"}

    def migrate(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.comptoir("migrate", *(words or ("--toutes",)))

    def comptoir(self, *words: str) -> subprocess.CompletedProcess[str]:
        return commands.run_apart(environment(self.environment), *words)

    @contextmanager
    def migrating(self, *words: str) -> Iterator[subprocess.Popen[str]]:
        """The command as a process, killed at the end."""
        with subprocess.Popen(
            [sys.executable, "-m", "app", "migrate", *words],
            env=environment(self.environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()


@pytest.fixture
def following(annuaire: Annuaire, tmp_path: Path) -> Iterator[Next]:
    """The next release. Its template of a server differs from the template of this release."""
    yield Next(annuaire, tmp_path / "suivante", GUARDED)


def organisations(annuaire: Annuaire, *names: str) -> list[Organisation]:
    return [make(annuaire.registry, annuaire.code(name), SERVER, [], quiet) for name in names]


def mark(annuaire: Annuaire, one: Organisation, key: str) -> None:
    execute(annuaire.address(one), "insert into core.parametre (cle, valeur) values (%s, 'x')", key)


def unmark(annuaire: Annuaire, one: Organisation) -> None:
    execute(annuaire.address(one), "delete from core.parametre where cle in ('CASSE', 'LENTE')")


def columns(annuaire: Annuaire, one: Organisation) -> list[Any]:
    statement = "select attname from pg_attribute where attrelid = 'core.parametre'::regclass and attname = 'essai'"
    return execute(annuaire.address(one), statement)


def states(annuaire: Annuaire, several: Sequence[Organisation]) -> list[tuple[str, str | None]]:
    present = {one.code: one for one in annuaire.registry.organisations()}
    return [(present[one.code].state, present[one.code].version) for one in several]


def former(annuaire: Annuaire, one: Organisation, before: set[str]) -> None:
    """The organisation has this release, complete and working."""
    url = annuaire.address(one)
    assert functions(url) == before
    assert columns(annuaire, one) == []
    assert schema.drift(url) == []
    assert count_payment_methods(url) > 0


# ---- one fails


def test_a_failed_upgrade_leaves_only_its_organisation_behind(annuaire: Annuaire, following: Next) -> None:
    """Two of four organisations fail, and two are suspended, which they stay for their former reason."""
    acme, bobo, yves, zoe = several = organisations(annuaire, "acme", "bobo", "yves", "zoe")
    before = functions(annuaire.address(bobo))
    for one in (bobo, yves):
        mark(annuaire, one, "CASSE")
    for one in (yves, zoe):
        annuaire.registry.move_to(one.code, "SUSPENDUE", reason="Impayé.")
    completed = following.migrate()
    assert completed.returncode == 1, completed
    *failures, total, remedy = completed.stdout.splitlines()
    for line, one in zip(sorted(failures), (bobo, yves), strict=True):
        assert line.startswith(f"{one.code} : Migration 9001.core-essai : ") and REASON in line
    assert re.fullmatch(r"À jour : 2 sur 4 ; la plus longue a pris \d+\.\d s\.", total)
    assert "EN_RETARD : corrigez, puis relancez" in remedy
    assert "Organisations : 4 / 4" in completed.stderr
    done, late = following.version, HERE.version()
    assert [version for _, version in states(annuaire, several)] == [done, late, late, done]
    assert [state for state, _ in states(annuaire, several)] == ["ACTIVE", "EN_RETARD", "SUSPENDUE", "SUSPENDUE"]
    reason = annuaire.registry.find(bobo.code).reason
    assert reason is not None and reason.startswith("Sa mise à jour a échoué : Migration 9001.core-essai")
    assert [annuaire.registry.find(one.code).reason for one in (yves, zoe)] == ["Impayé."] * 2
    former(annuaire, bobo, before)
    for one in (acme, zoe):
        assert schema.drift(annuaire.address(one), following.release) == []
        assert columns(annuaire, one) == [("essai",)]

    again = following.migrate()  # not mended yet
    assert again.returncode == 1 and "À jour : 0 sur 2" in again.stdout
    for one in (bobo, yves):
        unmark(annuaire, one)
    mended = following.migrate()
    assert mended.returncode == 0 and "À jour : 2 sur 2" in mended.stdout
    assert states(annuaire, [bobo]) == [("ACTIVE", following.version)]
    assert annuaire.registry.find(bobo.code).reason is None
    assert schema.drift(annuaire.address(bobo), following.release) == []
    with schema.connect(annuaire.address(acme), 5.0) as connection:
        connection.execute("select auth.administrateur_initialiser('admin', %s)", [builders.PASSWORD_HASH])
        connection.execute("insert into auth.second_facteur select id_utilisateur, 'EN CLAIR' from auth.utilisateur")
    nothing = following.migrate()
    assert nothing.returncode == 0 and "À jour : 0 sur 0" in nothing.stdout
    assert f"{acme.code} : Secrets chiffrés par SECRETS_CLE : 1." in nothing.stdout


def test_an_organisation_suspended_during_its_upgrade_stays_suspended(annuaire: Annuaire, tmp_path: Path) -> None:
    (acme,) = organisations(annuaire, "acme")
    following = Next(annuaire, tmp_path / "suivante", f"{COLUMN}\nselect pg_sleep(3);")
    with following.migrating("--toutes") as process:
        eventually(lambda: execute(annuaire.url, SLEEPING, acme.database))
        annuaire.registry.move_to(acme.code, "SUSPENDUE", reason="Impayé.")
        assert process.wait(60) == 0
    kept = annuaire.registry.find(acme.code)
    assert (kept.state, kept.version, kept.reason) == ("SUSPENDUE", following.version, "Impayé.")


def test_organisations_that_move_or_disappear_are_not_upgraded(annuaire: Annuaire, following: Next) -> None:
    several = organisations(annuaire, "acme", "bobo")
    annuaire.registry.move_to(several[0].code, "DEPLACEMENT")
    annuaire.registry.move_to(several[1].code, "SUPPRESSION")
    annuaire.registry.enrol(annuaire.code("zoe"), SERVER, [])
    completed = following.migrate()
    assert completed.returncode == 0 and "À jour : 0 sur 0" in completed.stdout
    assert [version for _, version in states(annuaire, several)] == [HERE.version()] * 2


def test_an_unknown_error_of_one_organisation_is_reported(annuaire: Annuaire, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL may end the session of an upgrade with any error. The others are still upgraded and reported."""
    acme, bobo = organisations(annuaire, "acme", "bobo")
    for one in (acme, bobo):
        annuaire.registry.upgraded(one.code, "ancienne", None)
    real = schema.migrate

    def migrate(url: str, *arguments: Any) -> bool:
        if acme.database in url:
            execute(url, "select 1 / 0")
        return real(url, *arguments)

    monkeypatch.setattr(schema, "migrate", migrate)
    outcomes = {outcome.code: outcome.reason for outcome in upgrading.upgrade_all(annuaire.registry, 2)}
    assert outcomes == {acme.code: "division by zero", bobo.code: None}
    assert states(annuaire, [acme, bobo]) == [("EN_RETARD", "ancienne"), ("ACTIVE", HERE.version())]


# ---- interrupted, and several at once


@pytest.mark.timeouts
def test_a_killed_upgrade_of_all_is_taken_up(annuaire: Annuaire, tmp_path: Path) -> None:
    """The first organisation is done, the second one is in its migration, the third one is not begun."""
    acme, bobo, zoe = several = organisations(annuaire, "acme", "bobo", "zoe")
    before = functions(annuaire.address(bobo))
    mark(annuaire, bobo, "LENTE")
    following = Next(annuaire, tmp_path / "suivante", SLOW)
    with following.migrating("--toutes", "--ensemble", "1") as process:
        eventually(lambda: execute(annuaire.url, SLEEPING, bobo.database))
        kill(process)
    eventually(lambda: not execute(annuaire.url, SLEEPING, bobo.database))
    assert [version for _, version in states(annuaire, several)] == [following.version, HERE.version(), HERE.version()]
    assert {state for state, _ in states(annuaire, several)} == {"ACTIVE"}
    for one in (bobo, zoe):
        former(annuaire, one, before)
    unmark(annuaire, bobo)
    completed = following.migrate()
    assert completed.returncode == 0 and "À jour : 2 sur 2" in completed.stdout
    assert states(annuaire, several) == [("ACTIVE", following.version)] * 3
    assert schema.drift(annuaire.address(acme), following.release) == []


def test_an_upgrade_killed_before_the_registry_knows_is_taken_up(annuaire: Annuaire, following: Next) -> None:
    """The database has the next release, and the registry still names the former one."""
    (acme,) = organisations(annuaire, "acme")
    schema.migrate(annuaire.address(acme), quiet, release=following.release)
    assert states(annuaire, [acme]) == [("ACTIVE", HERE.version())]
    completed = following.migrate()
    assert completed.returncode == 0 and "À jour : 1 sur 1" in completed.stdout
    assert states(annuaire, [acme]) == [("ACTIVE", following.version)]


def test_upgrades_run_together_up_to_the_bound(annuaire: Annuaire, tmp_path: Path) -> None:
    several = organisations(annuaire, *(f"o{number}" for number in range(5)))
    following = Next(annuaire, tmp_path / "suivante", f"{COLUMN}\nselect pg_sleep(1);")
    start = several[0].database[:-1]
    together = set()
    with following.migrating("--toutes", "--ensemble", "2") as process:
        while process.poll() is None:
            together.add(len(execute(annuaire.url, SLEEPING, start)))
        assert process.wait() == 0
    assert max(together) == 2
    assert states(annuaire, several) == [("ACTIVE", following.version)] * 5


def test_two_upgrades_of_all_at_once_upgrade_each_organisation_once(annuaire: Annuaire, following: Next) -> None:
    several = organisations(annuaire, "acme", "bobo", "zoe")
    with following.migrating("--toutes") as first, following.migrating("--toutes") as second:
        outputs = [process.communicate()[0] for process in (first, second)]
        assert [first.returncode, second.returncode] == [0, 0], outputs
    assert states(annuaire, several) == [("ACTIVE", following.version)] * 3
    for one in several:
        assert schema.drift(annuaire.address(one), following.release) == []


# ---- two releases serve


def test_each_release_serves_the_organisations_that_have_it(
    annuaire: Annuaire, following: Next, tmp_path: Path, valkey_url: str
) -> None:
    """The process of the former release started before the upgrade, the process of the next release after it."""
    acme, bobo = annuaire.make("acme"), annuaire.make("bobo")
    mark(annuaire, bobo, "CASSE")
    common = {"KVSTORE_URL": valkey_url, "COMPTOIR_ETAT": str(tmp_path / "etat")}
    with running(tmp_path, **annuaire.environment, **common) as old:
        tokens = {one.code: annuaire.sign_in(old, one)[1]["accessToken"] for one in (acme, bobo)}
        assert [read(old, one, tokens) for one in (acme, bobo)] == [(200, ""), (200, "")]
        assert following.migrate().returncode == 1
        with running(tmp_path, **following.environment, **common) as new:
            eventually(lambda: read(old, acme, tokens)[0] == 503)
            assert read(old, acme, tokens) == (503, "ORGANISATION_EN_RETARD")
            assert read(old, bobo, tokens) == (200, "")
            assert read(new, acme, tokens) == (200, "")
            assert read(new, bobo, tokens) == (503, "ORGANISATION_EN_RETARD")
            answer = new.client.get("/core/parametres", headers={"x-organisation": bobo.code})
            assert answer.json()["message"].startswith("Sa mise à jour a échoué : Migration 9001.core-essai")
            assert REASON in answer.json()["message"]

            unmark(annuaire, bobo)
            assert following.migrate().returncode == 0
            eventually(lambda: read(new, bobo, tokens) == (200, ""))
            eventually(lambda: read(old, bobo, tokens) == (503, "ORGANISATION_EN_RETARD"))


def read(service: Service, one: Organisation, tokens: dict[str, str]) -> tuple[int, str]:
    """The status of a request to this organisation, and the rule of a refusal."""
    headers = {"x-organisation": one.code, "authorization": f"Bearer {tokens[one.code]}"}
    answer = service.client.get("/finances/moyens-paiement", headers=headers)
    return answer.status_code, answer.json()["code"] if answer.status_code != 200 else ""


def test_a_release_without_an_organisation_does_not_start(annuaire: Annuaire, following: Next) -> None:
    organisations(annuaire, "acme")
    refused = following.comptoir("serve")
    assert refused.returncode == 1
    assert "L'annuaire n'a pas d'organisation de cette version" in refused.stderr


# ---- rehearsal


def test_a_rehearsal_upgrades_a_copy_and_leaves_the_organisation_alone(annuaire: Annuaire, following: Next) -> None:
    acme, _ = several = organisations(annuaire, "acme", "acme-repetition")
    before = functions(annuaire.address(acme))
    present = databases(annuaire, acme.database)
    completed = following.migrate("--repetition", acme.code)
    assert completed.returncode == 0, completed
    last = completed.stdout.splitlines()[-1]
    assert re.match(rf"La mise à jour d'une copie de {acme.code} réussit, en \d+\.\d s", last)
    assert "Migration 9001.core-essai appliquée" in completed.stdout
    assert states(annuaire, several) == [("ACTIVE", HERE.version())] * 2
    former(annuaire, acme, before)
    assert databases(annuaire, acme.database) == present


def test_a_failed_rehearsal_names_the_reason_and_leaves_no_copy(annuaire: Annuaire, following: Next) -> None:
    (acme,) = organisations(annuaire, "acme")
    before = functions(annuaire.address(acme))
    mark(annuaire, acme, "CASSE")
    completed = following.migrate("--repetition", acme.code)
    assert completed.returncode == 1 and REASON in completed.stderr
    assert states(annuaire, [acme]) == [("ACTIVE", HERE.version())]
    assert annuaire.registry.find(acme.code).reason is None
    former(annuaire, acme, before)
    assert databases(annuaire, acme.database) == {acme.database}


def test_an_interrupted_rehearsal_leaves_no_copy(annuaire: Annuaire, tmp_path: Path) -> None:
    (acme,) = organisations(annuaire, "acme")
    mark(annuaire, acme, "LENTE")
    following = Next(annuaire, tmp_path / "suivante", SLOW)
    with following.migrating("--repetition", acme.code) as process:
        eventually(lambda: execute(annuaire.url, SLEEPING, acme.database), 60)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) != 0
    assert databases(annuaire, acme.database) == {acme.database}
