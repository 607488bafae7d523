"""Cancelling a payment entered by mistake: the money goes back once, and its invoices are owed again."""

import pytest

from tests import builders
from tests.conftest import refused

REASON = "Mauvais client"


def pay(db, montant, **fields):
    return db.call("finances.paiement_creer", montant=montant, id_moyen=1, **fields)["id_paiement"]


def cancel(db, payment, motif=REASON):
    return db.call("finances.paiement_annuler", id_paiement=payment, motif=motif)


def balance(db, facture):
    row = db.one("select montant_paye, reste, statut from facturation.facture where id_facture = %s", [facture])
    return str(row["montant_paye"]), str(row["reste"]), row["statut"]


def sound(db):
    return db.all("select * from jobs._controler()") == []


def test_cancelling_a_payment_refunds_it_and_its_invoice_is_owed_again(db):
    facture = builders.facture(db, "1000.75")
    right, wrong = pay(db, "300.25", id_facture=facture), pay(db, "700.50", id_facture=facture)
    answer = cancel(db, wrong)
    assert answer["paiement"].split(",")[0].strip("(") == str(wrong)
    row = db.one("select * from finances.paiement where id_paiement_origine = %s", [wrong])
    assert (row["type"], str(row["montant"]), row["motif"], row["annulation"]) == (
        "DECAISSEMENT",
        "700.50",
        REASON,
        True,
    )
    assert balance(db, facture) == ("300.25", "700.50", "PARTIELLE")
    shown = {p["id_paiement"]: p["annule"] for p in db.rows("finances.paiement_lister")}
    assert shown == {right: False, wrong: True, row["id_paiement"]: False}
    pay(db, "700.50", id_facture=facture)  # the correct payment
    assert balance(db, facture)[2] == "PAYEE"
    assert sound(db)


def test_a_payment_without_invoice_can_be_cancelled(db):
    payment = pay(db, "41.10", id_activite=2)
    cancel(db, payment)
    total = db.one("select sum(case type when 'ENCAISSEMENT' then montant else -montant end) from finances.paiement")
    assert str(total) == "0.00"


def test_a_payment_is_cancelled_at_most_once(db):
    payment = pay(db, "500", id_facture=builders.facture(db))
    cancel(db, payment)
    with refused("PAIEMENT_DEJA_ANNULE", 409):
        cancel(db, payment)
    with refused("paiement_deja_annule", 409):
        db.alter("alter table finances.paiement disable trigger t20_paiement_contraire")
        db.execute(
            "insert into finances.paiement (type, montant, id_moyen, id_paiement_origine, annulation)"
            " values ('DECAISSEMENT', 1, 1, %s, true)",
            [payment],
        )


def test_a_counter_payment_cannot_be_cancelled(db):
    payment = pay(db, "500", id_facture=builders.facture(db))
    cancel(db, payment)
    counter = db.one("select id_paiement from finances.paiement where id_paiement_origine = %s", [payment])
    with refused("PAIEMENT_NON_ANNULABLE", 409):
        cancel(db, counter)


def test_a_refunded_payment_cannot_be_cancelled(db):
    facture = builders.facture(db, "100")
    payment = pay(db, "100", id_facture=facture)
    db.call("facturation.facture_annuler", id_facture=facture, motif=REASON)
    with refused("PAIEMENT_DEJA_RENDU", 409):
        cancel(db, payment)


def test_cancelling_an_invoice_does_not_refund_a_cancelled_payment_again(db):
    facture = builders.facture(db, "100")
    wrong, right = pay(db, "60", id_facture=facture), None
    cancel(db, wrong)
    right = pay(db, "40", id_facture=facture)
    db.call("facturation.facture_annuler", id_facture=facture, motif=REASON)
    refunds = db.all(
        "select id_paiement_origine as p, montant::text from finances.paiement where type = 'DECAISSEMENT' order by 1"
    )
    assert [(row["p"], row["montant"]) for row in refunds] == [(wrong, "60.00"), (right, "40.00")]
    assert sound(db)


def test_cancelling_a_rent_payment_makes_each_of_its_instalments_owed_again(db):
    contrat = builders.contrat(db, date_debut="2026-01-17", date_fin_prevue="2026-07-20", montant_loyer="95000.50")
    before = db.all("select id_echeance, montant, montant_paye, id_paiement from residence.echeance order by 1")
    first = db.call("residence.echeance_encaisser", id_echeance=before[0]["id_echeance"], montant="100.25", id_moyen=1)
    lot = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=contrat, montant="200000", id_moyen=1)
    cancel(db, lot["id_paiement"])
    after = db.all("select id_echeance, montant, montant_paye, id_paiement from residence.echeance order by 1")
    assert (str(after[0]["montant_paye"]), after[0]["id_paiement"]) == ("100.25", first["id_paiement"])
    assert after[1:] == before[1:]
    cancel(db, first["id_paiement"])
    assert db.all("select id_echeance, montant, montant_paye, id_paiement from residence.echeance order by 1") == before
    assert sound(db)


def test_cancelling_a_payment_reopens_a_stay_unless_the_guest_has_left(db):
    room = builders.logement(db)
    stay = db.call(
        "residence.sejour_creer",
        type_prestation="NUITEE",
        id_logement=room,
        date_heure_arrivee=db.one("select now() - interval '1 minute'"),
        tarif="10000",
    )
    stay = db.one("select max(id_sejour) from residence.sejour_court")
    paid = db.call("residence.sejour_payer", id_sejour=stay, montant="10000", id_moyen=1)
    state = "select statut from residence.sejour_court where id_sejour = %s"
    assert db.one(state, [stay]) == "TERMINE"
    with refused("TRANSITION_INTERDITE", 409):
        db.call("residence.sejour_modifier", id_sejour=stay, champs={"statut": "EN_COURS"})
    cancel(db, paid["id_paiement"])
    assert db.one(state, [stay]) == "EN_COURS"
    assert str(db.call("residence.sejour_detail", id_sejour=stay)["reste_a_payer"]) == "10000.00"
    db.call("residence.sejour_payer", id_sejour=stay, montant="10000", id_moyen=1)
    left = {"date_heure_depart_reelle": str(db.one("select now()"))}
    db.call("residence.sejour_modifier", id_sejour=stay, champs=left)
    last = db.one("select max(id_paiement) from finances.paiement")
    cancel(db, last)
    assert db.one(state, [stay]) == "TERMINE"  # the guest has left, so the stay stays over with a debt
    assert sound(db)


def test_a_sale_or_order_is_cancelled_by_its_own_route_only(db):
    produit = builders.produit(db)
    sale = db.call(
        "market.vente_creer",
        lignes=[{"id_produit": produit, "quantite": "2"}],
        paiement={"montant": "1500", "id_moyen": 1},
    )
    plat = builders.plat(db)
    order = db.call(
        "restaurant.commande_creer",
        type="SUR_PLACE",
        lignes=[{"id_plat": plat, "quantite": "1"}],
        paiement={"montant": "3500", "id_moyen": 1},
    )
    for source, word in ((sale, "/market/ventes/"), (order, "/restaurant/commandes/")):
        with refused("ANNULATION_PAR_SA_SOURCE", 409) as refusal:
            cancel(db, source["id_paiement"])
        assert word in refusal["message"]
        facture = source["facture"].split(",")[0].strip("(")
        with refused("ANNULATION_PAR_SA_SOURCE", 409):
            db.call("facturation.facture_annuler", id_facture=facture, motif=REASON)


def test_a_deposit_is_refunded_through_its_lease_only(db):
    contrat = builders.contrat(db)
    db.call("residence.caution_creer", id_contrat=contrat, montant="190000")
    payment = db.call("residence.caution_encaisser", id_contrat=contrat, id_moyen=1)["id_paiement"]
    with refused("PAIEMENT_DE_CAUTION", 409) as refusal:
        cancel(db, payment)
    assert f"/residence/contrats/{contrat}/caution/rembourser" in refusal["message"]
    with refused("PAIEMENT_DE_CAUTION", 409):
        db.call("finances.paiement_rembourser", id_paiement=payment)
    with refused("PAIEMENT_DE_CAUTION", 409):
        db.call("finances.paiement_appliquer", id_paiement=payment, id_facture=builders.facture(db))
    db.call("residence.caution_rembourser", id_contrat=contrat, id_moyen=1)


def test_an_advance_on_a_laundry_order_can_be_cancelled(db):
    order = db.call(
        "pressing.commande_creer",
        id_client=builders.client(db),
        lignes=[{"type_vetement": "Chemise", "quantite": "3", "prestation": "Repassage", "tarif": "500"}],
        paiement={"montant": "700", "id_moyen": 1},
    )
    payment = order["id_paiement"]
    cancel(db, payment)
    commande = db.one("select max(id_commande) from pressing.commande")
    assert str(db.call("pressing.commande_detail", id_commande=commande)["acompte"]) == "0.00"
    facture = db.one("select max(id_facture) from facturation.facture")
    db.call("facturation.facture_annuler", id_facture=facture, motif=REASON)
    db.call("pressing.commande_annuler", id_commande=commande)
    assert sound(db)


def test_a_user_of_another_till_cannot_cancel_the_payment(db):
    origin, own = builders.caisse(db), builders.caisse(db, ouverte=False)
    payment = pay(db, "30", id_caisse=origin)
    manager = builders.utilisateur(db, role="DIRIGEANT", caisse=own)
    db.acting(manager)
    with refused("NOT_FOUND", 404):
        cancel(db, payment)  # a payment of another till
    db.acting(builders.utilisateur(db, role="DIRIGEANT"))
    cancel(db, payment)
    assert db.one("select id_caisse from finances.paiement where id_paiement_origine = %s", [payment]) == origin


def test_the_resident_portal_hides_a_cancelled_payment(db):
    contrat = builders.contrat(db)
    lot = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=contrat, montant="95000", id_moyen=1)
    resident = db.one(
        "select u.id_utilisateur from auth.utilisateur u join residence.contrat_location c using (id_client)"
        " where c.id_contrat = %s",
        [contrat],
    )
    cancel(db, lot["id_paiement"])
    db.acting(resident)
    assert db.one("select cardinality(paiements) from residence.portail_paiements()") == 0
    with refused("NOT_FOUND", 404):
        db.call("residence.portail_paiement_recu", id_paiement=lot["id_paiement"])


def test_the_journal_entry_names_the_payment_and_its_counter_payment(db):
    payment = pay(db, "500", id_facture=builders.facture(db))
    cancel(db, payment)
    entry = db.one(
        "select entite_id, apres from audit.journal where entite = 'paiement' and operation = 'INSERT'"
        " order by id_trace desc limit 1"
    )
    counter = db.one("select max(id_paiement) from finances.paiement")
    assert entry["entite_id"] == str(counter)
    assert (entry["apres"]["id_paiement_origine"], entry["apres"]["motif"]) == (payment, REASON)


@pytest.mark.parametrize(
    ("column", "value"), [("annulation", "true"), ("id_client", "1"), ("id_paiement_origine", "1")]
)
def test_the_columns_that_mark_a_cancellation_never_change(db, column, value):
    payment = pay(db, "500", id_activite=2)
    with refused("PAIEMENT_FIGE", 409):
        db.execute(f"update finances.paiement set {column} = {value} where id_paiement = %s", [payment])


def test_the_audit_seals_stay_valid_after_a_cancellation(db):
    facture = builders.facture(db, "100")
    payment = pay(db, "60", id_facture=facture)
    db.one("select audit.sceller()")
    cancel(db, payment)
    db.one("select audit.sceller()")
    assert db.rows("audit.verifier") == []


def test_the_cancel_route_requires_a_permission_and_a_reason(db, http):
    facture = builders.facture(db, "100")
    payment = pay(db, "60", id_facture=facture)
    cashier = http.as_user(builders.utilisateur(db, role="CAISSIER"))
    path = f"/api/v1/finances/paiements/{payment}/annuler"
    assert cashier.post(path, json={"motif": REASON}).status_code == 403
    boss = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR"))
    assert boss.post(path, json={}).status_code == 400
    answer = boss.post(path, json={"motif": REASON})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert (body["paiement"]["id_paiement"], body["paiement"]["annule"]) == (str(payment), True)
    assert (body["contraire"]["id_paiement_origine"], body["contraire"]["motif"]) == (str(payment), REASON)
    (owed,) = body["factures"]
    assert (owed["id_facture"], owed["reste"], owed["statut"]) == (str(facture), "100.00", "IMPAYEE")
    refusal = boss.post(path, json={"motif": REASON})
    assert (refusal.status_code, refusal.json()["code"]) == (409, "PAIEMENT_DEJA_ANNULE")


def test_a_cancelled_invoice_shows_its_reason(db, http):
    facture = builders.facture(db, "100")
    pay(db, "60", id_facture=facture)
    boss = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR"))
    path = f"/api/v1/facturation/factures/{facture}/annuler"
    assert http.as_user(builders.utilisateur(db, role="CAISSIER")).post(path, json={"motif": "x"}).status_code == 403
    body = boss.post(path, json={"motif": REASON}).json()
    assert (body["statut"], body["montant_paye"], body["motif_annulation"]) == ("ANNULEE", "0.00", REASON)
    assert boss.post(path, json={"motif": REASON}).json()["code"] == "FACTURE_ANNULEE"


def test_a_charge_whose_invoice_is_cancelled_leaves_the_lists(db):
    room = builders.logement(db)
    builders.contrat(db, id_logement=room)
    categorie = db.call("residence.categorie_charge_creer", libelle="Eau")["id_categorie_charge"]
    charge = db.call(
        "residence.charge_creer", id_logement=room, id_categorie_charge=categorie, periode="2026-08", montant="7300.50"
    )
    paid = db.call("residence.charge_payer", id_charge=charge["id_charge"], montant="300.50", id_moyen=1)
    cancel(db, paid["id_paiement"])
    charge_detail = db.call("residence.charge_detail", id_charge=charge["id_charge"])
    assert (charge_detail["statut"], str(charge_detail["reste_a_payer"])) == ("IMPAYEE", "7300.50")
    db.call("facturation.facture_annuler", id_facture=charge["id_facture"], motif=REASON)
    assert db.rows("residence.charge_lister") == []
    with refused("NOT_FOUND", 404):
        db.call("residence.charge_payer", id_charge=charge["id_charge"], montant="1", id_moyen=1)
    assert [row["type"] for row in db.rows("finances.impaye_lister") if row["type"] == "CHARGE"] == []
