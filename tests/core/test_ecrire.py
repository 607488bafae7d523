"""Amounts, quantities and states in messages, as people write them."""

import pytest

from tests import builders


@pytest.mark.parametrize(
    "amount, words",
    [
        ("-14200", "−14 200 FCFA"),
        ("0", "0 FCFA"),
        ("0.5", "0,50 FCFA"),
        ("-0.4", "−0,40 FCFA"),
        ("12000.10", "12 000,10 FCFA"),
        ("999.999", "1 000 FCFA"),
        ("1234567.05", "1 234 567,05 FCFA"),
    ],
)
def test_an_amount_has_its_spaces_and_currency(db, amount, words):
    assert db.one("select core.montant_ecrire(%s::numeric)", [amount]).replace("\N{NO-BREAK SPACE}", " ") == words


@pytest.mark.parametrize("number, words", [("2.50", "2,5"), ("1250.00", "1 250"), ("-3", "−3")])
def test_a_quantity_has_no_useless_decimal(db, number, words):
    assert db.one("select core.nombre_ecrire(%s::numeric)", [number]).replace("\N{NO-BREAK SPACE}", " ") == words


def test_every_state_is_told_in_words(db):
    """A state that moves is named in the refusal of a move: none is told by its code."""
    states = {row["etat"] for row in db.all("select unnest(array[de, vers]) as etat from core.transition")}
    told = {state: db.one("select core.etat_ecrire(%s)", [state]) for state in states}
    assert len(told) > 20 and not [words for words in told.values() if "_" in words or words != words.lower()]
    feminine = {state for state, words in told.items() if state.endswith("EE") and not words.endswith("ée »")}
    assert feminine <= {"CALCULEE", "VALIDEE", "PAYEE", "PARTIELLE"} and told["EN_PREPARATION"] == "« en préparation »"
    without_accent = {
        state for state in states if state.endswith(("E", "EE")) and told[state] == f"« {state.lower()} »"
    }
    assert without_accent <= {"DISPONIBLE", "INDISPONIBLE", "SERVIE"}


def test_a_till_that_does_not_agree_is_told_as_people_write_it(db):
    till = builders.caisse(db)
    db.call("finances.paiement_creer", montant="100000", id_moyen=1, id_caisse=till)
    db.call("finances.tirage_creer", id_caisse=till, montant_compte="85800")
    told = db.one("select corps from notification.notification where evenement = 'finances.tirage.ecart'")
    assert told.replace("\N{NO-BREAK SPACE}", " ").startswith("Écart de −14 200 FCFA à la caisse « ")
    assert "compté 85 800 FCFA, attendu 100 000 FCFA." in told.replace("\N{NO-BREAK SPACE}", " ")
