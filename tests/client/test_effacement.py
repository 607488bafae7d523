from tests import builders
from tests.conftest import Db, Http

def test_first(db: Db, http: Http) -> None:
    key = builders.client(db, nom="Zanzibar", prenoms="Ulysse")
    answer = http.as_admin().post(f"/api/v1/client/clients/{key}/anonymiser", json={"motif": "Demande du client"})
    print(answer.text)
    assert answer.status_code == 200
    assert db.rows("audit.verifier") == []
