"""A closed year: its result on one account, its other balances kept, and nothing of it changed."""

from decimal import Decimal

import pytest

from tests import builders, livre
from tests.compta.test_operation import line, record
from tests.conftest import refused


def close_year(db, year=2020):
    return db.call("compta.exercice_cloturer", annee=year)


def close(db, *months):
    for month in months:
        db.call("compta.periode_cloturer", periode=month)


def balances(http, day):
    params = {"du": day, "au": day}
    rows = http.as_admin().get("/compta/balance", params=params).json()
    return {r["compte"]: Decimal(r["solde_debit"]) - Decimal(r["solde_credit"]) for r in rows if r["compte"] != "TOTAL"}


def test_a_year_carries_its_profit_forward_and_opens_the_next(http, db):
    record(db, line("521", "1000"), line("706", credit="1000"), date="2020-02-01")
    record(db, line("622", "300"), line("521", credit="300"), date="2020-11-30")
    close(db, "2020-02", "2020-11")
    answer = http.as_admin().post("/compta/exercices/2020/cloturer")
    closed = answer.json()
    assert (answer.status_code, closed["annee"], closed["clos"], closed["resultat"]) == (200, 2020, True, "700.00")
    assert (closed["du"], closed["au"]) == ("2020-01-01", "2020-12-31")
    last = http.as_admin().get("/compta/periodes").json()[0]
    assert (last["periode"], last["nombre"]) == ("2020-12", "0")
    rows = http.as_admin().get("/compta/ecritures", params={"periode": "2020-12"}).json()
    assert [(r["numero"], r["piece"], r["compte"], r["debit"], r["credit"]) for r in rows] == [
        ("5", "RESULTAT-2020", "622", None, "300.00"),
        ("6", "RESULTAT-2020", "706", "1000.00", None),
        ("7", "RESULTAT-2020", "131", None, "700.00"),
    ]
    assert balances(http, "2021-01-01") == {"521": Decimal(700), "131": Decimal(-700)}
    years = http.as_admin().get("/compta/exercices").json()
    assert [(y["annee"], y["clos"]) for y in years][-2:] == [(2021, False), (2020, True)]
    assert years[0]["annee"] == db.today().year and years[0]["resultat"] is None
    # The year after it has its own result, and a loss has its own account.
    record(db, line("622", "50"), line("521", credit="50"), date="2021-05-05")
    close(db, "2021-05")
    assert str(close_year(db, 2021)["resultat"]) == "-50.00"
    assert balances(http, "2022-01-01") == {"521": Decimal(650), "131": Decimal(-700), "139": Decimal(50)}
    assert livre.wrong(db) == []


def test_the_income_statement_of_a_closed_year_keeps_its_amounts(http, db):
    record(db, line("521", "1000"), line("706", credit="1000"), date="2020-02-01")
    params = {"du": "2020-01-01", "au": "2020-12-31"}
    before = http.as_admin().get("/compta/resultat", params=params).json()
    close(db, "2020-02")
    close_year(db)
    assert http.as_admin().get("/compta/resultat", params=params).json() == before
    assert next(r for r in before if r["code"] == "XI")["montant"] == "1000.00"


def test_each_activity_keeps_a_balanced_result_of_its_own(db):
    activities = [builders.activite(db), builders.activite(db, "RESTAURATION")]
    for activity, amount in zip(activities, ("500", "200"), strict=True):
        builders.depense(db, amount, date="2020-02-03 10:00Z", id_activite=activity)
    close(db, "2020-02")
    close_year(db)
    lines = db.all(
        """select id_activite, sum(coalesce(debit, -credit)) as solde, sum(debit) filter (where compte = '139') as perte
             from compta.ecriture where type::text = 'RESULTAT' group by 1 order by 1""", []
    )  # fmt: skip
    assert [(r["id_activite"], r["solde"], r["perte"]) for r in lines] == [
        (activities[0], 0, 500), (activities[1], 0, 200),
    ]  # fmt: skip


def test_a_year_is_refused_by_name_while_a_month_or_an_earlier_year_is_open(db):
    record(db, date="2019-03-03")
    record(db, date="2020-03-03")
    with refused("PERIODE_PRECEDENTE_OUVERTE", 409) as refusal:
        close_year(db, 2019)
    assert "03/2019" in refusal["message"]
    close(db, "2019-03", "2020-03")
    with refused("EXERCICE_PRECEDENT_OUVERT", 409) as refusal:
        close_year(db, 2020)
    assert "2019" in refusal["message"]
    close_year(db, 2019)
    close_year(db, 2020)
    with refused("PERIODE_EN_COURS", 409):
        close_year(db, db.today().year)
    for year in (2019, 2020):
        with refused("EXERCICE_CLOTURE", 409):
            close_year(db, year)
    # Only the numbers of 2019 come late: 2020 had its own before the year 2019 was closed.
    assert {error.partition(" n'est")[0] for error in livre.wrong(db)} == {f"le numéro {n}" for n in range(3, 7)}


def test_a_missing_account_of_the_result_keeps_the_year_open(db):
    record(db, date="2020-03-03")
    close(db, "2020-03")
    db.call("compta.compte_modifier", cas="RESULTAT_PERTE", champs={"compte": None})
    with refused("COMPTE_MANQUANT", 409):
        close_year(db)


@pytest.mark.parametrize("year", ["1899", "10000", "20", "mars"])
def test_a_year_that_is_none_is_refused(http, year):
    assert http.as_admin().post(f"/compta/exercices/{year}/cloturer").status_code == 400


def test_nothing_of_a_closed_year_changes(db):
    record(db, date="2020-03-03")
    close(db, "2020-03")
    close_year(db)
    for day in ("2020-01-01", "2020-12-31"):
        with refused("PERIODE_CLOTUREE", 409):
            record(db, date=day)
    for statement in (
        "update compta.exercice_clos set annee = 2021", "delete from compta.exercice_clos",
        "update compta.ecriture set compte = '12' where type::text = 'RESULTAT'",
    ):  # fmt: skip
        with refused("ECRITURE_FIGEE", 409):
            db.execute(statement)
    assert db.one("select bool_and(intacte) from compta.periode p, compta.periode_detail(p.periode)")


def test_labels_of_the_last_day_are_erased_after_the_year_and_its_month_stays_proven(db):
    payment = builders.paiement(db, "100", date="2020-12-31 10:00Z")["id_paiement"]
    record(db, line("601", "40"), line("521", credit="40"), date="2020-12-31")
    close(db, "2020-12")
    close_year(db)
    assert db.one("select compta._libelles_effacer('{}', '{}', %s, '{}')", [[payment]]) == 2
    assert db.one("select intacte from compta.periode_detail('2020-12')")
