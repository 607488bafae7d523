"""Keys that replace one another: each root and each proof stays right for the program, and for the base."""

from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.seals import checking, signing
from app.seals.checking import KeptRoot
from tests import builders
from tests.audit.test_sceau import tamper
from tests.conftest import connected
from tests.sceau.dossiers import PROVEN, Case
from tests.sceau.test_verificateur import verdict

HOUR = "update audit.cle_sceau set du = du + interval '%s hour'"


class Service:
    """A database, and what it gave to those outside of it."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.file = url, folder / "gardee.txt"
        self.roots: list[str] = []
        self.proofs: list[Any] = []

    def one(self, query: str, *values: Any) -> Any:
        with connected(self.url) as db:
            return db.one(query, list(values))

    def publish(self) -> None:
        """Write an invoice, seal it, and keep the root and the proof of the invoice."""
        with connected(self.url) as db:
            number = builders.facture(db)
        signing.seal(self.url)
        self.roots.append(self.one("select (audit._derniere_tete()).texte"))
        self.proofs.append(self.one("select to_jsonb(audit.document_prouver(core._jeton('facture', %s)))", number))

    def replace_key(self, times: int) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            for _ in range(times):
                signing.replace_key(connection)

    def tamper(self, statement: str) -> None:
        with connected(self.url) as db:
            tamper(db, statement)

    def refusals(self) -> list[str]:
        """Why the program or the base refuses something that was given."""
        keys, lines = self.one("select to_jsonb(audit.cle_lister())"), []
        sizes = [int(root.split("\n")[1]) for root in self.roots]
        links = [self.one("select to_jsonb(audit.racine_relier(%s))", size) for size in sizes]
        cases = [Case("", PROVEN, "", proof, keys) for proof in self.proofs]
        for case in [*cases, Case("", PROVEN, "", self.proofs[-1], keys, self.roots, links)]:
            state, sentences = verdict(case.files())
            lines += sentences if state != PROVEN else []
        with psycopg.connect(self.url) as connection:
            for root in self.roots:
                self.file.write_text(root)
                lines += checking.problems(connection, KeptRoot.read(self.file))
        return lines


@pytest.fixture
def service(database_url: str, tmp_path: Path) -> Service:
    return Service(database_url, tmp_path)


def test_keys_replaced_in_one_second_follow_one_another(service: Service) -> None:
    for times in (0, 3, 1):
        service.replace_key(times)
        service.publish()
    assert service.refusals() == []
    service.replace_key(3)
    assert service.refusals() == []
    spans = "select array_agg(au - du >= interval '1 second') from audit.cle_sceau where au is not null"
    assert service.one(spans) == [True] * 7


def test_a_clock_set_back_keeps_each_root_in_the_service_of_its_key(service: Service) -> None:
    """The first key has no signature: moving its start is what a fast clock would have done."""
    signing.seal(service.url)
    service.tamper(HOUR % 1)
    service.publish()
    assert service.refusals() == []
    service.tamper(HOUR % -1)
    service.replace_key(1)
    service.publish()
    assert service.refusals() == []
    assert service.one("select array_agg(date order by taille) from audit.tete")[1] > service.one("select now()")
