"""Payments: till, activity and day; refusals; columns that never change; which users see them."""

from datetime import timedelta

import pytest

from tests import builders
from tests.conftest import Db, refused


@pytest.fixture
def pressing(db):
    return builders.activite(db)


def pay(db, montant="100", **fields):
    return db.call("finances.paiement_creer", montant=montant, **{"id_moyen": builders.moyen(db)} | fields)


def listed(db, **filters):
    return [row["id_paiement"] for row in db.rows("finances.paiement_lister", **filters)]


def test_a_payment_without_till_or_invoice_keeps_its_activity_and_reason(db, pressing):
    answer = pay(db, "25000.5", id_activite=pressing, motif="Don", reference="R-1")
    columns = "id_paiement date montant id_moyen id_activite type motif id_utilisateur reference"
    assert list(answer)[:9] == columns.split()
    assert (str(answer["montant"]), answer["type"], answer["id_activite"]) == ("25000.50", "ENCAISSEMENT", pressing)
    assert (answer["id_caisse"], answer["id_facture"], answer["facture"]) == (None, None, None)
    row = db.one("select jour, id_periode from finances.paiement where id_paiement = %s", [answer["id_paiement"]])
    assert row == {"jour": db.one("select core.aujourdhui()"), "id_periode": None}


def test_the_day_of_a_payment_follows_the_time_zone_of_the_organisation(db, pressing):
    db.execute("update core.parametre set valeur = 'Pacific/Kiritimati' where cle = 'FUSEAU_HORAIRE'")  # UTC+14
    answer = pay(db, id_activite=pressing, date="2026-08-15T12:00:00Z")
    assert (
        str(db.one("select jour from finances.paiement where id_paiement = %s", [answer["id_paiement"]]))
        == "2026-08-16"
    )
    assert listed(db, du="2026-08-16", au="2026-08-16") == [answer["id_paiement"]]
    assert listed(db, du="2026-08-15", au="2026-08-15") == []


def test_a_date_without_time_means_midnight_in_the_time_zone_of_the_organisation(db, http, pressing):
    db.execute("update core.parametre set valeur = 'Pacific/Kiritimati' where cle = 'FUSEAU_HORAIRE'")  # UTC+14
    sent = {"montant": "1", "id_moyen": "1", "id_activite": str(pressing), "date": "2026-08-15"}
    assert http.as_admin().post("/finances/paiements", json=sent).json()["date"] == "2026-08-14T10:00:00.000Z"
    assert str(db.one("select jour from finances.paiement")) == "2026-08-15"


def test_a_payment_takes_the_given_activity_else_that_of_the_till_else_of_the_user(db, pressing):
    restaurant = builders.activite(db, "RESTAURATION")
    till = builders.caisse(db)
    assert pay(db, id_activite=restaurant)["id_activite"] == restaurant
    assert pay(db, id_caisse=till)["id_activite"] == pressing
    with refused("CAISSE_D_UNE_AUTRE_ACTIVITE", 409):
        pay(db, id_caisse=till, id_activite=restaurant)
    assert pay(db)["id_activite"] is None
    db.acting(builders.utilisateur(db, activite=restaurant))
    assert pay(db)["id_activite"] == restaurant


def test_a_payment_of_an_invoice_takes_its_activity_and_lowers_its_balance(db, pressing):
    facture = builders.facture(db, "300")
    answer = pay(db, "100", id_facture=facture)
    assert (answer["id_activite"], answer["id_facture"], answer["motif"]) == (pressing, facture, "Location de chaises")
    solde = db.one("select (%s::facturation.facture_solde).*", [answer["facture"]])
    assert [str(value) for value in solde.values()] == [str(facture), "300.00", "100.00", "200.00", "PARTIELLE"]


def test_a_cashier_pays_into_their_own_till_whatever_till_the_request_names(db):
    own, other = builders.caisse(db), builders.caisse(db)
    user = builders.utilisateur(db, caisse=own)
    db.acting(user)
    for requested in (None, own, other, 987654):
        answer = pay(db, id_caisse=requested)
        assert (answer["id_caisse"], answer["id_utilisateur"]) == (own, user)
    period = db.one("select id_periode from finances.periode_caisse where id_caisse = %s", [own])
    assert db.one("select distinct id_periode from finances.paiement where id_caisse = %s", [own]) == period


def test_a_refused_payment_leaves_no_row(db, pressing):
    closed = builders.caisse(db, ouverte=False)
    inactive = builders.caisse(db, actif=False)
    facture = builders.facture(db, "100")
    method = db.one("insert into finances.moyen_paiement (libelle, actif) values ('Ancien', false) returning id_moyen")
    tomorrow = db.one("select now()") + timedelta(hours=25)  # where the clock goes back, the day has 25 hours
    before = db.one("select count(*) from finances.paiement")
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
        with refused(rule, status):
            pay(db, **{"id_activite": pressing} | fields)
    assert db.one("select count(*) from finances.paiement") == before


def test_the_refusal_of_a_closed_till_names_the_till(db):
    closed = builders.caisse(db, ouverte=False, libelle="Guichet sud")
    with refused("PERIODE_CAISSE_FERMEE", 409) as refusal:
        pay(db, id_caisse=closed)
    assert "Guichet sud" in refusal["message"]


def test_a_user_of_one_activity_sees_and_writes_payments_of_that_activity_only(db, pressing):
    restaurant = builders.activite(db, "RESTAURATION")
    other = builders.caisse(db)
    foreign = pay(db, id_activite=pressing)["id_paiement"]
    db.acting(builders.utilisateur(db, activite=restaurant))
    for fields in ({"id_caisse": other}, {"id_caisse": 987654}, {"id_activite": pressing}, {"id_activite": 987654}):
        with refused("NOT_FOUND", 404):
            pay(db, **fields)
    with refused("NOT_FOUND", 404):
        db.call("finances.paiement_modifier", id_paiement=foreign, champs={"motif": "x"})
    own = pay(db)["id_paiement"]
    assert listed(db) == [own]
    assert listed(db, id_activite=pressing) == []


def test_a_user_of_one_till_sees_that_till_only(db):
    own, other = builders.caisse(db), builders.caisse(db)
    foreign = pay(db, id_caisse=other)["id_paiement"]
    without = pay(db, id_activite=builders.activite(db))["id_paiement"]
    assert listed(db, limit=2) == [without, foreign]
    assert listed(db, sans_caisse=True) == [without]
    assert listed(db, id_caisse=other) == [foreign]
    db.acting(builders.utilisateur(db, caisse=own))
    own_payment = pay(db)["id_paiement"]
    for filters in ({}, {"id_caisse": own}, {"sans_caisse": True}, {"sans_caisse": False}):
        assert listed(db, **filters) == [own_payment]
    for operation in ("finances.paiement_lister", "finances.paiements_par_utilisateur"):
        with refused("CAISSE_INTERDITE", 400):
            db.rows(operation, id_caisse=other)
    with refused("NOT_FOUND", 404):
        db.call("finances.paiement_modifier", id_paiement=foreign, champs={"motif": "x"})


@pytest.mark.utc
def test_the_list_of_payments_filters_sorts_and_pages(db, pressing):
    restaurant = builders.activite(db, "RESTAURATION")
    user = builders.utilisateur(db, role="DIRIGEANT")
    facture = builders.facture(db, "50")
    a = pay(db, id_activite=pressing, date="2026-03-01", motif="Éventail")["id_paiement"]
    b = pay(
        db,
        id_activite=restaurant,
        date="2026-03-31T23:59:59Z",
        reference="REF-9",
        id_moyen=builders.moyen(db, "Virement"),
    )["id_paiement"]
    c = pay(db, "50", id_facture=facture, date="2026-04-01")["id_paiement"]
    db.acting(user)
    d = pay(db, id_activite=restaurant)["id_paiement"]
    db.one("select finances._facture_annuler(%s, 'Erreur')", [facture])
    [refund] = listed(db, type="DECAISSEMENT")
    for expected, filters in [
        ([refund, d, c, b, a], {}),
        ([b, a], {"du": "2026-03-01", "au": "2026-03-31"}),
        ([a], {"recherche": "EVENTAIL"}),
        ([a], {"motif": "event"}),
        ([b], {"recherche": "ref-9"}),
        ([b], {"reference": "f-9", "type": "ENCAISSEMENT"}),
        ([b], {"id_moyen": builders.moyen(db, "Virement")}),
        ([d, b], {"id_activite": restaurant}),
        ([refund, d], {"id_utilisateur": user}),
        ([c, b], {"limit": 2, "offset": 2}),
        ([refund, c], {"sort": "montant", "order": "asc", "limit": 2}),
    ]:
        assert listed(db, **filters) == expected, filters
    assert db.one("select id_facture from finances.paiement_vue where id_paiement = %s", [refund]) == facture


def test_date_method_reason_and_reference_of_a_payment_can_change(db, pressing):
    payment = pay(db, id_activite=pressing, motif="Faute")["id_paiement"]
    virement = builders.moyen(db, "Virement")
    changed = db.call(
        "finances.paiement_modifier",
        id_paiement=payment,
        champs={
            "date": "2026-08-15",
            "id_moyen": virement,
            "motif": None,
            "reference": "R",
            "montant": "1",
            "id_caisse": 1,
        },
    )
    assert (changed["id_moyen"], changed["motif"], changed["reference"]) == (virement, None, "R")
    assert (str(changed["montant"]), changed["id_caisse"]) == ("100.00", None)
    assert str(db.one("select jour from finances.paiement where id_paiement = %s", [payment])) == "2026-08-15"
    method = db.one("insert into finances.moyen_paiement (libelle, actif) values ('Ancien', false) returning id_moyen")
    for champs, rule, status in [
        ({"id_moyen": method}, "MOYEN_PAIEMENT_INACTIF", 409),
        ({"date": "2100-01-01"}, "DATE_FUTURE", 400),
        ({"id_moyen": None}, "VALIDATION_ERROR", 400),
    ]:
        with refused(rule, status):
            db.call("finances.paiement_modifier", id_paiement=payment, champs=champs)
    with refused("NOT_FOUND", 404):
        db.call("finances.paiement_modifier", id_paiement=987654, champs={})


def test_a_payment_by_a_method_now_inactive_is_still_corrected_and_refunded(db):
    method = db.one("insert into finances.moyen_paiement (libelle) values ('Bientôt fini') returning id_moyen")
    facture = builders.facture(db, "100")
    payment = pay(db, id_facture=facture, id_moyen=method)["id_paiement"]
    db.execute("update finances.moyen_paiement set actif = false where id_moyen = %s", [method])
    changed = db.call(
        "finances.paiement_modifier", id_paiement=payment, champs={"motif": "Précisé", "date": "2026-08-15"}
    )
    assert (changed["motif"], changed["id_moyen"]) == ("Précisé", method)
    assert db.one("select statut from finances._facture_annuler(%s, 'Erreur')", [facture]) == "ANNULEE"


def test_the_date_of_a_payment_is_fixed_once_its_period_is_closed(db):
    till = builders.caisse(db)
    payment = pay(db, id_caisse=till)["id_paiement"]
    db.execute("update finances.periode_caisse set fermeture = now() where id_caisse = %s", [till])
    with refused("PERIODE_CAISSE_FERMEE", 409):
        db.call("finances.paiement_modifier", id_paiement=payment, champs={"date": "2026-08-15"})
    assert db.call("finances.paiement_modifier", id_paiement=payment, champs={"motif": "Précisé"})["motif"] == "Précisé"


@pytest.mark.parametrize(
    "statement",
    [
        "update finances.paiement set montant = 1 where id_paiement = %s",
        "update finances.paiement set id_caisse = null, id_periode = null where id_paiement = %s",
        "delete from finances.paiement where id_paiement = %s",
        "update finances.application_paiement set montant = 1 where id_paiement = %s",
        "delete from finances.application_paiement where id_paiement = %s",
    ],
)
def test_direct_sql_cannot_change_or_delete_a_payment(db, statement):
    payment = pay(db, "10", id_facture=builders.facture(db))["id_paiement"]
    with refused("PAIEMENT_FIGE", 409):
        db.execute(statement, [payment])


def test_payments_per_user_sum_collections_and_disbursements(db, pressing):
    first, second = builders.utilisateur(db, role="DIRIGEANT"), builders.utilisateur(db, role="DIRIGEANT")
    facture = builders.facture(db, "70")
    db.acting(first)
    pay(db, "100", id_activite=pressing, date="2026-02-01")
    pay(db, "70", id_facture=facture, date="2026-02-28T23:59:59Z")
    db.acting(second)
    pay(db, "5", id_activite=pressing, date="2026-03-01")
    db.one("select finances._facture_annuler(%s, 'Erreur')", [facture])
    db.acting(None)
    rows = {row["id_utilisateur"]: row for row in db.rows("finances.paiements_par_utilisateur")}
    assert (rows[first]["montant_total"], rows[first]["nombre_paiements"], rows[first]["encaissements"]) == (
        170,
        2,
        170,
    )
    assert (rows[second]["montant_total"], rows[second]["nombre_paiements"], rows[second]["decaissements"]) == (
        -65,
        2,
        70,
    )
    assert rows[first]["login"] == db.one("select login from auth.utilisateur where id_utilisateur = %s", [first])
    february = db.rows("finances.paiements_par_utilisateur", du="2026-02-01", au="2026-02-28")
    assert [row["id_utilisateur"] for row in february] == [first]


@pytest.mark.utc
def test_the_payment_routes_answer_amounts_as_strings_and_refuse_a_changed_amount(db, http):
    client = http.as_admin()
    till = builders.caisse(db)
    created = client.post(
        "/finances/paiements", json={"montant": "25000", "id_moyen": "1", "id_caisse": str(till), "date": "2026-08-15"}
    )
    assert created.status_code == 201, created.text
    body = created.json()
    assert (body["montant"], body["date"], body["facture"]) == ("25000.00", "2026-08-15T00:00:00.000Z", None)
    listing = client.get("/finances/paiements", params={"id_caisse": till})
    assert [row["id_paiement"] for row in listing.json()] == [body["id_paiement"]]
    assert listing.headers["x-total-count"] == "1"
    [row] = client.get("/finances/paiements-par-utilisateur", params={"id_caisse": till}).json()
    assert (row["montant_total"], row["nombre_paiements"]) == (25000, 1)
    refusal = client.patch(f"/finances/paiements/{body['id_paiement']}", json={"montant": "1"})
    assert (refusal.status_code, refusal.json()["code"]) == (400, "VALIDATION_ERROR")


def test_refunds_of_a_payment_never_exceed_its_amount(db: Db) -> None:
    moyen = builders.moyen(db)
    origin = db.call("finances.paiement_creer", montant="100", id_moyen=moyen, id_activite=builders.activite(db))

    def refund(montant: str) -> None:
        db.execute(
            "insert into finances.paiement (type, montant, id_moyen, id_activite, id_paiement_origine) "
            "values ('DECAISSEMENT', %s, %s, %s, %s)",
            [montant, moyen, origin["id_activite"], origin["id_paiement"]],
        )

    refund("60")
    with refused("PAIEMENT_DEJA_RENDU", status=409):
        refund("41")
    refund("40")
    with refused("PAIEMENT_DEJA_RENDU", status=409):
        refund("1")


def test_a_counted_payment_or_expense_keeps_its_day_and_amount(db: Db) -> None:
    """On another day the money would be in two counts, or in none. Texts can still change."""
    till = builders.caisse(db)
    yesterday, today = (
        str(day) for day in db.all("select core.aujourdhui() - 1 as a, core.aujourdhui() as b")[0].values()
    )
    category = db.one(
        "insert into finances.categorie_depense (libelle) values ('Divers') returning id_categorie_depense"
    )
    expense = {"montant": "5", "id_categorie_depense": category, "libelle": "Thé", "id_caisse": till}
    payment = pay(db, id_caisse=till, date=yesterday)["id_paiement"]
    id_depense = db.call("finances.depense_creer", **expense, date=yesterday)["id_depense"]
    db.call("finances.tirage_creer", id_caisse=till, date=yesterday, montant_compte="95")
    with refused("JOUR_DEJA_COMPTE", 409):
        db.call("finances.paiement_modifier", id_paiement=payment, champs={"date": today})
    for champs in ({"date": today}, {"montant": "4"}):
        with refused("JOUR_DEJA_COMPTE", 409):
            db.call("finances.depense_modifier", id_depense=id_depense, champs=champs)
    with refused("JOUR_DEJA_COMPTE", 409):
        db.call("finances.depense_supprimer", id_depense=id_depense)
    assert db.call("finances.depense_modifier", id_depense=id_depense, champs={"libelle": "Café"})["libelle"] == "Café"
    db.call("finances.paiement_modifier", id_paiement=payment, champs={"motif": "Acompte"})


def test_a_counted_day_refuses_new_money(db: Db) -> None:
    """Neither the count of that day nor today's count would include the money."""
    till = builders.caisse(db)
    yesterday = db.one("select core.aujourdhui() - 1")
    pay(db, id_caisse=till, date=str(yesterday))
    db.call("finances.tirage_creer", id_caisse=till, date=yesterday, montant_compte="100")
    with refused("JOUR_DEJA_COMPTE", 409):
        pay(db, id_caisse=till, date=str(yesterday))
    today = pay(db, id_caisse=till)
    with refused("JOUR_DEJA_COMPTE", 409):
        db.call("finances.paiement_modifier", id_paiement=today["id_paiement"], champs={"date": str(yesterday)})
    category = db.one(
        "insert into finances.categorie_depense (libelle) values ('Divers') returning id_categorie_depense"
    )
    expense = {"montant": "5", "id_categorie_depense": category, "libelle": "Thé", "id_caisse": till}
    with refused("JOUR_DEJA_COMPTE", 409):
        db.call("finances.depense_creer", **expense, date=str(yesterday))
    with refused("CAISSE_D_UNE_AUTRE_ACTIVITE", 409):
        db.call("finances.depense_creer", **expense, id_activite=builders.activite(db, "RESTAURATION"))


def test_a_cashier_cannot_date_money_before_the_opening_of_the_till(db: Db) -> None:
    """The count of that day is over for the cashier. A user without a till may date money to any day."""
    till = builders.caisse(db)
    yesterday = str(db.one("select core.aujourdhui() - 1"))
    category = db.one(
        "insert into finances.categorie_depense (libelle) values ('Divers') returning id_categorie_depense"
    )
    expense = {"montant": "5", "id_categorie_depense": category, "libelle": "Thé", "id_caisse": till}
    cashier = builders.utilisateur(db, caisse=till)
    db.acting(cashier)
    for call in (
        lambda: pay(db, date=yesterday),
        lambda: db.call("finances.depense_creer", **expense, date=yesterday),
    ):
        with refused("DATE_AVANT_OUVERTURE", 400):
            call()
    payment = pay(db)["id_paiement"]
    id_depense = db.call("finances.depense_creer", **expense)["id_depense"]
    with refused("DATE_AVANT_OUVERTURE", 400):
        db.call("finances.paiement_modifier", id_paiement=payment, champs={"date": yesterday})
    with refused("DATE_AVANT_OUVERTURE", 400):
        db.call("finances.depense_modifier", id_depense=id_depense, champs={"date": yesterday})
    db.acting(builders.utilisateur(db, "DIRIGEANT"))
    pay(db, date=yesterday, id_caisse=till)


def test_a_till_left_open_overnight_accepts_money_dated_yesterday(db: Db) -> None:
    till = builders.caisse(db, ouverte=False)
    db.execute(
        "insert into finances.periode_caisse (id_caisse, ouverture) values (%s, now() - interval '1 day')", [till]
    )
    db.acting(builders.utilisateur(db, caisse=till))
    assert pay(db, date=str(db.one("select core.aujourdhui() - 1")))["id_paiement"]


@pytest.mark.parametrize("montant", ["0.01", "-100.01"])
def test_a_payment_never_settles_more_than_its_amount(db: Db, pressing: int, montant: str) -> None:
    """No operation tries this. The trigger stops direct SQL as well."""
    facture, other = builders.facture(db), builders.facture(db)
    payment = pay(db, "100", id_facture=facture)["id_paiement"]
    with refused("PAIEMENT_DEPASSE", 409):
        db.execute(
            "insert into finances.application_paiement (id_paiement, id_facture, montant) values (%s, %s, %s)",
            [payment, facture if montant.startswith("-") else other, montant],
        )


def test_the_integrity_check_reports_a_payment_that_settles_more_than_its_amount(db: Db, pressing: int) -> None:
    payment, other = pay(db, "100", id_facture=builders.facture(db))["id_paiement"], builders.facture(db)
    assert db.all("select * from jobs._controler()") == []
    db.alter("alter table finances.application_paiement disable trigger t20_application_bornee")
    db.execute(
        "insert into finances.application_paiement (id_paiement, id_facture, montant) values (%s, %s, 7)",
        [payment, other],
    )
    (line,) = db.all("select * from jobs._controler() as phrase")
    assert line["phrase"] == f"Le paiement {payment} (ENCAISSEMENT) est de 100.00, il règle 107.00."


def test_a_payment_without_reference_shows_the_number_of_its_invoice(db, pressing):
    facture = builders.facture(db, "300")
    numero = db.one("select numero from facturation.facture where id_facture = %s", [facture])
    own, bare = pay(db, "10", id_facture=facture, reference="VIR-7"), pay(db, "20", id_facture=facture)
    alone = pay(db, "30", id_activite=pressing)
    assert [payment["reference"] for payment in (own, bare, alone)] == ["VIR-7", numero, None]

    def listed(**filters):
        return [row["id_paiement"] for row in db.rows("finances.paiement_lister", **filters)]

    assert listed() == [alone["id_paiement"], bare["id_paiement"], own["id_paiement"]]
    assert [row["reference"] for row in db.rows("finances.paiement_lister")] == [None, numero, "VIR-7"]
    assert listed(reference=numero.lower()) == [bare["id_paiement"]]
    assert listed(recherche=numero) == [bare["id_paiement"], own["id_paiement"]]
    assert listed(reference="vir") == [own["id_paiement"]]
    assert listed(sort="reference", order="asc") == [own["id_paiement"], alone["id_paiement"], bare["id_paiement"]]
