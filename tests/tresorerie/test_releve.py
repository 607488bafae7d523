"""Statements of accounts: what they add, what they prove, and what matches their lines."""

import pytest

from tests import builders
from tests.conftest import refused
from tests.tresorerie.argent import caisse, compte, solde, virer
from tests.tresorerie.releve import (
    ago,
    alone,
    csv,
    key,
    line,
    paid,
    received,
    received_parts,
    rules,
    sent,
    state,
    taken,
)

PRESSING, RESTAURATION = 2, 3


@pytest.fixture
def wave(db):
    return compte(db)


# ---- files


def test_a_sheet_is_taken_matched_and_taken_once(http, db, wave):
    first = paid(db, "100", date=str(ago(db, 2)), reference="T1")
    content = csv(
        (f"{ago(db, 2):%d/%m/%Y}", "Reçu de Awa", "T1", "", "100", "1 100"),
        (f"{ago(db, 1):%d/%m/%Y}", "Frais de tenue", "", "2", "", "1 098"),
    )
    admin = http.as_admin()
    made = taken(admin, wave, content)
    assert made == {
        "id_releve": made["id_releve"], "id_compte": str(wave), "fichier": "releve.csv", "format": "FEUILLE",
        "du": str(ago(db, 2)), "au": str(ago(db, 1)), "lignes": 2, "nouvelles": 2, "rapprochees": 1, "a_rapprocher": 1,
        "prouve": True, "message": None,
    }  # fmt: skip
    again = taken(admin, wave, content, "encore.csv")
    assert again == made | {"nouvelles": 0, "rapprochees": 0}
    (listed,) = admin.get("/tresorerie/releves", params={"id_compte": wave}).json()
    assert listed == admin.get(f"/tresorerie/releves/{made['id_releve']}").json()
    assert listed["lignes"] == 2 and listed["prouve"]
    fee, paid_in = admin.get("/tresorerie/lignes", params={"id_compte": wave}).json()
    assert (paid_in["montant"], paid_in["solde"], paid_in["regle"]) == ("100.00", "1100.00", "TRANSACTION")
    assert (paid_in["id_paiements"], paid_in["id_depense"], paid_in["id_virement"]) == ([str(first)], None, None)
    assert fee == admin.get(f"/tresorerie/lignes/{fee['id_ligne']}").json()
    assert (fee["montant"], fee["solde"], fee["regle"], fee["id_paiements"]) == ("-2.00", "1098.00", None, [])
    kept = admin.get("/tresorerie/lignes", params={"rapprochee": "false", "recherche": "tenue"}).json()
    assert kept == [fee]


def test_files_that_overlap_add_each_line_once(db, wave):
    a, b, c = (line(ago(db, n), 10, "Café", solde=s) for n, s in ((3, 10), (3, 20), (2, 30)))
    d = line(ago(db, 1), 10, "Café", solde=40)
    assert received(db, wave, a, b, c)["nouvelles"] == 3
    assert received(db, wave, b, c, d)["nouvelles"] == 1
    assert received(db, wave, a, b, c, d)["nouvelles"] == 0
    assert state(db, wave)["solde_releve"] == 40
    # With the identifier of the bank, another label is the same line.
    assert received(db, wave, line(ago(db, 0), 5, "Achat", identifiant="B1"))["nouvelles"] == 1
    assert received(db, wave, line(ago(db, 0), 5, "ACHAT CARTE", identifiant="B1"))["nouvelles"] == 0
    assert received(db, wave, line(ago(db, 0), 5, "Achat", identifiant="B2"))["nouvelles"] == 1


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ([(3, 10, 110), (2, 10, 121), (1, 10, 131)], 3),
        ([(3, 10, 110), (2, 10, 120), (1, 10, 131)], 4),
        ([(1, 10, 130), (2, 10, 125), (3, 10, 110)], 3),  # newest first: the line after the wrong one in the file
    ],
)
def test_a_statement_that_does_not_add_up_is_refused_whole_with_its_line(http, db, wave, rows, wrong):
    admin = http.as_admin()
    content = csv(*((ago(db, days), "Reçu", "", "", amount, balance) for days, amount, balance in rows))
    answer = sent(admin, wave, content)
    assert (answer.status_code, answer.json()["code"]) == (400, "RELEVE_FAUX")
    assert f"à la ligne {wrong} :" in answer.json()["message"]
    assert admin.get("/tresorerie/releves").json() == admin.get("/tresorerie/lignes").json() == []


def test_each_part_of_a_file_has_its_opening_and_closing_balance(db, wave):
    one, two = line(ago(db, 2), 10, ligne=1), line(ago(db, 1), -4, ligne=1)
    with refused("RELEVE_FAUX", status=400) as refusal:
        received_parts(db, wave, [{"lignes": [one], "ouverture": "5", "cloture": "15"},
                                  {"lignes": [two], "ouverture": "15", "cloture": "12"}])  # fmt: skip
    assert '"ligne": 1' in refusal["details"] and '"attendu": "11"' in refusal["details"]
    with refused("RELEVE_FAUX", status=400):
        received_parts(db, wave, [{"lignes": [], "ouverture": "5", "cloture": "6"}])
    made = received_parts(db, wave, [{"lignes": [one], "ouverture": "5", "cloture": "15"},
                                     {"lignes": [], "ouverture": "15", "cloture": "15"},
                                     {"lignes": [two], "ouverture": "15", "cloture": "11"}])  # fmt: skip
    assert made["prouve"] and state(db, wave)["solde_releve"] == 11


def test_without_balances_nothing_proves_the_sum_and_the_answer_says_so(http, db, wave):
    paid(db, "70", date=str(ago(db, 9)))
    content = csv((ago(db, 1), "Reçu", "10"), header="Date opération;Libellé;Montant")
    made = taken(http.as_admin(), wave, content)
    assert not made["prouve"] and "rien ne prouve" in made["message"]
    answer = state(db, wave)
    assert (answer["prouve"], answer["solde_releve"], answer["difference"]) == (False, 80, -10)
    # A closing balance alone proves no sum, and it is the balance of the bank.
    assert not received(db, wave, line(ago(db, 0), 5), cloture="500")["prouve"]
    assert state(db, wave)["solde_releve"] == 500


def test_a_statement_of_another_account_or_currency_is_refused(db):
    bank = compte(db, "Virement", genre="BANQUE", identifiant="CI00 0123 4567")
    with refused("RELEVE_D_UN_AUTRE_COMPTE", status=409):
        received(db, bank, line(ago(db, 1), 5), compte="CI9999")
    with refused("RELEVE_D_UNE_AUTRE_DEVISE", status=400):
        received(db, bank, line(ago(db, 1), 5), devise="EUR")
    assert received(db, bank, line(ago(db, 1), 5), compte="01234567", devise="XOF")["nouvelles"] == 1


# ---- rules


def test_a_line_matches_by_the_transaction_of_a_payment_or_a_transfer(db, wave):
    bank = compte(db, "Virement", genre="BANQUE")
    paid(db, "100", date=str(ago(db, 20)), reference="tx-1")
    virer(db, {"id_compte": wave}, {"id_compte": bank}, "40", reference="TX-2", date=str(ago(db, 20)))
    received(db, wave, line(ago(db, 2), 100, "a", identifiant="TX-1"), line(ago(db, 2), -40, "b", reference="tx-2"),
             line(ago(db, 2), 101, "c", reference="tx-1"))  # fmt: skip
    assert rules(db, wave) == {"a": "TRANSACTION", "b": "TRANSACTION", "c": None}


def test_a_line_matches_by_one_of_our_numbers_in_its_label(db, wave):
    client = builders.client(db)
    bill = builders.facture(db, "100", id_client=client)
    number = db.one("select numero from facturation.facture where id_facture = %s", [bill])
    paid(db, "100", id_facture=bill)
    receipt = paid(db, "30")
    moved = virer(db, {"id_caisse": caisse(db)}, {"id_compte": wave}, "30")["numero"]
    day = ago(db, 25)
    received(db, wave, line(day, 100, f"a {number.lower()}, MERCI"), line(day, 100, "b"),
             line(day, 30, f"c/PAIEMENT-{receipt}"), line(day, 30, "d", reference=f"V {moved}"))  # fmt: skip
    assert [*rules(db, wave).values()] == ["REFERENCE", None, "REFERENCE", "REFERENCE"]


def test_a_line_matches_the_only_document_of_its_amount_within_three_days(db, wave):
    paid(db, "100", date=str(ago(db, 5)))
    paid(db, "30", date=str(ago(db, 6)))
    builders.depense(db, "7", id_compte=wave, date=str(ago(db, 1)))
    virer(db, {"id_compte": wave}, {"id_caisse": caisse(db, "0")}, "20", date=str(ago(db, 2)))
    received(db, wave, line(ago(db, 2), 100, "three"), line(ago(db, 2), 30, "four"), line(ago(db, 1), -7, "fee"),
             line(ago(db, 1), -20, "cash"))  # fmt: skip
    assert rules(db, wave) == {"three": "MONTANT", "four": None, "fee": "MONTANT", "cash": "MONTANT"}


def test_an_ambiguous_line_is_only_proposed(db, wave):
    one, two = (paid(db, "100", date=str(ago(db, days))) for days in (1, 2))
    paid(db, "60", date=str(ago(db, 1)), reference="R60")
    received(db, wave, line(ago(db, 1), 100, "a"), line(ago(db, 1), 58, "b", reference="R60"))
    answer = state(db, wave)
    assert rules(db, wave) == {"a": None, "b": None} and answer["rapproches"] == []
    assert [(row["libelle"], row["id_paiement"], row["montant_ici"]) for row in answer["propositions"]][:2] == [
        ("a", one, 100), ("a", two, 100)]  # fmt: skip
    assert [row["montant_ici"] for row in answer["propositions"] if row["libelle"] == "b"] == [60]
    # A second payment of the amount makes two equal lines as ambiguous as one.
    received(db, wave, line(ago(db, 1), 100, "c"))
    assert state(db, wave)["rapproches"] == []
    # Two documents, or two lines, of one day are ambiguous too.
    for amount in ("80", "80", "90"):
        paid(db, amount, date=str(ago(db, 1)))
    received(db, wave, line(ago(db, 1), 80, "d"), line(ago(db, 1), 90, "e"), line(ago(db, 1), 90, "f"))
    assert state(db, wave)["rapproches"] == []


def test_a_cancelled_payment_is_never_matched_by_a_rule(db, wave):
    wrong = paid(db, "100", date=str(ago(db, 1)), reference="X1")
    db.call("finances.paiement_annuler", id_paiement=wrong, motif="Erreur")
    received(db, wave, line(ago(db, 1), 100, "a", reference="X1"), line(ago(db, 0), -100, "b"))
    assert rules(db, wave) == {"a": None, "b": None}


def test_a_transfer_and_its_fees_are_one_line_or_two(db, wave):
    bank = compte(db, "Virement", genre="BANQUE")
    for amount in ("40", "50"):
        virer(db, {"id_compte": wave}, {"id_compte": bank}, amount, frais="2", date=str(ago(db, 1)))
    received(db, wave, line(ago(db, 1), -42, "both"), line(ago(db, 1), -50, "amount"), line(ago(db, 1), -2, "fees"))
    received(db, bank, line(ago(db, 1), 40, "in"), line(ago(db, 1), 50, "in too"))
    assert rules(db, wave) == {"both": "MONTANT", "amount": "MONTANT", "fees": None}
    assert alone(state(db, wave)) == [[-2], [-2]]
    second = db.one("select max(id_virement) from tresorerie.virement")
    db.call("tresorerie.ligne_rapprocher", id_ligne=key(db, "fees"), id_virement=second)
    assert alone(state(db, wave)) == alone(state(db, bank)) == [[], []]


def test_documents_entered_later_match_on_demand(http, db, wave):
    received(db, wave, line(ago(db, 1), 100))
    paid(db, "100", date=str(ago(db, 1)))
    answer = http.as_admin().post(f"/tresorerie/comptes/{wave}/rapprocher").json()
    assert answer == {"id_compte": str(wave), "rapprochees": 1, "a_rapprocher": 0}


# ---- by hand


def test_a_line_is_several_payments_by_hand_and_is_detached(http, db, wave):
    keys = [str(paid(db, amount, date=str(ago(db, 1)))) for amount in ("30", "70")]
    received(db, wave, line(ago(db, 1), 100, "a"))
    admin, path = http.as_admin(), f"/tresorerie/lignes/{key(db, 'a')}"
    made = admin.post(f"{path}/rapprocher", json={"id_paiements": keys}).json()
    assert (made["id_paiements"], made["regle"]) == (keys, "MAIN")
    assert alone(state(db, wave)) == [[], []]
    freed = admin.post(f"{path}/detacher").json()
    assert (freed["id_paiements"], freed["regle"]) == ([], None)
    assert alone(state(db, wave)) == [[30, 70], [100]]
    assert admin.post(f"{path}/detacher").json()["code"] == "LIGNE_NON_RAPPROCHEE"
    assert admin.post("/tresorerie/lignes/987654321/detacher").status_code == 404
    history = "select count(*) from audit.journal where entite = 'rapprochement'"
    assert db.one(history) == 4


def test_a_match_that_does_not_agree_is_refused(db, wave):
    bank = compte(db, "Virement", genre="BANQUE")
    one, other = paid(db, "30", date=str(ago(db, 9))), paid(db, "70", "Virement")
    received(db, wave, line(ago(db, 1), 30, "a"), line(ago(db, 1), 30, "b"), line(ago(db, 1), 31, "c"))
    received(db, bank, line(ago(db, 9), 70, "d"))
    for rule, status, ligne, given in (
        ("RAPPROCHEMENT_D_UN_SEUL", 400, "a", {}),
        ("RAPPROCHEMENT_D_UN_SEUL", 400, "a", {"id_depense": 1, "id_virement": 1}),
        ("MONTANT_DIFFERENT", 409, "c", {"id_paiements": [one]}),
        ("PIECE_HORS_DU_COMPTE", 409, "a", {"id_paiements": [other]}),
        ("PIECE_HORS_DU_COMPTE", 409, "a", {"id_paiements": [one, one]}),
        ("PIECE_HORS_DU_COMPTE", 409, "a", {"id_virement": 987654321}),
    ):
        with refused(rule, status=status):
            db.call("tresorerie.ligne_rapprocher", id_ligne=key(db, ligne), **given)
    db.call("tresorerie.ligne_rapprocher", id_ligne=key(db, "a"), id_paiements=[one])
    with refused("PAIEMENT_DEJA_RAPPROCHE", status=409):
        db.call("tresorerie.ligne_rapprocher", id_ligne=key(db, "b"), id_paiements=[one])
    with refused("LIGNE_DEJA_RAPPROCHEE", status=409):
        db.call("tresorerie.ligne_rapprocher", id_ligne=key(db, "a"), id_paiements=[one])


def test_a_line_makes_the_payment_the_fees_or_the_transfer_that_is_missing(http, db, wave):
    till = caisse(db, "500")
    bill = builders.facture(db, "100", id_client=builders.client(db))
    received(db, wave, line(ago(db, 1), 100, "Reçu de Koffi", reference="K1"), line(ago(db, 1), -3, "Frais"),
             line(ago(db, 0), 60, "Dépôt"), line(ago(db, 0), -5, "Retrait"))  # fmt: skip
    admin = http.as_admin()

    def noted(libelle, **body):
        return admin.post(f"/tresorerie/lignes/{key(db, libelle)}/constater", json=body)

    assert noted("Frais", nature="PAIEMENT").json()["code"] == "CONSTAT_DE_L_AUTRE_SENS"
    assert noted("Dépôt", nature="FRAIS").json()["code"] == "CONSTAT_DE_L_AUTRE_SENS"
    made = noted("Reçu de Koffi", nature="PAIEMENT", id_facture=str(bill)).json()
    assert made["regle"] == "CONSTAT"
    payment = admin.get(f"/finances/paiements/{made['id_paiements'][0]}").json()
    assert (payment["montant"], payment["reference"], payment["motif"]) == ("100.00", "K1", "Reçu de Koffi")
    assert payment["id_caisse"] is None and payment["facture"]["reste"] == "0.00"
    known = {"id_categorie_depense": str(builders.categorie_depense(db, "Frais bancaires"))}
    names = "select nom from core.declaration where objet = 'tresorerie.ligne_constater' and genre = 'REFUS'"
    declared = {row["nom"] for row in db.all(names)}
    for rule, libelle, body in (
        ("PAIEMENT_ACTIVITE_INCONNUE", "Dépôt", {"nature": "PAIEMENT", "id_activite": "9876"}),
        ("DEPENSE_ACTIVITE_INCONNUE", "Frais", {"nature": "FRAIS", "id_activite": "9876"} | known),
        ("DEPENSE_CATEGORIE_INCONNUE", "Frais", {"nature": "FRAIS", "id_categorie_depense": "9876"}),
        ("VIREMENT_D_UN_ENDROIT", "Dépôt", {"nature": "VIREMENT"}),
        ("VIREMENT_VERS_UN_ENDROIT", "Retrait", {"nature": "VIREMENT"}),
        ("VIREMENT_SUR_PLACE", "Dépôt", {"nature": "VIREMENT", "id_compte": str(wave)}),
    ):
        assert noted(libelle, **body).json()["code"] == rule
        assert rule in declared, f"the document does not name {rule}"
    spent = noted("Frais", nature="FRAIS", **known).json()["id_depense"]
    assert admin.get(f"/finances/depenses/{spent}").json()["id_compte"] == str(wave)
    for libelle in ("Dépôt", "Retrait"):
        moved = noted(libelle, nature="VIREMENT", id_caisse=str(till)).json()["id_virement"]
        assert moved is not None
    assert noted("Retrait", nature="VIREMENT", id_caisse=str(till)).json()["code"] == "LIGNE_DEJA_RAPPROCHEE"
    answer = state(db, wave)
    assert (alone(answer), answer["difference"], solde(db, wave)) == ([[], []], 0, 152)


# ---- what undoes a match


def test_a_cancelled_payment_keeps_its_line_and_its_counter_payment_is_alone(db, wave):
    key_ = paid(db, "100", date=str(ago(db, 1)))
    received(db, wave, line(ago(db, 1), 100))
    db.call("finances.paiement_annuler", id_paiement=key_, motif="Remboursé")
    answer = state(db, wave)
    assert (alone(answer), len(answer["rapproches"])) == ([[-100], []], 1)


def test_a_cancelled_transfer_keeps_its_line(db, wave):
    made = virer(db, {"id_caisse": caisse(db)}, {"id_compte": wave})
    received(db, wave, line(ago(db, 1), 40))
    db.call("tresorerie.virement_annuler", id_virement=made["id_virement"])
    assert alone(state(db, wave)) == [[-40], []]


def test_an_expense_that_changes_or_goes_is_detached(db, wave):
    kept = builders.depense(db, "7", id_compte=wave, date=str(ago(db, 1)))["id_depense"]
    received(db, wave, line(ago(db, 1), -7, "a"))
    db.call("finances.depense_modifier", id_depense=kept, champs={"libelle": "Frais"})
    assert rules(db, wave) == {"a": "MONTANT"}
    db.call("finances.depense_modifier", id_depense=kept, champs={"montant": "8"})
    assert (rules(db, wave), alone(state(db, wave))) == ({"a": None}, [[-8], [-7]])
    db.call("finances.depense_modifier", id_depense=kept, champs={"montant": "7"})
    db.call("tresorerie.compte_rapprocher", id_compte=wave)
    db.call("finances.depense_supprimer", id_depense=kept)
    assert alone(state(db, wave)) == [[], [-7]]


def test_a_payment_that_leaves_its_account_is_detached(db, wave):
    moved, stays = paid(db, "100", date=str(ago(db, 1))), paid(db, "30", date=str(ago(db, 1)))
    same_day = paid(db, "5", id_activite=PRESSING)
    received(db, wave, line(ago(db, 1), 100, "a"), line(ago(db, 1), 30, "b"), line(ago(db, 0), 5, "c"))
    db.call("finances.paiement_modifier", id_paiement=moved, champs={"id_moyen": builders.moyen(db, "Virement")})
    db.call("finances.paiement_modifier", id_paiement=stays, champs={"date": str(ago(db, 2))})
    assert rules(db, wave) == {"a": None, "b": "MONTANT", "c": "MONTANT"}
    own = compte(db, libelle="Pressing", id_activite=PRESSING)  # takes the payments of the day
    assert rules(db, wave) == {"a": None, "b": "MONTANT", "c": None}
    assert (alone(state(db, wave)), solde(db, own), same_day > 0) == ([[], [5, 100]], 5, True)


def test_a_statement_sent_by_mistake_is_removed_with_its_matches(http, db, wave):
    paid(db, "100", date=str(ago(db, 1)))
    made = received(db, wave, line(ago(db, 1), 100))
    path = f"/tresorerie/releves/{made['id_releve']}"
    assert http.as_admin().delete(path).status_code == 204
    assert http.as_admin().get(path).status_code == 404
    answer = state(db, wave)
    assert (answer["solde_ici"], answer["solde_releve"], answer["difference"]) == (100, None, None)
    assert received(db, wave, line(ago(db, 1), 100))["nouvelles"] == 1


def test_a_closed_month_keeps_its_matches(db, wave):
    first, late = paid(db, "100", date="2020-03-30"), paid(db, "50", date="2020-04-01")
    paid(db, "77", date="2020-03-30")
    made = received(db, wave, line("2020-03-31", 100, "in"), line("2020-03-31", 50, "late"), line("2020-04-01", 9, "b"))
    db.call("tresorerie.ligne_detacher", id_ligne=key(db, "late"))
    db.call("compta.periode_cloturer", periode="2020-03")
    for call, given in (
        ("detacher", {"id_ligne": key(db, "in")}),
        ("rapprocher", {"id_ligne": key(db, "late"), "id_paiements": [late]}),
        ("constater", {"id_ligne": key(db, "late"), "nature": "PAIEMENT"}),
    ):
        with refused("PERIODE_CLOTUREE", status=409):
            db.call(f"tresorerie.ligne_{call}", **given)
    with refused("PERIODE_CLOTUREE", status=409):
        db.call("tresorerie.releve_supprimer", id_releve=made["id_releve"])
    with refused("PERIODE_CLOTUREE", status=409):
        db.execute("delete from tresorerie.rapprochement where id_paiement = %s", [first])
    # The statement of a closed month is taken, and its lines stay alone.
    received(db, wave, line("2020-03-31", 50, "late"), line("2020-03-30", 77, "new"))
    assert rules(db, wave) == {"b": None, "in": "MONTANT", "late": None, "new": None}


@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        ("update tresorerie.ligne set montant = 1", "LIGNE_DE_RELEVE_FIGEE"),
        ("update tresorerie.ligne set libelle = ''", "LIGNE_DE_RELEVE_FIGEE"),
        ("update tresorerie.rapprochement set regle = 'MAIN'", "RAPPROCHEMENT_FIGE"),
    ],
)
def test_a_line_and_its_match_never_change(db, wave, statement, rule):
    paid(db, "100", date=str(ago(db, 1)))
    received(db, wave, line(ago(db, 1), 100))
    with refused(rule, status=409):
        db.execute(statement)


# ---- both books


def test_a_payment_is_alone_until_the_bank_counts_it(db, wave):
    paid(db, "100", date=str(ago(db, 3)))
    received(db, wave, line(ago(db, 4), 1, solde="1"), line(ago(db, 1), 100, solde="101"))
    eve, now = state(db, wave, ago(db, 2)), state(db, wave)
    assert (eve["solde_ici"], eve["solde_releve"], alone(eve)) == (100, 1, [[100], [1]])
    assert (now["difference"], alone(now)) == (-1, [[], [1]])


def test_the_balance_before_the_first_statement_is_one_amount_on_each_side(db, wave):
    paid(db, "70", date=str(ago(db, 30)))
    paid(db, "30", date=str(ago(db, 3)))  # the bank has it on its first day
    received(db, wave, line(ago(db, 2), 30, solde="105"), line(ago(db, 1), 1, solde="106"))
    assert alone(state(db, wave)) == [[70], [1, 75]]
    other = compte(db, "Virement", genre="BANQUE")
    paid(db, "75", "Virement", date=str(ago(db, 30)))
    received(db, other, line(ago(db, 1), 1, solde="76"))
    assert alone(state(db, other)) == [[], [1]]
    before = state(db, wave, ago(db, 5))
    assert (before["solde_ici"], before["solde_releve"], before["difference"]) == (70, None, None)


def test_a_statement_that_is_missing_is_said_with_its_amount(db, wave):
    received(db, wave, line(ago(db, 9), 10, "a", solde="10"))
    received(db, wave, line(ago(db, 1), 5, "b", solde="45"))
    answer = state(db, wave)
    assert [(row["nature"], row["montant"]) for row in answer["releve_seul"]] == [
        ("LIGNE", 10), ("LIGNE", 5), ("MANQUE", 30)]  # fmt: skip
    assert answer["solde_releve"] == 45
    received(db, wave, line(ago(db, 5), 30, "c", solde="40"))
    assert {row["nature"] for row in state(db, wave)["releve_seul"]} == {"LIGNE"}


def test_the_state_is_a_workbook_and_a_printed_page(http, db, wave):
    paid(db, "100", date=str(ago(db, 1)))
    received(db, wave, line(ago(db, 1), 100, "Reçu"), line(ago(db, 1), 3, "Inconnu"))
    admin, query = http.as_admin(), {"id_compte": wave, "du": str(ago(db, 9)), "au": str(ago(db, 0))}
    for kind, start in (("pdf", b"%PDF"), ("xlsx", b"PK"), ("csv", b"\xef\xbb\xbf")):
        answer = admin.get("/tresorerie/rapprochement", params=query | {"format": kind})
        assert answer.status_code == 200 and answer.content.startswith(start)
    assert "Inconnu" in answer.text and admin.get("/tresorerie/rapprochement").status_code == 400
    assert admin.get("/tresorerie/rapprochement", params={"id_compte": 987654321}).status_code == 404


def test_only_those_who_see_a_balance_see_its_statements(db, wave):
    own = compte(db, libelle="Pressing", id_activite=PRESSING)
    hidden = compte(db, libelle="Resto", id_activite=RESTAURATION)
    for account in (wave, own, hidden):
        received(db, account, line(ago(db, 1), 9, str(account)))
    chief = builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING)
    cashier = builders.utilisateur(db, role="CAISSIER", caisse=builders.caisse(db))
    for user, seen in ((chief, [own]), (cashier, [])):
        db.acting(user)
        assert [row["id_compte"] for row in db.rows("tresorerie.ligne_lister")] == seen
        assert [row["id_compte"] for row in db.rows("tresorerie.releve_lister")] == seen
        for account in {wave, own, hidden} - {*seen}:
            with refused("NOT_FOUND", status=404):
                db.call("tresorerie.rapprochement", id_compte=account)
            with refused("NOT_FOUND", status=404):
                received(db, account, line(ago(db, 1), 8))
