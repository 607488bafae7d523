"""The whole service as a process: start, stop, refused configurations, loss of its database and of its store."""

import asyncio
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from app.auth.passwords import hash_password
from app.leaves.embarque.postgres import Postgres
from bench.valkey import Valkey
from tests import builders, commands
from tests.conftest import Db, migrated_postgres, ok, temporary_role
from tests.server import environment, eventually, free_port, kill, running, start_again


def command(*words: str, **extra: str) -> subprocess.CompletedProcess[str]:
    return commands.run_apart(environment(extra), *words)


@pytest.mark.promesse("Démarrage : d'un dossier vide à une facture réglée, rien à installer d'autre")
def test_a_service_in_an_empty_folder_settles_an_invoice(tmp_path: Path) -> None:
    """As in the README: the embedded server, the first administrator, a service paid in two parts."""
    state = str(tmp_path / "etat")
    with running(tmp_path, COMPTOIR_ETAT=state) as service:
        admin = service.login()

        def created(path: str, **body: str) -> dict[str, Any]:
            return dict(ok(admin.post(path, json=body)))

        activite = admin.get("/finances/activites").json()[0]["id_activite"]
        caisse = created("/finances/caisses", libelle="Comptoir", id_activite=activite)["id_caisse"]
        created(f"/finances/caisses/{caisse}/ouvrir")
        moyen = admin.get("/finances/moyens-paiement").json()[0]["id_moyen"]
        prestation = created("/facturation/prestations", libelle="Chaises", prix="15000", id_activite=activite)
        path = f"/facturation/prestations/{prestation['id_prestation']}/facturer"
        first = created(path, montant="5000", id_moyen=moyen)
        assert (first["statut"], first["reste"]) == ("PARTIELLE", "10000.00")
        of = {"id_facture": first["id_facture"]}
        second = created("/finances/paiements", montant="10000", id_moyen=moyen, id_caisse=caisse, **of)
        paid = {"montant_total": "15000.00", "montant_paye": "15000.00", "reste": "0.00", "statut": "PAYEE"}
        assert second["facture"] == of | paid
        # A second service in the same folder or on the same port exits with a message.
        again = command("serve", COMPTOIR_ETAT=state, PORT=str(free_port()))
        assert again.returncode == 1
        assert f"Comptoir tourne déjà (pid {service.process.pid}, {service.url})" in again.stderr
        port = service.url.rsplit(":", 1)[1]
        taken = command("serve", COMPTOIR_ETAT=str(tmp_path / "autre"), PORT=port)
        assert taken.returncode == 1 and f"PORT={int(port) + 1}." in taken.stderr
        assert f"Le port {port} de 127.0.0.1 n'est pas libre" in taken.stderr
        assert service.stop() == 0
        assert "Traceback" not in service.log.read_text()
    assert not Postgres(Path(state) / "postgres").running()


@pytest.mark.promesse("Panne : un service tué, le suivant reprend sa base")
def test_the_next_service_adopts_the_database_of_a_killed_service(tmp_path: Path) -> None:
    state = str(tmp_path / "etat")
    with running(tmp_path, COMPTOIR_ETAT=state) as service:
        created = service.login().post("/client/clients", json=builders.CLIENT).json()
        kill(service.process)
    with running(tmp_path, COMPTOIR_ETAT=state) as service:
        client = service.login().get(f"/client/clients/{created['id_client']}").json()
        assert client["code"] == created["code"]


@pytest.mark.promesse("Panne : le mot de passe de la base changé, l'API répond 503 jusqu'à son retour, et dit pourquoi")
def test_a_changed_password_gives_503_until_restored(tmp_path: Path, database_url: str, committed: Db) -> None:
    with (
        temporary_role(database_url, "in role comptoir_app") as url,
        running(tmp_path, DATABASE_URL=url, DATABASE_OWNER_URL=database_url) as service,
    ):
        account, admin = urlsplit(url).username, service.login()
        committed.execute(f"alter role {account} password 'second'")
        committed.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = %s", [account])
        refused = eventually(lambda: (answer := admin.get("/client/clients")).status_code != 200 and answer)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "2"), refused.text
        eventually(lambda: f'password authentication failed for user "{account}"' in service.log.read_text())
        committed.execute(f"alter role {account} password '{builders.PASSWORD}'")
        eventually(lambda: admin.get("/client/clients").status_code == 200)


@pytest.mark.promesse("Réglages : la production refuse le mot de passe de développement")
def test_production_does_not_start_with_the_development_password(committed: Db, addresses: dict[str, str]) -> None:
    """The first account and accounts that share one hash, as in the demonstration, are checked."""
    settings = {**addresses, "COMPTOIR_MOT_DE_PASSE": "motdepasse"}
    refused = command("admin", "admin", **settings)
    assert refused.returncode == 1 and "trop courant" in refused.stderr
    hashed = asyncio.run(hash_password("motdepasse"))
    for login in ("admin", "direction", "ancienne.caisse"):
        user = builders.utilisateur(committed, login=login, role="ADMINISTRATEUR")
        committed.execute("update auth.secret set mot_de_passe = %s where id_utilisateur = %s", [hashed, user])
    for number in range(2):  # two accounts share the hash of an unknown password
        builders.utilisateur(committed, login=f"partage.{number}")
    production = {"NODE_ENV": "production", "MAILER": "journal", "PORT": str(free_port())}
    result = command("serve", **production, **settings)
    assert result.returncode == 1
    assert "mot de passe de développement : admin, direction, ancienne.caisse. Changez" in result.stderr


@pytest.mark.bref
@pytest.mark.promesse("Panne : la base s'en va, 503 ; elle revient, le service reprend de lui-même")
def test_the_api_answers_503_without_the_database_and_recovers(tmp_path: Path) -> None:
    with migrated_postgres(tmp_path / "base") as server:
        port = server.port
        with running(tmp_path, DATABASE_URL=server.url()) as service:
            admin = service.login()
            assert admin.get("/client/clients").status_code == 200
            server.stop()
            answer = admin.get("/client/clients")
            assert (answer.status_code, answer.json()["code"]) == (503, "INDISPONIBLE")
            assert answer.headers["retry-after"]
            ready = service.client.get("/health/ready")
            assert (ready.status_code, ready.json()["error"]["database"]["status"]) == (503, "down")
            assert service.client.get("/health/live").status_code == 200
            start_again(server, port)
            eventually(lambda: admin.get("/client/clients").status_code == 200)
            assert service.client.get("/health/ready").json()["status"] == "ok"


@pytest.mark.parametrize("processes", ["1", "2"])
def test_the_printed_address_answers_at_once(tmp_path: Path, database_url: str, processes: str) -> None:
    port = free_port()
    given = environment({"PORT": str(port), "DATABASE_URL": database_url, "WEB_CONCURRENCY": processes})
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "app", "serve"], env=given, start_new_session=True, **output
    )
    try:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "Comptoir sert sur" in line:
                break
        assert httpx.get(f"http://127.0.0.1:{port}/api/v1/health/live", timeout=20).status_code == 200, lines
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


SIGNALLED = """
import os, signal, sys, time, uvicorn
def run(*_, **__):
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(600)
uvicorn.run = run
from app.__main__ import main
sys.argv = ["comptoir", "serve"]
sys.exit(main())
"""


def test_a_signal_just_before_the_server_starts_ends_the_service(database_url: str) -> None:
    given = environment({"PORT": str(free_port()), "DATABASE_URL": database_url})
    assert subprocess.run([sys.executable, "-c", SIGNALLED], env=given).returncode == 0


@pytest.mark.promesse("Panne : sans Valkey, on se connecte encore et la santé le dit")
def test_users_sign_in_without_the_store_and_health_reports_it(tmp_path: Path, database_url: str) -> None:
    store = Valkey(tmp_path / "magasin")
    with store, running(tmp_path, DATABASE_URL=database_url, KVSTORE_URL=store.url) as service:
        admin = service.login()
        assert service.client.get("/health/ready").json()["details"]["redis"] == {"status": "up"}
        store.stop()
        assert admin.get("/auth/me").status_code == 200
        ready = service.client.get("/health/ready")
        assert (ready.status_code, ready.json()["error"]["redis"]["status"]) == (503, "down")
        assert service.login().get("/auth/me").status_code == 200


@pytest.mark.promesse("Plusieurs processus : limites, jetons révoqués et mesures sont communs")
def test_processes_share_throttle_denylist_and_metrics(tmp_path: Path, database_url: str, valkey_url: str) -> None:
    with running(tmp_path, DATABASE_URL=database_url, KVSTORE_URL=valkey_url, WEB_CONCURRENCY="2") as service:

        def attempt(_: int) -> int:
            with service.new_client() as client:
                return client.post("/auth/mot-de-passe-oublie", json={"login": "personne"}).status_code

        with ThreadPoolExecutor(6) as threads:
            statuses = list(threads.map(attempt, range(12)))
        assert sorted(statuses) == [200] * 5 + [429] * 7

        admin = service.login()
        assert admin.post("/auth/logout", json={"refresh_token": "x"}).status_code == 200
        for _ in range(12):  # enough requests to reach both processes
            with service.new_client(**admin.headers) as client:
                assert client.get("/auth/me").status_code == 401

        line = 'http_requests_total{method="POST",route="/api/v1/auth/mot-de-passe-oublie",status="429"} 7.0'
        for _ in range(6):
            assert line in httpx.get(f"{service.url}/metrics").text
        assert "process_resident_memory_bytes" in httpx.get(f"{service.url}/metrics").text
