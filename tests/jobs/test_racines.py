"""The published root of a day: a file, the store, an event, letters; and the comparison of a base with kept roots."""

# ruff: noqa: F401, F811 - fixtures of another file

import asyncio
import base64
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.base.failure import Failure
from app.base.settings import Settings
from app.jobs import roots
from app.jobs.mailer import Mailer, MailError
from app.seals import checking, publishing, signing
from app.seals.checking import KeptRoot
from app.vault.vault import Vault
from tests import builders
from tests.audit.test_sceau import tamper
from tests.conftest import Db, connected
from tests.mail import Api, answering
from tests.preuves.backup.test_vault import archive, comptoir, home, stored, url
from tests.sceau.dossiers import PROOF, loose

SUBSCRIBERS = "compta@example.com, direction@example.com"


@pytest.fixture
def db(url: str) -> Any:
    """A connection that commits each statement."""
    with connected(url, autocommit=True) as db:
        yield db


@pytest.fixture
def with_store(archive: Vault, url: str) -> Settings:
    """The settings of a service that starts its own store."""
    return replace(archive.settings, database_url=url)


@pytest.fixture
def settings(with_store: Settings) -> Settings:
    """The settings of a service without a store of backups."""
    return replace(with_store, production=True, s3_endpoint=None)


def subscribe(db: Db, addresses: str = SUBSCRIBERS) -> None:
    db.execute("update core.parametre set valeur = %s where cle = 'SCEAU_ABONNES'", [addresses])


def publish(settings: Settings, api: Api, mailer: type[Mailer] = Mailer) -> None:
    async def run() -> None:
        sender = mailer("key", api.url, "ne-pas-repondre@example.com")
        try:
            await roots.publish(settings, sender)
        finally:
            await sender.close()

    asyncio.run(run())


def test_the_root_of_a_day_goes_to_a_file_the_store_the_events_and_the_subscribers(
    db: Db, with_store: Settings, archive: Vault, home: Path
) -> None:
    subscribe(db)
    with answering() as api:
        publish(with_store, api)
    [row] = db.all("select * from audit.publication_vue")
    name = f"racines/racine-{row['jour']}.txt"
    assert (home / name).read_text() == row["texte"]
    assert stored(archive, name) == row["texte"].encode()
    assert sorted(sent["json"]["to"][0]["email"] for sent in api.requests) == SUBSCRIBERS.split(", ")
    for sent in api.requests:
        [file] = sent["json"]["attachment"]
        assert base64.b64decode(file["content"]).decode() == row["texte"] and file["name"].endswith(".txt")
    [event] = db.all("select donnees from evenement.evenement where type = 'sceau.publie'")
    assert event["donnees"]["texte"] == row["texte"]


def test_a_refused_subscriber_deprives_no_other_and_is_tried_again(db: Db, settings: Settings) -> None:
    """The service refuses the first address. The next run of the job writes to that one only."""
    subscribe(db)
    with answering() as api:
        publish_refused(settings, api, "compta@example.com")
        builders.facture(db)
        publish(settings, api)
        publish(settings, api)
    tried = [sent["json"]["to"][0]["email"] for sent in api.requests]
    assert tried == ["compta@example.com", "direction@example.com", "compta@example.com"]
    assert db.one("select count(*) from audit.publication") == 1
    assert db.one("select count(*) from audit.tete") == 2
    assert db.one("select count(*) from evenement.evenement where type = 'sceau.publie'") == 1


def publish_refused(settings: Settings, api: Api, refused: str) -> None:
    """The service refuses one address, and the job fails with a sentence that masks it."""

    class Refusing(Mailer):
        async def send(self, to: str, name: str, letter: Any) -> None:
            api.status = 400 if to == refused else 201
            await super().send(to, name, letter)

    with pytest.raises(MailError) as error:
        publish(settings, api, Refusing)
    sentence = f"{refused[0]}…@example.com : Le service d'e-mail a refusé l'envoi (400)."
    assert str(error.value) == f"La racine n'est pas partie à tous ses abonnés. {sentence}"
    api.status = 201


def published(settings: Settings, url: str) -> str:
    root = publishing.publish(settings, url)
    assert root is not None
    return root.texte


def rewrite(db: Db, statement: str) -> None:
    with db.connection.transaction():
        tamper(db, statement)


def compared(url: str, kept: Path) -> list[str]:
    with psycopg.connect(url, autocommit=True) as connection:
        return checking.problems(connection, KeptRoot.read(kept))


def test_the_root_of_a_restored_base_replaces_no_root_of_the_same_day(
    db: Db, with_store: Settings, archive: Vault, url: str, home: Path
) -> None:
    """A backup from before the publication of the day knows nothing of it: the base signs another root that day."""
    first = published(with_store, url)
    rewrite(db, "truncate audit.publication, audit.publication_envoi, audit.tete cascade")
    builders.facture(db)
    second = published(with_store, url)
    assert second != first and published(with_store, url) == second
    day = db.one("select jour from audit.publication")
    name = f"racines/racine-{day}-{sha256(second.encode()).hexdigest()[:8]}.txt"
    for key, text in ((f"racines/racine-{day}.txt", first), (name, second)):
        assert (home / key).read_text() == text
        assert stored(archive, key) == text.encode()
    assert len(list((home / "racines").iterdir())) == 2


@pytest.mark.parametrize("subscribers", ["", "compta@example.com"])
def test_a_service_without_a_store_of_backups_writes_the_root_and_the_letters(
    db: Db, settings: Settings, home: Path, subscribers: str
) -> None:
    subscribe(db, subscribers)
    with answering() as api:
        publish(settings, api)
    [root] = db.all("select jour, texte from audit.publication_vue")
    assert (home / f"racines/racine-{root['jour']}.txt").read_text() == root["texte"]
    assert len(api.requests) == len(subscribers.split())


def test_a_state_folder_that_cannot_be_written_is_named(db: Db, settings: Settings, url: str, home: Path) -> None:
    home.write_text("a file in the place of the folder")
    with pytest.raises(Failure, match=rf"{home}.* COMPTOIR_ETAT"):
        publishing.publish(settings, url)


def test_a_list_of_subscribers_is_checked(db: Db) -> None:
    for addresses in ("compta", "a@b.c;d@e.f", "a@b.c,,d@e.f", "a b@c.d", ", ".join(["a@b.c"] * 11)):
        with pytest.raises(psycopg.Error, match="adresses électroniques"):
            subscribe(db, addresses)


def test_the_commands_publish_verify_and_replace_the_key(db: Db, url: str, home: Path, tmp_path: Path) -> None:
    published = comptoir(url, home, "sceau", "publier")
    assert published.returncode == 0 and published.stdout.startswith("comptoir/"), published.stderr
    kept = tmp_path / "gardee.txt"
    kept.write_text(published.stdout)
    builders.facture(db)
    assert comptoir(url, home, "sceau", "cle").returncode == 0
    assert comptoir(url, home, "sceau", "publier").stdout == published.stdout  # one root a day
    good = comptoir(url, home, "sceau", "verifier", "--racine", str(kept))
    assert good.returncode == 0 and "Rien n'a changé depuis" in good.stdout, good.stdout + good.stderr
    rewrite(db, "update facturation.facture set numero = numero || 'X' where id_facture = 1")
    bad = comptoir(url, home, "sceau", "verifier", "--racine", str(kept))
    assert bad.returncode == 1 and "entrée changée" in bad.stdout


def test_a_base_rewritten_whole_differs_from_a_kept_root(db: Db, settings: Settings, url: str, tmp_path: Path) -> None:
    """An owner who rewrites an entry, the seals, the tree and the signatures agrees with himself only."""
    kept = tmp_path / "gardee.txt"
    kept.write_text(published(settings, url))
    rewrite(db, "update facturation.facture set numero = numero || 'X' where id_facture = 1")
    rewrite(db, "truncate audit.sceau, audit.noeud cascade")
    signing.seal(url)
    assert db.all("select message from audit.verifier()") == []
    [problem] = compared(url, kept)
    assert "ne sont plus celles qu'elle couvrait" in problem or "des entrées ont disparu" in problem


def test_a_forged_root_is_refused(db: Db, settings: Settings, url: str, tmp_path: Path) -> None:
    text = published(settings, url)
    origin, size, root, date, _, signature, _ = text.split("\n")
    key = signature.rpartition(" ")[2]
    raw = base64.b64decode(key)
    forged = {
        "size": text.replace(f"\n{size}\n", f"\n{int(size) - 1}\n"),
        "root": text.replace(root, base64.b64encode(bytes(32)).decode()),
        "date": text.replace(date, "date 2020-01-01T00:00:00Z"),
        "signature": text.replace(key, base64.b64encode(bytes([*raw[:9], raw[9] ^ 1, *raw[10:]])).decode()),
        "origin": text.replace(origin, "comptoir/00000000-0000-0000-0000-000000000000"),
    }
    file = tmp_path / "forgee.txt"
    for change, altered in forged.items():
        file.write_text(altered)
        [problem] = compared(url, file)
        expected = "d'un autre arbre" if change == "origin" else "aucune clé de cette base ne l'a signée"
        assert expected in problem, change


LOOSE = [loose(PROOF["racine"].split("\n"), line).encode() for line in (2, 5)]


@pytest.mark.parametrize("content", [b"", b"x", b"\xff" * 100, b"comptoir/1\n1\nx\n", b"0" * 1_000_000, *LOOSE])
def test_a_file_that_is_no_root_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "racine.txt"
    file.write_bytes(content)
    with pytest.raises(Failure, match="n'est pas une racine signée"):
        KeptRoot.read(file)
    with pytest.raises(Failure, match="ne se lit pas"):
        KeptRoot.read(tmp_path / "absente.txt")
