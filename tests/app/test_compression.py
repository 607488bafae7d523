"""Gzip of long answers: sizes, types, and the ETag of each form."""

from dataclasses import replace

import httpx
import pytest

from app.commands import application
from app.http.services import Serving
from tests import builders
from tests.conftest import Db, Http, ok

GZIP, PLAIN = {"Accept-Encoding": "gzip"}, {"Accept-Encoding": "identity"}
INVOICES = "/facturation/factures"


@pytest.fixture
def detail(db: Db) -> str:
    """The path of an invoice whose answer is longer than a kilobyte."""
    lines = [{"libelle": f"Chaise {n}", "quantite": "2", "prix_unitaire": "150"} for n in range(20)]
    sale = {"id_prestation": builders.prestation(db), "montant": "0", "id_moyen": builders.moyen(db)}
    invoice = db.call("facturation.prestation_facturer", **sale, lignes=lines)
    return f"{INVOICES}/{invoice['id_facture']}"


def test_a_list_of_a_thousand_rows_is_a_sixth_of_its_size(http: Http, db: Db) -> None:
    sale = "facturation.prestation_facturer(%s, p_montant => n, p_id_moyen => 1)"
    db.execute(f"select {sale} from generate_series(1, 1000) n", [builders.prestation(db)])
    admin = http.as_admin()
    for form in ("json", "csv"):
        path = f"{INVOICES}?limit=1000&format={form}"
        plain, compressed = (admin.get(path, headers=headers) for headers in (PLAIN, GZIP))
        assert plain.content == compressed.content and len(plain.content) > 100_000
        assert plain.num_bytes_downloaded == len(plain.content) > 6 * compressed.num_bytes_downloaded
        assert "content-encoding" not in plain.headers and compressed.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in compressed.headers["vary"]


def test_a_short_answer_and_a_document_are_not_compressed(http: Http, detail: str) -> None:
    admin = http.as_admin()
    short = http.get("/docs", headers=GZIP)
    assert 0 < len(short.content) < 1024 and "content-encoding" not in short.headers
    document = admin.get(f"{detail}/pdf", headers=GZIP)
    assert document.content.startswith(b"%PDF") and "content-encoding" not in document.headers


def test_each_form_of_a_resource_has_its_tag_and_both_serve_the_same_conditions(http: Http, detail: str) -> None:
    admin = http.as_admin()
    plain, compressed = (admin.get(detail, headers=headers) for headers in (PLAIN, GZIP))
    tag, own = plain.headers["etag"], compressed.headers["etag"]
    assert own == f'{tag[:-1]}-gzip"' and plain.content == compressed.content
    for known in (tag, own):
        unchanged = admin.get(detail, headers=GZIP | {"If-None-Match": known})
        assert (unchanged.status_code, unchanged.headers["etag"], unchanged.content) == (304, known, b"")
    ok(admin.patch(detail, json={"libelle": "Chaises"}, headers={"If-Match": own}))
    assert admin.patch(detail, json={"libelle": "Bancs"}, headers={"If-Match": own}).status_code == 412


def test_a_static_text_is_compressed_and_known_by_its_tag(http: Http) -> None:
    path = "/docs-json"
    plain, compressed = (http.get(path, headers=headers) for headers in (PLAIN, GZIP))
    assert plain.content == compressed.content and "content-encoding" not in plain.headers
    assert compressed.headers["content-encoding"] == "gzip" and compressed.headers["vary"] == "Accept-Encoding"
    assert compressed.num_bytes_downloaded * 2 < len(plain.content)
    known = http.get(path, headers=GZIP | {"If-None-Match": compressed.headers["etag"]})
    assert (known.status_code, known.headers["etag"]) == (304, compressed.headers["etag"])


def test_without_compression_every_answer_is_plain(http: Http) -> None:
    services = replace(http.services, settings=replace(http.services.settings, compression=0))
    plain = replace(http, transport=httpx.ASGITransport(application.build(Serving(services))))
    answer = plain.get("/docs-json", headers=GZIP)
    assert answer.status_code == 200 and "content-encoding" not in answer.headers
