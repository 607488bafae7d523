"""The page at /caisse in a real browser: it sells without a network, and each sale arrives exactly once."""

import asyncio
from datetime import timedelta

import httpx
import pytest

from app.base.settings import DEVELOPMENT_PASSWORD, Settings
from app.leaves.hors_ligne.caisse import pages
from tests import builders
from tests.conftest import connected, ok
from tests.hors_ligne.telephone import SENT, Phone, Shop, another, phones
from tests.server import running

# The next success of a write in this store, or the next commit, stops the page in the debugger.
PAUSE = """where => {
  const stop = (target, event) => target.addEventListener(event, () => { debugger })
  for (const name of ['add', 'put']) {
    const write = IDBObjectStore.prototype[name]
    IDBObjectStore.prototype[name] = function (...values) {
      const request = write.apply(this, values)
      if (this.name === where) stop(request, 'success')
      if (where === 'complete') stop(this.transaction, 'complete')
      return request
    }
  }
}"""
AHEAD = """ahead => {
  const Real = Date
  Date = class extends Real {
    constructor(...values) { values.length ? super(...values) : super(Real.now() + ahead) }
    static now() { return Real.now() + ahead }
  }
}"""
# The first answer to a lot is lost on its way.
LOSE = """() => {
  const send = fetch
  fetch = async (url, options) => {
    const answer = await send(url, options)
    if (window.lost || !url.endsWith('/lots')) return answer
    window.lost = true
    throw new TypeError('Failed to fetch')
  }
}"""
# A relay refuses lots of more than two operations. `answered` are the lengths of the lots that had an answer.
REFUSE = """() => {
  const send = fetch
  const refusal = {code: 'CORPS_TROP_GRAND', message: 'Trop'}
  window.answered = []
  fetch = async (url, options) => {
    if (!url.endsWith('/lots') || !navigator.onLine) return send(url, options)
    const {length} = JSON.parse(options.body).operations
    const answer = length > 2 ? Response.json(refusal, {status: 413}) : await send(url, options)
    if (length) answered.push(length)
    return answer
  }
}"""
NUMBER = """select f.numero from facturation.facture f join finances.paiement p on p.id_facture = f.id_facture
             where p.id_caisse = %s"""
DAY = 24 * 3600 * 1000


@pytest.fixture(scope="module")
def service(module_url, tmp_path_factory):
    with running(tmp_path_factory.mktemp("service"), DATABASE_URL=module_url, CAISSE_HORS_LIGNE="1") as service:
        yield service


@pytest.fixture(scope="module")
def phone(service, executable):
    with phones(executable, service.url) as run:
        yield run


@pytest.fixture(scope="module")
def admin(service):
    return service.login()


@pytest.fixture
def shop(service, module_url, admin):
    return Shop(service, module_url, admin)


def test_the_page_is_served_only_where_its_setting_asks_for_it(service, http):
    assert http.request("GET", "/caisse").status_code == 404
    assert pages(Settings.from_environment({})) == []
    moved = httpx.get(f"{service.url}/caisse")
    assert (moved.status_code, moved.headers["location"]) == (307, "caisse/")
    policy = httpx.get(f"{service.url}/caisse/").headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy


def test_a_person_inscribes_the_phone_and_sells(shop, phone):
    async def body(at: Phone):
        await at.open(shop)
        await at.shot("caisse-inscription", ["light"])
        await at.write("#sign-in input[name=login]", "admin")
        await at.write("#sign-in input[name=mot_de_passe]", "faux")
        await at.click("#sign-in button")
        await at.says("Identifiants invalides", "#warning")
        await at.write("#sign-in input[name=mot_de_passe]", DEVELOPMENT_PASSWORD)
        await at.click("#sign-in button")
        await at.until("!document.getElementById('inscribe').hidden")
        assert await at.text("#warning") == ""
        at.errors.clear()  # the refusal, which the browser names
        await at.page.select("#inscribe select", str(shop.till))
        await at.click("#inscribe button")
        await at.says(f"{shop.till}.", "#code")
        await at.shot("caisse-appareil", ["light"])
        await at.tap("Fermer", "#device")
        await at.says(SENT)
        await at.page.keyboard.type(shop.code)  # a scanner types wherever the focus is
        await at.page.keyboard.press("Enter")
        await at.tap("Savon")
        await at.tap("Riz")
        await at.shot("caisse", ["light"])
        await at.click("#pay")
        await at.write("#given", "5 000")
        await at.says("manque 1 000", "#change")
        await at.write("#given", "10 000")
        await at.says("4 000", "#change")
        await at.shot("caisse-encaisser", ["light"])
        await at.click("#confirm")
        await at.says("-000001", "#paper")
        paper = await at.text("#paper")
        assert "2 × Savon" in paper and "1 × Riz" in paper and "10\u202f000 FCFA" in paper
        await at.shot("caisse-ticket", ["light"])
        await at.tap("Fermer", "#ticket")
        await at.says(SENT)
        [sale] = await at.history()
        assert "-000001" in sale and "arrivé" in sale
        await at.click("#show-history")
        await at.until("document.activeElement.id === 'history-title'")  # the last ticket comes first
        await at.shot("caisse-tickets", ["light"])
        await at.tap("Ticket", "#history")
        assert shop.one(NUMBER, shop.till) in await at.text("#paper")
        assert (await at.page._client.send("Page.getInstallabilityErrors"))["installabilityErrors"] == []
        assert at.errors == []
        assert await at.violations() > 0

    phone(body)
    assert shop.sold == (1, 6000)


def test_sales_without_a_network_arrive_exactly_once(shop, phone):
    code = shop.inscribe()

    async def body(at: Phone):
        await at.open(shop, code)
        await at.kept()
        await at.network(False)
        tickets = [await at.sell("Savon"), await at.sell("Eau", "Eau")]
        await at.says("Hors ligne. 2 opérations attendent")
        assert shop.sold == (0, 0)
        await at.page.reload()
        await at.says("Hors ligne. 2 opérations attendent")
        tickets.append(await at.sell("Riz"))
        await at.says("Hors ligne. 3 opérations attendent")
        assert tickets == [f"{shop.prefix}-{number:06}" for number in (1, 2, 3)]
        assert all("attend le réseau" in row for row in await at.history())
        await at.network(True)
        await at.says(SENT)
        assert all("arrivé" in row for row in await at.history())
        assert shop.sold == (3, 750 + 1000 + 4500)
        await at.page.reload()
        await at.says(SENT)

    phone(body)
    assert (shop.sold, shop.exceptions) == ((3, 6250), [])


def test_a_second_tap_while_the_network_goes_does_not_double_the_sale(shop, phone):
    code = shop.inscribe()
    twice = """() => {
      const confirm = document.getElementById('confirm')
      confirm.click()
      dispatchEvent(new Event('offline')) // shows the basket again, before the sale is written
      confirm.click()
    }"""

    async def body(at: Phone):
        await at.open(shop, code)
        await at.tap("Savon")
        await at.click("#pay")
        await at.page.evaluate(twice)
        await at.says("-000001", "#paper")
        await at.tap("Fermer", "#ticket")
        await at.says(SENT)
        assert len(await at.history()) == 1
        assert await at.sell("Eau") == f"{shop.prefix}-000002"
        await at.says(SENT)

    phone(body)
    assert shop.sold == (2, 1250)


def test_an_answer_that_is_lost_does_not_double_the_sale(shop, phone):
    code = shop.inscribe()

    async def body(at: Phone):
        await at.open(shop, code)
        await at.page.evaluate(LOSE)
        await at.sell("Savon")
        await at.until("window.lost")
        assert shop.sold == (1, 750)
        await at.says(SENT)
        [sale] = await at.history()
        assert "arrivé" in sale
        assert await at.operation(1) == "CONNUE"

    phone(body)
    assert shop.sold == (1, 750)


def test_a_lot_that_is_too_long_is_sent_in_halves(shop, phone):
    code = shop.inscribe()

    async def body(at: Phone):
        await at.open(shop, code)
        await at.page.evaluate(REFUSE)
        await at.network(False)
        for _ in range(4):
            await at.sell("Savon")
        await at.network(True)
        await at.says(SENT)
        assert await at.page.evaluate("answered") == [4, 2, 2]

    phone(body)
    assert shop.sold == (4, 3000)


@pytest.mark.parametrize(("where", "kept"), [("operations", 0), ("state", 0), ("complete", 1)])
def test_a_tab_that_is_killed_in_a_write_leaves_the_sale_and_its_number_or_neither(shop, phone, where, kept):
    code = shop.inscribe()

    async def body(at: Phone):
        await at.open(shop, code)
        await at.network(False)
        paused = asyncio.get_running_loop().create_future()
        at.page._client.on("Debugger.paused", lambda _: paused.done() or paused.set_result(None))
        await at.page._client.send("Debugger.enable")
        await at.tap("Savon")
        await at.click("#pay")
        await at.page.evaluate(PAUSE, where)
        await at.page.evaluate("() => { setTimeout(() => document.getElementById('confirm').click()) }")
        await paused
        at.kill()
        tab = await another(at)
        await tab.open(shop)
        await tab.says(SENT)
        assert shop.sold == (kept, 750 * kept)
        assert await tab.sell("Eau") == f"{shop.prefix}-{kept + 1:06}"
        await tab.says(SENT)

    phone(body)
    assert shop.sold == (kept + 1, 750 * kept + 500)


def test_a_wiped_phone_learns_its_last_number_and_declares_what_is_lost(shop, phone):
    code = shop.inscribe()

    async def body(at: Phone):
        await at.open(shop, code)
        await at.sell("Savon")
        await at.says(SENT)
        shop.announce(3)
        everything = {"origin": shop.service.url, "storageTypes": "all"}
        await at.page._client.send("Storage.clearDataForOrigin", everything)
        await at.open(shop)
        at.answer = None
        await at.restore(code)
        await at.confirms("2 opérations annoncées ne sont pas arrivées")
        await at.confirms(f"de {shop.prefix}-000002 à {shop.prefix}-000003")
        assert await at.text("#network") == "Pas encore en service"
        at.answer = "Oui"
        await at.click("#restore button")
        await at.says(SENT)
        assert await at.sell("Eau") == f"{shop.prefix}-000004"
        await at.says(SENT)
        assert sum("OPERATION_PERDUE" in row for row in await at.history()) == 2

    phone(body)
    assert (shop.sold, shop.exceptions) == ((2, 1250), ["OPERATION_PERDUE"] * 2)


def test_a_second_tab_waits_for_the_first(shop, phone):
    code = shop.inscribe()

    async def body(at: Phone):
        await at.open(shop, code)
        tab = await another(at)
        await tab.open(shop)
        await tab.says("ouverte dans un autre onglet")
        assert await tab.page.evaluate("() => document.getElementById('till').hidden")
        await at.sell("Savon")
        await at.says(SENT)
        await at.page.close()
        await tab.says(SENT)
        assert await tab.sell("Eau") == f"{shop.prefix}-000002"
        await tab.says(SENT)

    phone(body)
    assert shop.sold == (2, 1250)


def test_two_tabs_that_do_not_see_each_other_give_different_numbers(shop, phone):
    """Without Web Locks, both tabs sell and send the same queue."""
    code = shop.inscribe()

    async def body(at: Phone):
        tabs = [at, await another(at)]
        for tab in tabs:
            await tab.page.evaluateOnNewDocument("() => Object.defineProperty(navigator, 'locks', {value: undefined})")
            await tab.open(shop, code if tab is at else "")
            await tab.says(SENT)
            await tab.network(False)
        tickets = [await tab.sell(name) for name in ("Savon", "Eau") for tab in tabs]
        assert tickets == [f"{shop.prefix}-{number:06}" for number in (1, 2, 3, 4)]
        await asyncio.gather(*(tab.network(True) for tab in tabs))
        for tab in tabs:
            await tab.says(SENT)

    phone(body)
    assert (shop.sold, shop.exceptions) == ((4, 2500), [])


def test_a_phone_that_gives_a_number_of_another_one_is_stopped(shop, phone):
    """The code of the device is in two browsers. The sale of the second one stays there, and nothing doubles."""
    code = shop.inscribe()

    async def body(at: Phone):
        second = await another(at, profile=True)
        await at.open(shop, code)
        await second.open(shop, code)
        await second.network(False)
        await at.sell("Savon")
        await at.says(SENT)
        await second.sell("Eau")
        await second.network(True)
        await second.says("SEQUENCE_DEJA_PRISE", "#warning")
        await second.says("Arrêtée. 1 opération attend")
        await second.tap("Eau")
        assert await second.page.evaluate("() => document.getElementById('pay').disabled")
        await at.sell("Savon")
        await at.says(SENT)

    phone(body)
    assert (shop.sold, shop.exceptions) == ((2, 1500), [])


def test_a_clock_that_is_a_day_ahead_is_named_and_shown(shop, phone):
    code = shop.inscribe()

    async def body(at: Phone):
        await at.page.evaluateOnNewDocument(AHEAD, DAY)
        await at.open(shop, code)
        await at.says("avance de 24 heures", "#warning")
        await at.sell("Savon")
        await at.says(SENT)
        [sale] = await at.history()
        assert "HORLOGE_EN_AVANCE" in sale and "un responsable doit le régler" in sale
        [exception] = ok(shop.admin.get(f"/finances/caisses/{shop.till}/exceptions"))
        path = f"/finances/caisses/{shop.till}/exceptions/{exception['id_exception']}/reprendre"
        ok(shop.admin.post(path, json={"motif": "Horloge réglée", "instant": exception["date_creation"]}))
        [sale] = await at.history()
        assert "repris par un responsable" in sale

    phone(body)
    assert (shop.sold, shop.exceptions) == ((1, 750), ["HORLOGE_EN_AVANCE"])


def test_a_clock_that_starts_again_in_1970_dates_no_sale_before_the_last_exchange(shop, phone):
    code, today = shop.inscribe(), shop.one("select core.aujourdhui()")

    async def body(at: Phone):
        await at.open(shop, code)
        await at.kept()
        await at.network(False)
        await at.page.evaluateOnNewDocument(AHEAD, -50 * 365 * DAY)
        await at.page.reload()
        await at.says("Hors ligne")
        await at.sell("Savon")
        await at.network(True)
        await at.says(SENT)
        await at.says("retarde", "#warning")

    phone(body)
    assert shop.sold == (1, 750)
    assert shop.one("select min(jour) from facturation.facture") >= today


def test_a_revoked_phone_keeps_what_waits_and_says_so(shop, phone):
    code = shop.inscribe()

    async def body(at: Phone):
        await at.open(shop, code)
        await at.network(False)
        await at.sell("Savon")
        path = f"/finances/caisses/{shop.till}/appareils/{shop.device}/revoquer"
        ok(shop.admin.post(path, json={"motif": "Perdu"}))
        await at.network(True)
        await at.says("Arrêtée. 1 opération attend")
        await at.page.reload()
        await at.says("Arrêtée. 1 opération attend")

    phone(body)
    assert shop.sold == (0, 0)


def test_a_sale_is_cancelled_and_a_till_is_opened_without_a_network(service, module_url, admin, phone):
    shop = Shop(service, module_url, admin, ouverte=False)
    code = shop.inscribe()

    async def body(at: Phone):
        await at.open(shop, code)
        await at.network(False)
        await at.click("#show-device")
        await at.tap("Ouvrir la caisse", "#device")
        await at.says("Hors ligne. 1 opération attend")
        await at.sell("Savon")
        await at.sell("Eau")
        await at.click("#show-history")
        at.answer = "Rendu"
        await at.tap("Annuler", "#operations li:nth-child(2)")
        await at.says("Annulation", "#operations")
        await at.network(True)
        await at.says(SENT)

    phone(body)
    money = "select sum(case type when 'ENCAISSEMENT' then montant else -montant end)::int from finances.paiement"
    assert shop.one(f"{money} where id_caisse = %s", shop.till) == 500
    assert shop.exceptions == []


def test_a_restaurant_sells_dishes_whose_tax_is_added(service, module_url, admin, phone):
    """The tax is rounded by line, then once by code."""
    shop = Shop(service, module_url, admin, activite_code="RESTAURATION")
    code = shop.inscribe()
    setting = "update core.parametre set valeur = %s where cle = %s"
    with connected(module_url) as db:
        db.execute("insert into core.code_taxe values ('TVA') on conflict do nothing")
        db.execute("insert into core.taxe (code, libelle, taux, nature, du) values ('TVA', 'Essai', 18, 'TAUX', %s)"
                   " on conflict do nothing", [db.today() - timedelta(days=9)])  # fmt: skip
        for price in ("308", "302", "319"):
            builders.plat(db, price, nom=f"Plat à {price}", code_taxe="TVA")
        db.execute(setting, ["HT", "TAXES_PRIX"])

    async def body(at: Phone):
        await at.open(shop, code)
        for mode, total in (("LIGNE", 929 + 166), ("FACTURE", 929 + 167)):
            with connected(module_url) as db:
                db.execute(setting, [mode, "TAXES_ARRONDI"])
            await at.again()
            for price in (308, 302, 319):
                await at.tap(f"Plat à {price}")
            await at.says(f"{total:,}".replace(",", " "), "#total")
            await at.sell()
            assert "Taxe" in await at.text("#paper")
            await at.says(SENT)

    try:
        phone(body)
    finally:
        with connected(module_url) as db:
            db.execute(setting, ["TTC", "TAXES_PRIX"])
            db.execute(setting, ["LIGNE", "TAXES_ARRONDI"])
    assert (shop.sold, shop.exceptions) == ((2, 1095 + 1096), [])
