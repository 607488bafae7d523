"""The questions of docs/dba.md: each query runs with the read-only role and returns the columns shown on the page."""

import re

from tests import builders
from tests.server import ROOT

PAGE = (ROOT / "docs" / "dba.md").read_text()
QUESTIONS = re.findall(r"\*\*(\d+)\. .*?\*\*\n\n```sql\n(.*?)\n```\n\n```\n(.*?)\n```", PAGE, re.DOTALL)


def test_the_page_holds_twelve_questions():
    assert [int(number) for number, _, _ in QUESTIONS] == list(range(1, 13))


def test_the_query_of_a_question_returns_the_columns_of_the_page(db):
    for amount in ("1000", "250"):
        db.call("finances.paiement_creer", montant=amount, id_moyen=1, id_activite=builders.activite(db))
    categorie = db.call("finances.categorie_depense_creer", libelle="Énergie")["id_categorie_depense"]
    fields = {"montant": "5", "libelle": "Courant", "id_categorie_depense": categorie}
    db.call("finances.depense_creer", id_activite=builders.activite(db), **fields)
    builders.facture(db, total="500")
    db.execute("set local role comptoir_lecture")
    for number, query, shown in QUESTIONS:
        cursor = db.connection.execute(query.replace("%", "%%"))
        header, ruler, *lines = shown.split("\n")
        columns = [column.name for column in cursor.description or ()]
        assert columns == [name.strip() for name in header.split("|")], number
        assert set(ruler) == {"-", "+"} and lines and cursor.fetchall(), number
