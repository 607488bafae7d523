"""A parameter that a route does not know is ignored, and named in a header."""

import pytest

from tests import builders
from tests.conftest import Db, Http

HEADER = "x-ignored-parameters"


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        ("/client/clients?recherche=awa&limit=5", None),
        ("/client/clients?search=awa&offset=0&format=json", None),
        ("/client/clients?page=2&tri=nom", "page, tri"),
        ("/finances/caisses?id_activite=1&couleur=rouge", "couleur"),
        ("/finances/tableau-de-bord?periodo=ce_mois", None),
        ("/finances/tableau-de-bord?periodes=ce_mois&format=csv", "periodes"),
        ("/client/clients?page=2&format=csv", "page"),
        ("/client/clients?a%0d%0ab=1", "a%0D%0Ab"),
    ],
)
def test_a_get_names_the_parameters_that_it_ignores(http: Http, path: str, ignored: str | None) -> None:
    answer = http.as_admin().get(path)
    assert (answer.status_code, answer.headers.get(HEADER)) == (200, ignored)


def test_a_write_and_a_detail_name_them_too(http: Http, db: Db) -> None:
    admin, key = http.as_admin(), builders.client(db)
    assert admin.get(f"/client/clients/{key}?id_client=2").headers[HEADER] == "id_client"
    made = admin.post("/client/clients?notifier=1", json=builders.CLIENT)
    assert (made.status_code, made.headers[HEADER]) == (201, "notifier")
    long = admin.get("/client/clients?" + "&".join(f"{'x' * 300}{i}=1" for i in range(100)))
    assert len(long.headers[HEADER]) < 2000


def test_a_format_that_is_refused_is_not_called_ignored(http: Http, db: Db) -> None:
    refused = http.as_admin().get(f"/client/clients/{builders.client(db)}?format=csv")
    assert refused.status_code == 400 and HEADER not in refused.headers
