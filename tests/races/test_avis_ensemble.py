"""Sixteen notices of one payment, at once, in a real service: the payment is settled once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests import builders
from tests.conftest import Db
from tests.server import eventually, running
from tests.tresorerie.fournisseur import KEY, SIGNS, providing, wave_notice

NOTICES = 16


@pytest.mark.promesse("Avis : seize à la fois pour un même paiement, réglé une fois")
def test_sixteen_notices_of_one_payment_settle_it_once(tmp_path: Path, database_url: str, committed: Db) -> None:
    bill, method = builders.facture(committed, "1000"), str(builders.moyen(committed, "Mobile Money"))
    settings = {"DATABASE_URL": database_url, "WEBHOOK_RESEAUX": "127.0.0.0/8"}
    with providing() as provider, running(tmp_path, **settings) as service:
        admin = service.login()
        fields = {"libelle": "Wave", "genre": "MOBILE", "fournisseur": "WAVE", "id_moyen": method}
        account = admin.post("/tresorerie/comptes", json=fields).json()["id_compte"]
        access = {"cle": KEY, "secret": SIGNS, "adresse": provider.url}
        url = admin.put(f"/tresorerie/comptes/{account}/acces", json=access).json()["url_avis"]
        demand = {"id_compte": account, "montant": "1000", "id_facture": str(bill)}
        made = admin.post("/tresorerie/demandes", json=demand).json()
        assert made["statut"] == "ENVOYEE", made
        key = provider.pay(made["reference"], fee="10")

        def send(number: int) -> int:
            body, headers = wave_notice(made["reference"], f"ev-{number}", session=key)
            with service.new_client() as client:
                return client.post(
                    urlsplit(url).path.removeprefix("/api/v1"), content=body, headers=headers
                ).status_code

        with ThreadPoolExecutor(NOTICES) as pool:
            assert set(pool.map(send, range(NOTICES))) == {200}
        done = "select count(*) from tresorerie.avis where etat = 'TRAITE' and issue like 'Payé%%'"
        eventually(lambda: committed.one(done) == NOTICES)
    assert committed.one("select array_agg(montant::text) from finances.paiement") == ["1000.00"]
    assert committed.one("select array_agg(montant::text) from finances.depense") == ["10.00"]
    assert committed.one("select count(*) from tresorerie.encaissement where motif is null") == 1
