"""The reports answer at a past instant what they answered then, whatever was closed or cancelled since."""

import pytest

from tests import builders
from tests.achat.achats import article, charge, crediter, facture, payer
from tests.audit.test_instant import now

YEAR, END = "du=2020-01-01&au=2020-12-31", "au=2020-12-31"
PATHS = (
    "balance", "bilan", "creances", "exercices", "periodes", "grand-livre?compte=4011", f"balance?{YEAR}",
    f"bilan?{END}", f"grand-livre?compte=681&{YEAR}", f"journaux?{YEAR}", f"operations?{YEAR}",
    f"resultat?{YEAR}",
)  # fmt: skip


def last(db, table, key):
    return db.one(f"select max({key}) from {table}")


def answers(http, instant=None):
    past = f"instant={instant}" if instant else ""
    paths = [f"/compta/{path}{'&' if '?' in path else '?'}{past}" for path in PATHS]
    return [http.as_admin().get(path).json() for path in paths]


def test_each_report_answers_as_at_an_instant(http, db):
    product, client = builders.produit(db, "20", "500", prix_achat="100"), builders.client(db)
    steps = [
        lambda: builders.facture(db, montant="900", id_client=client),
        lambda: db.call("compta.operation_creer", date="2020-03-31", libelle="Dotation", lignes=[
            {"compte": "681", "debit": "70"}, {"compte": "2845", "credit": "70"}]),
        lambda: payer(db, facture(db, article(product, 5, 90), date="2020-04-02"), 100),
        lambda: crediter(db, facture(db, charge(db, 40))),
        lambda: db.call("compta.periode_cloturer", periode="2020-03"),
        lambda: db.call("compta.operation_annuler", id_operation=last(db, "compta.operation", "id_operation")),
        lambda: db.call("compta.periode_cloturer", periode="2020-04"),
        lambda: db.call("compta.exercice_cloturer", annee=2020),
        lambda: db.call("finances.depense_supprimer", id_depense=last(db, "finances.depense", "id_depense")),
        lambda: builders.facture(db, montant="33"),
    ]  # fmt: skip
    seen = []
    for step in steps:
        seen.append((now(db), answers(http)))
        step()
    assert len({str(answer) for _, answer in seen}) == len(steps)
    for instant, answer in seen:
        assert answers(http, instant) == answer


@pytest.mark.parametrize("path", ["ecritures", "export?format=hledger"])
def test_a_list_of_lines_of_the_present_refuses_an_instant(http, db, path):
    answer = http.as_admin().get(f"/compta/{path}", params={"instant": "2026-01-01T00:00:00Z"})
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")


@pytest.mark.parametrize("path", ["/compta/creances", "/achat/dettes", "/market/rapports/stock", "/compta/balance"])
def test_a_printed_report_reads_the_present_or_an_instant(http, db, path):
    builders.produit(db, "3", "500", prix_achat="100")
    builders.facture(db, montant="900", id_client=builders.client(db))
    facture(db, charge(db, 700))
    instant = now(db)
    for fields in ({}, {"instant": instant}):
        answer = http.as_admin().get(path, params={"format": "pdf"} | fields)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf"), answer.text[:300]
