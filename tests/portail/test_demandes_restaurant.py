"""Requests of meals: prices, dishes at the acceptance, the kitchen, the payment, and what a client sees of the menu."""

from tests import builders
from tests.conftest import refusal
from tests.portail.demandes import MEAL, account


def advance(http, key, statut, **fields):
    return MEAL.decide(http, key, body={"statut": statut, **fields})


def collect(http, db, key, montant):
    paid = {"montant": montant, "id_moyen": str(builders.moyen(db))}
    return MEAL.decide(http, key, "encaisser", paid | {"utiliser_abonnement": False, "accepter_excedent": False})


def test_a_request_keeps_the_prices_of_its_day(http, db):
    row = http.as_user(account(db)).post(MEAL.portal, json=MEAL.body(db)).json()
    assert [row[name] for name in ("type", "total", "notes", "adresse_livraison", "motif_annulation")] == [
        "LIVRAISON", "8001.00", "Sans piment", "Cocody, rue des Jardins 12", None,
    ]  # fmt: skip
    lines = [(line["quantite"], line["prix_unitaire"], line["total"]) for line in row["lignes"]]
    assert lines == [("2", "3500.50", "7001.00"), ("1", "1000.00", "1000.00")]
    assert all(line["nom_plat"] for line in row["lignes"])


def test_an_invalid_request_is_refused(http, db):
    user, body = http.as_user(account(db)), MEAL.body(db)
    for fields, *refused in (
        ({"adresse_livraison": None}, 400, "LIVRAISON_SANS_ADRESSE"),
        ({"adresse_livraison": "  "}, 400, "LIVRAISON_SANS_ADRESSE"),
        ({"lignes": []}, 400, "COMMANDE_SANS_LIGNE"),
        ({"lignes": [{"id_plat": "987654321", "quantite": 1}]}, 422, "PLAT_INCONNU"),
        ({"lignes": [{"id_plat": "1", "quantite": 0}]}, 400, "VALIDATION_ERROR"),
        ({"lignes": [{"id_plat": "1", "quantite": -1}]}, 400, "VALIDATION_ERROR"),
        ({"type": "DRIVE"}, 400, "VALIDATION_ERROR"),
    ):
        assert refusal(user.post(MEAL.portal, json=body | fields)) == tuple(refused), fields
    assert db.one("select count(*) from restaurant.commande_ligne") == 0
    on_site = body | {"type": "SUR_PLACE", "adresse_livraison": None}
    assert user.post(MEAL.portal, json=on_site).status_code == 201


def test_an_unavailable_dish_is_refused_at_the_request_and_at_the_acceptance(http, db):
    body = MEAL.body(db)
    key = http.as_user(account(db)).post(MEAL.portal, json=body).json()["id_commande"]
    db.execute("update restaurant.plat set disponible = false where id_plat = %s", [body["lignes"][1]["id_plat"]])
    assert refusal(advance(http, key, "EN_COURS")) == (409, "PLAT_INDISPONIBLE")
    assert MEAL.state(db, key) == "EN_ATTENTE"
    assert refusal(http.as_user(account(db)).post(MEAL.portal, json=body)) == (409, "PLAT_INDISPONIBLE")


def test_the_kitchen_serves_an_accepted_order_and_the_till_collects_it(http, db):
    user = account(db)
    key = MEAL.request(http, db, user)
    for statut in ("EN_PREPARATION", "SERVIE", "PAYEE"):
        assert refusal(advance(http, key, statut)) == (409, "TRANSITION_INTERDITE"), statut
    assert refusal(collect(http, db, key, "8001")) == (409, "DEMANDE_EN_ATTENTE")
    for statut in ("EN_COURS", "EN_PREPARATION", "SERVIE"):
        assert advance(http, key, statut).status_code == 200, statut
    assert refusal(advance(http, key, "EN_COURS")) == (409, "TRANSITION_INTERDITE")
    assert refusal(advance(http, key, "PAYEE")) == (409, "COMMANDE_NON_REGLEE")
    # The served order stands among the debts until it is paid.
    assert db.one("select array_agg(statut::text) from facturation.facture") == ["IMPAYEE"]
    assert db.one("select count(*) from finances.impaye_vue where type = 'FACTURE'") == 1
    assert refusal(collect(http, db, key, "8000")) == (400, "PAIEMENT_DIFFERENT_DU_TOTAL")
    assert collect(http, db, key, "8001").status_code == 200
    assert http.as_user(user).get(f"{MEAL.portal}/{key}").json()["statut"] == "PAYEE"
    assert str(db.one("select montant_paye from facturation.facture")) == "8001.00"


def test_acceptance_has_a_permission_of_its_own(http, db):
    cook, manager = (http.as_user(builders.porteur(db, f"RESTAURANT.{verb}")) for verb in ("MODIFIER", "VALIDER"))
    key = MEAL.request(http, db, account(db))
    path = f"{MEAL.staff}/{key}/statut"
    assert refusal(cook.post(path, json={"statut": "EN_COURS"})) == (403, "FORBIDDEN")
    assert manager.post(path, json={"statut": "EN_COURS"}).status_code == 200
    assert refusal(manager.post(path, json={"statut": "EN_PREPARATION"})) == (403, "FORBIDDEN")
    assert cook.post(path, json={"statut": "EN_PREPARATION"}).status_code == 200
    for person in (cook, manager):
        other = MEAL.request(http, db, account(db))
        answer = person.post(f"{MEAL.staff}/{other}/statut", json={"statut": "ANNULEE", "motif": "Cuisine fermée"})
        assert answer.json()["motif_annulation"] == "Cuisine fermée"


def test_reports_count_no_request(http, db):
    admin = http.as_admin()

    def counted():
        activity = admin.get("/rapports/activites/RESTAURATION").json()["indicateurs"]
        today = admin.get("/dashboard").json()["restaurant"]["nombre_commandes_aujourd_hui"]
        return activity["nombre_commandes"], today, len(admin.get("/restaurant/rapports/ventes").json())

    key = MEAL.request(http, db, account(db))
    assert counted() == (0, 0, 0)
    advance(http, key, "EN_COURS")
    assert counted() == (1, 1, 0)
    collect(http, db, key, "8001")
    assert counted() == (1, 1, 2)
