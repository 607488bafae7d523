"""Newer releases of the web client send more keys to existing routes. Neutral values of these keys change nothing."""

import pytest

from tests import builders
from tests.conftest import ok, refused

PRODUCT = {"nom": "Savon", "prix_achat": "450.50", "prix_vente": "700"}
LINE = {"type_vetement": "Chemise", "quantite": "3", "prestation": "Lavage", "tarif": "500"}
EMPLOYEE = {
    "nom": "Koné", "prenom": "Awa", "date_embauche": "2026-03-17", "type_contrat": "CDI", "salaire_base": "181250.50"
}  # fmt: skip


def test_a_product_keeps_the_reference_in_the_request(http):
    admin = http.as_admin()
    first = admin.post("/market/produits", json={**PRODUCT, "reference": "SAV-12", "code_barre": "", "image_url": None})
    assert (first.status_code, first.json()["reference"]) == (201, "SAV-12")
    again = admin.post("/market/produits", json={**PRODUCT, "reference": "SAV-12"})
    assert (again.status_code, again.json()["code"]) == (409, "REFERENCE_PRODUIT_EXISTANTE")
    other = admin.post("/market/produits", json=PRODUCT).json()
    path = f"/market/produits/{other['id_produit']}"
    assert admin.patch(path, json={"reference": "SAV-12"}).json()["code"] == "REFERENCE_PRODUIT_EXISTANTE"
    changed = admin.patch(path, json={"nom": "Savon noir", "reference": "SAV-13", "code_barre": None})
    assert (changed.status_code, changed.json()["reference"]) == (200, "SAV-13")
    assert admin.patch(path, json={"reference": "SAV-13"}).status_code == 200


def test_the_next_product_reference_skips_references_in_use(db):
    first = db.call("market.produit_creer", nom="Un", prix_achat="1", prix_vente="2")["reference"]
    stem, number = first.rsplit("-", 1)
    for step in (1, 2):
        db.call("market.produit_creer", nom="À eux", prix_achat="1", prix_vente="2",
                reference=f"{stem}-{int(number) + step:03}")  # fmt: skip
    next_reference = db.call("market.produit_creer", nom="Deux", prix_achat="1", prix_vente="2")["reference"]
    assert next_reference == f"{stem}-{int(number) + 3:03}"


def test_the_number_of_a_room_cannot_change(http, db):
    with refused("NUMERO_LOGEMENT_IMMUABLE", 400):
        db.call("residence.logement_modifier", id_logement=builders.logement(db), champs={"numero": "X"})
    admin, room = http.as_admin(), builders.logement(db)
    number = db.one("select numero from residence.logement where id_logement = %s", [room])
    same = admin.patch(f"/residence/logements/{room}", json={"nom": "Côté cour", "numero": number})
    assert (same.status_code, same.json()["nom"], same.json()["numero"]) == (200, "Côté cour", number)
    for other in (f"{number}X", number.lower()):
        answer = admin.patch(f"/residence/logements/{room}", json={"numero": other})
        assert (answer.status_code, answer.json()["code"]) == (400, "NUMERO_LOGEMENT_IMMUABLE")


def test_the_backup_schedule_takes_both_names_and_any_case(http):
    admin, path = http.as_admin(), "/admin/sauvegardes/planification"

    def put(**body):
        answer = admin.put(path, json=body).json()
        return [answer[name] for name in ("frequence", "active", "activee", "heure")]

    assert put(frequence="hebdomadaire", activee=True, heure="04:17") == ["HEBDOMADAIRE", True, True, "04:17:00"]
    assert put(frequence="Quotidienne", activee=False) == ["QUOTIDIENNE", False, False, "04:17:00"]
    assert admin.get(path).json()["activee"] is False
    assert put(frequence="QUOTIDIENNE", active=True) == ["QUOTIDIENNE", True, True, "04:17:00"]
    assert put(frequence="quotidienne") == ["QUOTIDIENNE", True, True, "04:17:00"]  # the request names neither key
    both = {"frequence": "QUOTIDIENNE", "active": True, "activee": False}
    assert admin.put(path, json=both).json()["code"] == "PLANIFICATION_CONTRADICTOIRE"


@pytest.mark.parametrize(
    "title, code",
    [
        ("Contrôleur qualité", "CONTROLEUR_QUALITE"), ("opérateur-lavage", "OPERATEUR_LAVAGE"), ("AUTRE", "AUTRE"),
    ],
)  # fmt: skip
def test_a_job_title_is_read_in_any_case_and_with_accents(http, title, code):
    admin = http.as_admin()
    made = admin.post("/rh/employes", json={**EMPLOYEE, "fonction": title})
    assert (made.status_code, made.json()["fonction"]) == (201, code)
    path = f"/rh/employes/{made.json()['id_employe']}"
    assert admin.patch(path, json={"fonction": "Vendeur"}).json()["fonction"] == "VENDEUR"
    assert admin.patch(path, json={"fonction": title}).json()["fonction"] == code
    assert len(admin.get("/rh/employes", params={"fonction": title, "nom": "Koné"}).json()) == 1


@pytest.mark.parametrize("title", ["", "CAISSIERE", "C A I S S I E R", "É" * 5000])
def test_an_unknown_job_title_is_refused(http, title):
    answer = http.as_admin().post("/rh/employes", json={**EMPLOYEE, "fonction": title})
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert [problem["property"] for problem in answer.json()["details"]] == ["fonction"]


def test_a_laundry_order_by_the_piece_takes_the_newer_keys(http, db):
    admin = http.as_admin()
    newer = {**LINE, "hors_catalogue": True, "poids_kg": None}
    order = {"id_client": str(builders.client(db)), "mode_tarification": "UNITAIRE"}
    order |= {"utiliser_abonnement": True, "accepter_excedent": False}
    made = ok(admin.post("/pressing/commandes", json={**order, "lignes": [newer]}), 201)
    path = f"/pressing/commandes/{made['commande']['id_commande']}"
    changed = admin.patch(path, json={"lignes": [newer, {**newer, "tarif": "750"}], "mode_tarification": "UNITAIRE"})
    assert (changed.status_code, len(changed.json()["lignes"])) == (200, 2)


def test_an_invoiced_laundry_order_accepts_its_unchanged_lines(http, db):
    """The form sends every line back with neutral keys. These lines are unchanged."""
    admin = http.as_admin()
    deposit = {"montant": "100", "id_moyen": str(builders.moyen(db))}
    order = {"id_client": str(builders.client(db)), "lignes": [LINE], "paiement": deposit}
    made = admin.post("/pressing/commandes", json=order)
    path = f"/pressing/commandes/{made.json()['commande']['id_commande']}"
    assert admin.patch(path, json={"lignes": [{**LINE, "hors_catalogue": True}]}).status_code == 200
    answer = admin.patch(path, json={"lignes": [{**LINE, "tarif": "501", "hors_catalogue": True}]})
    assert answer.json()["code"] == "COMMANDE_FACTUREE"


def test_a_restaurant_order_takes_the_newer_keys(http, db):
    admin, dish = http.as_admin(), builders.plat(db)
    price = db.one("select prix::text from restaurant.plat where id_plat = %s", [dish])
    paid = {"montant": price, "id_moyen": str(builders.moyen(db))}
    body = {"type": "SUR_PLACE", "lignes": [{"id_plat": str(dish), "quantite": "1"}], "paiement": paid}
    body |= {"utiliser_abonnement": False, "accepter_excedent": True}
    made = ok(admin.post("/restaurant/commandes", json=body), 201)
    path = f"/restaurant/commandes/{made['commande']['id_commande']}/statut"
    assert admin.post(path, json={"statut": "EN_PREPARATION", "motif": None}).status_code == 200
    assert admin.post(path, json={"statut": "servie", "motif": ""}).status_code == 200


def test_a_hall_booking_takes_the_newer_key(http):
    admin = http.as_admin()
    booking = {"date_evenement": "2031-02-28", "heure_debut": "14:30", "duree": "5", "type_manifestation": "Mariage",
               "tarif": "250000.50"}  # fmt: skip
    made = ok(admin.post("/salle-fete/reservations", json={**booking, "hors_catalogue": True}), 201)
    path = f"/salle-fete/reservations/{made['id_reservation']}"
    assert admin.patch(path, json={"tarif": "260000", "hors_catalogue": True}).status_code == 200
