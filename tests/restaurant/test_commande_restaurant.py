"""A restaurant order is paid when it is created, follows a fixed table of statuses, and is refunded when cancelled."""

import json

from tests import builders
from tests.conftest import ok, reachable, refused

STATES = ("EN_COURS", "EN_PREPARATION", "SERVIE", "PAYEE", "ANNULEE")


def commander(db, *basket, montant=None, **fields):
    lignes = [{"id_plat": dish, "quantite": quantity} for dish, quantity in basket]
    paiement = {"montant": montant, "id_moyen": builders.moyen(db)}
    order = {"type": "SUR_PLACE", "lignes": lignes, "paiement": paiement} | fields
    return db.call("restaurant.commande_creer", **order)


def last(db):
    return db.one("select * from restaurant.commande order by id_commande desc limit 1")


def in_state(db, state):
    """Bring a new order to this status through the operations, and return its id."""
    commander(db, (builders.plat(db, "1000"), 1), montant="1000")
    order = int(last(db)["id_commande"])
    if state == "ANNULEE":
        db.call("restaurant.commande_annuler", id_commande=order)
    else:
        for step in STATES[1 : STATES.index(state) + 1]:
            db.call("restaurant.commande_avancer", id_commande=order, statut=step)
    return order


def test_restaurant_orders_are_fully_paid_at_creation(http, db):
    chicken, juice = builders.plat(db, "3500", nom="Poulet"), builders.plat(db, "333.33", nom="Jus")
    customer, user = builders.client(db), builders.utilisateur(db, role="ADMINISTRATEUR")
    body = {
        "type": "A_EMPORTER",
        "lignes": [{"id_plat": str(chicken), "quantite": "2"}, {"id_plat": juice, "quantite": 1.5}],
        "id_client": str(customer),
        "paiement": {"montant": "7500.00", "id_moyen": str(builders.moyen(db))},
    }
    created = ok(http.as_user(user).post("/restaurant/commandes", json=body), 201)
    assert list(created) == ["commande", "facture", "numero", "id_paiement"]
    order = created["commande"]
    assert list(order) == [
        "id_commande", "id_client", "date", "type", "total", "statut", "id_utilisateur", "client_nom",
        "client_prenoms", "id_facture", "montant_couvert", "origine", "adresse_livraison",
        "notes", "motif_annulation", "lignes",
    ]  # fmt: skip
    assert (order["type"], order["total"], order["statut"]) == ("A_EMPORTER", "7500.00", "EN_COURS")
    assert (order["id_client"], order["id_utilisateur"]) == (str(customer), str(user))
    lines = [{key: line[key] for key in line if key not in ("id_ligne", "id_commande")} for line in order["lignes"]]
    assert lines == [
        {"id_plat": str(chicken), "plat": "Poulet", "quantite": 2, "prix_unitaire": "3500.00", "total": "7000.00"},
        {"id_plat": str(juice), "plat": "Jus", "quantite": 1.5, "prix_unitaire": "333.33", "total": "500.00"},
    ]
    assert created["facture"] == {
        "id_facture": order["id_facture"], "montant_total": "7500.00", "montant_paye": "7500.00", "reste": "0.00",
        "statut": "PAYEE",
    }  # fmt: skip
    invoice = http.as_user(user).get(f"/facturation/factures/{order['id_facture']}").json()
    assert (invoice["source_type"], invoice["source_id"], invoice["numero"], invoice["id_client"]) == (
        "COMMANDE_RESTAURANT", order["id_commande"], created["numero"], str(customer),
    )  # fmt: skip
    payment = db.one("select * from finances.paiement where id_paiement = %s", [created["id_paiement"]])
    assert (str(payment["montant"]), payment["id_activite"]) == ("7500.00", builders.activite(db, "RESTAURATION"))
    assert http.as_user(user).get(f"/restaurant/commandes/{order['id_commande']}").json() == order


def test_an_invalid_order_is_refused(db):
    dish, off = builders.plat(db, "1000"), builders.plat(db, "1000", nom="Kedjenou", disponible=False)
    cash = {"montant": "1000", "id_moyen": builders.moyen(db)}
    unavailable, different = {"id_plat": str(off), "plat": "Kedjenou"}, {"total": "1000.00"}
    for basket, fields, rule, status, details in (
        ([], {}, "COMMANDE_SANS_LIGNE", 400, None),
        ([(987654, 1)], {}, "PLAT_INCONNU", 422, None),
        ([(dish, 0)], {}, "nombre_positif", 400, None),
        ([(dish, 1), (off, 1)], {}, "PLAT_INDISPONIBLE", 409, unavailable),
        ([(dish, 1)], {"paiement": cash | {"montant": None}}, "PAIEMENT_DIFFERENT_DU_TOTAL", 400, different),
        ([(dish, 1)], {"paiement": cash | {"montant": "1000.01"}}, "PAIEMENT_DIFFERENT_DU_TOTAL", 400, different),
        ([(dish, 1)], {"paiement": cash | {"id_moyen": 987654}}, "paiement_moyen_inconnu", 422, None),
        ([(dish, 1)], {"id_client": 987654}, "CLIENT_INCONNU", 422, None),
    ):
        with refused(rule, status) as refusal:
            commander(db, *basket, **{"paiement": cash} | fields)
        assert details is None or json.loads(refusal["details"]) == details


def test_direct_sql_cannot_change_delete_close_or_cancel_an_order(db):
    in_state(db, "EN_COURS")
    for statement, rule in (
        ("update restaurant.commande set total = 1", "COMMANDE_FIGEE"),
        ("update restaurant.commande set type = 'LIVRAISON'", "COMMANDE_FIGEE"),
        ("update restaurant.commande set montant_couvert = 0.01", "COMMANDE_FIGEE"),
        ("delete from restaurant.commande", "COMMANDE_FIGEE"),
        ("update restaurant.commande_ligne set quantite = 1", "COMMANDE_FIGEE"),
        ("delete from restaurant.commande_ligne", "COMMANDE_FIGEE"),
        ("insert into restaurant.commande_ligne (id_commande, id_plat, quantite, prix_unitaire)"
         " select id_commande, id_plat, 1, 1 from restaurant.commande_ligne", "COMMANDE_FIGEE"),
        ("update restaurant.commande set statut = 'PAYEE'", "TRANSITION_INTERDITE"),
        ("update restaurant.commande set statut = 'ANNULEE'", "ANNULATION_SANS_REMBOURSEMENT"),
    ):  # fmt: skip
        with refused(rule, 409):
            db.execute(statement)


def test_an_order_keeps_the_price_of_its_creation(db):
    dish = builders.plat(db, "1000")
    commander(db, (dish, 1), montant="1000")
    first = last(db)["id_commande"]
    db.call("restaurant.plat_modifier", id_plat=dish, champs={"prix": "1200"})
    commander(db, (dish, 1), montant="1200")
    assert str(db.one("select total from restaurant.commande where id_commande = %s", [first])) == "1000.00"


def test_the_list_of_orders_filters_and_sorts(db):
    dish = builders.plat(db, "100", nom="Garba épicé")
    customer = builders.client(db, nom="Kouamé", prenoms="Zoé")
    commander(db, (builders.plat(db, "50"), 1), montant="50")
    plain = last(db)["id_commande"]
    commander(db, (dish, 2), montant="200", id_client=customer, type="LIVRAISON")
    named = last(db)["id_commande"]
    cancelled = in_state(db, "ANNULEE")
    today = db.today()
    for expected, filters in [
        ([cancelled, named, plain], {}),
        ([cancelled], {"statut": "ANNULEE"}),
        ([named, plain], {"statut": "EN_COURS"}),
        ([named], {"id_client": customer}),
        ([named], {"type": "LIVRAISON"}),
        ([named], {"total": "200"}),
        ([named], {"recherche": "kouame zoe"}),
        ([named], {"recherche": "GARBA EPICE"}),
        ([plain], {"recherche": str(plain)}),
        ([cancelled, named, plain], {"du": today, "au": today}),
        ([], {"au": "2020-01-01"}),
    ]:
        assert [row["id_commande"] for row in db.rows("restaurant.commande_lister", **filters)] == expected, filters
    with refused("TRI_INCONNU", 400):
        db.rows("restaurant.commande_lister", sort="secret")


def test_users_of_another_activity_neither_see_nor_change_the_restaurant(db):
    """The calls that tests/security/test_matrice.py does not try, or tries where any account is refused."""
    order, dish = {"id_commande": in_state(db, "EN_COURS")}, builders.plat(db)
    db.call("restaurant.categorie_plat_creer", libelle="Plats")
    db.acting(builders.utilisateur(db, activite=builders.activite(db, "PRESSING")))
    for function in ("commande_lister", "plat_lister", "categorie_plat_lister"):
        assert db.rows(f"restaurant.{function}") == []
    assert db.rows("restaurant.rapport_ventes", du="2020-01-01", au="2100-01-01") == []
    cash = {"montant": "3500", "id_moyen": builders.moyen(db)}
    assert reachable(db, {
        "restaurant.commande_creer": {
            "type": "SUR_PLACE", "lignes": [{"id_plat": dish, "quantite": 1}], "paiement": cash,
        },
        "restaurant.commande_avancer": order | {"statut": "EN_PREPARATION"},
        "restaurant.commande_encaisser": order | cash,
        "restaurant.plat_creer": {"nom": "Essai", "prix": "1"},
        "restaurant.categorie_plat_creer": {"libelle": "Essai"},
    }) == []  # fmt: skip


def test_the_sales_report_counts_a_credit_note_on_its_own_day(http, db):
    chicken, juice = builders.plat(db, "3500", nom="Poulet"), builders.plat(db, "500", nom="Jus")
    commander(db, (chicken, 2), (juice, 3), montant="8500")
    admin, today = http.as_admin(), db.today()
    [first, second] = db.all("select id_facture, id_ligne from facturation.facture_ligne order by id_ligne")

    def credit(line, quantity):
        lines, refund = [{"id_ligne": line["id_ligne"], "quantite": quantity}], {"id_moyen": builders.moyen(db)}
        db.call("facturation.avoir_creer", id_facture=line["id_facture"], motif="Froid", lignes=lines,
                remboursement=refund)  # fmt: skip

    def reported(day):
        rows = ok(admin.get(f"/restaurant/rapports/ventes?du={day}&au={day}"))
        return [(row["plat"], row["quantite_vendue"], row["chiffre_affaire"]) for row in rows]

    credit(first, 1)
    assert reported(today) == [("Poulet", "1.00", "3500.00"), ("Jus", "3.00", "1500.00")]
    credit(second, 3)
    assert reported(today) == [("Poulet", "1.00", "3500.00"), ("Jus", "0.00", "0.00")]
    assert db.one("select sum(chiffre_affaires)::text from facturation.facture_jour_vue") == "3500.00"
    db.tamper("update restaurant.commande set date = date - interval '1 day'")
    assert reported(today) == [("Jus", "-3.00", "-1500.00"), ("Poulet", "-1.00", "-3500.00")]
    yesterday = db.one("select core.aujourdhui() - 1")
    assert reported(yesterday) == [("Poulet", "2.00", "7000.00"), ("Jus", "3.00", "1500.00")]


def test_the_sales_report_sums_quantity_and_turnover_by_dish(http, db):
    chicken, juice = builders.plat(db, "3500", nom="Poulet"), builders.plat(db, "500", nom="Jus")
    commander(db, (chicken, 1), (juice, 3), montant="5000")
    commander(db, (juice, 0.5), montant="250")
    commander(db, (juice, 20), montant="10000")
    db.call("restaurant.commande_annuler", id_commande=last(db)["id_commande"])
    admin, today = http.as_admin(), db.today()
    assert admin.get(f"/restaurant/rapports/ventes?du={today}&au={today}").json() == [
        {"plat": "Poulet", "quantite_vendue": "1.00", "chiffre_affaire": "3500.00"},
        {"plat": "Jus", "quantite_vendue": "3.50", "chiffre_affaire": "1750.00"},
    ]
    assert admin.get("/restaurant/rapports/ventes?du=2020-01-01&au=2020-01-02").json() == []
    monthly = admin.get("/restaurant/rapports/ventes").json()
    assert monthly == admin.get(f"/restaurant/rapports/ventes?du={str(today)[:7]}-01&au={today}").json() != []
    db.tamper("update restaurant.commande set date = %s::date - 1", f"{str(today)[:7]}-01")
    assert admin.get("/restaurant/rapports/ventes").json() == []
