"""Pages of a list by the cursor of `Link`: each row once, in order, whatever is added or deleted meanwhile."""

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
import requests.utils

from app.base.refusal import Refusal
from app.http.pages import Pages
from tests import builders

CLIENTS = "/client/clients"


def following(page):
    """The address in `Link` as httpx and requests read it, or None."""
    assert page.status_code == 200, page.text
    links = requests.utils.parse_header_links(page.headers.get("link", ""))
    assert [*page.links.items()] == [("next", link) for link in links]
    return links[0]["url"] if links else None


def cursor(page):
    [value] = parse_qs(urlsplit(following(page)).query)["apres"]
    return value


def walk(http, path, between=lambda _: None, **params):
    """The rows of all pages. `between` is called with the rows of each page before the next one is read."""
    page = http.get(path, params=params)
    rows, address = page.json(), following(page)
    while address is not None:
        between(page.json())
        page = http.get(address)
        address = following(page)
        assert page.json(), "no link leads to an empty page"
        rows += page.json()
    return rows


def refusal(http, path, **params):
    answer = http.get(path, params=params)
    return answer.status_code, answer.json().get("code")


@pytest.fixture
def clients(db):
    """Thirty clients in groups: equal names, towns that are missing, one moment of registration."""
    named = [(f'Curseur,;"é{n % 3}', None if n % 4 == 0 else f"Ville {n % 5}") for n in range(30)]
    return [builders.client(db, nom=nom, ville=ville) for nom, ville in named]


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_pages_make_the_whole_list_in_its_order(http, db, clients, order):
    """A column with nulls; tests/house/test_lists.py walks through every list."""
    admin, params = http.as_admin(), {"nom": 'Curseur,;"é', "sort": "ville", "order": order}
    whole = admin.get(CLIENTS, params=params).json()
    assert len(whole) == 30
    for limit in (1, 7, 10):
        assert walk(admin, CLIENTS, limit=limit, **params) == whole


def test_a_first_page_links_by_cursor_and_a_page_after_an_offset_by_offset(http, clients):
    admin = http.as_admin()
    first = admin.get(CLIENTS, params={"nom": "Curseur", "limit": 10})
    assert "apres=" in str(following(first)) and "offset" not in str(following(first))
    for offset in (0, 10):
        after = admin.get(CLIENTS, params={"nom": "Curseur", "limit": 10, "offset": offset})
        query = parse_qs(urlsplit(str(following(after))).query)
        assert (query["offset"], "apres" in query) == ([str(offset + 10)], False)
    assert following(admin.get(CLIENTS, params={"nom": "Curseur", "limit": 10, "offset": 20})) is None


def test_the_link_ends_with_the_last_row(http, clients):
    admin = http.as_admin()
    for limit, linked in ((29, True), (30, False), (31, False)):
        page = admin.get(CLIENTS, params={"nom": "Curseur", "limit": limit})
        assert (following(page) is not None, page.headers["x-total-count"]) == (linked, "30")


@pytest.mark.parametrize("sort", [None, "ville"])
def test_rows_added_or_deleted_between_pages_neither_repeat_nor_hide_another(http, db, clients, sort):
    """After each page, one row is added before it and one after it, and the first and the last row read are deleted."""
    admin = http.as_admin()
    params = {"nom": "Curseur", "limit": 4, **({"sort": sort} if sort else {})}
    whole = [row["id_client"] for row in admin.get(CLIENTS, params=params | {"limit": 1000}).json()]
    added = []

    def between(page):
        added.append(str(builders.client(db, nom="Curseur", ville="A", date_enregistrement="2099-01-01")))
        added.append(str(builders.client(db, nom="Curseur9", ville="Z", date_enregistrement="2001-01-01")))
        for row in (page[0], page[-1]):
            db.execute("delete from client.client where id_client = %s", [row["id_client"]])

    walked = [row["id_client"] for row in walk(admin, CLIENTS, between, **params)]
    assert len(set(walked)) == len(walked)
    assert [key for key in walked if key not in added] == whole
    assert set(added) & set(walked) <= set(added[1::2]), "only rows after the page come"


def test_a_row_that_is_deleted_does_not_lose_its_place(http, db, clients):
    admin = http.as_admin()
    page = admin.get(CLIENTS, params={"nom": "Curseur", "limit": 10})
    whole = admin.get(CLIENTS, params={"nom": "Curseur"}).json()
    db.execute("delete from client.client where id_client = any(%s)", [[int(row["id_client"]) for row in page.json()]])
    assert admin.get(str(following(page))).json() == whole[10:20]


def test_the_size_of_a_page_may_change_and_the_total_stays(http, clients):
    admin = http.as_admin()
    whole = admin.get(CLIENTS, params={"nom": "Curseur"}).json()
    first = admin.get(CLIENTS, params={"nom": "Curseur", "limit": 3})
    rest = admin.get(CLIENTS, params={"nom": "Curseur", "apres": cursor(first)})
    assert (rest.json(), rest.headers["x-total-count"]) == (whole[3:], "30")


def test_a_forged_cursor_is_refused(http, clients):
    admin = http.as_admin()
    good = cursor(admin.get(CLIENTS, params={"nom": "Curseur", "limit": 3}))
    assert admin.get(CLIENTS, params={"nom": "Curseur", "apres": good}).status_code == 200
    middle = len(good) // 2
    forged = [
        good[:-1],
        good + "A",
        good + "=",
        good[::-1],
        good[:middle] + ("B" if good[middle] == "A" else "A") + good[middle + 1 :],
        *(good[:-1] + last for last in "AZaz09-_" if last != good[-1]),
        "x", "1", "%", "é", "' or true --", '{"rang":0,"cles":[]}',
    ]  # fmt: skip
    for value in forged:
        assert refusal(admin, CLIENTS, nom="Curseur", apres=value) == (400, "CURSEUR_INVALIDE"), value


def test_a_cursor_serves_only_its_list_order_and_filters(http, db, clients):
    admin = http.as_admin()
    good = cursor(admin.get(CLIENTS, params={"nom": "Curseur", "limit": 3, "sort": "nom"}))
    same = {"nom": "Curseur", "sort": "nom", "apres": good}
    assert admin.get(CLIENTS, params=same).status_code == 200
    for other in ({"nom": "Curseur1"}, {"sort": "ville"}, {"order": "desc"}, {"recherche": "a"}):
        assert refusal(admin, CLIENTS, **same | other) == (400, "CURSEUR_INVALIDE"), other
    assert refusal(admin, CLIENTS, apres=good) == (400, "CURSEUR_INVALIDE")
    assert refusal(admin, "/market/produits", nom="Curseur", sort="nom", apres=good) == (400, "CURSEUR_INVALIDE")


def test_a_cursor_serves_only_the_row_in_its_path(http, db):
    admin = http.as_admin()
    first, second = builders.caisse(db, ouverte=False), builders.caisse(db, ouverte=False)
    for till in (first, second):
        db.execute(
            "insert into finances.periode_caisse (id_caisse, ouverture, fermeture)"
            " select %s, now() - n * interval '2 day', now() - n * interval '2 day' + interval '1 hour'"
            " from generate_series(1, 3) n",
            [till],
        )
    good = cursor(admin.get(f"/finances/caisses/{first}/periodes", params={"limit": 1}))
    assert len(admin.get(f"/finances/caisses/{first}/periodes", params={"apres": good}).json()) == 2
    assert refusal(admin, f"/finances/caisses/{second}/periodes", apres=good) == (400, "CURSEUR_INVALIDE")


def test_a_cursor_and_an_offset_do_not_go_together(http, clients):
    admin = http.as_admin()
    good = cursor(admin.get(CLIENTS, params={"limit": 3}))
    assert refusal(admin, CLIENTS, apres=good, offset=0) == (400, "VALIDATION_ERROR")
    assert admin.get(CLIENTS, params={"apres": good, "offset": "", "limit": 3}).status_code == 200
    assert admin.get(CLIENTS, params={"apres": "", "limit": 3}).status_code == 200


def test_a_cursor_of_the_previous_secret_is_accepted(http, clients):
    settings = http.services.settings
    operation = http.services.operation("client.client_lister")
    values = operation.arguments.check({"nom": "Curseur"}, None)
    row = {"total": "30", "suite": '{"cles": [], "rang": 3}'}
    before = Pages(operation, replace(settings, jwt_secret="a" * 40))
    link = before.headers("/x", {"nom": "Curseur"}, values, row, "acme")["Link"]
    sent = {"apres": parse_qs(urlsplit(link[1 : link.index(">")]).query)["apres"][0]}
    rotated = Pages(operation, replace(settings, jwt_secret="b" * 40, jwt_secret_precedent="a" * 40))
    assert rotated.cursor(sent, values, "acme") == row["suite"]
    with pytest.raises(Refusal, match="curseur"):  # of another organisation
        rotated.cursor(sent, values, "autre")
    with pytest.raises(Refusal, match="curseur"):
        Pages(operation, replace(settings, jwt_secret="b" * 40)).cursor(sent, values, "acme")


def test_a_cursor_too_long_for_an_address_becomes_an_offset(http, db):
    for n in range(3):
        builders.prestation(db, libelle=f"Long {n}", description=f"{n}" * 1900)
    admin = http.as_admin()
    params = {"libelle": "Long", "sort": "description", "limit": 1}
    assert "offset=1" in str(following(admin.get("/facturation/prestations", params=params)))
    rows = walk(admin, "/facturation/prestations", **params)
    assert [row["libelle"] for row in rows] == ["Long 0", "Long 1", "Long 2"]


def test_a_cursor_of_another_order_of_columns_is_refused(http, db):
    """After an upgrade a list may have another order: its former cursors have another number of values."""
    operation = http.services.operation("client.client_lister")
    values = operation.arguments.check({}, None)
    pages = Pages(operation, http.services.settings)
    link = pages.headers("/x", {}, values, {"total": "1", "suite": '{"cles": ["1"], "rang": 1}'}, "")["Link"]
    old = parse_qs(urlsplit(link[1 : link.index(">")]).query)["apres"][0]
    assert refusal(http.as_admin(), CLIENTS, apres=old) == (400, "CURSEUR_INVALIDE")


def test_a_far_page_reads_as_few_rows_as_the_first(db, http):
    """Rows of one moment: the key alone tells where the page begins."""
    db.tamper(
        "insert into client.client (code, nom, prenoms, tel_principal, type_client)"
        " select 'ESSAI-' || n, 'Loin', 'x', '+2250700000000', 'PASSAGE' from generate_series(1, 5000) n"
    )
    db.execute("analyze client.client")
    last = db.one(
        "select id_client from client.client order by date_enregistrement desc, id_client desc offset 4500 limit 1"
    )
    moment = db.one("select to_jsonb(date_enregistrement) from client.client where id_client = %s", [last])
    read = (
        "select coalesce(sum(pg_stat_get_xact_tuples_fetched(indexrelid)), 0) from pg_index"
        " where indrelid = 'client.client'::regclass"
    )
    db.execute("set local enable_seqscan = off")

    def fetched(place):
        db.execute("select set_config('comptoir.apres', %s, true)", [place])
        before = db.one(read)
        assert len(db.rows("client.client_lister", limit=20)) == 20
        return int(db.one(read) - before)

    far = fetched(f'{{"rang": 4500, "cles": ["{moment}", "{last}"]}}')
    assert far < 60


def test_a_cursor_serves_one_list_of_a_transaction(db, clients):
    rows = db.rows("client.client_lister", nom="Curseur", limit=5)
    suite = db.one("select current_setting('comptoir.suite')")
    db.execute("select set_config('comptoir.apres', %s, true)", [suite])
    assert [row["id_client"] for row in db.rows("client.client_lister", nom="Curseur", limit=5)] != [
        row["id_client"] for row in rows
    ]
    assert db.rows("client.client_lister", nom="Curseur", limit=5) == rows
