"""Amounts, quantities and states as messages show them to users."""

from tests import builders


def test_amounts_and_quantities_are_written_with_spaces(db):
    def written(function, number):
        return db.one(f"select core.{function}(%s::numeric)", [number]).replace("\N{NO-BREAK SPACE}", " ")

    for amount, words in (
        ("-14200", "−14 200 FCFA"),
        ("0", "0 FCFA"),
        ("0.5", "0,50 FCFA"),
        ("-0.4", "−0,40 FCFA"),
        ("12000.10", "12 000,10 FCFA"),
        ("999.999", "1 000 FCFA"),
        ("1234567.05", "1 234 567,05 FCFA"),
    ):
        assert written("montant_ecrire", amount) == words
    for number, words in (("2.50", "2,5"), ("1250.00", "1 250"), ("-3", "−3")):
        assert written("nombre_ecrire", number) == words


def test_every_state_of_a_transition_has_a_french_name(db):
    """The refusal of a transition names its states in French, not by their codes."""
    states = {row["etat"] for row in db.all("select unnest(array[de, vers]) as etat from core.transition")}
    names = {state: db.one("select core.etat_ecrire(%s)", [state]) for state in states}
    assert len(names) > 20 and not [words for words in names.values() if "_" in words or words != words.lower()]
    feminine = {state for state, words in names.items() if state.endswith("EE") and not words.endswith("ée »")}
    assert feminine <= {"CALCULEE", "VALIDEE", "PAYEE", "PARTIELLE"} and names["EN_PREPARATION"] == "« en préparation »"
    without_accent = {s for s in states if s.endswith("E") and names[s] == f"« {s.lower()} »"}
    assert without_accent <= {"ACTIVE", "DISPONIBLE", "INCERTAINE", "INDISPONIBLE", "OUVERTE", "REPRISE", "SERVIE"}


def test_the_notice_of_a_till_gap_writes_amounts_with_spaces_and_currency(db):
    till = builders.caisse(db)
    db.call("finances.paiement_creer", montant="100000", id_moyen=1, id_caisse=till)
    db.call("finances.tirage_creer", id_caisse=till, montant_compte="85800")
    text = db.one("select corps from notification.notification where evenement = 'finances.tirage.ecart'")
    assert text.replace("\N{NO-BREAK SPACE}", " ").startswith("Écart de −14 200 FCFA à la caisse « ")
    assert "compté 85 800 FCFA, attendu 100 000 FCFA." in text.replace("\N{NO-BREAK SPACE}", " ")
