"""Prepaid subscriptions: sale, payments, adjustments, termination, carry-over and the client's own view."""

from datetime import timedelta

import pytest

from tests import builders
from tests.conftest import ok, refusal, refused, values_of
from tests.portail.demandes import without_conditions, without_row_level_security


def expired(db, **fields):
    """A subscription whose last day was yesterday."""
    return builders.souscription(db, date_debut=db.today() - timedelta(days=30), **fields)


def detail(db, subscription):
    return db.call("abonnement.souscription_detail", id_souscription=subscription)


def decide(db, subscription, decision, target=None, **fields):
    fields |= {"id_souscription": subscription, "decision": decision, "id_souscription_cible": target}
    return db.call("abonnement.souscription_decider_reliquat", **fields)


def terminate(db, subscription):
    return db.call("abonnement.souscription_resilier", id_souscription=subscription, motif="Départ")


def adjust(db, subscription, quantity):
    return db.call("abonnement.souscription_ajuster", id_souscription=subscription, quantite=quantity, motif="Geste")


def test_a_sale_freezes_quota_price_and_dates_and_issues_an_invoice(http, db):
    offer, client = builders.offre(db, libelle="Carte midi"), builders.client(db, nom="Konan")
    user = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR"))
    body = {
        "id_client": str(client), "id_offre": str(offer), "date_debut": "2026-10-05", "prix": "24000.50",
        "paiement": {"montant": "10000.50", "id_moyen": str(builders.moyen(db))}, "note": "Vendu au comptoir",
    }  # fmt: skip
    sold = ok(user.post("/abonnement/souscriptions", json=body), 201)
    assert list(sold) == ["souscription", "numero", "id_paiement"]
    row = sold["souscription"]
    assert list(row) == [
        "id_souscription", "id_client", "client_nom", "client_prenoms", "id_offre", "offre_code", "offre_libelle",
        "activite", "id_prestation", "prestation_libelle", "id_categorie_plat", "max_par_jour", "quota", "unite",
        "prix", "date_debut", "date_fin", "statut", "motif_statut", "reliquat", "id_facture",
        "paiement_partiel_autorise_par", "note", "id_utilisateur", "date_creation", "solde", "consomme_aujourdhui",
        "facture_numero", "montant_paye", "reste_a_payer", "etat", "reliquat_a_decider",
    ]  # fmt: skip
    assert values_of(row, "date_debut date_fin quota prix") == ("2026-10-05", "2026-11-03", "10", "24000.50")
    assert values_of(row, "montant_paye reste_a_payer facture_numero") == ("10000.50", "14000.00", sold["numero"])
    assert row["paiement_partiel_autorise_par"] == row["id_utilisateur"]
    invoice = user.get(f"/facturation/factures/{row['id_facture']}").json()
    assert (invoice["source_type"], invoice["source_id"], invoice["statut"], invoice["montant_total"]) == (
        "ABONNEMENT", row["id_souscription"], "PARTIELLE", "24000.50",
    )  # fmt: skip
    assert invoice["id_activite"] == str(builders.activite(db, "RESTAURATION"))
    assert "Carte midi" in invoice["lignes"][0]["libelle"]
    path = f"/abonnement/souscriptions/{row['id_souscription']}"
    db.call("abonnement.offre_modifier", id_offre=offer, champs={"quota": "99", "prix": "1", "duree_jours": 1})
    assert user.get(path).json() == row | {"mouvements": []}
    paid = ok(user.post(f"{path}/paiements", json={"montant": "14000", "id_moyen": str(builders.moyen(db))}), 201)
    assert (paid["numero"], paid["souscription"]["reste_a_payer"]) == (row["facture_numero"], "0.00")
    more = {"montant": "0.01", "id_moyen": str(builders.moyen(db))}
    assert refusal(user.post(f"{path}/paiements", json=more)) == (409, "SURPAIEMENT")
    ticket = user.get(f"/facturation/factures/{row['id_facture']}/ticket?largeur=58")
    assert ticket.status_code == 200, ticket.text


def test_a_sale_without_payment_or_dates_uses_the_offer_and_today(db):
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    db.acting(user)
    row = detail(db, builders.souscription(db))
    assert (str(row["prix"]), row["date_debut"], row["date_fin"]) == (
        "25000.00", db.today(), db.today() + timedelta(days=29),
    )  # fmt: skip
    assert (row["etat"], str(row["solde"]), row["paiement_partiel_autorise_par"]) == ("ACTIVE", "10", user)
    paid = detail(db, builders.souscription(db, paiement={"montant": "25000", "id_moyen": builders.moyen(db)}))
    assert (paid["paiement_partiel_autorise_par"], str(paid["reste_a_payer"])) == (None, "0.00")


def test_an_invalid_sale_is_refused(db):
    for fields, rule, status in (
        ({"id_client": 987654}, "CLIENT_INCONNU", 422),
        ({"id_offre": 987654}, "OFFRE_INCONNUE", 422),
        ({"paiement": {"montant": "25000.01", "id_moyen": 1}}, "SURPAIEMENT", 409),
        ({"paiement": {"montant": "0", "id_moyen": 1}}, "montant_strictement_positif", 400),
        ({"paiement": {"montant": "1", "id_moyen": 987654}}, "paiement_moyen_inconnu", 422),
        ({"prix": "-1"}, "montant_positif", 400),
    ):
        with refused(rule, status):
            builders.souscription(db, **fields)


def test_an_adjustment_changes_the_balance_and_never_below_zero(http, db):
    subscription = builders.souscription(db)
    path = f"/abonnement/souscriptions/{subscription}/ajustements"
    admin = http.as_admin()
    answer = ok(admin.post(path, json={"quantite": "-7.25", "motif": "Repas rendus"}), 201)
    assert (answer["solde"], answer["mouvements"][0]["quantite"]) == ("2.75", "-7.25")
    assert values_of(answer["mouvements"][0], "type motif") == ("AJUSTEMENT", "Repas rendus")
    below = admin.post(path, json={"quantite": "-2.76", "motif": "Trop"})
    assert refusal(below) == (400, "SOLDE_NEGATIF") and below.json()["details"] == {"solde": "2.750"}
    assert "2,75\xa0repas" in below.json()["message"]
    assert admin.post(path, json={"quantite": "0", "motif": "Rien"}).json()["code"] == "MOUVEMENT_SENS"
    assert admin.post(path, json={"quantite": "0.005", "motif": "Peu"}).json()["code"] == "QUANTITE_TROP_FINE"
    assert admin.post(path, json={"quantite": "9" * 1000, "motif": "Trop"}).status_code == 400
    assert admin.post(path, json={"quantite": "1"}).json()["details"][0]["property"] == "motif"
    assert admin.post(path, json={"quantite": "-2.75", "motif": "Fin"}).json()["etat"] == "EPUISEE"
    assert admin.post(path, json={"quantite": "1", "motif": "Offert"}).json()["etat"] == "ACTIVE"


def test_the_state_follows_status_dates_and_balance(db):
    day = db.today()
    states = {
        "ACTIVE": builders.souscription(db, date_debut=day - timedelta(days=29)), "EXPIREE": expired(db),
        "A_VENIR": builders.souscription(db, date_debut=day + timedelta(days=1)), "EPUISEE": builders.souscription(db),
        "RESILIEE": builders.souscription(db), "ANNULEE": builders.souscription(db),
    }  # fmt: skip
    adjust(db, states["EPUISEE"], "-10")
    terminate(db, states["RESILIEE"])
    invoice = detail(db, states["ANNULEE"])["id_facture"]
    db.call("facturation.facture_annuler", id_facture=invoice, motif="Erreur de saisie")
    for state, subscription in states.items():
        row = detail(db, subscription)
        assert (row["etat"], row["reliquat_a_decider"]) == (state, state == "EXPIREE")
        assert [r["id_souscription"] for r in db.rows("abonnement.souscription_lister", etat=state)] == [subscription]
    assert detail(db, states["ANNULEE"])["motif_statut"] == "Erreur de saisie"
    assert str(detail(db, states["ANNULEE"])["reste_a_payer"]) == "0.00"


def test_a_subscription_is_terminated_once_and_keeps_its_debt(http, db):
    subscription = builders.souscription(db)
    path = f"/abonnement/souscriptions/{subscription}/resilier"
    answer = ok(http.as_admin().post(path, json={"motif": "Départ"}))
    assert values_of(answer, "statut motif_statut reste_a_payer") == ("RESILIEE", "Départ", "25000.00")
    assert refusal(http.as_admin().post(path, json={"motif": "Départ"})) == (409, "SOUSCRIPTION_NON_ACTIVE")
    with refused("SOUSCRIPTION_CLOSE", 409):
        adjust(db, subscription, "1")
    with refused("SOUSCRIPTION_NON_ACTIVE", 409):
        db.call("abonnement.souscription_resilier", id_souscription=expired(db), motif="Trop tard")
    assert http.as_admin().post(path, json={}).status_code == 400


def test_only_an_unused_subscription_is_voided_with_its_invoice(db):
    client = builders.client(db)
    used, target = expired(db, id_client=client), builders.souscription(db, id_client=client)
    decide(db, used, "REPORTE", target)
    for subscription in (used, target):
        with refused("SOUSCRIPTION_CONSOMMEE", 409):
            db.call("facturation.facture_annuler", id_facture=detail(db, subscription)["id_facture"], motif="Erreur")
    paid = builders.souscription(db, paiement={"montant": "4000", "id_moyen": builders.moyen(db)})
    terminate(db, paid)
    db.call("facturation.facture_annuler", id_facture=detail(db, paid)["id_facture"], motif="Erreur")
    assert detail(db, paid)["etat"] == "ANNULEE"
    assert str(db.one("select sum(montant) from finances.paiement where type = 'DECAISSEMENT'")) == "4000.00"
    with refused("FACTURE_ANNULEE", 409):
        db.call("abonnement.souscription_payer", id_souscription=paid, montant="1", id_moyen=1)
    assert db.all("select * from jobs._controler()") == []


# ---- what remains of an expired subscription


def test_the_remainder_of_an_expired_subscription_is_carried_over(http, db):
    client = builders.client(db)
    source, target = expired(db, id_client=client), builders.souscription(db, id_client=client)
    adjust(db, source, "-3.5")
    body = {"decision": "REPORTE", "id_souscription_cible": str(target), "motif": "Client fidèle"}
    answer = ok(http.as_admin().post(f"/abonnement/souscriptions/{source}/reliquat", json=body))
    assert values_of(answer, "solde reliquat reliquat_a_decider") == ("0", "REPORTE", False)
    out = answer["mouvements"][-1]
    assert (out["type"], out["quantite"], out["motif"]) == ("REPORT_SORTANT", "-6.50", "Client fidèle")
    row = db.one("select * from abonnement.mouvement where id_souscription = %s", [target])
    assert (row["type"], str(row["quantite"]), str(row["id_mouvement_origine"])) == (
        "REPORT_ENTRANT", "6.500", out["id_mouvement"],
    )  # fmt: skip
    assert str(detail(db, target)["solde"]) == "16.50"
    again = http.as_admin().post(f"/abonnement/souscriptions/{source}/reliquat", json=body)
    assert refusal(again) == (409, "RELIQUAT_SANS_OBJET")
    assert db.all("select * from jobs._controler()") == []


def test_the_remainder_of_an_expired_subscription_is_lost(db):
    source = expired(db)
    row = decide(db, source, "PERDU", motif="Expiré")
    assert (str(row["solde"]), row["reliquat"], row["etat"]) == ("0", "PERDU", "EXPIREE")
    with refused("RELIQUAT_SANS_OBJET", 409):
        decide(db, source, "PERDU")
    adjust(db, source, "2")
    assert detail(db, source)["reliquat_a_decider"] is True


def test_a_wrong_target_of_a_carry_over_is_refused(db):
    client = builders.client(db)
    source, terminated = expired(db, id_client=client), builders.souscription(db, id_client=client)
    category = db.call("restaurant.categorie_plat_creer", libelle="Plats")["id_categorie_plat"]
    terminate(db, terminated)
    for target, rule, status in (
        (source, "RELIQUAT_CIBLE_INCOMPATIBLE", 400),
        (builders.souscription(db), "RELIQUAT_CIBLE_INCOMPATIBLE", 400),  # of another client
        (builders.souscription(db, id_client=client, offre={"id_categorie_plat": category}),
         "RELIQUAT_CIBLE_INCOMPATIBLE", 400),
        (expired(db, id_client=client), "RELIQUAT_CIBLE_INUTILISABLE", 409),
        (terminated, "RELIQUAT_CIBLE_INUTILISABLE", 409),
        (987654, "RELIQUAT_CIBLE_INCONNUE", 422),
        (None, "RELIQUAT_CIBLE_MANQUANTE", 400),
    ):  # fmt: skip
        with refused(rule, status):
            decide(db, source, "REPORTE", target)


def test_the_remainder_of_laundry_goes_to_the_same_unit_and_service(db):
    client = builders.client(db)
    wash, ironing = (
        db.call("pressing.prestation_creer", libelle=name)["id_prestation"] for name in ("Lavage", "Repassage")
    )
    laundry = {"activite": "PRESSING", "unite": "KG", "quota": "7.250", "id_prestation": wash}
    source = expired(db, id_client=client, offre=laundry)
    for offer in (laundry | {"unite": "PIECE"}, laundry | {"id_prestation": ironing}, {}):
        target = builders.souscription(db, id_client=client, offre=offer)
        with refused("RELIQUAT_CIBLE_INCOMPATIBLE", 400):
            decide(db, source, "REPORTE", target)
    target = builders.souscription(db, id_client=client, offre=laundry)
    assert str(decide(db, source, "REPORTE", target)["solde"]) == "0.000"
    assert str(detail(db, target)["solde"]) == "14.500"


def test_a_loss_has_no_target_and_a_running_subscription_no_remainder(db):
    running = builders.souscription(db)
    with refused("RELIQUAT_CIBLE_MANQUANTE", 400):
        decide(db, expired(db), "PERDU", running)
    with refused("RELIQUAT_SANS_OBJET", 409):
        decide(db, running, "PERDU")


# ---- the sale and its movements stay as they were written


MOVEMENT = "insert into abonnement.mouvement (id_souscription, type, quantite) select id_souscription, {}"


def test_direct_sql_cannot_break_the_ledger(db):
    adjust(db, builders.souscription(db), "-0.5")
    for statement, rule in (
        ("update abonnement.mouvement set quantite = 1", "MOUVEMENT_D_ABONNEMENT_FIGE"),
        ("update abonnement.mouvement set motif = 'autre'", "MOUVEMENT_D_ABONNEMENT_FIGE"),
        ("delete from abonnement.mouvement", "MOUVEMENT_D_ABONNEMENT_FIGE"),
        ("update abonnement.souscription set quota = 99", "SOUSCRIPTION_FIGEE"),
        ("update abonnement.souscription set date_fin = date_fin + 1", "SOUSCRIPTION_FIGEE"),
        ("update abonnement.souscription set prix = 0", "SOUSCRIPTION_FIGEE"),
        ("delete from abonnement.souscription", "SOUSCRIPTION_FIGEE"),
        (MOVEMENT.format("'AJUSTEMENT', -9.51 from abonnement.souscription"), "SOLDE_NEGATIF"),
        (MOVEMENT.format("'AJUSTEMENT', 0.001 from abonnement.souscription"), "QUANTITE_TROP_FINE"),
        (MOVEMENT.format("'PERTE', 1 from abonnement.souscription"), "MOUVEMENT_SENS"),
        (MOVEMENT.format("'CONSOMMATION', -1 from abonnement.souscription"), "MOUVEMENT_COMMANDE"),
        (MOVEMENT.format("'REPORT_ENTRANT', 1 from abonnement.souscription"), "MOUVEMENT_ORIGINE"),
    ):
        with refused(rule):
            db.execute(statement)


def test_the_control_of_the_money_names_a_wrong_subscription(db):
    subscription = builders.souscription(db)
    adjust(db, subscription, "-4")
    db.tamper("update abonnement.mouvement set quantite = -11")
    assert [row["_controler"] for row in db.all("select * from jobs._controler()")][:-1] == [
        f"L'abonnement {subscription} (ACTIVE) a un solde de -1.000, sa facture "
        f"{detail(db, subscription)['facture_numero']} est à l'état IMPAYEE."
    ]


# ---- lists and the portal


def test_the_list_of_subscriptions_filters_and_sorts(http, db):
    day = db.today()
    offer, client = builders.offre(db, libelle="Carte Été"), builders.client(db, nom="Yao", prenoms="Zoé")
    old = expired(db, id_client=client)
    new = builders.souscription(db, id_offre=offer)
    lost = expired(db)
    decide(db, lost, "PERDU")
    admin = http.as_admin()
    for expected, query in [
        ([lost, new, old], ""),
        ([old], f"id_client={client}"),
        ([new], f"id_offre={offer}"),
        ([lost, new, old], "activite=RESTAURATION"),
        ([], "unite=KG"),
        ([lost, new, old], "statut=ACTIVE"),
        ([new], "etat=ACTIVE"),
        ([lost], "reliquat=PERDU"),
        ([old], "reliquat_a_decider=true"),
        ([lost, new], "reliquat_a_decider=false"),
        ([], "id_prestation=1"),
        ([new], f"id_facture={detail(db, new)['id_facture']}"),
        ([new], f"debut_du={day}"),
        ([lost, old], f"debut_au={day - timedelta(days=1)}"),
        ([new], f"fin_du={day}"),
        ([lost, old], f"fin_au={day}"),
        ([old], "recherche=yao zoe"),
        ([new], "recherche=carte ete"),
        ([new], f"recherche={detail(db, new)['facture_numero']}"),
    ]:
        rows = admin.get(f"/abonnement/souscriptions?{query}").json()
        assert [row["id_souscription"] for row in rows] == [str(n) for n in expected], query
    assert admin.get("/abonnement/souscriptions?etat=PERDUE").status_code == 400
    assert admin.get("/abonnement/souscriptions/987654").status_code == 404


def test_a_client_sees_the_own_subscriptions_and_no_others(http, db):
    client, other = builders.client(db), builders.client(db)
    mine, others = builders.souscription(db, id_client=client), builders.souscription(db, id_client=other)
    adjust(db, mine, "-2")
    adjust(db, others, "-3")
    user = http.as_user(builders.utilisateur(db, role="CLIENT", id_client=client))
    staff = http.as_admin().get(f"/abonnement/souscriptions/{mine}").json()
    rows = ok(user.get("/abonnement/portail/souscriptions"))
    assert rows == [{key: value for key, value in staff.items() if key != "mouvements"}]
    assert user.get(f"/abonnement/portail/souscriptions/{mine}").json() == staff
    assert refusal(user.get(f"/abonnement/portail/souscriptions/{others}")) == (404, "NOT_FOUND")
    assert http.as_admin().get("/abonnement/portail/souscriptions").json()["code"] == "SANS_CLIENT"


@pytest.mark.parametrize("remove", [without_row_level_security, without_conditions])
def test_each_guard_of_the_portal_suffices_alone(http, db, remove):
    client = builders.client(db)
    mine, others = builders.souscription(db, id_client=client), builders.souscription(db)
    adjust(db, others, "-3")
    remove(db)
    user = http.as_user(builders.utilisateur(db, role="CLIENT", id_client=client))
    assert [row["id_souscription"] for row in user.get("/abonnement/portail/souscriptions").json()] == [str(mine)]
    assert user.get(f"/abonnement/portail/souscriptions/{others}").status_code == 404


def test_the_sale_is_journaled_with_its_words(db):
    adjust(db, builders.souscription(db), "1")
    rows = db.all("select m.mots as word from audit.journal, core.en_mots('LIGNE', module || '.' || entite) m")
    assert {"Offre d'abonnement prépayé", "Abonnement prépayé", "Mouvement d'abonnement prépayé"} <= {
        row["word"] for row in rows
    }


def test_a_subscription_in_force_is_not_credited_whole(db):
    """A credit note of all would pay the price back and leave the units usable."""
    subscription = builders.souscription(db, paiement={"montant": "25000", "id_moyen": builders.moyen(db)})
    invoice = detail(db, subscription)["id_facture"]
    line = db.one("select id_ligne from facturation.facture_ligne where id_facture = %s", [invoice])

    def credit(amount):
        lines = [{"id_ligne": line, "montant": amount}]
        back = {"id_moyen": builders.moyen(db)}
        db.call("facturation.avoir_creer", id_facture=invoice, lignes=lines, motif="geste", remboursement=back)

    credit("5000")
    with refused("SOUSCRIPTION_EN_VIGUEUR", 409):
        credit("20000")
    terminate(db, subscription)
    credit("20000")
    assert str(db.one("select reste from facturation.facture where id_facture = %s", [invoice])) == "0.00"
    assert db.all("select * from jobs._controler()") == []


def test_an_expired_subscription_is_terminated_and_credited_whole_once_nothing_of_it_is_left(db):
    subscription = expired(db, paiement={"montant": "25000", "id_moyen": builders.moyen(db)})
    adjust(db, subscription, "-4")
    invoice = detail(db, subscription)["id_facture"]
    line = db.one("select id_ligne from facturation.facture_ligne where id_facture = %s", [invoice])
    credit = {"id_facture": invoice, "lignes": [{"id_ligne": line, "montant": "25000"}], "motif": "Geste"}
    with refused("SOUSCRIPTION_EN_VIGUEUR", 409):
        db.call("facturation.avoir_creer", **credit)
    with refused("SOUSCRIPTION_NON_ACTIVE", 409):
        terminate(db, subscription)
    decide(db, subscription, "PERDU")
    with refused("SOUSCRIPTION_CONSOMMEE", 409):
        db.call("facturation.facture_annuler", id_facture=invoice, motif="Geste")
    assert terminate(db, subscription)["etat"] == "RESILIEE"
    db.call("facturation.avoir_creer", **credit)
    assert detail(db, subscription)["reliquat_a_decider"] is False
    assert db.all("select * from jobs._controler()") == []
