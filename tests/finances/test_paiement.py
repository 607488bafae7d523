"""Payments: till, activity and day; refusals; columns that never change; which users see them."""

from datetime import timedelta

import pytest

from tests import builders
from tests.builders import payer as pay
from tests.conftest import refused

PRESSING = 2


@pytest.fixture
def yesterday(db):
    return str(db.one("select core.aujourdhui() - 1"))


def change(db, payment, **champs):
    return db.call("finances.paiement_modifier", id_paiement=payment, champs=champs)


def stored(db, payment):
    return db.one("select * from finances.paiement where id_paiement = %s", [payment])


def listed(db, **filters):
    return [row["id_paiement"] for row in db.rows("finances.paiement_lister", **filters)]


def inactive_method(db):
    return db.one("insert into finances.moyen_paiement (libelle, actif) values ('Ancien', false) returning id_moyen")


def test_a_payment_without_till_or_invoice_keeps_its_activity_and_reason(db):
    answer = builders.paiement(db, "25000.5", id_activite=PRESSING, motif="Don", reference="R-1")
    columns = "id_paiement date montant id_moyen id_activite type motif id_utilisateur reference"
    assert list(answer)[:9] == columns.split()
    assert (str(answer["montant"]), answer["type"], answer["id_activite"]) == ("25000.50", "ENCAISSEMENT", PRESSING)
    assert (answer["id_caisse"], answer["id_facture"], answer["facture"]) == (None, None, None)
    row = stored(db, answer["id_paiement"])
    assert (row["jour"], row["id_periode"]) == (db.today(), None)


def test_the_day_of_a_payment_follows_the_time_zone_of_the_organisation(db, http):
    db.execute("update core.parametre set valeur = 'Pacific/Kiritimati' where cle = 'FUSEAU_HORAIRE'")  # UTC+14
    payment = pay(db, id_activite=PRESSING, date="2026-08-15T12:00:00Z")
    assert str(stored(db, payment)["jour"]) == "2026-08-16"
    assert listed(db, du="2026-08-16", au="2026-08-16") == [payment]
    assert listed(db, du="2026-08-15", au="2026-08-15") == []
    # A date without time means midnight there.
    sent = {"montant": "1", "id_moyen": "1", "id_activite": str(PRESSING), "date": "2026-08-15"}
    answer = http.as_admin().post("/finances/paiements", json=sent).json()
    assert answer["date"] == "2026-08-14T10:00:00.000Z"
    assert str(stored(db, answer["id_paiement"])["jour"]) == "2026-08-15"


def test_a_payment_takes_the_given_activity_else_that_of_the_till_else_of_the_user(db):
    restaurant, till = builders.activite(db, "RESTAURATION"), builders.caisse(db)

    def activity(**fields):
        return builders.paiement(db, **fields)["id_activite"]

    assert activity(id_activite=restaurant) == restaurant
    assert activity(id_caisse=till) == PRESSING
    with refused("CAISSE_D_UNE_AUTRE_ACTIVITE", 409):
        activity(id_caisse=till, id_activite=restaurant)
    assert activity() is None
    db.acting(builders.utilisateur(db, activite=restaurant))
    assert activity() == restaurant


def test_a_payment_of_an_invoice_takes_its_activity_and_lowers_its_balance(db):
    facture = builders.facture(db, "300")
    answer = builders.paiement(db, "100", id_facture=facture)
    assert (answer["id_activite"], answer["id_facture"], answer["motif"]) == (PRESSING, facture, "Location de chaises")
    solde = db.one("select (%s::facturation.facture_solde).*", [answer["facture"]])
    assert [str(value) for value in solde.values()] == [str(facture), "300.00", "100.00", "200.00", "PARTIELLE"]


def test_a_cashier_pays_into_their_own_till_whatever_till_the_request_names(db):
    own, other = builders.caisse(db), builders.caisse(db)
    user = builders.utilisateur(db, caisse=own)
    db.acting(user)
    period = db.one("select id_periode from finances.periode_caisse where id_caisse = %s", [own])
    for requested in (None, own, other, 987654):
        row = stored(db, pay(db, id_caisse=requested))
        assert (row["id_caisse"], row["id_utilisateur"], row["id_periode"]) == (own, user, period)


def test_an_invalid_payment_is_refused(db):
    closed = builders.caisse(db, ouverte=False, libelle="Guichet sud")
    inactive = builders.caisse(db, actif=False)
    facture, method = builders.facture(db, "100"), inactive_method(db)
    tomorrow = db.one("select now()") + timedelta(hours=25)  # where the clock goes back, the day has 25 hours
    for fields, rule, status in [
        ({"id_caisse": closed}, "PERIODE_CAISSE_FERMEE", 409),
        ({"id_caisse": closed, "id_facture": facture}, "PERIODE_CAISSE_FERMEE", 409),
        ({"id_caisse": inactive}, "CAISSE_INACTIVE", 409),
        ({"id_caisse": 987654}, "NOT_FOUND", 404),
        ({"id_facture": 987654}, "NOT_FOUND", 404),
        ({"id_moyen": method}, "MOYEN_PAIEMENT_INACTIF", 409),
        ({"id_moyen": 987654}, "paiement_moyen_inconnu", 422),
        ({"id_activite": 987654}, "paiement_activite_inconnue", 422),
        ({"date": tomorrow}, "DATE_FUTURE", 400),
        ({"montant": "0"}, "montant_strictement_positif", 400),
        ({"montant": "100.01", "id_facture": facture}, "SURPAIEMENT", 409),
    ]:
        with refused(rule, status) as refusal:
            pay(db, **{"id_activite": PRESSING} | fields)
        assert ("Guichet sud" in refusal["message"]) == (rule == "PERIODE_CAISSE_FERMEE")


def test_a_user_of_one_till_sees_that_till_only(db):
    own, other = builders.caisse(db), builders.caisse(db)
    foreign, without = pay(db, id_caisse=other), pay(db, id_activite=builders.activite(db))
    assert listed(db, limit=2) == [without, foreign]
    assert listed(db, sans_caisse=True) == [without]
    assert listed(db, id_caisse=other) == [foreign]
    db.acting(builders.utilisateur(db, caisse=own))
    own_payment = pay(db)
    for filters in ({}, {"id_caisse": own}, {"sans_caisse": True}, {"sans_caisse": False}):
        assert listed(db, **filters) == [own_payment]
    for operation in ("finances.paiement_lister", "finances.paiements_par_utilisateur"):
        with refused("CAISSE_INTERDITE", 400):
            db.rows(operation, id_caisse=other)


@pytest.mark.utc
def test_the_list_of_payments_filters_sorts_and_pages(db):
    restaurant, virement = builders.activite(db, "RESTAURATION"), builders.moyen(db, "Virement")
    user = builders.utilisateur(db, role="DIRIGEANT")
    facture = builders.facture(db, "50")
    a = pay(db, id_activite=PRESSING, date="2026-03-01", motif="Éventail")
    b = pay(db, id_activite=restaurant, date="2026-03-31T23:59:59Z", reference="REF-9", id_moyen=virement)
    c = pay(db, "50", id_facture=facture, date="2026-04-01")
    db.acting(user)
    d = pay(db, id_activite=restaurant)
    db.one("select finances._facture_annuler(%s, 'Erreur')", [facture])
    [refund] = listed(db, type="DECAISSEMENT")
    for expected, filters in [
        ([refund, d, c, b, a], {}),
        ([b, a], {"du": "2026-03-01", "au": "2026-03-31"}),
        ([a], {"recherche": "EVENTAIL"}),
        ([a], {"motif": "event"}),
        ([b], {"recherche": "ref-9"}),
        ([b], {"reference": "f-9", "type": "ENCAISSEMENT"}),
        ([b], {"id_moyen": virement}),
        ([d, b], {"id_activite": restaurant}),
        ([refund, d], {"id_utilisateur": user}),
    ]:
        assert listed(db, **filters) == expected, filters
    assert db.one("select id_facture from finances.paiement_vue where id_paiement = %s", [refund]) == facture


def test_date_method_reason_and_reference_of_a_payment_can_change(db):
    payment, virement = pay(db, id_activite=PRESSING, motif="Faute"), builders.moyen(db, "Virement")
    sent = {"id_moyen": virement, "motif": None, "reference": "R"}
    changed = change(db, payment, date="2026-08-15", montant="1", id_caisse=1, **sent)
    assert sent.items() <= changed.items()
    assert (str(changed["montant"]), changed["id_caisse"]) == ("100.00", None)
    assert str(stored(db, payment)["jour"]) == "2026-08-15"
    for champs, rule, status in [
        ({"id_moyen": inactive_method(db)}, "MOYEN_PAIEMENT_INACTIF", 409),
        ({"date": "2100-01-01"}, "DATE_FUTURE", 400),
        ({"id_moyen": None}, "VALIDATION_ERROR", 400),
    ]:
        with refused(rule, status):
            change(db, payment, **champs)
    with refused("NOT_FOUND", 404):
        change(db, 987654)


def test_a_payment_by_a_method_now_inactive_is_still_corrected_and_refunded(db):
    method = db.one("insert into finances.moyen_paiement (libelle) values ('Bientôt fini') returning id_moyen")
    facture = builders.facture(db, "100")
    payment = pay(db, id_facture=facture, id_moyen=method)
    db.execute("update finances.moyen_paiement set actif = false where id_moyen = %s", [method])
    changed = change(db, payment, motif="Précisé", date="2026-08-15")
    assert (changed["motif"], changed["id_moyen"]) == ("Précisé", method)
    assert db.one("select statut from finances._facture_annuler(%s, 'Erreur')", [facture]) == "ANNULEE"


def test_the_date_of_a_payment_is_fixed_once_its_period_is_closed(db):
    till = builders.caisse(db)
    payment = pay(db, id_caisse=till)
    db.execute("update finances.periode_caisse set fermeture = now() where id_caisse = %s", [till])
    with refused("PERIODE_CAISSE_FERMEE", 409):
        change(db, payment, date="2026-08-15")
    assert change(db, payment, motif="Précisé")["motif"] == "Précisé"


def test_direct_sql_cannot_change_or_delete_a_payment(db):
    payment = pay(db, "10")
    builders.part(db, payment, builders.facture(db), 10)
    for statement in (
        "update finances.paiement set montant = 1",
        "update finances.paiement set id_caisse = null, id_periode = null",
        "update finances.paiement set annulation = true",
        "update finances.paiement set id_client = 1",
        "update finances.paiement set id_paiement_origine = 1",
        "update finances.paiement set id_facture = null",
        "delete from finances.paiement",
        "update finances.application_paiement set montant = 1",
        "delete from finances.application_paiement",
    ):
        with refused("PAIEMENT_FIGE", 409):
            db.execute(f"{statement} where id_paiement = %s", [payment])


def test_payments_per_user_sum_collections_and_disbursements(db):
    first, second = builders.utilisateur(db, role="DIRIGEANT"), builders.utilisateur(db, role="DIRIGEANT")
    facture = builders.facture(db, "70")
    db.acting(first)
    pay(db, "100", id_activite=PRESSING, date="2026-02-01")
    pay(db, "70", id_facture=facture, date="2026-02-28T23:59:59Z")
    db.acting(second)
    pay(db, "5", id_activite=PRESSING, date="2026-03-01")
    db.one("select finances._facture_annuler(%s, 'Erreur')", [facture])
    db.acting(None)
    rows = {row["id_utilisateur"]: row for row in db.rows("finances.paiements_par_utilisateur")}
    sums = ("montant_total", "nombre_paiements", "encaissements", "decaissements")
    assert [rows[first][name] for name in sums] == [170, 2, 170, 0]
    assert [rows[second][name] for name in sums] == [-65, 2, 5, 70]
    assert rows[first]["login"] == db.one("select login from auth.utilisateur where id_utilisateur = %s", [first])
    february = db.rows("finances.paiements_par_utilisateur", du="2026-02-01", au="2026-02-28")
    assert [row["id_utilisateur"] for row in february] == [first]


def test_refunds_of_a_payment_never_exceed_its_amount(db):
    origin = pay(db, "100", id_activite=builders.activite(db))

    def refund(montant):
        db.execute(
            "insert into finances.paiement (type, montant, id_moyen, id_activite, id_paiement_origine)"
            " select 'DECAISSEMENT', %s, id_moyen, id_activite, id_paiement from finances.paiement"
            " where id_paiement = %s",
            [montant, origin],
        )

    for accepted, too_much in (("60", "41"), ("40", "1")):
        refund(accepted)
        with refused("PAIEMENT_DEJA_RENDU", status=409):
            refund(too_much)


def test_a_counted_payment_or_expense_keeps_its_day_and_amount(db, yesterday):
    """On another day the money would be in two counts, or in none. Texts can still change."""
    till, today = builders.caisse(db), str(db.today())
    payment = pay(db, id_caisse=till, date=yesterday)
    expense = {"id_depense": builders.depense(db, id_caisse=till, date=yesterday)["id_depense"]}
    db.call("finances.tirage_creer", id_caisse=till, date=yesterday, montant_compte="95")
    with refused("JOUR_DEJA_COMPTE", 409):
        change(db, payment, date=today)
    for champs in ({"date": today}, {"montant": "4"}):
        with refused("JOUR_DEJA_COMPTE", 409):
            db.call("finances.depense_modifier", **expense, champs=champs)
    with refused("JOUR_DEJA_COMPTE", 409):
        db.call("finances.depense_supprimer", **expense)
    assert db.call("finances.depense_modifier", **expense, champs={"libelle": "Café"})["libelle"] == "Café"
    change(db, payment, motif="Acompte")


def test_a_counted_day_refuses_new_money(db, yesterday):
    """Neither the count of that day nor today's count would include the money."""
    till = builders.caisse(db)
    pay(db, id_caisse=till, date=yesterday)
    db.call("finances.tirage_creer", id_caisse=till, date=yesterday, montant_compte="100")
    today = pay(db, id_caisse=till)
    for write in (
        lambda: pay(db, id_caisse=till, date=yesterday),
        lambda: change(db, today, date=yesterday),
        lambda: builders.depense(db, id_caisse=till, date=yesterday),
    ):
        with refused("JOUR_DEJA_COMPTE", 409):
            write()
    with refused("CAISSE_D_UNE_AUTRE_ACTIVITE", 409):
        builders.depense(db, id_caisse=till, id_activite=builders.activite(db, "RESTAURATION"))


def test_a_cashier_cannot_date_money_before_the_opening_of_the_till(db, yesterday):
    """The count of that day is over for the cashier. A user without a till may date money to any day."""
    till = builders.caisse(db)
    db.acting(builders.utilisateur(db, caisse=till))
    payment, expense = pay(db), builders.depense(db)["id_depense"]
    for write in (
        lambda: pay(db, date=yesterday),
        lambda: builders.depense(db, date=yesterday),
        lambda: change(db, payment, date=yesterday),
        lambda: db.call("finances.depense_modifier", id_depense=expense, champs={"date": yesterday}),
    ):
        with refused("DATE_AVANT_OUVERTURE", 400):
            write()
    db.acting(builders.utilisateur(db, "DIRIGEANT"))
    pay(db, date=yesterday, id_caisse=till)


def test_a_till_left_open_overnight_accepts_money_dated_yesterday(db, yesterday):
    till = builders.caisse(db, ouverte=False)
    opened = "insert into finances.periode_caisse (id_caisse, ouverture) values (%s, now() - interval '1 day')"
    db.execute(opened, [till])
    db.acting(builders.utilisateur(db, caisse=till))
    assert pay(db, date=yesterday)


@pytest.mark.parametrize("montant", ["0.01", "-100.01"])
def test_a_payment_never_settles_more_than_its_amount(db, montant):
    """No operation tries this. The trigger stops direct SQL as well."""
    facture, other = builders.facture(db), builders.facture(db)
    payment = pay(db, "100")
    builders.part(db, payment, facture, 100)
    with refused("PAIEMENT_DEPASSE", 409):
        builders.part(db, payment, facture if montant.startswith("-") else other, montant)


@pytest.mark.parametrize("montant", ["0.01", "-0.01"])
def test_a_payment_that_names_its_invoice_has_no_other_part(db, montant):
    facture = builders.facture(db)
    with refused("PAIEMENT_DEPASSE", 409):
        builders.part(db, pay(db, "100", id_facture=facture), facture, montant)


def test_the_integrity_check_reports_a_payment_that_settles_more_than_its_amount(db):
    payment, other = pay(db, "100", id_facture=builders.facture(db)), builders.facture(db)
    assert db.all("select * from jobs._controler()") == []
    db.alter("alter table finances.application_paiement disable trigger t50_application_regler")
    builders.part(db, payment, other, 7)
    lines = [row["phrase"] for row in db.all("select * from jobs._controler() as phrase")]
    assert lines[1:] == [f"Le paiement {payment} (ENCAISSEMENT) est de 100.00, il règle 107.00."]  # after the invoice


def test_a_payment_without_reference_shows_the_number_of_its_invoice(db):
    facture = builders.facture(db, "300")
    numero = db.one("select numero from facturation.facture where id_facture = %s", [facture])
    answers = [
        builders.paiement(db, "10", id_facture=facture, reference="VIR-7"),
        builders.paiement(db, "20", id_facture=facture),
        builders.paiement(db, "30", id_activite=PRESSING),
    ]
    assert [payment["reference"] for payment in answers] == ["VIR-7", numero, None]
    assert [row["reference"] for row in db.rows("finances.paiement_lister")] == [None, numero, "VIR-7"]
    own, bare, alone = (payment["id_paiement"] for payment in answers)
    assert listed(db) == [alone, bare, own]
    assert listed(db, reference=numero.lower()) == [bare]
    assert listed(db, recherche=numero) == [bare, own]
    assert listed(db, reference="vir") == [own]
    assert listed(db, sort="reference", order="asc") == [own, alone, bare]
