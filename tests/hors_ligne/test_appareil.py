"""A device of a till: its key, its prefix, and what it must still send."""

from app.leaves.hors_ligne import lots, routes
from tests import builders
from tests.conftest import ok, refusal
from tests.hors_ligne.appareil import count, inscribe, shop


def test_a_device_has_a_key_of_its_till_and_a_prefix_of_its_own(http, db):
    till, admin = shop(db), http.as_admin()
    first, second = inscribe(admin, till), inscribe(admin, till)
    assert first.prefix != second.prefix and first.prefix == f"C{first.id}"
    row = db.one("select * from auth.cle where prefixe = left(%s, 15)", [first.key])
    assert (row["id_caisse"], row["appareil"]) == (till, True)
    listed = ok(admin.get(f"/finances/caisses/{till}/appareils"))
    assert [device["prefixe"] for device in listed] == [first.prefix, second.prefix]


def test_the_key_of_a_device_calls_only_the_routes_of_devices(http, db):
    device = inscribe(http.as_admin(), shop(db))
    assert ok(device.read(f"/appareils/{device.id}"))["derniere_sequence"] == "0"
    for path in ("/market/produits", "/auth/me", f"/finances/caisses/{device.till}", "/auth/cles"):
        assert refusal(http.get(path, token=device.key)) == (403, "FORBIDDEN")
    assert refusal(http.post("/market/ventes", json={}, token=device.key)) == (403, "FORBIDDEN")


def test_a_device_sees_neither_another_device_nor_another_till(http, db):
    admin = http.as_admin()
    device, other = inscribe(admin, shop(db)), inscribe(admin, shop(db))
    same = inscribe(admin, device.till)
    assert refusal(device.read(f"/appareils/{same.id}")) == (404, "NOT_FOUND")
    stranger = f"/finances/caisses/{other.till}/appareils/{other.id}"
    assert refusal(http.get(stranger, token=device.key)) == (404, "NOT_FOUND")


def test_a_revoked_device_is_refused_at_once_and_stays_in_the_list(http, db):
    till, admin = shop(db), http.as_admin()
    device = inscribe(admin, till)
    revoked = ok(admin.post(f"/finances/caisses/{till}/appareils/{device.id}/revoquer", json={}))
    assert not revoked["actif"] and revoked["date_revocation"]
    assert refusal(device.read(f"/appareils/{device.id}")) == (401, "UNAUTHORIZED")
    again = admin.post(f"/finances/caisses/{till}/appareils/{device.id}/revoquer", json={})
    assert refusal(again) == (409, "APPAREIL_REVOQUE")
    assert len(ok(admin.get(f"/finances/caisses/{till}/appareils"))) == 1


def test_a_device_that_is_revoked_in_the_middle_of_a_lot_does_nothing_more(device, db, monkeypatch):
    product = builders.produit(db, "10", "50")
    device.update()
    for _ in range(3):
        device.sell(product, "50")

    async def send(*arguments):
        answer = await lots.send(*arguments)
        db.execute("select finances.appareil_revoquer(%s, %s, 'Perdu')", [device.till, device.id])
        return answer

    monkeypatch.setattr(routes, "send", send)
    assert refusal(device.post(*device.queue)) == (401, "UNAUTHORIZED")
    assert count(db, "market.vente") == count(db, "finances.operation_appareil") == 1


def test_an_old_sign_in_inscribes_no_device(http, db):
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    client = http.as_user(user)
    db.execute("update auth.jeton_rafraichissement set date_connexion = now() - interval '1 hour'")
    answer = client.post(f"/finances/caisses/{shop(db)}/appareils", json={"libelle": "Tablette"})
    assert refusal(answer) == (403, "PREUVE_REQUISE")


def test_only_the_device_itself_sends_its_operations(http, db):
    admin = http.as_admin()
    device = inscribe(admin, shop(db))
    answer = admin.post(f"/finances/caisses/{device.till}/lots", json={"id_appareil": device.id, "operations": []})
    assert refusal(answer) == (403, "APPAREIL_SANS_CLE")
