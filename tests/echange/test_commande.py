"""comptoir import: the same trial and import from the shell, in the name of an account."""

import pytest

from app.__main__ import _parser
from app.base.failure import Failure
from app.base.settings import Settings
from app.leaves.echange import command
from app.leaves.echange.prepared import Prepared
from tests import builders
from tests.echange.test_lots import LOTS, people
from tests.sheets import text


def run(url, *arguments):
    settings = Settings.from_environment({"NODE_ENV": "test", "JWT_SECRET": "x" * 40, "DATABASE_URL": url})
    return command.run.run(settings, _parser().parse_args(["import", *arguments]))


@pytest.fixture
def login(committed):
    return committed.account(builders.utilisateur(committed, role="CAISSIER"))["login"]


def test_a_sheet_is_tried_then_imported(tmp_path, committed, login, database_url, capsys):
    sheet = tmp_path / "clients.csv"
    rows = [("Koffi", "Ama", "0701020304", "x"), ("Bamba", "", "abc", "")]
    sheet.write_bytes(text(("Nom", "Prénoms", "Tel", "Note"), *rows))
    committed.execute(LOTS)
    arguments = (str(sheet), "--entite", "clients", "--compte", login)
    assert run(database_url, *arguments) == 1
    printed = capsys.readouterr().out
    assert "Tel → tel_principal" in printed and "Note → (laissée de côté)" in printed
    assert "2 lignes : 1 acceptées, 0 déjà là, 1 refusées." in printed
    assert "ligne 3, prenoms : Ce champ est obligatoire." in printed and "Rien n'est importé" in printed
    assert committed.one("select count(*) from client.client where nom = 'Koffi'") == 0
    with pytest.raises(Failure, match="Des lignes sont refusées"):
        run(database_url, *arguments, "--valider", "--tout")
    assert run(database_url, *arguments, "--valider") == 1
    assert "1 lignes importées" in capsys.readouterr().out
    assert run(database_url, *arguments, "--colonnes", '{"Note": "prenoms", "Prénoms": null}') == 1
    long = tmp_path / "long.csv"
    long.write_bytes(people(101))
    assert run(database_url, str(long), *arguments[1:], "--valider") == 0
    assert "100 lignes sur 101" in capsys.readouterr().out
    author = """select distinct u.login from audit.journal j join auth.utilisateur u using (id_utilisateur)
                 where j.entite = 'client'"""
    assert committed.one(author) == login


def test_a_command_stopped_on_the_way_leaves_no_import(tmp_path, committed, login, database_url, monkeypatch):
    sheet = tmp_path / "clients.csv"
    sheet.write_bytes(people(2))
    monkeypatch.setattr(Prepared, "batches", stopped)
    with pytest.raises(KeyboardInterrupt):
        run(database_url, str(sheet), "--entite", "clients", "--compte", login)
    assert committed.one("select count(*) from echange.import") == 0


def stopped(_):
    yield "[]"
    raise KeyboardInterrupt


def test_the_command_knows_every_entity(db):
    assert list(command.ENTITIES) == db.one("select enum_range(null::echange.entite)::text[]")


def test_an_unknown_account_and_one_without_the_permission_are_refused(tmp_path, login, database_url):
    sheet = tmp_path / "employes.csv"
    sheet.write_bytes(text(("Nom", "Prénom"), ("Koffi", "Ama")))
    with pytest.raises(Failure, match="Aucun compte actif"):
        run(database_url, str(sheet), "--entite", "employes", "--compte", "personne")
    with pytest.raises(Failure, match=r"RH\.CREER"):
        run(database_url, str(sheet), "--entite", "employes", "--compte", login)
    with pytest.raises(Failure, match="n'existe pas"):
        run(database_url, str(tmp_path / "absent.csv"), "--entite", "employes", "--compte", login)
