"""The logs of the migration, the service and the worker hold no secret, on success and on failure."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from bench.valkey import Valkey
from tests import builders, commands
from tests.conftest import Db, temporary_role
from tests.mail import answering
from tests.server import environment, eventually, running, worker

PASSWORDS = {name: f"secret-{name}-Zq7" for name in ("ancien", "nouveau", "faux", "refuse", "base", "autre")}
KEYS = {
    "JWT_SECRET": "secret-jwt-Zq7-qui-compte-bien-plus-de-32-octets",
    "JWT_SECRET_PRECEDENT": "secret-jwt-avant-Zq7-qui-compte-plus-de-32-octets",
    "SECRETS_CLE": "secret-cle-Zq7-qui-compte-bien-plus-de-32-octets",
    "SECRETS_CLE_PRECEDENTE": "secret-cle-avant-Zq7-qui-compte-plus-de-32-octets",
    "S3_ACCESS_KEY": "secret-acces-s3-Zq7",
    "S3_SECRET_KEY": "secret-cle-s3-Zq7",
    "MAILER_API_KEY": "secret-courriel-Zq7",
    "METRICS_TOKEN": "secret-mesures-Zq7",
}
PERSON = {"nom": "Exemple", "prenoms": "Awa", "tel_principal": "+2250700000000", "email": "awa@exemple.ci"}


def test_no_log_holds_a_password_key_or_token(tmp_path: Path, database_url: str, committed: Db) -> None:
    secrets = {**PASSWORDS, **KEYS}
    with (
        temporary_role(database_url, "superuser") as url,
        answering(text=PASSWORDS["autre"]) as mail,
        Valkey(tmp_path / "magasin") as store,
    ):
        role, address = urlsplit(url).username, url.replace(builders.PASSWORD, PASSWORDS["base"])
        committed.execute(f"alter role {role} password '{PASSWORDS['base']}'")
        settings = {
            **KEYS, "DATABASE_URL": address, "KVSTORE_URL": store.url, "MAILER_URL": mail.url,
            "S3_ENDPOINT": "http://127.0.0.1:1", "COMPTOIR_ETAT": str(tmp_path / "etat"),
        }  # fmt: skip
        logs = migrate(settings) + migrate({**settings, "DATABASE_URL": address.replace("base", "faux", 1)})
        with running(tmp_path, **settings) as service, worker(tmp_path, **settings) as (_, log):
            account = {**PERSON, "login": "awa.exemple", "mot_de_passe": PASSWORDS["ancien"]}
            session = service.client.post("/auth/inscription", json=account).json()
            secrets |= {"accès": session["accessToken"], "rafraîchissement": session["refreshToken"]}
            credentials = [("awa.exemple", "ancien"), ("awa.exemple", "faux"), (PASSWORDS["refuse"], "refuse")]
            for login, word in credentials:
                service.client.post("/auth/login", json={"login": login, "mot_de_passe": PASSWORDS[word]})
            service.client.post("/auth/login", content=f'{{"mot_de_passe": "{PASSWORDS["refuse"]}')
            service.client.get("/auth/me", headers={"authorization": f"Bearer {PASSWORDS['refuse']}"})
            service.client.get(f"/auth/me?access_token={PASSWORDS['refuse']}")
            renewed = service.client.post("/auth/refresh", json={"refresh_token": session["refreshToken"]}).json()
            secrets |= {"accès 2": renewed["accessToken"], "rafraîchissement 2": renewed["refreshToken"]}
            replayed = service.client.post("/auth/refresh", json={"refresh_token": session["refreshToken"]})
            assert replayed.status_code == 401
            service.client.post("/auth/mot-de-passe-oublie", json={"login": "awa.exemple"})
            letters = eventually(lambda: mail.requests)
            token = re.search(r"jeton=([\w-]+)", letters[0]["json"]["textContent"])
            assert token
            secrets["réinitialisation"] = token[1]
            reset = {"jeton": token[1], "nouveau_mot_de_passe": PASSWORDS["nouveau"]}
            for status in (200, 400):
                assert service.client.post("/auth/reinitialiser-mot-de-passe", json=reset).status_code == status
            mail.status = 500  # now the mail service refuses with a text of its own
            service.client.post("/auth/mot-de-passe-oublie", json={"login": "awa.exemple"})
            eventually(lambda: len(mail.requests) > 1)
            manager = service.login()
            photo = {"file": ("photo.jpg", b"\xff\xd8\xff\xe0 photo")}
            assert manager.post("/uploads", data={"categorie": "plat-photo"}, files=photo).status_code == 503
            # Now the database refuses the account.
            committed.execute(f"alter role {role} password '{PASSWORDS['autre']}'")
            committed.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = %s", [role])
            eventually(lambda: manager.get("/client/clients").status_code >= 500)
            service.stop()
            logs += service.log.read_text() + log.read_text()
    # The test has read the logs of both processes.
    assert '"route":"/api/v1/auth/refresh"' in logs and "attend les tâches" in logs
    assert not [name for name, secret in secrets.items() if secret in logs], logs


def migrate(settings: dict[str, str]) -> str:
    process = commands.run_apart(environment(settings), "migrate")
    return process.stdout + process.stderr
