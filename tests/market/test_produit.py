"""Product categories, suppliers and products."""

from tests import builders
from tests.conftest import ok, refused


def test_a_category_is_created_changed_deactivated_and_reactivated(http):
    admin = http.as_admin()
    created = ok(admin.post("/market/categories-produits", json={"libelle": "Épicerie"}), 201)
    key = created["id_categorie_produit"]
    assert created == {"id_categorie_produit": key, "libelle": "Épicerie", "actif": True}
    path = f"/market/categories-produits/{key}"
    assert admin.patch(path, json={"libelle": "Épicerie fine"}).json()["libelle"] == "Épicerie fine"
    for _ in range(2):
        assert admin.delete(path).status_code == 204
    assert admin.get("/market/categories-produits?libelle=epicerie").json() == []
    assert [row["actif"] for row in admin.get("/market/categories-produits?actif=false").json()] == [False]
    again = admin.post("/market/categories-produits", json={"libelle": "Épicerie fine"})
    assert (again.status_code, again.json()["code"]) == (409, "CATEGORIE_PRODUIT_EXISTANTE")
    assert admin.patch(path, json={"actif": True}).json()["actif"] is True
    assert [row["id_categorie_produit"] for row in admin.get("/market/categories-produits?search=FINE").json()] == [key]


def test_a_supplier_is_created_changed_and_deactivated(http):
    admin = http.as_admin()
    body = {
        "nom": "Grossiste du Port", "contact": "Awa", "telephone": "+2250700000000", "email": None,
        "adresse": "Treichville",
    }  # fmt: skip
    created = ok(admin.post("/market/fournisseurs", json=body), 201)
    key = created["id_fournisseur"]
    assert created == body | {"id_fournisseur": key, "actif": True}
    changed = admin.patch(f"/market/fournisseurs/{key}", json={"email": "port@exemple.ci", "contact": None}).json()
    assert (changed["email"], changed["contact"], changed["nom"]) == ("port@exemple.ci", None, "Grossiste du Port")
    for query in ("nom=grossiste", "telephone=0700", "email=PORT@", "adresse=treich", "recherche=port"):
        assert len(admin.get(f"/market/fournisseurs?{query}").json()) == 1, query
    assert admin.get("/market/fournisseurs?contact=awa").json() == []
    assert admin.delete(f"/market/fournisseurs/{key}").status_code == 204
    assert admin.get("/market/fournisseurs").json() == []
    assert admin.get("/market/fournisseurs?actif=false").json()[0]["id_fournisseur"] == key


def test_a_product_gets_its_reference_and_its_opening_stock_is_a_movement(http, db):
    admin = http.as_admin()
    category = admin.post("/market/categories-produits", json={"libelle": "Boissons"}).json()["id_categorie_produit"]
    supplier = admin.post("/market/fournisseurs", json={"nom": "Brasserie"}).json()["id_fournisseur"]
    body = {
        "nom": "Jus de gingembre", "id_categorie_produit": category, "prix_achat": "500.00", "prix_vente": "750.00",
        "quantite_initiale": "12", "seuil_alerte": "3", "id_fournisseur": supplier, "date_entree": "2026-08-15",
        "image_url": "produit-photo/1-abc.jpg",
    }  # fmt: skip
    product = ok(admin.post("/market/produits", json=body), 201)
    assert product == {
        "id_produit": product["id_produit"], "reference": "GSG-REF-001", "nom": "Jus de gingembre",
        "id_categorie_produit": category, "prix_achat": "500.00", "prix_vente": "750.00", "quantite_stock": "12.00",
        "seuil_alerte": "3.00", "id_fournisseur": supplier, "date_entree": "2026-08-15", "actif": True,
        "categorie_libelle": "Boissons", "fournisseur_nom": "Brasserie",
        "image_url": "produit-photo/1-abc.jpg", "code_barre": None, "code_taxe": None,
        "cout_moyen": "500.00", "valeur_stock": "6000.00",
    }  # fmt: skip
    history = admin.get("/market/stock/historique").json()
    assert [(row["type"], row["delta"], row["stock_resultant"]) for row in history] == [("ENTREE", "12.00", "12.00")]
    assert admin.get(f"/market/produits/{product['id_produit']}").json() == product
    plain = admin.post("/market/produits", json={"nom": "Pain", "prix_achat": 100, "prix_vente": 150}).json()
    assert (plain["reference"], plain["quantite_stock"], plain["date_entree"]) == (
        "GSG-REF-002", "0.00", str(db.today()),
    )  # fmt: skip
    assert db.one("select count(*) from market.mouvement_stock") == 1


def test_the_reference_after_999_is_1000(db):
    db.execute("insert into core.compteur values ('REF', 0, 999)")
    assert db.call("market.produit_creer", nom="x", prix_achat="1", prix_vente="1")["reference"] == "GSG-REF-1000"


def test_no_request_writes_the_stock_of_a_product(http, db):
    admin, path = http.as_admin(), f"/market/produits/{builders.produit(db, '10', seuil_alerte='2')}"
    changed = admin.patch(path, json={"prix_vente": "99", "seuil_alerte": 4, "actif": False}).json()
    expected = {"prix_vente": "99.00", "seuil_alerte": "4.00", "actif": False, "quantite_stock": "10.00"}
    assert expected.items() <= changed.items()
    new = {"nom": "x", "prix_achat": "1", "prix_vente": "1", "quantite_stock": "5"}
    for method, where, sent, field in (
        ("PATCH", path, {"quantite_stock": "1"}, "quantite_stock"),
        ("PATCH", path, {"quantite_initiale": "1"}, "quantite_initiale"),
        ("POST", "/market/produits", new, "quantite_stock"),
    ):
        answer = admin.request(method, where, json=sent)
        assert (answer.status_code, answer.json()["details"][0]["property"]) == (400, field)


def test_an_invalid_product_is_refused_on_creation_and_on_change(db):
    product, new = builders.produit(db), {"nom": "Essai", "prix_achat": "1", "prix_vente": "1"}
    with refused("stock_positif", 400):
        db.call("market.produit_creer", **new, quantite_initiale="-1")
    for fields, rule, status in (
        ({"prix_vente": "-1"}, "montant_positif", 400),
        ({"nom": " "}, "libelle_rempli", 400),
        ({"seuil_alerte": "-1"}, "stock_positif", 400),
        ({"id_categorie_produit": 987654}, "produit_categorie_inconnue", 422),
        ({"id_fournisseur": 987654}, "produit_fournisseur_inconnu", 422),
        ({"image_url": "http://exemple.ci/a b.png"}, "cle_objet_mal_formee", 400),
    ):
        with refused(rule, status):
            db.call("market.produit_creer", **new | fields)
        with refused(rule, status):
            db.call("market.produit_modifier", id_produit=product, champs=fields)


def test_the_list_of_products_filters_and_sorts(db):
    category = db.call("market.categorie_produit_creer", libelle="Rayon")["id_categorie_produit"]
    supplier = db.call("market.fournisseur_creer", nom="Maison")["id_fournisseur"]
    a = builders.produit(db, "0", "10", nom="Abricot", id_categorie_produit=category, date_entree="2026-01-10")
    b = builders.produit(db, "0", "20", nom="Blé", id_fournisseur=supplier, date_entree="2026-02-10", actif=False)
    c = builders.produit(db, "0", "30", nom="Café", prix_achat="7")
    reference = db.one("select reference from market.produit where id_produit = %s", [b])
    for expected, filters in [
        ([a, b, c], {}),
        ([a], {"id_categorie_produit": category}),
        ([b], {"id_fournisseur": supplier}),
        ([b], {"reference": reference[4:].lower()}),
        ([c], {"nom": "cafe"}),
        ([c], {"prix_achat": "7"}),
        ([b], {"prix_vente": "20.00"}),
        ([b], {"entree_du": "2026-01-11"}),
        ([a], {"entree_au": "2026-01-10"}),
        ([a, c], {"actif": True}),
        ([b], {"recherche": "BLE"}),
    ]:
        assert [row["id_produit"] for row in db.rows("market.produit_lister", **filters)] == expected, filters
