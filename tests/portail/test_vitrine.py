"""The shop window: the catalogue without an account, where a setting opens it. The portal reads pictures always."""

import pytest

from tests import builders
from tests.conftest import refusal
from tests.portail.demandes import account
from tests.uploads.test_depot import JPEG


def deposit(http, category):
    form = {"files": {"file": ("a.jpg", JPEG)}, "data": {"categorie": category}}
    return str(http.as_admin().post("/uploads", **form).json()["key"])


@pytest.fixture
def catalogue(http, db):
    """A product and a dish with pictures, and one of each that is not on sale."""
    rice = builders.produit(db, prix="1250.50", nom="Riz", image_url=deposit(http, "produit-photo"), prix_achat="900")
    chicken = builders.plat(db, prix="3500", nom="Poulet", image_url=deposit(http, "plat-photo"))
    hidden = builders.produit(db, nom="Vieux riz", actif=False, image_url=deposit(http, "produit-photo"))
    gone = builders.plat(db, nom="Soupe", disponible=False, image_url=deposit(http, "plat-photo"))
    return {"market": (rice, hidden), "restaurant": (chicken, gone)}


def test_a_closed_window_shows_nothing(http, catalogue):
    for slice_, (key, _) in catalogue.items():
        for path in (f"/{slice_}/vitrine", f"/{slice_}/vitrine/{key}/image"):
            assert http.get(path, token=None).status_code == 404, path
    assert http.get("/market/produits", token=None).status_code == 401
    assert refusal(http.as_admin().put("/core/parametres/VITRINE", json={"valeur": "oui"})) == (400, "VITRINE_INVALIDE")


def test_an_open_window_shows_what_is_on_sale_with_its_pictures(http, catalogue):
    assert http.as_admin().put("/core/parametres/VITRINE", json={"valeur": "1"}).status_code == 200
    (product,) = http.get("/market/vitrine", token=None).json()
    assert product == {
        "id_produit": str(catalogue["market"][0]), "nom": "Riz", "id_categorie_produit": None,
        "categorie_libelle": None, "prix_vente": "1250.50",
        "image_url": f"/api/v1/market/vitrine/{catalogue['market'][0]}/image",
    }  # fmt: skip
    (dish,) = http.get("/restaurant/vitrine?recherche=poul", token=None).json()
    assert (dish["nom"], dish["prix"], "description" in dish) == ("Poulet", "3500.00", True)
    for slice_, (shown, hidden) in catalogue.items():
        listed = http.get(f"/{slice_}/vitrine", token=None)
        assert listed.headers["cache-control"] == "public, max-age=60" and "ratelimit" in listed.headers
        picture = http.get(f"/{slice_}/vitrine/{shown}/image", token=None)
        assert (picture.status_code, picture.content) == (200, JPEG)
        assert picture.headers["cache-control"] == "public, max-age=3600"
        assert http.get(f"/{slice_}/vitrine/{hidden}/image", token=None).status_code == 404


@pytest.mark.parametrize("role", ["CLIENT", "RESIDENT"])
def test_the_portal_reads_the_pictures_of_the_catalogue_and_no_other_file(http, db, catalogue, role):
    user = http.as_user(account(db, role=role))
    for path, key in (("/market/produits", catalogue["market"][0]), ("/restaurant/plats", catalogue["restaurant"][0])):
        image = user.get(f"{path}/{key}").json()["image_url"]
        assert user.get(f"/uploads?key={image}").content == JPEG
    assert user.get("/restaurant/categories").status_code == user.get("/market/categories-produits").status_code == 200
    for category in ("client-photo", "etat-lieux", "signalement-photo"):
        assert user.get(f"/uploads?key={deposit(http, category)}").status_code in (403, 404), category
    assert user.post("/uploads", files={"file": ("a.jpg", JPEG)}, data={"categorie": "plat-photo"}).status_code == 403
