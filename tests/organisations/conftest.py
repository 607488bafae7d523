"""A registry for each test, with one server and no organisation."""

from collections.abc import Iterator

import pytest

from tests.annuaire import Annuaire
from tests.annuaire import annuaire as opened


@pytest.fixture
def annuaire(worker_id: str) -> Iterator[Annuaire]:
    with opened(worker_id) as made:
        yield made
