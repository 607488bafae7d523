"""Opening balances: once, balanced, from a balance or a sheet, and cancelled like an entry."""

import pytest

from tests import livre
from tests.compta.test_operation import line
from tests.conftest import refused
from tests.sheets import text, workbook

BALANCE = (line("101", credit="900"), line("521", "1000"), line("401", credit="100"))
FOLDER = "/compta/a-nouveaux"


def opened(db, *lines, date="2020-01-01"):
    return db.call("compta.a_nouveau_creer", date=date, lignes=list(lines or BALANCE))


def test_opening_balances_keep_the_balance_of_each_line(http, db):
    both = {"compte": "411", "debit": "70", "credit": "50"}
    empty = {"compte": "57", "debit": "8", "credit": "8"}
    body = {"date": "2020-01-01", "lignes": [*BALANCE, both, empty, line("40", credit="20")]}
    answer = http.as_admin().post(FOLDER, json=body)
    made = answer.json()
    assert (answer.status_code, made["ouverture"], made["libelle"], made["montant"]) == (
        201,
        True,
        "À-nouveaux",
        "1020.00",
    )
    assert [(one["compte"], one["debit"], one["credit"]) for one in made["lignes"]][3:] == [
        ("411", "20.00", None), ("40", None, "20.00"),
    ]  # fmt: skip
    rows = http.as_admin().get("/compta/ecritures", params={"periode": "2020-01"}).json()
    assert {(r["type"], r["piece"]) for r in rows} == {("A_NOUVEAU", made["numero"])} and len(rows) == 5
    assert [o["numero"] for o in http.as_admin().get("/compta/operations?ouverture=true").json()] == [made["numero"]]
    assert http.as_admin().get("/compta/operations?ouverture=false").json() == []
    assert livre.wrong(db) == []


def test_opening_balances_are_passed_once_until_they_are_cancelled(db):
    first = opened(db)
    with refused("A_NOUVEAUX_DEJA_PASSES", 409) as refusal:
        opened(db, date="2021-01-01")
    assert first["numero"] in refusal["message"]
    db.call("compta.operation_annuler", id_operation=first["id_operation"])
    assert opened(db)["ouverture"]
    with refused("A_NOUVEAUX_DEJA_PASSES", 409):
        opened(db)


@pytest.mark.parametrize(
    "lines, rule",
    [
        ((line("521", "10"), line("101", credit="9")), "OPERATION_DESEQUILIBREE"),
        ((line("521", "10"), line("90", credit="10")), "COMPTE_INCONNU"),
        (({"compte": "521", "debit": "5", "credit": "5"},), "OPERATION_VIDE"),
    ],
)
def test_a_balance_that_is_wrong_is_refused_whole(db, lines, rule):
    with refused(rule, 400):
        opened(db, *lines)
    with refused("DATE_FUTURE", 400):
        opened(db, date="2999-01-01")
    db.call("compta.periode_cloturer", periode="2020-01")
    with refused("PERIODE_CLOTUREE", 409):
        opened(db)
    assert db.one("select count(*) from compta.operation") == 0


@pytest.mark.parametrize("sheet", [text, workbook])
def test_a_sheet_opens_the_books(http, db, sheet):
    rows = [
        ("Compte", "Intitulé", "Solde débiteur", "Solde créditeur"),
        ("101", "Capital", "", "900"),
        ("521", "Banque", "1000", ""),
        ("401", "Fournisseurs", "0", "100"),
    ]
    answer = send(http, sheet(*rows))
    made = answer.json()
    assert answer.status_code == 201, answer.text
    assert [(one["compte"], one["libelle"], one["debit"], one["credit"]) for one in made["lignes"]] == [
        ("101", "Capital", None, "900.00"), ("521", "Banque", "1000.00", None), ("401", "Fournisseurs", None, "100.00"),
    ]  # fmt: skip
    assert send(http, sheet(*rows)).json()["code"] == "A_NOUVEAUX_DEJA_PASSES"


def test_a_sheet_names_its_wrong_lines_and_unknown_columns(http, db):
    rows = [("Compte", "Débit", "Crédit"), ("banque", "10", ""), ("101", "", "dix")]
    refusal = send(http, text(*rows)).json()
    messages = refusal["details"][0]["messages"]
    assert refusal["code"] == "VALIDATION_ERROR" and [m.partition(" : ")[0] for m in messages] == [
        "Ligne 2, compte", "Ligne 3, credit",
    ]  # fmt: skip
    renamed = [("N", "Emplois", "Ressources"), ("521", "10", ""), ("101", "", "10")]
    assert send(http, text(*renamed)).status_code == 400
    columns = '{"N": "compte", "Emplois": "debit", "Ressources": "credit"}'
    assert send(http, text(*renamed), colonnes=columns).status_code == 201


def send(http, content, **fields):
    return http.as_admin().post(
        f"{FOLDER}/feuille", data={"date": "2020-01-01"} | fields, files={"file": ("b.csv", content)}
    )
