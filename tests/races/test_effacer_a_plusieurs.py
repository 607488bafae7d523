"""An erasure beside other writers: one erasure counts, and no write brings the client back."""

from typing import Any

import psycopg
import pytest

from tests import builders
from tests.audit.test_sceau import findings, seal
from tests.conftest import Db, connected
from tests.together import AtOnce

pytestmark = pytest.mark.promesse("Effacement : à plusieurs, un seul compte, et aucune écriture ne ramène le client")
NAME = "Quartzo"


def erase(db: Db, client: int) -> Any:
    return db.call("client.client_anonymiser", id_client=client, motif="Essai")["entrees"]


def name(db: Db, client: int) -> Any:
    return db.one("select nom from client.client where id_client = %s", [client])


def traces(db: Db, client: int) -> int:
    """Entries of the journal that still name the client."""
    query = "select count(*) from audit.journal where avant::text like %s or apres::text like %s"
    return int(db.one(query, [f"%{NAME}%", f"%{NAME}%"]))


def test_one_of_several_erasures_at_once_counts(shared: Db, at_once: AtOnce) -> None:
    client = builders.client(shared, nom=NAME)
    outcomes = at_once(6, lambda db, n: erase(db, client))
    assert outcomes.count("CLIENT_DEJA_EFFACE") == 5
    assert shared.one("select count(*) from audit.effacement") == 1
    assert findings(shared) == []


def test_erasures_of_several_clients_at_once_all_succeed(shared: Db, at_once: AtOnce) -> None:
    clients = [builders.client(shared, nom=NAME) for _ in range(6)]
    outcomes = at_once(6, lambda db, n: erase(db, clients[n]))
    assert all(isinstance(entries, int) and entries > 0 for entries in outcomes), outcomes
    assert traces(shared, 0) == 0 and findings(shared) == []


@pytest.mark.parametrize("turn", range(3))
def test_an_edit_beside_an_erasure_does_not_bring_the_name_back(shared: Db, at_once: AtOnce, turn: int) -> None:
    client = builders.client(shared, nom=NAME)

    def act(db: Db, n: int) -> Any:
        if n == turn:
            return erase(db, client)
        return db.call("client.client_modifier", id_client=client, champs='{"nom": "Quartzo bis"}')["nom"]

    outcomes = at_once(3, act)
    if "SCELLEMENT_INCOMPLET" in outcomes:
        outcomes[turn] = erase(shared, client)
    assert isinstance(outcomes[turn], int), outcomes
    assert {outcomes[n] for n in range(3) if n != turn} <= {"Quartzo bis", "CLIENT_EFFACE"}
    assert name(shared, client) == "[effacé]" and traces(shared, client) == 0
    assert seal(shared)["complet"] and findings(shared) == []


@pytest.mark.parametrize("turn", range(2))
def test_an_invoice_beside_an_erasure_leaves_one_of_them(shared: Db, at_once: AtOnce, turn: int) -> None:
    client, service, method = builders.client(shared, nom=NAME), builders.prestation(shared), builders.moyen(shared)

    def act(db: Db, n: int) -> Any:
        if n == turn:
            return erase(db, client)
        call = {"id_prestation": service, "montant": "0", "id_moyen": method, "id_client": client}
        return db.call("facturation.prestation_facturer", **call)["id_facture"]

    outcomes = at_once(2, act)
    erased, invoiced = outcomes[turn], outcomes[1 - turn]
    if isinstance(erased, int):
        assert invoiced == "CLIENT_EFFACE" and name(shared, client) == "[effacé]"
    else:
        assert erased in ("CLIENT_EN_COURS", "SCELLEMENT_INCOMPLET") and isinstance(invoiced, int), outcomes
        assert name(shared, client) == NAME
    assert seal(shared)["complet"] and findings(shared) == []


def test_an_erasure_that_is_killed_leaves_everything(database_url: str, shared: Db) -> None:
    client = builders.client(shared, nom=NAME)
    assert seal(shared)["complet"]
    before = traces(shared, client)
    with pytest.raises(psycopg.errors.AdminShutdown), connected(database_url) as killed:
        assert erase(killed, client) > 0
        shared.execute("select pg_terminate_backend(%s, 10000)", [killed.connection.info.backend_pid])
    assert (name(shared, client), traces(shared, client)) == (NAME, before)
    assert shared.one("select count(*) from audit.effacement") == 0
    assert findings(shared) == []
    assert erase(shared, client) > 0 and findings(shared) == []
