"""An expense that an account pays leaves the account, and follows the rules of other expenses."""

from datetime import timedelta

import pytest

from tests import builders
from tests.conftest import refused
from tests.tresorerie.argent import BY_METHOD, LEDGER, caisse, compte, solde

PRESSING, RESTAURATION = 2, 3


def spend(db, account, montant="30", **fields):
    return builders.depense(db, montant, id_compte=account, **fields)


def test_an_expense_leaves_the_balance_and_the_ledger_account_of_its_account(db):
    bank, wave = compte(db, "Virement", genre="BANQUE"), compte(db)
    yesterday = db.today() - timedelta(days=1)
    made = spend(db, bank, date=str(yesterday))
    spend(db, bank, "5")
    spend(db, None, "1000")
    assert (solde(db, bank), solde(db, bank, str(yesterday)), solde(db, wave)) == (-35, -30, 0)
    assert db.rows("finances.depense_lister", id_compte=bank)[-1]["id_depense"] == made["id_depense"]
    assert len(db.rows("finances.depense_lister", id_compte=bank)) == 2
    assert db.all(LEDGER) == db.all(BY_METHOD)
    db.call("finances.depense_modifier", id_depense=made["id_depense"], champs={"montant": "40"})
    assert solde(db, bank) == -45
    db.call("finances.depense_supprimer", id_depense=made["id_depense"])
    assert solde(db, bank) == -5
    assert db.all("select * from jobs._controler_par_nom()") == []


def test_an_expense_of_an_account_takes_the_activity_of_the_account(db):
    own = compte(db, id_activite=PRESSING)
    assert spend(db, own)["id_activite"] == PRESSING
    with refused("COMPTE_D_UNE_AUTRE_ACTIVITE", status=409):
        spend(db, own, id_activite=RESTAURATION)
    with refused("COMPTE_D_UNE_AUTRE_ACTIVITE", status=409):
        made = spend(db, own)
        db.call("finances.depense_modifier", id_depense=made["id_depense"], champs={"id_activite": RESTAURATION})


def test_an_invalid_expense_of_an_account_is_refused(db):
    bank, closed = compte(db, "Virement", genre="BANQUE"), compte(db, actif=False)
    till = caisse(db)
    for rule, status, account, fields in (
        ("DEPENSE_COMPTE_INCONNU", 422, 987654321, {}),
        ("COMPTE_INACTIF", 409, closed, {}),
        ("DEPENSE_D_UN_ENDROIT", 400, bank, {"id_caisse": till}),
        ("DATE_FUTURE", 400, bank, {"date": str(db.today() + timedelta(days=2))}),
    ):
        with refused(rule, status=status):
            spend(db, account, **fields)
    made = spend(db, bank)["id_depense"]
    with refused("DEPENSE_FIGEE", status=409):
        db.execute("update finances.depense set id_compte = null where id_depense = %s", [made])


@pytest.mark.parametrize("bound", ["activity", "till"])
def test_a_user_takes_nothing_from_an_account_whose_balance_is_hidden(db, bound):
    shared, own = compte(db, "Virement"), compte(db, id_activite=PRESSING)
    spend(db, own, "1")  # makes the category
    limits = {"role": "RESPONSABLE_PRESSING", "activite": PRESSING} if bound == "activity" else {
        "role": "CAISSIER", "caisse": caisse(db, "0")}  # fmt: skip
    db.acting(builders.utilisateur(db, **limits))
    with refused("COMPTE_INTERDIT", status=400):
        spend(db, shared)
    if bound == "activity":
        assert spend(db, own)["id_compte"] == own
