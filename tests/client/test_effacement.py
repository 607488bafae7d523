"""Erasing a client: what forbids it, what goes, what stays, and what is still noticed afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from tests import builders, forgotten, livre
from tests.audit.test_recu_verifiable import keys, proven, signed, token
from tests.audit.test_sceau import findings, seal, tamper
from tests.conftest import Db, Http, refused
from tests.forgotten import Known, remains

REASON = {"motif": "Demande de l'intéressé"}


def erase(http: Http, client: int, **options: Any) -> Any:
    return http.post(f"/api/v1/client/clients/{client}/anonymiser", json=REASON, **options)


@pytest.fixture
def known(db: Db, http: Http) -> Known:
    """A client whose last operation is twelve years old, with sealed books."""
    known = forgotten.written(db, http)
    forgotten.aged(db)
    return known


def test_nothing_in_the_database_names_an_erased_client(http: Http, db: Db, known: Known) -> None:
    assert len({found.partition(": ")[2] for found in remains(db.connection)}) == len(forgotten.WORDS)
    signed(db)
    answer = erase(http.as_admin(), known.client)
    assert answer.status_code == 200, answer.text
    assert remains(db.connection) == []
    assert findings(db) == []
    print(answer.json())
