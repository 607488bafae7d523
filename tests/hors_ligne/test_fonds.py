"""A device reads all that its till sells, then the changes since its version."""

import gzip
import json

import pytest

from tests import builders
from tests.conftest import ok, refusal, values_of
from tests.hors_ligne.appareil import inscribe, shop

LISTS = ("produits", "plats", "vetements", "prestations", "taxes", "moyens", "clients", "disparus")


@pytest.fixture
def device(http, db):
    return inscribe(http.as_admin(), shop(db))


def changes(stock):
    return {name: stock[name] for name in LISTS if stock[name]}


def test_a_device_reads_what_its_activity_sells(device, http, db):
    product, idle = builders.produit(db, prix="750", nom="Riz"), builders.produit(db, actif=False)
    dish, customer = builders.plat(db), builders.client(db)
    stock = device.update()
    shown = {row["id_produit"]: row for row in stock["produits"]}
    assert shown[str(product)]["prix"] == "750.00" and shown[str(product)]["nom"] == "Riz"
    assert str(idle) not in shown and stock["plats"] == [] and stock["prix_kg"] is None
    assert str(customer) in [row["id_client"] for row in stock["clients"]]
    assert set(stock["clients"][0]) == {"id_client", "code", "nom", "prenoms", "telephone"}
    assert "Espèces" in [row["libelle"] for row in stock["moyens"]]
    table = inscribe(http.as_admin(), builders.caisse(db, activite_code="RESTAURATION")).update()
    assert str(dish) in [row["id_plat"] for row in table["plats"]] and table["produits"] == []
    db.execute("insert into pressing.tarif_kg (prix_kg) values (900)")
    laundry = inscribe(http.as_admin(), builders.caisse(db)).update()
    assert laundry["prix_kg"] == "900.00" and laundry["produits"] == laundry["plats"] == []


@pytest.mark.parametrize(
    ("activity", "permission", "names"),
    [
        ("VENTE_MARCHANDISES", "MARCHANDISE.VOIR", ["produits"]),
        ("RESTAURATION", "RESTAURANT.VOIR", ["plats"]),
        ("PRESSING", "PRESSING.VOIR", ["prestations", "prix_kg", "vetements"]),
        ("PRESSING", "CLIENT.VOIR", ["clients"]),
    ],
)
def test_a_key_reads_only_what_it_may_see_elsewhere(http, db, activity, permission, names):
    builders.produit(db), builders.plat(db), builders.client(db)
    db.execute("insert into pressing.tarif_kg (prix_kg) values (900)")
    db.execute("insert into pressing.type_vetement (libelle) values ('Cape')")
    db.execute("insert into pressing.prestation (libelle) values ('Teinture')")
    till, admin = builders.caisse(db, activite_code=activity), http.as_admin()

    def read(*permissions):
        made = ok(admin.post("/auth/cles", json={"libelle": "Lecture", "permissions": ["FINANCES.VOIR", *permissions]}))
        return ok(http.get(f"/finances/caisses/{till}/fonds", token=made["cle"]))

    bare, more = read(), read(permission)
    shown = {"produits", "plats", "vetements", "prestations", "prix_kg", "clients"}
    assert [bare[name] for name in shown if bare[name]] == [] and bare["moyens"]
    assert sorted(name for name in shown if more[name]) == names


def test_a_version_gives_only_what_changed_and_what_went(device, db):
    product, gone, idle = (builders.produit(db) for _ in range(3))
    customer = builders.client(db)
    assert device.update()["complet"] is True
    same = device.update()
    assert (changes(same), same["complet"]) == ({}, False)
    db.execute("update market.produit set prix_vente = 800 where id_produit = %s", [product])
    db.execute("update market.produit set actif = false where id_produit = %s", [gone])
    db.execute("update market.produit set quantite_stock = 3, seuil_alerte = 2 where id_produit = %s", [idle])
    db.execute("update client.client set tel_principal = '+2250700000009' where id_client = %s", [customer])
    db.execute("update client.client set profession = 'Maçon'")
    changed = changes(device.update())
    assert [(row["id_produit"], row["prix"]) for row in changed.pop("produits")] == [(str(product), "800.00")]
    assert [row["telephone"] for row in changed.pop("clients")] == ["+2250700000009"]
    assert changed == {"disparus": [{"genre": "PRODUIT", "id": str(gone)}]}
    db.execute("update market.produit set actif = true where id_produit = %s", [gone])
    assert [row["id_produit"] for row in device.update()["produits"]] == [str(gone)]


def test_a_device_knows_what_a_total_needs(device, db):
    facts = values_of(device.update(), "organisation devise decimales arrondi_facture prix_ht")
    assert facts == ("Groupe Services Généraux", "FCFA", 0, False, False)
    setting = "update core.parametre set valeur = %s where cle = %s"
    for name, value in (("TAXES_ARRONDI", "FACTURE"), ("TAXES_PRIX", "HT"), ("DEVISE_DECIMALES", "2")):
        db.execute(setting, [value, name])
    assert values_of(device.update(), "decimales arrondi_facture prix_ht") == (2, True, True)


def test_an_erased_client_is_gone(device, http, db):
    customer = builders.client(db)
    device.update()
    ok(http.as_admin().post(f"/client/clients/{customer}/anonymiser", json={"motif": "Demande"}))
    changed = device.update()
    assert (changed["clients"], changed["disparus"]) == ([], [{"genre": "CLIENT", "id": str(customer)}])


def test_an_erased_client_leaves_the_answers_of_the_device(device, http, db):
    device.do("POST", "/client/clients", builders.CLIENT)
    [made] = device.send()
    assert made["corps"]["nom"] == builders.CLIENT["nom"]
    path = f"/client/clients/{made['corps']['id_client']}/anonymiser"
    ok(http.as_admin().post(path, json={"motif": "Demande"}))
    assert [(answer["etat"], answer["corps"]) for answer in device.send()] == [("CONNUE", {})]


def test_an_open_exception_that_names_a_client_forbids_his_erasure(device, http, db):
    customer, product = builders.client(db), builders.produit(db, "0", "500")
    device.sell(product, "500")["corps"]["id_client"] = str(customer)
    device.send()
    admin, path = http.as_admin(), f"/client/clients/{customer}/anonymiser"
    refused = admin.post(path, json={"motif": "Demande"})
    assert refusal(refused) == (409, "CLIENT_EN_COURS")
    assert refused.json()["details"] == {"en_cours": ["une exception de caisse"]}
    [kept] = ok(device.read("/exceptions"))
    abandoned = f"/finances/caisses/{device.till}/exceptions/{kept['id_exception']}/abandonner"
    ok(admin.post(abandoned, json={"motif": "Rendu"}))
    ok(admin.post(path, json={"motif": "Demande"}))
    [erased] = ok(device.read("/exceptions"))
    assert (erased["motif"], erased["operation"]["corps"]["id_client"]) == ("[effacé]", str(customer))


@pytest.mark.parametrize("version", ["0", "-5", "999999999"])
def test_an_unknown_version_gives_everything(device, db, version):
    product = builders.produit(db)
    stock = ok(device.read("/fonds", params={"depuis": version}))
    assert stock["complet"] is True
    assert str(product) in [row["id_produit"] for row in stock["produits"]]


def test_the_same_stock_has_the_same_tag(device, db):
    builders.produit(db)
    first = device.read("/fonds")
    tag = {"If-None-Match": first.headers["ETag"]}
    assert device.read("/fonds", headers=tag).status_code == 304
    builders.produit(db)
    assert device.read("/fonds", headers=tag).status_code == 200


def test_ten_thousand_products_take_less_than_two_megabytes(device, db):
    db.execute(
        """insert into market.produit (reference, nom, prix_achat, prix_vente, code_barre)
           select 'R-' || n, 'Produit ' || md5(n::text) || ' en sachet de ' || n, n, n + 50,
                  'PROD-' || n * 7919 from generate_series(1, 10000) n"""
    )
    stock = device.read("/fonds")
    assert len(ok(stock)["produits"]) >= 10000
    assert len(gzip.compress(json.dumps(stock.json()).encode(), 6)) < 2_000_000
