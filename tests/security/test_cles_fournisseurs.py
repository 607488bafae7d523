"""Keys of providers are in no dump, log, export, journal or answer; production asks for the key that seals them."""

import json
import subprocess
from argparse import Namespace
from pathlib import Path

import pytest

from app.auth.encrypted import Secrets, provider_keys, refuse_missing_key
from app.base.refusal import Refusal
from app.base.settings import Settings, SettingsError
from app.commands.database import migrate
from tests import builders, commands
from tests.conftest import Db, a_postgres
from tests.server import environment, eventually, running, worker
from tests.tresorerie.argent import compte
from tests.tresorerie.fournisseur import KEY, SIGNS, providing, wave_notice

OLD, NEW = "Vq3mR8zKx1Lw6TyB9cHf2JdNs5Pg7Ua4", "Zk8vW2nQ5xTr1Yb6Mc9Hd3Lf7Js4PgAe"


@pytest.mark.promesse("Clés des fournisseurs : dans aucune sauvegarde, aucun journal, aucun export, aucune réponse")
def test_the_keys_of_a_provider_are_nowhere_in_clear(
    tmp_path: Path, addresses: dict[str, str], database_url: str, committed: Db
) -> None:
    bill, method = builders.facture(committed, "1000"), str(builders.moyen(committed, "Mobile Money"))
    settings = {**addresses, "WEBHOOK_RESEAUX": "127.0.0.0/8", "COMPTOIR_ETAT": str(tmp_path / "etat")}
    answers = ""
    with providing() as provider, running(tmp_path, **settings) as service, worker(tmp_path, **settings) as (_, log):
        admin = service.login()
        fields = {"libelle": "Wave", "genre": "MOBILE", "fournisseur": "WAVE", "id_moyen": method}
        account = admin.post("/tresorerie/comptes", json=fields).json()["id_compte"]
        access = {"cle": KEY, "secret": SIGNS, "adresse": provider.url}
        url = admin.put(f"/tresorerie/comptes/{account}/acces", json=access).json()["url_avis"]
        token = url.rpartition("/")[2]
        demand = {"id_compte": account, "montant": "1000", "id_facture": str(bill)}
        made = admin.post("/tresorerie/demandes", json=demand).json()["id_demande"]
        path = f"/tresorerie/demandes/{made}"
        eventually(lambda: admin.get(path).json()["statut"] == "ENVOYEE")
        reference = admin.get(path).json()["reference"]
        key = provider.pay(reference)
        body, headers = wave_notice(reference, session=key)
        assert service.client.post(f"/tresorerie/avis/{token}", content=body, headers=headers).status_code == 200
        eventually(lambda: admin.get(path).json()["statut"] == "PAYEE")
        provider.lies = ["500"]
        for route in (path, "/tresorerie/comptes", "/tresorerie/avis", "/audit/journal", "/evenements"):
            answers += admin.get(route).text
        answers += admin.post(f"{path}/verifier").text
        service.stop()
        logs = service.log.read_text() + log.read_text()
    dump = subprocess.run(
        [a_postgres(tmp_path / "programme").bin / "pg_dump", database_url], capture_output=True, check=True
    )
    export = commands.run_apart(
        environment(settings), "export", str(tmp_path / "export"), "--sans-documents", "--sans-fichiers"
    )
    assert export.returncode == 0, export.stdout + export.stderr
    exported = b"".join(file.read_bytes() for file in (tmp_path / "export").rglob("*") if file.is_file())
    assert reference.encode() in dump.stdout and reference.encode() in exported and reference in answers
    for secret in (KEY, SIGNS, token):
        assert secret.encode() not in dump.stdout and secret.encode() not in exported
        assert secret not in logs and secret not in answers


def test_production_with_a_provider_needs_the_key_of_accounts(committed: Db, database_url: str, tmp_path: Path) -> None:
    production = {"NODE_ENV": "production", "KVSTORE_URL": "redis://127.0.0.1:1", "JWT_SECRET": OLD, "SECRETS_CLE": OLD,
                  "DATABASE_URL": database_url, "MAILER": "journal"}  # fmt: skip
    settings = Settings.from_environment(production)
    refuse_missing_key(settings, database_url)  # no account has a provider
    compte(committed, fournisseur="WAVE")
    with pytest.raises(SettingsError, match="TRESORERIE_CLE manque"):
        refuse_missing_key(settings, database_url)
    refuse_missing_key(Settings.from_environment({**production, "TRESORERIE_CLE": NEW}), database_url)
    with pytest.raises(SettingsError, match=r"^TRESORERIE_CLE "):
        Settings.from_environment({**production, "TRESORERIE_CLE": "court"})


def test_migrate_encrypts_the_keys_of_accounts_again_under_a_new_key(
    committed: Db, database_url: str, tmp_path: Path
) -> None:

    account = compte(committed, fournisseur="WAVE")
    sealed = Secrets(OLD, None, "TRESORERIE_CLE").encrypt(json.dumps({"cle": KEY}), provider_keys(account))
    committed.execute("select tresorerie.acces_poser(%s, %s, 'hash')", [account, sealed])
    given = {"DATABASE_URL": database_url, "TRESORERIE_CLE": NEW, "TRESORERIE_CLE_PRECEDENTE": OLD}
    assert migrate.run(Settings.from_environment(given), Namespace(repetition=None, toutes=False)) == 0
    stored = committed.one("select secret from tresorerie.acces")
    assert json.loads(Secrets(NEW).decrypt(stored, provider_keys(account))) == {"cle": KEY}
    with pytest.raises(Refusal):
        Secrets(NEW).decrypt(stored, provider_keys(account + 1))  # of another account


def test_development_makes_the_key_of_accounts_beside_the_data(tmp_path: Path) -> None:

    settings = Settings.from_environment({"COMPTOIR_ETAT": str(tmp_path)})
    text = Secrets.of_accounts(settings).encrypt("clé", "essai")
    assert Secrets.of_accounts(settings).decrypt(text, "essai") == "clé"
    file = tmp_path / "tresorerie.cle"
    assert file.stat().st_mode & 0o777 == 0o600 and len(file.read_text().strip()) >= 32
