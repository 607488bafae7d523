"""Smaller things that the newest client sends and reads."""

from tests import builders
from tests.conftest import refusal


def test_a_category_of_subscriptions_has_a_code(http, db):
    admin, path = http.as_admin(), "/abonnement/categories"
    made = admin.post(path, json={"code": "NET", "libelle": "Internet"}).json()
    given = admin.post(path, json={"libelle": "Télévision"}).json()
    assert (made["code"], given["code"]) == ("NET", f"CAT_{given['id_categorie_abonnement']}")
    one = f"{path}/{given['id_categorie_abonnement']}"
    assert admin.patch(one, json={"code": "TV"}).json()["code"] == "TV"
    assert refusal(admin.patch(one, json={"code": "NET"})) == (409, "CODE_CATEGORIE_ABONNEMENT_EXISTANT")


def test_tills_are_filtered_by_activity_and_state(http, db):
    laundry = builders.caisse(db)
    shop = builders.caisse(db, activite_code="VENTE_MARCHANDISES")
    closed = builders.caisse(db, ouverte=False, actif=False)

    def keys(query):
        return {row["id_caisse"] for row in http.as_admin().get(f"/finances/caisses?{query}").json()}

    activity = builders.activite(db)
    assert keys(f"id_activite={activity}") == {str(laundry), str(closed)}
    assert keys("actif=true") == {str(laundry), str(shop)}
    assert keys(f"id_activite={activity}&actif=false") == {str(closed)}


def test_a_price_by_weight_names_its_day_and_the_dashboard_understands_the_spelling_of_its_client(http, db):
    admin, today = http.as_admin(), db.one("select core.aujourdhui()::text")
    assert admin.post("/pressing/tarif-kg", json={"prix_kg": "1000"}).json()["date_effet"] == today
    month = today[:7]
    builders.facture(db)
    for name, months in (("ce_mois", [month]), ("mois_dernier", []), ("cette_annee", [month])):
        rows = admin.get(f"/finances/tableau-de-bord?periodo={name}").json()
        assert [row["periode"] for row in rows] == months, name
    assert admin.get("/finances/tableau-de-bord?periodo=hier").status_code == 400
