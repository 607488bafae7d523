"""Two services share one database and behave like one service."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import httpx

from tests.conftest import Db
from tests.server import running


def test_one_key_sent_to_both_services_pays_once(tmp_path: Path, addresses: dict[str, str], committed: Db) -> None:
    with running(tmp_path, **addresses) as first, running(tmp_path, **addresses) as second:
        admin = first.login()
        both = [service.new_client(authorization=admin.headers["authorization"]) for service in (first, second)]
        service = {"libelle": "Chaises", "prix": "1000", "id_activite": "1"}
        number = admin.post("/facturation/prestations", json=service).json()["id_prestation"]
        path = f"/facturation/prestations/{number}"
        invoice = admin.post(f"{path}/facturer", json={"montant": "0", "id_moyen": "1"}).json()["id_facture"]
        body = {"montant": "1000", "id_moyen": "1", "id_activite": "1", "id_facture": invoice}
        start = Barrier(8)

        def pay(client: httpx.Client) -> httpx.Response:
            return client.post("/finances/paiements", json=body, headers={"Idempotency-Key": "une-fois"})

        def pay_together(client: httpx.Client) -> httpx.Response:
            start.wait()
            return pay(client)

        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(pay_together, both * 4))
        paid = [answer for answer in answers if answer.status_code == 201]
        assert {answer.status_code for answer in answers} <= {201, 409}  # 409: another request with the key runs
        assert len({answer.content for answer in paid}) == 1
        assert [answer for answer in paid if "idempotency-replayed" not in answer.headers]
        for again in map(pay, both):
            assert (again.status_code, again.headers["idempotency-replayed"]) == (201, "true")
            assert again.content == paid[0].content
    assert committed.one("select count(*) from finances.paiement") == 1
