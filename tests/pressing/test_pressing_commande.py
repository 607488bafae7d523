"""Laundry orders: number, totals, lists, changes and refusals."""

import json
from datetime import timedelta

from tests import builders
from tests.conftest import ok, reachable, refused

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
    query = "select * from facturation.facture where source_type = 'COMMANDE_PRESSING' and source_id = %s"
    return db.one(query, [id_commande])


def avancer(db, id_commande, statut):
    """Bring an order to this status through the operations."""
    if statut == "ANNULEE":
        agir(db, "annuler", id_commande)
    if statut in ("EN_TRAITEMENT", "PRET", "RETIRE") and commande(db, id_commande)["statut"] == "DEPOSE":
        agir(db, "traiter", id_commande)
    if statut in ("PRET", "RETIRE"):
        agir(db, "marquer_prete", id_commande)
    if statut == "RETIRE":
        retirer(db, id_commande, commande(db, id_commande)["reste_a_payer"])
    assert commande(db, id_commande)["statut"] == statut


def agir(db, operation, id_commande, **fields):
    return db.call(f"pressing.commande_{operation}", id_commande=id_commande, **fields)


def modifier(db, id_commande, **champs):
    return agir(db, "modifier", id_commande, champs=champs)


def retirer(db, id_commande, solde):
    return agir(db, "retirer", id_commande, solde=solde, id_moyen=builders.moyen(db))


def test_the_database_computes_the_totals(db):
    id_commande, _ = deposer(db)
    order = commande(db, id_commande)
    totals = [str(order[key]) for key in ("montant_total", "acompte", "reste_a_payer")]
    assert totals == ["7000.00", "0.00", "7000.00"]
    assert (order["statut"], order["id_facture"], order["client_nom"]) == ("DEPOSE", None, "Exemple")
    assert [str(row["total"]) for row in lignes(db, id_commande)] == ["4000.00", "3000.00"]


def test_order_numbers_are_consecutive_and_grow_past_9999(db):
    year = db.one("select extract(year from core.aujourdhui())::int")
    before = db.one("select coalesce(max(valeur), 0) from core.compteur where type = 'CPR' and annee = %s", [year])
    numbers = [commande(db, deposer(db)[0])["numero_commande"] for _ in range(2)]
    assert numbers == [f"CPR-{year}-{before + n:04}" for n in (1, 2)]
    db.execute("update core.compteur set valeur = 9999 where type = 'CPR'")
    assert commande(db, deposer(db)[0])["numero_commande"] == f"CPR-{year}-10000"


def test_an_invalid_order_is_refused(db):
    client = builders.client(db)
    for fields, rule, status in (
        ({"lignes": []}, "COMMANDE_SANS_LIGNE", 400),
        ({"id_client": 987654}, "PRESSING_CLIENT_INCONNU", 422),
        ({"acompte": "0"}, "montant_strictement_positif", 400),
        ({"acompte": "7000.01"}, "SURPAIEMENT", 409),
        ({"lignes": [{**LIGNES[0], "quantite": 0}]}, "nombre_positif", 400),
        ({"lignes": [{**LIGNES[0], "tarif": "-1"}]}, "montant_positif", 400),
        ({"lignes": [{**LIGNES[0], "type_vetement": " "}]}, "libelle_rempli", 400),
        ({"paiement": {"montant": "1", "id_moyen": 987654}}, "paiement_moyen_inconnu", 422),
    ):
        with refused(rule, status):
            deposer(db, **{"id_client": client} | fields)


def test_client_date_and_lines_can_change_before_the_treatment(db):
    id_commande, _ = deposer(db)
    other = builders.client(db, nom="Autre")
    lines = [{**LIGNES[0], "quantite": 1}]
    order = modifier(db, id_commande, id_client=other, date_retrait_prevue="2030-01-02", lignes=lines)
    assert (order["id_client"], str(order["montant_total"])) == (other, "1000.00")
    assert str(order["date_retrait_prevue"]) == "2030-01-02"
    order = modifier(db, id_commande, date_retrait_prevue=None)
    assert (order["date_retrait_prevue"], order["id_client"], str(order["montant_total"])) == (None, other, "1000.00")


def test_an_invalid_change_of_an_order_is_refused(db):
    (id_commande, _), (begun, _) = deposer(db), deposer(db)
    avancer(db, begun, "EN_TRAITEMENT")
    for order, champs, rule, status in (
        (id_commande, {"lignes": []}, "COMMANDE_SANS_LIGNE", 400),
        (id_commande, {"lignes": None}, "COMMANDE_SANS_LIGNE", 400),
        (id_commande, {"id_client": 987654}, "PRESSING_CLIENT_INCONNU", 422),
        (id_commande, {"id_client": None}, "VALIDATION_ERROR", 400),
        (begun, {}, "COMMANDE_COMMENCEE", 409),
        (begun, {"date_retrait_prevue": "2030-01-02"}, "COMMANDE_COMMENCEE", 409),
    ):
        with refused(rule, status):
            modifier(db, order, **champs)


def test_an_invoiced_order_keeps_its_lines_and_client(db):
    client = builders.client(db)
    id_commande, _ = deposer(db, "1", id_client=client)
    for champs in ({"lignes": LIGNES[:1]}, {"lignes": [*LIGNES, LIGNES[0]]}, {"id_client": builders.client(db)}):
        with refused("COMMANDE_FACTUREE", 409):
            modifier(db, id_commande, **champs)
    order = modifier(db, id_commande, id_client=client, date_retrait_prevue="2030-01-02", lignes=LIGNES)
    assert (str(order["date_retrait_prevue"]), str(order["montant_total"])) == ("2030-01-02", "7000.00")


def test_lines_written_with_direct_sql_change_the_total_until_the_treatment(db):
    id_commande, _ = deposer(db)
    for statement, total in [
        ("update pressing.commande_ligne set quantite = 1", 3000),
        ("insert into pressing.commande_ligne (id_commande, type_vetement, quantite, prestation, tarif)"
         " select id_commande, 'Drap', 2, 'Lavage', 50 from pressing.commande", 3100),
        ("delete from pressing.commande_ligne where type_vetement = 'Drap'", 3000),
        ("update pressing.commande set montant_total = 1", 3000),
    ]:  # fmt: skip
        db.execute(statement)
        assert commande(db, id_commande)["montant_total"] == total, statement
    other, _ = deposer(db)
    with refused("COMMANDE_DEPOSEE", 409):
        db.execute("update pressing.commande_ligne set id_commande = %s where id_commande = %s", [other, id_commande])
    avancer(db, id_commande, "EN_TRAITEMENT")
    with refused("COMMANDE_COMMENCEE", 409):
        db.execute("update pressing.commande_ligne set quantite = 2 where id_commande = %s", [id_commande])


def test_direct_sql_cannot_delete_renumber_or_cancel_an_invoiced_order(db):
    id_commande, _ = deposer(db, "1")
    for statement, rule in (
        ("delete from pressing.commande where id_commande = %s", "COMMANDE_DEPOSEE"),
        ("update pressing.commande set numero_commande = 'X' where id_commande = %s", "COMMANDE_DEPOSEE"),
        ("update pressing.commande set statut = 'ANNULEE' where id_commande = %s", "COMMANDE_FACTUREE"),
        ("update pressing.commande set date_retrait_reelle = now() where id_commande = %s", "retrait_date"),
    ):
        with refused(rule):
            db.execute(statement, [id_commande])


def test_the_list_of_orders_filters_and_sorts(db):
    awa = builders.client(db, nom="Kouadio", prenoms="Édith", tel_principal="+2250711223344")
    first, _ = deposer(db, id_client=awa)
    second, _ = deposer(db, lignes=LIGNES[:1])
    agir(db, "traiter", first)
    number, today = commande(db, first)["numero_commande"], db.today()
    for expected, filters in [
        ([second, first], {}),
        ([first], {"recherche": number}),
        ([first], {"recherche": "kouadio edith"}),
        ([first], {"recherche": "Edith Kouadio"}),
        ([first], {"recherche": "11223344"}),
        ([first], {"numero_commande": number.lower()}),
        ([first], {"id_client": awa}),
        ([first], {"montant_total": "7000"}),
        ([second, first], {"du": today, "au": today}),
        ([], {"au": today - timedelta(days=1)}),
        ([first], {"statut": "EN_TRAITEMENT"}),
    ]:
        assert [row["id_commande"] for row in db.rows("pressing.commande_lister", **filters)] == expected, filters


def test_an_advance_issues_the_invoice_of_an_order(db):
    client = builders.client(db)
    without, answer = deposer(db, id_client=client)
    assert facture(db, without) is None and answer["facture"] is None
    id_commande, answer = deposer(db, "3000", id_client=client)
    invoice = facture(db, id_commande)
    assert (invoice["statut"], invoice["id_client"]) == ("PARTIELLE", client)
    amounts = [str(invoice[key]) for key in ("montant_total", "montant_paye", "reste")]
    assert amounts == ["7000.00", "3000.00", "4000.00"]
    assert invoice["id_activite"] == builders.activite(db, "PRESSING")
    assert answer["numero"] == invoice["numero"] and answer["id_paiement"] is not None
    rows = db.all("select libelle, total::text from facturation.facture_ligne order by id_ligne")
    assert [tuple(row.values()) for row in rows] == [
        ("Chemise : Lavage", "4000.00"), ("Costume : Nettoyage à sec", "3000.00"),
    ]  # fmt: skip
    assert str(commande(db, id_commande)["reste_a_payer"]) == "4000.00"


def test_pickup_requires_exactly_the_balance(db):
    id_commande, _ = deposer(db, "3000")
    avancer(db, id_commande, "PRET")
    for amount, rule in (("3999.99", "SOLDE_INCOMPLET"), ("0", "SOLDE_INCOMPLET"), ("4000.01", "SURPAIEMENT")):
        with refused(rule, 409) as refusal:
            retirer(db, id_commande, amount)
        assert json.loads(refusal["details"]) == {"reste": "4000.00"}


def test_users_of_another_activity_neither_see_nor_change_laundry_orders(db):
    """The calls that tests/security/test_matrice.py does not try, or tries where any account is refused."""
    order, client = {"id_commande": deposer(db)[0]}, builders.client(db)
    db.call("pressing.type_vetement_creer", libelle="Nappe")
    db.call("pressing.prestation_creer", libelle="Amidon")
    db.call("pressing.tarif_kg_creer", prix_kg="1550")
    elsewhere = builders.caisse(db, activite_code="RESTAURATION")
    for key in ({"activite": builders.activite(db, "RESTAURATION")}, {"caisse": elsewhere}):
        db.acting(builders.utilisateur(db, "ADMINISTRATEUR", **key))
        assert db.rows("pressing.commande_lister") == []
        assert db.call("pressing.catalogue_detail") == {"types_vetement": "{}", "prestations": "{}"}
        assert reachable(db, {
            "pressing.commande_marquer_prete": order,
            "pressing.commande_retirer": order | {"solde": "7000", "id_moyen": builders.moyen(db)},
            "pressing.commande_creer": {"id_client": client, "lignes": LIGNES},
            "pressing.type_vetement_creer": {"libelle": "Gant"},
            "pressing.prestation_creer": {"libelle": "Gant"},
            "pressing.tarif_kg_detail": {},
            "pressing.tarif_kg_creer": {"prix_kg": "1"},
        }) == []  # fmt: skip


def test_a_ready_order_notifies_the_users_that_see_the_laundry(db):
    id_commande, _ = deposer(db)
    avancer(db, id_commande, "PRET")
    activite = builders.activite(db, "PRESSING")
    notification = db.one("select * from notification.notification where evenement = 'pressing.commande_prete'")
    assert (notification["permission"], notification["id_activite"]) == ("PRESSING.VOIR", activite)
    assert notification["donnees"]["id_commande"] == str(id_commande)
    db.acting(builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=activite))
    assert [n["evenement"] for n in db.rows("notification.notification_lister")] == ["pressing.commande_prete"]
    db.acting(builders.utilisateur(db, role="RESPONSABLE_SALLE"))
    assert db.rows("notification.notification_lister") == []


def test_an_order_goes_from_deposit_to_pickup_over_http(db, http):
    client = http.as_admin()
    line = {"type_vetement": "Chemise", "quantite": "4", "prestation": "Lavage", "tarif": "1000.00"}
    body = {
        "id_client": str(builders.client(db)), "date_retrait_prevue": "2026-08-18", "lignes": [line],
        "paiement": {"montant": "1500.00", "id_moyen": "1"},
    }  # fmt: skip
    created = ok(client.post("/pressing/commandes", json=body), 201)
    assert list(created) == ["commande", "facture", "numero", "id_paiement"]
    order = created["commande"]
    assert created["facture"] == {
        "id_facture": order["id_facture"], "montant_total": "4000.00", "montant_paye": "1500.00", "reste": "2500.00",
        "statut": "PARTIELLE",
    }  # fmt: skip
    assert (order["acompte"], order["reste_a_payer"]) == ("1500.00", "2500.00")
    assert order["date_retrait_prevue"] == "2026-08-18"
    assert order["lignes"][0]["quantite"] == 4 and order["lignes"][0]["total"] == "4000.00"
    path = f"/pressing/commandes/{order['id_commande']}"
    assert client.patch(path, json={"date_retrait_prevue": None}).json()["date_retrait_prevue"] is None
    assert client.post(f"{path}/traitement").json()["statut"] == "EN_TRAITEMENT"
    assert client.post(f"{path}/pret", json={}).json()["statut"] == "PRET"
    done = ok(client.post(f"{path}/retirer", json={"solde": 2500, "id_moyen": 1}))
    assert (done["facture"]["statut"], done["commande"]["statut"]) == ("PAYEE", "RETIRE")
    assert client.get(path).json()["date_retrait_reelle"].endswith("Z")
    without = {name: line[name] for name in line if name != "tarif"}
    wrong = client.post("/pressing/commandes", json=body | {"lignes": [line, without]})
    assert wrong.json()["code"] == "VALIDATION_ERROR"
    assert [detail["property"] for detail in wrong.json()["details"]] == ["lignes.1.tarif"]
