import pytest

from tests.browser.conftest import executable
from tests.conftest import Db, Http
from tests.hors_ligne.appareil import Device, inscribe, shop

__all__ = ["executable"]


@pytest.fixture
def device(http: Http, db: Db) -> Device:
    """A device of the shop that has read what there is to sell."""
    made = inscribe(http.as_admin(), shop(db))
    made.update()
    return made
