"""Cancelling a payment entered by mistake: the money goes back once, and its invoices are owed again."""

from tests import builders
from tests.builders import payer as pay
from tests.conftest import ok, refusal, refused

REASON = "Mauvais client"
INSTALMENTS = "select id_echeance, montant, montant_paye, id_paiement from residence.echeance order by 1"


def cancel(db, payment, motif=REASON):
    return db.call("finances.paiement_annuler", id_paiement=payment, motif=motif)


def cancel_invoice(db, facture):
    return db.call("facturation.facture_annuler", id_facture=facture, motif=REASON)


def counter_of(db, payment):
    return db.one("select * from finances.paiement where id_paiement_origine = %s", [payment])


def balance(db, facture):
    row = db.one("select montant_paye, reste, statut from facturation.facture where id_facture = %s", [facture])
    return str(row["montant_paye"]), str(row["reste"]), row["statut"]


def sound(db):
    return db.all("select * from jobs._controler()") == []


def test_cancelling_a_payment_refunds_it_and_its_invoice_is_owed_again(db):
    facture = builders.facture(db, "1000.75")
    right, wrong = pay(db, "300.25", id_facture=facture), pay(db, "700.50", id_facture=facture)
    assert cancel(db, wrong)["paiement"].split(",")[0].strip("(") == str(wrong)
    row = counter_of(db, wrong)
    assert (row["type"], str(row["montant"]), row["motif"]) == ("DECAISSEMENT", "700.50", REASON)
    assert row["annulation"] is True
    assert balance(db, facture) == ("300.25", "700.50", "PARTIELLE")
    shown = {p["id_paiement"]: p["annule"] for p in db.rows("finances.paiement_lister")}
    assert shown == {right: False, wrong: True, row["id_paiement"]: False}
    pay(db, "700.50", id_facture=facture)  # the correct payment
    assert balance(db, facture)[2] == "PAYEE"
    assert sound(db)


def test_a_cancelled_payment_takes_no_credit_back_before_the_credit_exists(db):
    facture = builders.facture(db, "100", id_client=builders.client(db))
    payment = pay(db, "100", id_facture=facture)
    line = db.one("select id_ligne from facturation.facture_ligne where id_facture = %s", [facture])
    lines = [{"id_ligne": line, "montant": "30"}]
    db.call("facturation.avoir_creer", id_facture=facture, motif="Geste", lignes=lines)
    cancel(db, payment)
    counter = counter_of(db, payment)["id_paiement"]
    with refused("CREDIT_INSUFFISANT", 409):
        db.call("finances.paiement_modifier", id_paiement=counter, champs={"date": "2026-05-01T10:00:00Z"})


def test_a_payment_is_cancelled_at_most_once_and_its_counter_payment_never(db):
    payment = pay(db, "500", id_facture=builders.facture(db))
    cancel(db, payment)
    with refused("PAIEMENT_DEJA_ANNULE", 409):
        cancel(db, payment)
    with refused("PAIEMENT_NON_ANNULABLE", 409):
        cancel(db, counter_of(db, payment)["id_paiement"])
    with refused("paiement_deja_annule", 409):
        db.alter("alter table finances.paiement disable trigger t20_paiement_ecrire")
        db.execute(
            "insert into finances.paiement (type, montant, id_moyen, id_paiement_origine, annulation, jour)"
            " values ('DECAISSEMENT', 1, 1, %s, true, core.aujourdhui())",
            [payment],
        )


def test_a_refunded_payment_cannot_be_cancelled(db):
    facture = builders.facture(db, "100")
    payment = pay(db, "100", id_facture=facture)
    cancel_invoice(db, facture)
    with refused("PAIEMENT_DEJA_RENDU", 409):
        cancel(db, payment)


def test_cancelling_a_rent_payment_makes_each_of_its_instalments_owed_again(db):
    contrat = builders.contrat(db, date_debut="2026-01-17", date_fin_prevue="2026-07-20", montant_loyer="95000.50")
    before = db.all(INSTALMENTS)
    first = db.call("residence.echeance_encaisser", id_echeance=before[0]["id_echeance"], montant="100.25", id_moyen=1)
    lot = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=contrat, montant="200000", id_moyen=1)
    cancel(db, lot["id_paiement"])
    after = db.all(INSTALMENTS)
    assert (str(after[0]["montant_paye"]), after[0]["id_paiement"]) == ("100.25", first["id_paiement"])
    assert after[1:] == before[1:]
    cancel(db, first["id_paiement"])
    assert db.all(INSTALMENTS) == before
    assert sound(db)


def test_cancelling_a_payment_reopens_a_stay_unless_the_guest_has_left(db):
    arrival = db.one("select now() - interval '1 minute'")
    guest = {"type_prestation": "NUITEE", "date_heure_arrivee": arrival, "tarif": "10000"}
    db.call("residence.sejour_creer", id_logement=builders.logement(db), **guest)
    stay = db.one("select max(id_sejour) from residence.sejour_court")

    def state():
        return db.one("select statut from residence.sejour_court where id_sejour = %s", [stay])

    def settle():
        return db.call("residence.sejour_payer", id_sejour=stay, montant="10000", id_moyen=1)["id_paiement"]

    paid = settle()
    assert state() == "TERMINE"
    with refused("TRANSITION_INTERDITE", 409):
        db.call("residence.sejour_modifier", id_sejour=stay, champs={"statut": "EN_COURS"})
    cancel(db, paid)
    assert state() == "EN_COURS"
    assert str(db.call("residence.sejour_detail", id_sejour=stay)["reste_a_payer"]) == "10000.00"
    paid = settle()
    left = {"date_heure_depart_reelle": str(db.one("select now()"))}
    db.call("residence.sejour_modifier", id_sejour=stay, champs=left)
    cancel(db, paid)
    assert state() == "TERMINE"  # the guest has left, so the stay stays over with a debt
    assert sound(db)


def test_a_sale_or_order_is_cancelled_by_its_own_route_only(db):
    goods = [{"id_produit": builders.produit(db), "quantite": "2"}]
    sale = db.call("market.vente_creer", lignes=goods, paiement={"montant": "1500", "id_moyen": 1})
    meal = {"type": "SUR_PLACE", "lignes": [{"id_plat": builders.plat(db), "quantite": "1"}]}
    order = db.call("restaurant.commande_creer", **meal, paiement={"montant": "3500", "id_moyen": 1})
    for source, word, path in ((sale, "la vente", "/market/ventes/"), (order, "la commande", "/restaurant/commandes/")):
        with refused("ANNULATION_PAR_SA_SOURCE", 409) as refusal:
            cancel(db, source["id_paiement"])
        assert f"annulez {word}" in refusal["message"] and path in refusal["details"]
        with refused("ANNULATION_PAR_SA_SOURCE", 409):
            cancel_invoice(db, source["facture"].split(",")[0].strip("("))


def test_a_deposit_is_refunded_through_its_lease_only(db):
    contrat = builders.contrat(db)
    db.call("residence.caution_creer", id_contrat=contrat, montant="190000")
    payment = db.call("residence.caution_encaisser", id_contrat=contrat, id_moyen=1)["id_paiement"]
    with refused("PAIEMENT_DE_CAUTION", 409) as refusal:
        cancel(db, payment)
    assert f"/residence/contrats/{contrat}/caution/rembourser" in refusal["details"]
    for use, fields in (("rembourser", {}), ("appliquer", {"id_facture": builders.facture(db)})):
        with refused("PAIEMENT_DE_CAUTION", 409):
            db.call(f"finances.paiement_{use}", id_paiement=payment, **fields)
    db.call("residence.caution_rembourser", id_contrat=contrat, id_moyen=1)


def test_a_user_of_another_till_cannot_cancel_the_payment(db):
    origin, own = builders.caisse(db), builders.caisse(db, ouverte=False)
    payment = pay(db, "30", id_caisse=origin)
    db.acting(builders.utilisateur(db, role="DIRIGEANT", caisse=own))
    with refused("NOT_FOUND", 404):
        cancel(db, payment)
    db.acting(builders.utilisateur(db, role="DIRIGEANT"))
    cancel(db, payment)
    assert counter_of(db, payment)["id_caisse"] == origin


def test_the_resident_portal_hides_a_cancelled_payment(db):
    client = builders.client(db)
    contrat = builders.contrat(db, id_client=client)
    lot = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=contrat, montant="95000", id_moyen=1)
    cancel(db, lot["id_paiement"])
    db.acting(db.one("select id_utilisateur from auth.utilisateur where id_client = %s", [client]))
    assert db.one("select cardinality(paiements) from residence.portail_paiements()") == 0
    with refused("NOT_FOUND", 404):
        db.call("residence.portail_paiement_recu", id_paiement=lot["id_paiement"])


def test_the_cancel_routes_answer_what_was_cancelled_and_what_is_owed(db, http):
    facture = builders.facture(db, "100")
    payment = pay(db, "60", id_facture=facture)
    admin, sent = http.as_admin(), {"motif": REASON}
    path = f"/finances/paiements/{payment}/annuler"
    body = ok(admin.post(path, json=sent))
    assert (body["paiement"]["id_paiement"], body["paiement"]["annule"]) == (str(payment), True)
    assert (body["contraire"]["id_paiement_origine"], body["contraire"]["motif"]) == (str(payment), REASON)
    (owed,) = body["factures"]
    assert (owed["id_facture"], owed["reste"], owed["statut"]) == (str(facture), "100.00", "IMPAYEE")
    void = f"/facturation/factures/{facture}/annuler"
    body = admin.post(void, json=sent).json()
    assert (body["statut"], body["montant_paye"], body["motif_annulation"]) == ("ANNULEE", "0.00", REASON)
    for again, rule in ((path, "PAIEMENT_DEJA_ANNULE"), (void, "FACTURE_ANNULEE")):
        assert refusal(admin.post(again, json=sent)) == (409, rule)


def test_a_charge_whose_invoice_is_cancelled_leaves_the_lists(db):
    room = builders.logement(db)
    builders.contrat(db, id_logement=room)
    categorie = db.call("residence.categorie_charge_creer", libelle="Eau")["id_categorie_charge"]
    sent = {"id_logement": room, "id_categorie_charge": categorie, "periode": "2026-08", "montant": "7300.50"}
    made = db.call("residence.charge_creer", **sent)
    charge = {"id_charge": made["id_charge"]}
    cancel(db, db.call("residence.charge_payer", **charge, montant="300.50", id_moyen=1)["id_paiement"])
    detail = db.call("residence.charge_detail", **charge)
    assert (detail["statut"], str(detail["reste_a_payer"])) == ("IMPAYEE", "7300.50")
    cancel_invoice(db, made["id_facture"])
    assert db.rows("residence.charge_lister") == []
    with refused("NOT_FOUND", 404):
        db.call("residence.charge_payer", **charge, montant="1", id_moyen=1)
    assert [row["type"] for row in db.rows("finances.impaye_lister") if row["type"] == "CHARGE"] == []
