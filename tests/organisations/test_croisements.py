"""Tokens, keys, files, sockets and throttles of one organisation are nothing in another one of the same process."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import socketio

from app.leaves.organisations.organisation import Organisation
from tests.annuaire import Annuaire, annuaire
from tests.conftest import execute, ok, one, refusal
from tests.server import Service, eventually, in_a_loop, running, until

NAMESPACE = "/notifications"
PNG = b"\x89PNG\r\n\x1a\n une photo"
NOTIFY = "select notification._emettre('essai.ici', 'LOW', %s, '', '{}', 'CORE.VOIR', null, null, null)"
SALE = {"montant": "1000", "id_moyen": "1", "id_activite": "1"}


@dataclass
class Two:
    """Two organisations of one process, whose administrators have the same id, login and password."""

    registry: Annuaire
    service: Service
    acme: Organisation
    beta: Organisation

    def client(self, organisation: Organisation, **headers: str) -> httpx.Client:
        return self.service.new_client(**{"x-organisation": organisation.code, **headers})

    def signed_in(self, organisation: Organisation) -> tuple[httpx.Client, dict[str, Any]]:
        """A client with a session, and the answer of the sign-in."""
        return self.registry.sign_in(self.service, organisation)

    async def connect(self, client: socketio.AsyncClient, organisation: str, session: dict[str, Any]) -> None:
        await client.connect(
            self.service.url, auth={"token": session["accessToken"]}, headers={"x-organisation": organisation},
            namespaces=[NAMESPACE], transports=["websocket"],
        )  # fmt: skip


@pytest.fixture(scope="module")
def two(worker_id: str, valkey_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    with annuaire(worker_id) as registry:
        acme, beta = registry.make("acme", "acme.example.com"), registry.make("beta")
        folder = tmp_path_factory.mktemp("service")
        settings = {"KVSTORE_URL": valkey_url, "COMPTOIR_ETAT": str(folder / "etat")}
        with running(folder, **registry.environment, **settings) as service:
            yield Two(registry, service, acme, beta)


def test_a_request_belongs_to_the_organisation_of_its_host_name(two: Two) -> None:
    _, session = two.signed_in(two.acme)
    bearer = {"authorization": f"Bearer {session['accessToken']}"}
    for host in ("acme.example.com", "ACME.example.com:8443"):
        assert two.service.client.get("/auth/me", headers={"host": host, **bearer}).status_code == 200


def test_a_request_without_an_organisation_is_refused(two: Two) -> None:
    for headers in ({}, {"host": "autre.example.com"}, {"x-organisation": "inconnue"}):
        answer = two.service.client.get("/auth/me", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")
        assert "X-Organisation" in answer.json()["message"]


def test_a_request_that_names_two_organisations_is_refused(two: Two) -> None:
    headers = {"host": "acme.example.com", "x-organisation": two.beta.code}
    assert refusal(two.service.client.get("/auth/me", headers=headers)) == (400, "ORGANISATION_DOUBLE")
    twice = [("x-organisation", two.acme.code), ("x-organisation", two.beta.code)]
    assert refusal(httpx.get(f"{two.service.url}/api/v1/auth/me", headers=twice)) == (400, "ENTETE_EN_DOUBLE")


def test_a_cache_keeps_a_public_answer_for_its_organisation_only(two: Two) -> None:
    for organisation in (two.acme, two.beta):
        ok(two.signed_in(organisation)[0].put("/core/parametres/VITRINE", json={"valeur": "1"}))
        answer = two.client(organisation).get("/market/vitrine")
        assert answer.headers["cache-control"] == "public, max-age=60"
        assert "X-Organisation" in answer.headers["vary"]


def test_health_metrics_and_documentation_need_no_organisation(two: Two) -> None:
    for path in ("/api/v1/health", "/api/v1/health/live", "/metrics", "/docs", "/api/v1"):
        assert httpx.get(two.service.url + path, follow_redirects=True).status_code == 200, path


def test_a_token_opens_only_its_organisation(two: Two) -> None:
    client, session = two.signed_in(two.acme)
    assert client.get("/auth/me").status_code == 200
    foreign = two.client(two.beta, authorization=f"Bearer {session['accessToken']}")
    assert foreign.get("/auth/me").status_code == 401
    assert foreign.post("/finances/paiements", json=SALE).status_code == 401
    body = {"refresh_token": session["refreshToken"]}
    assert two.client(two.beta).post("/auth/refresh", json=body).status_code == 401
    assert two.client(two.acme).post("/auth/refresh", json=body).status_code == 200
    made = client.post("/auth/cles", json={"libelle": "Caisse", "permissions": ["FINANCES.VOIR"]})
    assert made.status_code == 201, made.text
    bearer = f"Bearer {made.json()['cle']}"
    assert two.client(two.acme, authorization=bearer).get("/finances/paiements").status_code == 200
    assert two.client(two.beta, authorization=bearer).get("/finances/paiements").status_code == 401


def test_a_sign_out_of_one_organisation_ends_no_session_of_another(two: Two) -> None:
    acme, session = two.signed_in(two.acme)
    beta, _ = two.signed_in(two.beta)
    assert acme.post("/auth/logout", json={"refresh_token": session["refreshToken"]}).status_code == 200
    assert (acme.get("/auth/me").status_code, beta.get("/auth/me").status_code) == (401, 200)


def test_wrong_passwords_of_one_organisation_do_not_lock_an_account_of_another(two: Two) -> None:
    wrong = {"login": "caissier", "mot_de_passe": "faux et long"}
    tries = [two.client(two.acme).post("/auth/login", json=wrong).status_code for _ in range(6)]
    assert tries[-1] == 429
    assert two.client(two.beta).post("/auth/login", json=wrong).status_code == 401


def test_an_idempotency_key_counts_in_each_organisation_apart(two: Two) -> None:
    clients = [two.signed_in(organisation)[0] for organisation in (two.acme, two.beta)]
    key = {"Idempotency-Key": "la-meme"}
    answers = [client.post("/finances/paiements", json=SALE, headers=key) for client in clients for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201] * 4
    assert ["idempotency-replayed" in answer.headers for answer in answers] == [False, True, False, True]
    for organisation in (two.acme, two.beta):
        assert one(two.registry.address(organisation), "select count(*) from finances.paiement") == 1


def test_an_uploaded_file_is_absent_from_another_organisation(two: Two) -> None:
    (acme, _), (beta, _) = two.signed_in(two.acme), two.signed_in(two.beta)
    key = ok(acme.post("/uploads", data={"categorie": "client-photo"}, files={"file": ("photo.png", PNG)}))["key"]
    assert acme.get("/uploads", params={"key": key}).status_code == 200
    assert beta.get("/uploads", params={"key": key}).status_code == 404


@in_a_loop
async def test_a_notification_reaches_only_the_sockets_of_its_organisation(two: Two) -> None:
    received: dict[str, list[Any]] = {two.acme.code: [], two.beta.code: []}
    clients = [socketio.AsyncClient(reconnection=False) for _ in received]
    try:
        for client, organisation in zip(clients, (two.acme, two.beta), strict=True):
            heard = received[organisation.code]
            client.on("notifications:history", lambda _, heard=heard: heard.append("history"), NAMESPACE)
            client.on("notification", lambda data, heard=heard: heard.append(data["message"]["title"]), NAMESPACE)
            await two.connect(client, organisation.code, two.signed_in(organisation)[1])
        await until(lambda: all(received.values()))
        for organisation in (two.beta, two.acme):
            execute(two.registry.address(organisation), NOTIFY, f"Pour {organisation.code}")
        await until(lambda: all(len(messages) > 1 for messages in received.values()))
        assert received == {code: ["history", f"Pour {code}"] for code in received}
    finally:
        for client in clients:
            await client.disconnect()


@in_a_loop
async def test_a_token_of_another_organisation_opens_no_socket(two: Two) -> None:
    refused: list[Any] = []
    client = socketio.AsyncClient(reconnection=False)
    client.on("notifications:error", refused.append, NAMESPACE)
    await two.connect(client, two.beta.code, two.signed_in(two.acme)[1])
    await until(lambda: refused)
    await client.disconnect()
    assert "Connectez-vous" in refused[0]["message"]


def test_a_suspended_organisation_answers_403_until_it_is_resumed(two: Two) -> None:
    client, _ = two.signed_in(two.beta)
    two.registry.registry.move_to(two.beta.code, "SUSPENDUE", reason="Abonnement échu.")
    eventually(lambda: client.get("/auth/me").status_code == 403)
    refused = client.get("/auth/me").json()
    assert (refused["code"], refused["message"]) == ("ORGANISATION_SUSPENDUE", "Abonnement échu.")
    two.registry.registry.move_to(two.beta.code, "ACTIVE")
    eventually(lambda: client.get("/auth/me").status_code == 200)


def test_an_organisation_of_another_version_answers_503_with_its_reason(two: Two) -> None:
    client, _ = two.signed_in(two.beta)
    registry = two.registry.registry
    registry.move_to(two.beta.code, "EN_RETARD", reason="Sa mise à jour a échoué : essai.", version="autre")
    eventually(lambda: client.get("/auth/me").status_code == 503)
    refused = client.get("/auth/me")
    assert refused.json()["code"] == "ORGANISATION_EN_RETARD"
    assert (refused.json()["message"], refused.headers["retry-after"]) == ("Sa mise à jour a échoué : essai.", "2")
    registry.move_to(two.beta.code, "ACTIVE", version=two.beta.version)
    eventually(lambda: client.get("/auth/me").status_code == 200)


def test_the_request_log_names_the_organisation(two: Two) -> None:
    two.signed_in(two.acme)
    eventually(lambda: f'"organisation":"{two.acme.code}"' in two.service.log.read_text())
