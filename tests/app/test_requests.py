"""The path of a request: error envelope, bad input, throttles, headers, idempotency, lists."""

import json
import re
from dataclasses import replace
from typing import Any

import httpx
import pytest

from app.auth.kvstore import Store
from app.http.requestlog import RequestLog
from tests import builders
from tests.conftest import Db, Http, ok


def raw(http: Http, body: bytes, content_type: str = "application/json", path: str = "/client/clients") -> Any:
    return http.post(path, content=body, headers={"content-type": content_type})


def test_an_error_has_the_documented_envelope(http: Http) -> None:
    answer = http.get("/client/clients", headers={"x-request-id": "abc-1"})
    body = answer.json()
    assert (answer.status_code, body["success"], body["code"]) == (401, False, "UNAUTHORIZED")
    assert body["requestId"] == answer.headers["x-request-id"] == "abc-1"
    assert body["path"] == "/api/v1/client/clients"
    assert body["timestamp"].endswith("Z")


@pytest.mark.parametrize(
    "body, status, code",
    [
        (b"{", 400, "JSON_INVALIDE"),
        (b"[]", 400, "JSON_INVALIDE"),
        (b"\xff\xfe", 400, "JSON_INVALIDE"),
        (b'{"nom": "\\ud800"}', 400, "JSON_INVALIDE"),
        (b'{"nom": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", 400, "JSON_INVALIDE"),
        (b'{"nom": NaN}', 400, "JSON_INVALIDE"),
        (b"{}", 400, "VALIDATION_ERROR"),
        (b"", 400, "VALIDATION_ERROR"),
        (b"nom=Exemple", 415, "TYPE_DE_CONTENU"),
    ],
)
def test_a_malformed_body_is_refused(http: Http, body: bytes, status: int, code: str) -> None:
    answer = raw(http.as_admin(), body, "application/x-www-form-urlencoded" if status == 415 else "application/json")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize(
    "change, prop",
    [
        ({"nom": None}, "nom"),
        ({"nom": ""}, "nom"),
        ({"nom": "a" * 201}, "nom"),
        ({"nom": "a\u0000b"}, "nom"),
        ({"nom": 12}, "nom"),
        ({"type_client": "ROI"}, "type_client"),
        ({"tel_principal": "abc"}, "tel_principal"),
        ({"email": "pas une adresse"}, "email"),
        ({"date_naissance": "2026-02-31"}, "date_naissance"),
        ({"inconnu": 1}, "inconnu"),
    ],
)
def test_a_wrong_field_is_named(http: Http, db: Db, change: dict[str, Any], prop: str) -> None:
    before = db.one("select count(*) from client.client")
    answer = http.as_admin().post("/client/clients", json={**builders.CLIENT, **change})
    body = answer.json()
    assert (answer.status_code, body["code"], body["message"]) == (400, "VALIDATION_ERROR", "Validation échouée")
    assert [detail["property"] for detail in body["details"]] == [prop]
    assert body["details"][0]["messages"][0].endswith((".", ")."))
    assert db.one("select count(*) from client.client") == before


def test_all_wrong_fields_are_named_in_one_answer(http: Http) -> None:
    answer = http.as_admin().post("/client/clients", json={"nom": "", "type_client": "ROI"})
    fields = {detail["property"] for detail in answer.json()["details"]}
    assert fields == {"nom", "prenoms", "tel_principal", "type_client"}


@pytest.mark.parametrize(
    "value", ["1.005", "-1", "1e400", "99999999999999999", "NaN", "1 000", "1,5", True, [], "0x10"]
)
def test_an_amount_that_is_no_decimal_of_two_places_is_refused(http: Http, value: Any) -> None:
    answer = http.as_admin().post("/facturation/prestations", json={"libelle": "Chaises", "prix": value})
    assert (answer.status_code, answer.json()["details"][0]["property"]) == (400, "prix")


@pytest.mark.parametrize("text", ['"95000"', "95000", "95000.00", '"95000.0"', "9.5e4"])
def test_an_amount_is_read_as_text_or_number_and_written_as_text(http: Http, text: str) -> None:
    body = f'{{"libelle": "Chaises", "prix": {text}, "id_activite": 1.0}}'
    assert ok(raw(http.as_admin(), body.encode(), path="/facturation/prestations"))["prix"] == "95000.00"


@pytest.mark.parametrize("key", ["999999", "0", "-1", "abc", "1.5", "99999999999999999999", "%00", "1%3Bdrop"])
def test_an_unknown_id_is_404_and_a_malformed_one_400(http: Http, key: str) -> None:
    answer = http.as_admin().get(f"/client/clients/{key}")
    assert ("Ce nombre est trop grand." in answer.text) == (key == "99999999999999999999")
    expected = (404, "NOT_FOUND") if key in ("999999", "0", "-1") else (400, "VALIDATION_ERROR")
    assert (answer.status_code, answer.json()["code"]) == expected


@pytest.mark.parametrize(
    "query, prop",
    [("limit=0", "limit"), ("limit=1001", "limit"), ("offset=-1", "offset"), ("order=up", "order"), ("sexe=X", "sexe")],
)
def test_a_wrong_query_value_is_named(http: Http, query: str, prop: str) -> None:
    answer = http.as_admin().get(f"/client/clients?{query}")
    assert (answer.status_code, answer.json()["details"][0]["property"]) == (400, prop)


def test_unknown_query_keys_are_ignored_and_search_means_recherche(http: Http, db: Db) -> None:
    builders.client(db, nom="Zébulon")
    admin = http.as_admin()
    clients = admin.get("/client/clients?search=zebulon&periodo=ce_mois").json()
    assert [client["nom"] for client in clients] == ["Zébulon"]
    assert clients == admin.get("/client/clients?recherche=ZÉBULON").json()


def test_a_list_has_its_total_and_a_link_to_the_next_page(http: Http, db: Db) -> None:
    for n in range(5):
        builders.client(db, nom=f"Page{n}")
    admin = http.as_admin()
    first = admin.get("/client/clients?nom=Page&limit=2&sort=nom")
    assert [client["nom"] for client in first.json()] == ["Page0", "Page1"]
    assert first.headers["x-total-count"] == "5"
    link = first.headers["link"]
    assert link.endswith('; rel="next"')
    second = admin.get(link[1 : link.index(">")])
    assert [client["nom"] for client in second.json()] == ["Page2", "Page3"]
    last = admin.get("/client/clients?nom=Page&limit=2&offset=4")
    assert (last.headers["x-total-count"], "link" in last.headers) == ("5", False)
    beyond = admin.get("/client/clients?nom=Page&limit=2&offset=10")
    assert (beyond.json(), beyond.headers["x-total-count"]) == ([], "5")


def test_links_reach_every_row_of_a_list_longer_than_the_counted_limit(http: Http, db: Db) -> None:
    """A page has 1,000 rows. The total is capped at 2,000 rows, or at the end of the page."""
    db.execute("insert into core.parametre (cle, valeur) select 'LONG_' || n, 'x' from generate_series(1, 4500) n")
    admin = http.as_admin()
    path, counts, pages = "/core/parametres?cle=long_", [], []
    while path:
        page = admin.get(path)
        pages.append(len(page.json()))
        counts.append((page.headers["x-total-count"], page.headers.get("x-total-capped")))
        path = page.headers["link"].partition(">")[0][1:] if "link" in page.headers else ""
    assert pages == [1000] * 4 + [500]
    assert counts == [("2000", "true"), ("2000", "true"), ("3000", "true"), ("4000", "true"), ("4500", None)]
    db.execute("delete from core.parametre where cle like 'LONG%%' and substr(cle, 6)::integer > 2000")
    exact = admin.get("/core/parametres?cle=long_")
    assert (exact.headers["x-total-count"], exact.headers.get("x-total-capped")) == ("2000", None)


def test_get_accepts_a_content_type_without_a_body(http: Http) -> None:
    answer = http.as_admin().request("GET", "/client/clients", headers={"content-type": "application/json"})
    assert answer.status_code == 200


def test_a_repeated_idempotency_key_replays_the_answer_without_a_second_effect(http: Http, db: Db) -> None:
    admin = http.as_admin()
    headers = {"idempotency-key": "cle-1"}
    first, again = (admin.post("/client/clients", json=builders.CLIENT, headers=headers) for _ in range(2))
    assert (first.status_code, again.status_code, first.content) == (201, 201, again.content)
    assert again.headers["idempotency-replayed"] == "true" and "idempotency-replayed" not in first.headers
    assert db.one("select count(*) from client.client where nom = 'Exemple'") == 1
    other = admin.post("/client/clients", json={**builders.CLIENT, "nom": "Autre"}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (422, "CLE_IDEMPOTENCE_REUTILISEE")


@pytest.mark.parametrize("listed", [False, True], ids=["alone", "in a list"])
def test_the_fingerprint_of_a_request_has_no_password(http: Http, db: Db, listed: bool) -> None:
    """A reader of the database could try passwords until one gives the fingerprint."""
    path = f"/admin/utilisateurs/{builders.utilisateur(db)}/reinitialiser-mot-de-passe"
    admin, answers = http.as_admin(), []
    for password in ("un mot de passe 1", "un mot de passe 2"):
        body: dict[str, Any] = {"nouveau_mot_de_passe": password}
        if listed:
            call = {"methode": "POST", "chemin": f"/api/v1{path}", "corps": body}
            body = {"appels": [call], "valider": True}
        headers = {"idempotency-key": "cle-passe"}
        answers.append(admin.post("/repetition" if listed else path, json=body, headers=headers))
    assert [answer.status_code for answer in answers] == [200, 200], answers[1].text
    assert answers[1].headers["idempotency-replayed"] == "true"


def test_a_refused_request_does_not_use_up_its_idempotency_key(http: Http) -> None:
    admin = http.as_admin()
    headers = {"idempotency-key": "cle-2"}
    refused = admin.post("/finances/paiements", json={"montant": "1", "id_moyen": "999"}, headers=headers)
    assert refused.status_code >= 400
    assert admin.post("/client/clients", json=builders.CLIENT, headers=headers).status_code == 201


def test_two_users_may_use_the_same_idempotency_key(http: Http, db: Db) -> None:
    headers = {"idempotency-key": "cle-3"}
    for admin in (http.as_admin(), http.as_admin()):
        assert admin.post("/client/clients", json=builders.CLIENT, headers=headers).status_code == 201
    assert db.one("select count(*) from client.client where nom = 'Exemple'") == 2


def test_health_routes_report_the_state_of_the_service(http: Http) -> None:
    assert http.get("/health/live").json() == {"status": "ok"}
    ready = http.get("/health/ready")
    assert ready.status_code == 200
    assert ready.json()["details"]["redis"] == {"status": "up", "mode": "in-memory"}
    assert http.get("/health").json() == ready.json()
    assert http.get("").status_code == 200


def test_metrics_name_the_route_template_and_not_the_path(http: Http) -> None:
    http.as_admin().get("/client/clients/424242")
    text = http.get("/metrics").text
    assert 'http_requests_total{method="GET",route="/api/v1/client/clients/{id_client}",status="404"}' in text
    for name in ("http_request_duration_seconds_bucket", "svc_jobs_total", "svc_jobs_queue_depth"):
        assert name in text
    series = re.sub(r" [\d.e+-]+$", "", text, flags=re.MULTILINE)  # a time may have any digits
    for name in ("424242", "process_", "python_"):  # NODE_ENV=test
        assert name not in series


def test_a_request_log_line_contains_no_secret(http: Http, capfdbinary: Any) -> None:
    http.services.store = Store()
    http.services.log = RequestLog()
    http.post("/auth/login?jeton=secret-en-clair", json={"login": "x", "mot_de_passe": "secret-en-clair"})
    http.services.log.write()
    lines = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines() if line.startswith(b"{")]
    expected = {"route": "/api/v1/auth/login", "status": 401, "address": "127.0.0.1"}
    assert lines[-1] == lines[-1] | expected
    assert set(lines[-1]) == {"time", "request_id", "user", "method", "duration_ms", *expected}
    assert "secret-en-clair" not in json.dumps(lines)


def test_codes_sort_by_their_number(http: Http, db: Db) -> None:
    for code in ("ZZ-CL-999", "ZZ-CL-1000", "ZZ-CL-1001"):
        builders.client(db, nom="Numéro", code=code)
    rows = http.as_admin().get("/client/clients?nom=Numéro&sort=code&order=desc").json()
    assert [row["code"] for row in rows] == ["ZZ-CL-1001", "ZZ-CL-1000", "ZZ-CL-999"]


def test_a_date_before_year_one_in_utc_is_refused(http: Http) -> None:
    body = {"montant": "1", "id_moyen": "1", "id_activite": "1", "date": "0001-01-01T00:00:00+14:00"}
    answer = http.as_admin().post("/finances/paiements", json=body)
    assert answer.json()["details"][0]["property"] == "date"


@pytest.mark.parametrize(
    ("production", "token", "given", "status"),
    [
        (False, None, None, 200),
        (True, None, None, 401),
        (True, None, "Bearer None", 401),
        (True, "jeton", None, 401),
        (True, "jeton", "Bearer autre", 401),
        (True, "jeton", "Bearer jeton", 200),
    ],
)
def test_metrics_require_their_token_in_production(
    http: Http, monkeypatch: pytest.MonkeyPatch, production: bool, token: str | None, given: str | None, status: int
) -> None:
    settings = replace(http.services.settings, production=production, metrics_token=token)
    monkeypatch.setattr(http.services, "settings", settings)
    assert http.get("/metrics", headers={"authorization": given} if given else None).status_code == status


def test_metrics_without_a_token_are_only_for_the_machine_itself(http: Http) -> None:
    transport = httpx.ASGITransport(http.transport.app, client=("192.0.2.7", 4711))
    assert replace(http, transport=transport).get("/metrics").status_code == 401
    assert http.get("/metrics").status_code == 200
