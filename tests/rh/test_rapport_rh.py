"""The staff report: attendance and payroll, in total and for each service, against sums worked out by hand."""

from decimal import Decimal

import pytest

from tests import builders

NONE_CLOCKED = dict.fromkeys(("PRESENT", "ABSENT", "RETARD", "CONGE"), 0)
NONE_PAID = dict.fromkeys(("CALCULEE", "VALIDEE", "PAYEE", "ANNULEE"), "0.00")


def report(db, du=None, au=None):
    """The composite columns of the report as dictionaries, and the services by label."""
    row = db.one("select to_jsonb(r.pointage) as pointage, to_jsonb(r.paie) as paie, to_jsonb(r.services) as services"
                 "  from rapports.rh(%s::date, %s::date) r", [du, au])  # fmt: skip
    return row["pointage"], row["paie"], {row["libelle"]: row for row in row["services"]}


@pytest.fixture
def staff_rows(db):
    services = [db.call("rh.service_creer", libelle=name)["id_service"] for name in ("Accueil", "Lingerie", "Vide")]
    staff = [builders.employe(db, id_service=services[0]), builders.employe(db, id_service=services[1])]
    staff.append(builders.employe(db))
    for index, day, statut, worked, overtime in [
        (0, "2026-08-10", "PRESENT", 8, "1.50"),
        (0, "2026-08-11", "RETARD", 7.5, None),
        (0, "2026-08-12", "ABSENT", 9, None),  # the hours of an absence do not count
        (1, "2026-08-10", "PRESENT", 10, "2.00"),
        (1, "2026-09-01", "PRESENT", 6, None),
        (2, "2026-08-31", "CONGE", 8, None),
    ]:
        db.execute("insert into rh.pointage (id_employe, date, statut, heures_sup, horloge_arrivee, horloge_depart)"
                   " values (%s, %s, %s, %s, %s::timestamptz, %s::timestamptz + %s * interval '1 hour')",
                   [staff[index], day, statut, overtime, f"{day} 08:00", f"{day} 08:00", worked])  # fmt: skip
    for index, periode, base, verbs in [
        (0, "2026-08", "180000", ["valider", "payer"]),
        (1, "2026-08", "95000.50", ["valider"]),
        (1, "2026-09", "95000", ["valider", "payer"]),
        (2, "2026-08", "70000", []),
    ]:
        paie = builders.paie(db, staff[index], periode, base)
        for verb in verbs:
            arguments = {"id_moyen": builders.moyen(db)} if verb == "payer" else {}
            db.call(f"rh.paie_{verb}", id_paie=paie, **arguments)


def numbers(part):
    return {name: Decimal(str(value)) if name.startswith("total") else value for name, value in part.items()}


def clocking(states, clocked, overtime, worked):
    totals = {"total_pointes": clocked, "total_heures_sup": Decimal(overtime), "total_duree": Decimal(worked)}
    return {"par_statut": NONE_CLOCKED | states} | totals


def payroll(amounts, paid=0):
    return {"par_statut": NONE_PAID | amounts, "total_verse": paid}


def test_the_report_of_a_month_sums_attendance_and_payroll_by_service(db, staff_rows):
    clocked, paid, services = report(db, "2026-08-01", "2026-08-31")
    assert numbers(clocked) == clocking({"PRESENT": 2, "RETARD": 1, "ABSENT": 1, "CONGE": 1}, 5, "3.5", "25.5")
    amounts = {"CALCULEE": "70000.00", "VALIDEE": "95000.50", "PAYEE": "180000.00"}
    assert numbers(paid) == payroll(amounts, 180000)
    assert list(services) == ["Accueil", "Lingerie", "Sans service"]
    reception = clocking({"PRESENT": 1, "RETARD": 1, "ABSENT": 1}, 3, "1.5", "15.5")
    assert numbers(services["Accueil"]["pointage"]) == reception
    assert numbers(services["Lingerie"]["paie"]) == payroll({"VALIDEE": "95000.50"})
    assert numbers(services["Sans service"]["paie"]) == payroll({"CALCULEE": "70000.00"})
    for part in ("pointage", "paie"):
        whole = numbers(clocked if part == "pointage" else paid)
        for name in whole.keys() - {"par_statut"}:
            assert sum(numbers(row[part])[name] for row in services.values()) == whole[name]


def test_the_report_without_dates_sums_everything_and_an_empty_year_is_zero(db, staff_rows):
    clocked, paid, _ = report(db)
    assert (clocked["total_pointes"], numbers(paid)["total_verse"]) == (6, 275000)
    clocked, paid, services = report(db, "2025-01-01", "2025-12-31")
    assert numbers(clocked) == clocking({}, 0, 0, 0)
    assert numbers(paid) == payroll({}) and len(services) == 3


def test_the_report_without_staff_is_zero(db):
    clocked, paid, services = report(db)
    assert (clocked["par_statut"], paid["par_statut"], services) == (NONE_CLOCKED, NONE_PAID, {})
