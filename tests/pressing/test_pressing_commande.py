"""Laundry orders: number, totals, lists, changes and refusals."""

import json

import pytest

from tests import builders
from tests.conftest import refused

LIGNES = [
    {"type_vetement": "Chemise", "quantite": 4, "prestation": "Lavage", "tarif": "1000.00"},
    {"type_vetement": "Costume", "quantite": 1.5, "prestation": "Nettoyage à sec", "tarif": "2000"},
]


def deposer(db, acompte=None, **fields):
    if acompte is not None:
        fields["paiement"] = {"montant": acompte, "id_moyen": builders.moyen(db)}
    fields = {"id_client": fields.get("id_client") or builders.client(db), "lignes": LIGNES} | fields
    answer = db.call("pressing.commande_creer", **fields)
    return db.one("select max(id_commande) from pressing.commande"), answer


def commande(db, id_commande):
    return db.call("pressing.commande_detail", id_commande=id_commande)


def lignes(db, id_commande):
    return db.all("select * from pressing.commande_ligne_vue where id_commande = %s order by id_ligne", [id_commande])


def facture(db, id_commande):
    return db.one(
        "select * from facturation.facture where source_type = 'COMMANDE_PRESSING' and source_id = %s", [id_commande]
    )


def avancer(db, id_commande, statut):
    steps = ["DEPOSE", "EN_TRAITEMENT", "PRET"]
    for status in steps[steps.index(commande(db, id_commande)["statut"]) + 1 : steps.index(statut) + 1]:
        name = {"EN_TRAITEMENT": "traiter", "PRET": "marquer_prete"}[status]
        db.call(f"pressing.commande_{name}", id_commande=id_commande)
        assert commande(db, id_commande)["statut"] == status


def retirer(db, id_commande, solde):
    return db.call("pressing.commande_retirer", id_commande=id_commande, solde=solde, id_moyen=builders.moyen(db))


def trace(db):
    return db.one(
        "select (select json_agg(c order by id_commande) from pressing.commande c) as commandes,"
        " (select json_agg(l order by id_ligne) from pressing.commande_ligne l) as lignes,"
        " (select count(*) from facturation.facture) as factures,"
        " (select count(*) from finances.paiement) as paiements,"
        " (select count(*) from notification.notification) as notifications,"
        " (select json_agg(c order by type, annee) from core.compteur c) as numeros"
    )


def test_the_database_computes_the_totals(db):
    id_commande, _ = deposer(db)
    order = commande(db, id_commande)
    assert (str(order["montant_total"]), str(order["acompte"]), str(order["reste_a_payer"])) == (
        "7000.00", "0.00", "7000.00",
    )  # fmt: skip
    assert (order["statut"], order["id_facture"], order["client_nom"]) == ("DEPOSE", None, "Exemple")
    assert [str(row["total"]) for row in lignes(db, id_commande)] == ["4000.00", "3000.00"]


def test_order_numbers_are_consecutive_and_grow_past_9999(db):
    year = db.one("select extract(year from core.aujourdhui())::int")
    before = db.one("select coalesce(max(valeur), 0) from core.compteur where type = 'CPR' and annee = %s", [year])
    numbers = [commande(db, deposer(db)[0])["numero_commande"] for _ in range(2)]
    assert numbers == [f"CPR-{year}-{before + n:04}" for n in (1, 2)]
    db.execute("update core.compteur set valeur = 9999 where type = 'CPR'")
    assert commande(db, deposer(db)[0])["numero_commande"] == f"CPR-{year}-10000"


def test_a_refused_order_uses_no_number(db):
    before = trace(db)
    with refused("SURPAIEMENT", 409):
        deposer(db, "7000.01", id_client=builders.client(db))
    assert trace(db)["numeros"] == before["numeros"]


@pytest.mark.parametrize(
    ("fields", "rule", "status"),
    [
        ({"lignes": []}, "COMMANDE_SANS_LIGNE", 400),
        ({"id_client": 987654}, "PRESSING_CLIENT_INCONNU", 422),
        ({"acompte": "0"}, "montant_strictement_positif", 400),
        ({"acompte": "7000.01"}, "SURPAIEMENT", 409),
        ({"lignes": [{**LIGNES[0], "quantite": 0}]}, "nombre_positif", 400),
        ({"lignes": [{**LIGNES[0], "tarif": "-1"}]}, "montant_positif", 400),
        ({"lignes": [{**LIGNES[0], "type_vetement": " "}]}, "libelle_rempli", 400),
        ({"paiement": {"montant": "1", "id_moyen": 987654}}, "paiement_moyen_inconnu", 422),
    ],
)
def test_a_refused_order_leaves_no_row(db, fields, rule, status):
    client = builders.client(db)
    before = trace(db)
    with refused(rule, status):
        deposer(db, **{"id_client": client} | fields)
    assert trace(db) == before


@pytest.mark.parametrize(
    ("statut", "operation", "rule"),
    [
        ("DEPOSE", "marquer_prete", "TRANSITION_INTERDITE"),
        ("DEPOSE", "retirer", "TRANSITION_INTERDITE"),
        ("EN_TRAITEMENT", "traiter", "TRANSITION_INTERDITE"),
        ("EN_TRAITEMENT", "retirer", "TRANSITION_INTERDITE"),
        ("PRET", "traiter", "TRANSITION_INTERDITE"),
        ("PRET", "marquer_prete", "TRANSITION_INTERDITE"),
        ("RETIRE", "traiter", "TRANSITION_INTERDITE"),
        ("RETIRE", "marquer_prete", "TRANSITION_INTERDITE"),
        ("RETIRE", "retirer", "TRANSITION_INTERDITE"),
        ("RETIRE", "annuler", "TRANSITION_INTERDITE"),
        ("ANNULEE", "traiter", "TRANSITION_INTERDITE"),
        ("ANNULEE", "marquer_prete", "TRANSITION_INTERDITE"),
        ("ANNULEE", "retirer", "TRANSITION_INTERDITE"),
        ("ANNULEE", "annuler", "TRANSITION_INTERDITE"),
    ],
)
def test_a_transition_outside_the_table_is_refused(db, statut, operation, rule):
    id_commande, _ = deposer(db)
    if statut == "ANNULEE":
        db.call("pressing.commande_annuler", id_commande=id_commande)
    elif statut == "RETIRE":
        avancer(db, id_commande, "PRET")
        retirer(db, id_commande, "7000")
    else:
        avancer(db, id_commande, statut)
    before = trace(db)
    with refused(rule, 409):
        if operation == "retirer":
            retirer(db, id_commande, "0" if statut == "RETIRE" else "7000")
        else:
            db.call(f"pressing.commande_{operation}", id_commande=id_commande)
    assert trace(db) == before


@pytest.mark.parametrize("statut", ["DEPOSE", "EN_TRAITEMENT", "PRET"])
def test_an_order_without_invoice_can_be_cancelled_from_every_status(db, statut):
    id_commande, _ = deposer(db)
    avancer(db, id_commande, statut)
    order = db.call("pressing.commande_annuler", id_commande=id_commande)
    assert (order["statut"], str(order["reste_a_payer"]), facture(db, id_commande)) == ("ANNULEE", "0.00", None)


def test_client_date_and_lines_can_change_before_the_treatment(db):
    id_commande, _ = deposer(db)
    other = builders.client(db, nom="Autre")
    champs = {"id_client": other, "date_retrait_prevue": "2030-01-02", "lignes": [{**LIGNES[0], "quantite": 1}]}
    order = db.call("pressing.commande_modifier", id_commande=id_commande, champs=champs)
    assert (order["id_client"], str(order["date_retrait_prevue"]), str(order["montant_total"])) == (
        other, "2030-01-02", "1000.00",
    )  # fmt: skip
    order = db.call("pressing.commande_modifier", id_commande=id_commande, champs={"date_retrait_prevue": None})
    assert (order["date_retrait_prevue"], order["id_client"], str(order["montant_total"])) == (None, other, "1000.00")


@pytest.mark.parametrize("champs", [{}, {"date_retrait_prevue": "2030-01-02"}, {"lignes": LIGNES[:1]}])
def test_an_order_in_treatment_refuses_every_change(db, champs):
    id_commande, _ = deposer(db)
    avancer(db, id_commande, "EN_TRAITEMENT")
    before = trace(db)
    with refused("COMMANDE_COMMENCEE", 409):
        db.call("pressing.commande_modifier", id_commande=id_commande, champs=champs)
    assert trace(db) == before


def test_an_invoiced_order_keeps_its_lines_and_client(db):
    client = builders.client(db)
    id_commande, _ = deposer(db, "1", id_client=client)
    for champs in ({"lignes": LIGNES[:1]}, {"lignes": [*LIGNES, LIGNES[0]]}, {"id_client": builders.client(db)}):
        with refused("COMMANDE_FACTUREE", 409):
            db.call("pressing.commande_modifier", id_commande=id_commande, champs=champs)
    unchanged = {"id_client": client, "date_retrait_prevue": "2030-01-02", "lignes": LIGNES}
    order = db.call("pressing.commande_modifier", id_commande=id_commande, champs=unchanged)
    assert (str(order["date_retrait_prevue"]), str(order["montant_total"])) == ("2030-01-02", "7000.00")


@pytest.mark.parametrize(
    ("champs", "rule", "status"),
    [
        ({"lignes": []}, "COMMANDE_SANS_LIGNE", 400),
        ({"lignes": None}, "COMMANDE_SANS_LIGNE", 400),
        ({"id_client": 987654}, "PRESSING_CLIENT_INCONNU", 422),
        ({"id_client": None}, "VALIDATION_ERROR", 400),
    ],
)
def test_a_refused_change_leaves_the_order_unchanged(db, champs, rule, status):
    id_commande, _ = deposer(db)
    before = trace(db)
    with refused(rule, status):
        db.call("pressing.commande_modifier", id_commande=id_commande, champs=champs)
    assert trace(db) == before


def test_lines_written_with_direct_sql_change_the_total_until_the_treatment(db):
    id_commande, _ = deposer(db)
    db.execute("update pressing.commande_ligne set quantite = 1 where id_commande = %s", [id_commande])
    assert commande(db, id_commande)["montant_total"] == 3000
    db.execute(
        "insert into pressing.commande_ligne (id_commande, type_vetement, quantite, prestation, tarif)"
        " values (%s, 'Drap', 2, 'Lavage', 50)",
        [id_commande],
    )
    assert commande(db, id_commande)["montant_total"] == 3100
    db.execute("delete from pressing.commande_ligne where type_vetement = 'Drap'")
    db.execute("update pressing.commande set montant_total = 1 where id_commande = %s", [id_commande])
    assert commande(db, id_commande)["montant_total"] == 3000
    other, _ = deposer(db)
    with refused("COMMANDE_DEPOSEE", 409):
        db.execute("update pressing.commande_ligne set id_commande = %s where id_commande = %s", [other, id_commande])
    avancer(db, id_commande, "EN_TRAITEMENT")
    with refused("COMMANDE_COMMENCEE", 409):
        db.execute("update pressing.commande_ligne set quantite = 2 where id_commande = %s", [id_commande])


@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        ("delete from pressing.commande where id_commande = %s", "COMMANDE_DEPOSEE"),
        ("update pressing.commande set numero_commande = 'X' where id_commande = %s", "COMMANDE_DEPOSEE"),
        ("update pressing.commande set statut = 'ANNULEE' where id_commande = %s", "COMMANDE_FACTUREE"),
        ("update pressing.commande set date_retrait_reelle = now() where id_commande = %s", "retrait_date"),
    ],
)
def test_direct_sql_cannot_delete_renumber_or_cancel_an_invoiced_order(db, statement, rule):
    id_commande, _ = deposer(db, "1")
    with refused(rule):
        db.execute(statement, [id_commande])


def test_the_list_of_orders_filters_and_sorts(db):
    awa = builders.client(db, nom="Kouadio", prenoms="Édith", tel_principal="+2250711223344")
    first, _ = deposer(db, id_client=awa)
    second, _ = deposer(db, lignes=LIGNES[:1])
    number = commande(db, first)["numero_commande"]

    def listed(**filters):
        rows = db.rows("pressing.commande_lister", **filters)
        return [row["id_commande"] for row in rows if row["id_commande"] in (first, second)]

    today = db.one("select core.aujourdhui()")
    assert listed() == [second, first]
    for text in (number, "kouadio edith", "Edith Kouadio", "11223344"):
        assert listed(recherche=text) == [first], text
    assert listed(numero_commande=number.lower()) == listed(id_client=awa) == listed(montant_total="7000") == [first]
    assert listed(du=today, au=today) == [second, first]
    assert listed(au=db.one("select core.aujourdhui() - 1")) == []
    db.call("pressing.commande_traiter", id_commande=first)
    assert listed(statut="EN_TRAITEMENT") == [first]
    assert listed(sort="montant_total", order="desc") == [first, second]


def test_users_of_another_activity_neither_see_nor_change_laundry_orders(db):
    id_commande, _ = deposer(db)
    client = builders.client(db)
    for user in (
        builders.utilisateur(db, activite=builders.activite(db, "RESTAURATION")),
        builders.utilisateur(db, caisse=builders.caisse(db, activite_code="RESTAURATION")),
    ):
        db.acting(user)
        assert db.rows("pressing.commande_lister") == []
        for name in ("detail", "traiter", "marquer_prete", "annuler"):
            with refused("NOT_FOUND", 404):
                db.call(f"pressing.commande_{name}", id_commande=id_commande)
        with refused("NOT_FOUND", 404):
            retirer(db, id_commande, "7000")
        with refused("NOT_FOUND", 404):
            db.call("pressing.commande_modifier", id_commande=id_commande, champs={})
        with refused("NOT_FOUND", 404):
            deposer(db, id_client=client)
    db.acting(builders.utilisateur(db, activite=builders.activite(db, "PRESSING")))
    assert commande(db, id_commande)["id_commande"] == id_commande


def test_a_ready_order_notifies_the_users_that_see_the_laundry(db):
    id_commande, _ = deposer(db)
    avancer(db, id_commande, "PRET")
    notification = db.one("select * from notification.notification where evenement = 'pressing.commande_prete'")
    assert (notification["permission"], notification["id_activite"]) == (
        "PRESSING.VOIR",
        builders.activite(db, "PRESSING"),
    )
    assert notification["donnees"]["id_commande"] == str(id_commande)
    db.acting(builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=builders.activite(db, "PRESSING")))
    assert [n["evenement"] for n in db.rows("notification.notification_lister")] == ["pressing.commande_prete"]
    db.acting(builders.utilisateur(db, role="RESPONSABLE_SALLE"))
    assert db.rows("notification.notification_lister") == []


def test_an_order_goes_from_deposit_to_pickup_over_http(db, http):
    client = http.as_admin()
    body = {
        "id_client": str(builders.client(db)),
        "date_retrait_prevue": "2026-08-18",
        "lignes": [{"type_vetement": "Chemise", "quantite": "4", "prestation": "Lavage", "tarif": "1000.00"}],
        "paiement": {"montant": "1500.00", "id_moyen": "1"},
    }
    response = client.post("/pressing/commandes", json=body)
    assert response.status_code == 201, response.text
    created = response.json()
    assert list(created) == ["commande", "facture", "numero", "id_paiement"]
    assert created["facture"] == {
        "id_facture": created["commande"]["id_facture"], "montant_total": "4000.00", "montant_paye": "1500.00",
        "reste": "2500.00", "statut": "PARTIELLE",
    }  # fmt: skip
    order = created["commande"]
    assert (order["acompte"], order["reste_a_payer"], order["date_retrait_prevue"]) == (
        "1500.00", "2500.00", "2026-08-18",
    )  # fmt: skip
    assert order["lignes"][0]["quantite"] == 4 and order["lignes"][0]["total"] == "4000.00"
    path = f"/pressing/commandes/{order['id_commande']}"
    assert client.patch(path, json={"date_retrait_prevue": None}).json()["date_retrait_prevue"] is None
    assert client.post(f"{path}/traitement").json()["statut"] == "EN_TRAITEMENT"
    assert client.post(f"{path}/pret", json={}).json()["statut"] == "PRET"
    refusal = client.post(f"{path}/retirer", json={"solde": "2000", "id_moyen": "1"})
    assert (refusal.status_code, refusal.json()["code"], refusal.json()["details"]) == (
        409,
        "SOLDE_INCOMPLET",
        {"reste": "2500.00"},
    )
    done = client.post(f"{path}/retirer", json={"solde": 2500, "id_moyen": 1})
    assert done.status_code == 200, done.text
    assert (done.json()["facture"]["statut"], done.json()["commande"]["statut"]) == ("PAYEE", "RETIRE")
    assert client.get(path).json()["date_retrait_reelle"].endswith("Z")
    listed = client.get("/pressing/commandes?limit=1")
    assert listed.json()[0]["id_commande"] == order["id_commande"] and "lignes" not in listed.json()[0]
    cancel = client.post(f"{path}/annuler")
    assert (cancel.status_code, cancel.json()["code"]) == (409, "TRANSITION_INTERDITE")
    wrong = client.post("/pressing/commandes", json={**body, "lignes": [{"type_vetement": "Chemise", "total": "1"}]})
    assert {detail["property"] for detail in wrong.json()["details"]} >= {"lignes.0.total", "lignes.0.quantite"}
    line = {"type_vetement": "Chemise", "quantite": "4", "prestation": "Lavage"}
    wrong = client.post("/pressing/commandes", json={**body, "lignes": [*body["lignes"], line]})
    assert wrong.json()["code"] == "VALIDATION_ERROR"
    assert [detail["property"] for detail in wrong.json()["details"]] == ["lignes.1.tarif"]


def test_the_payment_of_a_laundry_cashier_goes_into_the_own_till(db, http):
    till = builders.caisse(db)
    user = http.as_user(builders.utilisateur(db, role="CAISSIER", caisse=till))
    body = {"id_client": builders.client(db), "lignes": LIGNES, "paiement": {"montant": "7000", "id_moyen": 1}}
    response = user.post("/pressing/commandes", content=json.dumps(body), headers={"content-type": "application/json"})
    assert response.status_code == 201, response.text
    assert response.json()["facture"]["statut"] == "PAYEE"
    payment = db.one("select * from finances.paiement where id_paiement = %s", [response.json()["id_paiement"]])
    assert (payment["id_caisse"], payment["id_activite"]) == (till, builders.activite(db, "PRESSING"))
    # Cancelling requires a permission that a cashier does not have.
    assert user.post(f"/pressing/commandes/{response.json()['commande']['id_commande']}/annuler").status_code == 403


def test_a_closed_till_refuses_an_advance_and_a_balance(db):
    client, till = builders.client(db), builders.caisse(db, ouverte=False)
    db.acting(builders.utilisateur(db, caisse=till))
    with refused("PERIODE_CAISSE_FERMEE", 409):
        deposer(db, "1", id_client=client)
    id_commande, _ = deposer(db, id_client=client)
    avancer(db, id_commande, "PRET")
    before = trace(db)
    with refused("PERIODE_CAISSE_FERMEE", 409):
        retirer(db, id_commande, "7000")
    assert trace(db) == before
