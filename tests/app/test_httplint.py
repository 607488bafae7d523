"""httplint, the linter of REDbot, reads one answer of each kind as the service sends it, with its security headers."""

from typing import Any

import httpx
from httplint import HttpRequestLinter, HttpResponseLinter, levels

from tests import builders
from tests.server import running

ORIGIN, SHARED = "https://client.exemple", "it is the same for everybody, with a token too"
PREFLIGHT = {"VARY_COMPLEX": "no cache keeps an answer to OPTIONS"}
BAD = {"STATUS_BAD_REQUEST": "the note says only that the status is 400"}
# The opinions of httplint, by the request and the status of the answer.
OPINIONS: dict[tuple[str, int], dict[str, str]] = {
    ("GET upload", 200): {"DISPOSITION_FILENAME_PATH_CHAR": "clients use the whole key; browsers keep its last part"},
    ("GET /docs", 200): {"CSP_UNSAFE_INLINE": "style-src only, for Swagger UI; script-src is 'self'"},
    ("GET asset", 200): {"STORE_PUBLIC_UNNECESSARY": SHARED},
    ("GET shop window", 200): {"STORE_PUBLIC_UNNECESSARY": SHARED},
    ("POST client", 201): {"CREATED_WITHOUT_LOCATION": "the body has the key, which ends the path"},
    ("OPTIONS preflight", 200): PREFLIGHT,
    ("OPTIONS preflight", 400): PREFLIGHT | BAD,
    ("POST refused", 400): BAD,
}


def lint(client: httpx.Client, method: str, path: str, options: dict[str, Any]) -> tuple[int, set[str]]:
    """The status of the answer, and the names of the warnings and errors of httplint about it."""
    request = client.build_request(method, path, **options)
    answer = client.send(request, stream=True)
    reader = HttpRequestLinter()
    reader.process_request_topline(method.encode(), request.url.raw_path, b"HTTP/1.1")
    reader.process_headers(request.headers.raw)
    reader.finish_content(True)
    linter = HttpResponseLinter(_related=reader)
    linter.is_head_response, linter.base_uri = method == "HEAD", str(request.url)
    linter.process_response_topline(b"HTTP/1.1", str(answer.status_code).encode(), answer.reason_phrase.encode())
    linter.process_headers(answer.headers.raw)
    linter.feed_content(b"".join(answer.iter_raw()))
    linter.finish_content(True)
    headers, policy = answer.headers, answer.headers.get("content-security-policy", "").split("; ")
    if method != "OPTIONS":  # Starlette answers a preflight
        assert {"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"}.issubset(policy), path
        assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer"), path
        assert answer.is_success or answer.status_code == 304 or headers["cache-control"] == "no-store", path
    assert not {"server", "x-powered-by", "set-cookie"} & headers.keys(), path
    assert ("access-control-allow-origin" in headers) == (request.headers.get("origin") == ORIGIN), path
    notes = [note for top in linter.notes for note in (top, *top.subnotes)]
    return answer.status_code, {type(note).__name__ for note in notes if note.level in (levels.WARN, levels.BAD)}


def test_httplint_warns_of_nothing_in_an_answer_of_each_kind(module_url: str, tmp_path: Any) -> None:
    settings = {"CORS_ORIGINES": ORIGIN, "PUPPETEER_EXECUTABLE_PATH": "/rien"}  # nothing prints
    with running(tmp_path, DATABASE_URL=module_url, **settings) as service:
        admin, anyone = service.login(), service.client
        admin.put("/core/parametres/VITRINE", json={"valeur": "1"})
        detail = f"/client/clients/{admin.post('/client/clients', json=builders.CLIENT).json()['id_client']}"
        key = admin.post("/auth/cles", json={"libelle": "Essai", "permissions": ["CORE.VOIR"]}).json()
        limited = service.new_client(authorization=f"Bearer {key['cle']}")
        deposit = {"data": {"categorie": "piece-identite"}, "files": {"file": ("a.pdf", b"%PDF-1.7 une copie")}}
        upload, root = f"/uploads?key={admin.post('/uploads', **deposit).json()['key']}", service.url
        clients, report = "/client/clients", "/rapports/financier?du=2026-01-01&au=2026-01-31&format"
        asks = {"access-control-request-method": "PATCH"}
        unknown = {"id_client": "1", "id_offre": "999", "date_debut": "2026-08-15", "prix": "25000.00"}
        tries = {"json": {"login": "personne", "mot_de_passe": "faux et long"}}
        kinds: list[tuple[httpx.Client, str, str, dict[str, Any], int]] = [
            (admin, "GET detail", detail, {"headers": {"origin": ORIGIN}}, 200),
            (admin, "GET detail", detail, {"headers": {"if-none-match": admin.get(detail).headers["etag"]}}, 304),
            (admin, "GET detail", detail, {"headers": {"if-match": '"x"'}}, 412),
            (admin, "HEAD detail", detail, {}, 200),
            (admin, "OPTIONS detail", detail, {}, 405),
            (anyone, "OPTIONS preflight", detail, {"headers": {**asks, "origin": ORIGIN}}, 200),
            (anyone, "OPTIONS preflight", detail, {"headers": {**asks, "origin": "https://autre.exemple"}}, 400),
            (admin, "GET page of a list", "/core/parametres?limit=5", {}, 200),
            (admin, "GET list", "/core/parametres", {}, 200),
            (admin, "GET list as csv", "/core/parametres?format=csv", {}, 200),
            (admin, "GET list as xlsx", "/core/parametres?format=xlsx", {}, 200),
            (admin, "GET report as pdf", f"{report}=pdf", {}, 503),
            (admin, "GET upload", upload, {}, 200),
            (anyone, "GET /docs", f"{root}/docs", {}, 200),
            (anyone, "GET style sheet", f"{root}/page.css", {"headers": {"accept-encoding": "identity"}}, 200),
            (anyone, "GET asset", f"{root}/docs/statique/swagger-ui.css", {}, 200),
            (anyone, "GET public page", f"{root}/verifier/abc", {"headers": {"accept": "text/html"}}, 404),
            (anyone, "GET shop window", "/market/vitrine", {}, 200),
            (anyone, "GET metrics", f"{root}/metrics", {}, 200),
            (anyone, "POST done", "/auth/mot-de-passe-oublie", {"json": {"login": "personne"}}, 200),
            (admin, "POST client", clients, {"json": {**builders.CLIENT, "nom": "Kouadio"}}, 201),
            (admin, "POST refused", clients, {"json": {}}, 400),
            (admin, "POST large", clients, {"content": b"x" * 1_100_000}, 413),
            (admin, "POST of a type", clients, {"content": b"{}", "headers": {"content-type": "text/plain"}}, 415),
            (admin, "POST conflict", "/finances/moyens-paiement", {"json": {"libelle": "Espèces"}}, 409),
            (admin, "POST unknown part", "/abonnement/souscriptions", {"json": unknown}, 422),
            (anyone, "GET own account", "/auth/me", {}, 401),
            (limited, "GET clients", clients, {}, 403),
            (admin, "GET unknown", f"{clients}/999999", {}, 404),
            (admin, "DELETE key", f"/auth/cles/{key['id_cle']}", {}, 204),
            *[(anyone, "POST sign-in", "/auth/login", tries, 401)] * 4,
            (anyone, "POST sign-in", "/auth/login", tries, 429),
        ]
        notes = {}
        for client, kind, path, options, status in kinds:
            answered, notes[kind, status] = lint(client, kind.split()[0], path, options)
            assert answered == status, kind
    assert {kind: names for kind, names in notes.items() if names} == {kind: {*x} for kind, x in OPINIONS.items()}
