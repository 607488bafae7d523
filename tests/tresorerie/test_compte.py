"""Accounts outside the tills: which payments land on them, and their balance at any day."""

from datetime import timedelta

import pytest

from tests import builders
from tests.conftest import refused
from tests.tresorerie.argent import caisse, compte, solde, virer

PRESSING, RESTAURATION = 2, 3


def paid(db, montant="100", moyen="Mobile Money", **fields):
    return builders.payer(db, montant, id_moyen=builders.moyen(db, moyen), **fields)


def drifts(db):
    return db.all("select * from jobs._controler_par_nom()")


def test_an_account_shows_what_it_was_made_with(http, db):
    admin = http.as_admin()
    body = {"libelle": "Wave boutique", "genre": "MOBILE", "fournisseur": "WAVE", "identifiant": "+2250700000000",
            "id_moyen": str(builders.moyen(db, "Mobile Money")), "id_activite": str(PRESSING)}  # fmt: skip
    made = admin.post("/tresorerie/comptes", json=body)
    assert made.status_code == 201
    key = made.json()["id_compte"]
    assert made.json() == body | {"id_compte": key, "actif": True, "solde": "0.00"}
    changed = admin.patch(f"/tresorerie/comptes/{key}", json={"libelle": "Wave", "fournisseur": "AUCUN"}).json()
    assert (changed["libelle"], changed["fournisseur"], changed["genre"]) == ("Wave", "AUCUN", "MOBILE")
    assert admin.get("/tresorerie/comptes").json() == [changed] == [admin.get(f"/tresorerie/comptes/{key}").json()]
    assert admin.get("/tresorerie/comptes/987654321").status_code == 404


def test_an_account_receives_the_payments_of_its_method_without_till(db):
    wave, bank = compte(db), compte(db, "Virement", genre="BANQUE")
    paid(db, "100")
    paid(db, "7", id_caisse=builders.caisse(db))
    paid(db, "30", "Virement", id_activite=RESTAURATION)
    assert (solde(db, wave), solde(db, bank)) == (100, 30)


def test_counter_payments_and_refunds_leave_the_account(db):
    wave = compte(db)
    cancelled, kept = paid(db, "100"), paid(db, "60")
    db.call("finances.paiement_annuler", id_paiement=cancelled, motif="Erreur")
    db.call("finances.paiement_rembourser", id_paiement=kept, montant="10")
    assert solde(db, wave) == 50


def test_credit_of_a_client_is_no_money_of_an_account(db):
    credit = db.one("select id_moyen from finances.moyen_paiement where credit")
    with refused("COMPTE_DU_CREDIT", status=400):
        compte(db, id_moyen=credit)


def test_an_account_of_an_activity_comes_before_the_account_of_all(db):
    paid(db, "5", id_activite=PRESSING, date=str(db.today() - timedelta(days=1)))
    shared = compte(db)
    own = compte(db, libelle="Pressing", id_activite=PRESSING)
    paid(db, "100", id_activite=PRESSING)
    paid(db, "30", id_activite=RESTAURATION)
    paid(db, "2")
    # The payment of yesterday stays on the account that was there alone.
    assert (solde(db, own), solde(db, shared)) == (100, 37)


@pytest.mark.parametrize("activite", [None, PRESSING])
def test_two_active_accounts_of_one_method_and_activity_are_refused(db, activite):
    first = compte(db, id_activite=activite)
    with refused("COMPTE_DU_MOYEN_EXISTANT", status=409):
        compte(db, libelle="Autre", id_activite=activite)
    db.call("tresorerie.compte_modifier", id_compte=first, champs={"actif": False})
    second = compte(db, libelle="Autre", id_activite=activite)
    with refused("COMPTE_DU_MOYEN_EXISTANT", status=409):
        db.call("tresorerie.compte_modifier", id_compte=first, champs={"actif": True})
    paid(db, id_activite=activite)
    assert (solde(db, first), solde(db, second)) == (0, 100)


def test_an_account_that_is_closed_keeps_its_balance_and_receives_nothing_more(db):
    today = db.today()
    wave = compte(db)
    paid(db, "100", date=str(today - timedelta(days=2)))
    db.call("tresorerie.compte_modifier", id_compte=wave, champs={"actif": False})
    db.execute("update tresorerie.compte set fin = %s", [today - timedelta(days=1)])
    paid(db, "30")
    assert solde(db, wave) == 100
    # Nothing else took the money, so that the account has it again.
    assert float(db.call("tresorerie.compte_modifier", id_compte=wave, champs={"actif": True})["solde"]) == 130


def test_an_invalid_account_is_refused(db):
    compte(db)
    for rule, status, fields in (
        ("COMPTE_DE_TRESORERIE_EXISTANT", 409, {"moyen": "Virement", "libelle": "Compte Mobile Money"}),
        ("COMPTE_DE_TRESORERIE_MOYEN_INCONNU", 422, {"id_moyen": 987654321, "libelle": "Autre"}),
        ("COMPTE_DE_TRESORERIE_ACTIVITE_INCONNUE", 422, {"id_activite": 987654321, "libelle": "Autre"}),
        ("LIBELLE_REMPLI", 400, {"libelle": " "}),
    ):
        with refused(rule, status=status):
            compte(db, **fields)
    with refused("COMPTE_FIGE", status=409):
        db.execute("update tresorerie.compte set id_activite = 2")


def test_the_balance_of_a_day_has_what_was_until_its_evening(http, db):
    today = db.today()
    wave, bank = compte(db), compte(db, "Virement", genre="BANQUE")
    for days, amount in ((3, "100"), (1, "30"), (0, "5")):
        paid(db, amount, date=str(today - timedelta(days=days)))
    virer(db, {"id_compte": wave}, {"id_compte": bank}, "40", frais="2", date=str(today - timedelta(days=1)))
    admin = http.as_admin()
    for days, expected in ((4, "0.00"), (3, "100.00"), (2, "100.00"), (1, "88.00"), (0, "93.00")):
        at = {"au": str(today - timedelta(days=days))}
        assert admin.get(f"/tresorerie/comptes/{wave}", params=at).json()["solde"] == expected
        listed = {row["id_compte"]: row["solde"] for row in admin.get("/tresorerie/comptes", params=at).json()}
        assert listed[str(wave)] == expected
    assert admin.get(f"/tresorerie/comptes/{wave}").json()["solde"] == "93.00"
    assert admin.get("/tresorerie/comptes", params={"au": "hier"}).status_code == 400


def test_the_balance_is_the_same_before_and_after_the_sums(committed):
    db = committed
    wave, today = compte(db), db.today()
    first = paid(db, "100")
    second = paid(db, "30", id_activite=PRESSING)
    db.one("select jobs.resumer_paiements()")
    paid(db, "7")
    assert db.one("select count(*) from finances.resume_moyen") == 2
    assert solde(db, wave) == 137
    # A summed payment that takes another method or day leaves the sums of the first.
    db.call("finances.paiement_modifier", id_paiement=first, champs={"id_moyen": builders.moyen(db, "Virement")})
    yesterday = str(today - timedelta(days=1))
    db.call("finances.paiement_modifier", id_paiement=second, champs={"date": yesterday})
    assert (solde(db, wave), solde(db, wave, yesterday)) == (37, 30)
    assert drifts(db) == []
    db.execute("set session_replication_role = replica")
    db.execute("update finances.resume_moyen set montant = montant + 1 where jour = %s", [yesterday])
    assert [row["controle"] for row in drifts(db)] == ["resume_moyen"]


def test_a_user_of_an_activity_sees_no_balance_of_shared_accounts(db):
    shared, own = compte(db, "Virement"), compte(db, id_activite=PRESSING)
    other = compte(db, libelle="Maquis", id_activite=RESTAURATION)
    paid(db, "100", id_activite=PRESSING)
    paid(db, "50", "Virement")
    db.acting(builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING))
    rows = {row["id_compte"]: row["solde"] for row in db.rows("tresorerie.compte_lister")}
    assert rows == {shared: None, own: 100}
    with refused("NOT_FOUND", status=404):
        db.call("tresorerie.compte_detail", id_compte=other)
    with refused("COMPTE_INTERDIT", status=400):
        db.call("tresorerie.compte_modifier", id_compte=shared, champs={"actif": False})
    # A new account is of the activity of the user.
    assert db.call("tresorerie.compte_creer", libelle="Chèques", genre="BANQUE",
                   id_moyen=builders.moyen(db, "Chèque"))["id_activite"] == PRESSING  # fmt: skip
    till = caisse(db, "0")
    db.acting(builders.utilisateur(db, role="CAISSIER", caisse=till))
    assert {row["solde"] for row in db.rows("tresorerie.compte_lister")} == {None}
    with refused("CAISSE_INTERDITE", status=400):
        compte(db, "Carte bancaire")
