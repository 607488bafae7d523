"""The page at /caisse in a real browser: it sells without a network, and each sale arrives exactly once."""

import httpx
import pytest

from app.base.settings import DEVELOPMENT_PASSWORD, Settings
from app.leaves.hors_ligne.caisse import pages
from tests.conftest import connected
from tests.hors_ligne.telephone import Phone, Shop, another, phone
from tests.server import running


@pytest.fixture(scope="module")
def service(module_url, tmp_path_factory):
    with running(tmp_path_factory.mktemp("service"), DATABASE_URL=module_url, CAISSE_HORS_LIGNE="1") as service:
        yield service


@pytest.fixture
def shop(service, module_url):
    return Shop(service, module_url)


def test_the_page_is_served_only_where_its_setting_asks_for_it(service, http):
    assert http.request("GET", "/caisse").status_code == 404
    assert pages(Settings.from_environment({})) == []
    moved = httpx.get(f"{service.url}/caisse")
    assert (moved.status_code, moved.headers["location"]) == (307, "caisse/")
    policy = httpx.get(f"{service.url}/caisse/").headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy


def test_a_person_inscribes_the_phone_and_sells(service, shop, executable):
    async def body(at: Phone):
        await at.open(shop)
        await at.shot("caisse-inscription", ["light"])
        await at.write("#sign-in input[name=login]", "admin")
        await at.write("#sign-in input[name=mot_de_passe]", DEVELOPMENT_PASSWORD)
        await at.click("#sign-in button")
        await at.until("!document.getElementById('inscribe').hidden")
        await at.page.select("#inscribe select", str(shop.till))
        await at.click("#inscribe button")
        await at.says(f"{shop.till}.", "#code")
        await at.tap("Fermer", "#device")
        await at.says("En ligne. Tout est envoyé")
        await at.shot("caisse", ["light"])
        ticket = await at.sell("Savon", "Savon", "Riz", given="10000")
        assert ticket.endswith("-000001")
        paper = " ".join((await at.text("#paper")).split())
        print(paper)

    phone(executable, body)
    assert shop.sold == (1, 6000)
