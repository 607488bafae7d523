"""The staff report: attendance and payroll, in all and for each service, against sums by hand."""

from decimal import Decimal

import pytest

from tests import builders

NONE_CLOCKED = {"PRESENT": 0, "ABSENT": 0, "RETARD": 0, "CONGE": 0}
NONE_PAID = {"CALCULEE": "0.00", "VALIDEE": "0.00", "PAYEE": "0.00", "ANNULEE": "0.00"}


def report(db, du=None, au=None):
    """The report with its composite columns taken apart."""
    found = db.one(
        "select to_jsonb(r.pointage) as pointage, to_jsonb(r.paie) as paie, to_jsonb(r.services) as services"
        "  from rh._rapport(%s::date, %s::date) r",
        [du, au],
    )
    return found["pointage"], found["paie"], {row["libelle"]: row for row in found["services"]}


@pytest.fixture
def ground(db):
    services = [db.call("rh.service_creer", libelle=name)["id_service"] for name in ("Accueil", "Lingerie", "Vide")]
    staff = [builders.employe(db, id_service=services[0]), builders.employe(db, id_service=services[1])]
    staff.append(builders.employe(db))
    for who, day, statut, worked, more in [
        (0, "2026-08-10", "PRESENT", 8, "1.50"),
        (0, "2026-08-11", "RETARD", 7.5, None),
        (0, "2026-08-12", "ABSENT", 9, None),  # hours of an absence do not count
        (1, "2026-08-10", "PRESENT", 10, "2.00"),
        (1, "2026-09-01", "PRESENT", 6, None),
        (2, "2026-08-31", "CONGE", 8, None),
    ]:
        db.execute(
            "insert into rh.pointage (id_employe, date, statut, heures_sup, horloge_arrivee, horloge_depart)"
            " values (%s, %s, %s, %s, %s::timestamptz, %s::timestamptz + %s * interval '1 hour')",
            [staff[who], day, statut, more, f"{day} 08:00", f"{day} 08:00", worked],
        )
    for who, periode, base, verbs in [
        (0, "2026-08", "180000", ["valider", "payer"]),
        (1, "2026-08", "95000.50", ["valider"]),
        (1, "2026-09", "95000", ["valider", "payer"]),
        (2, "2026-08", "70000", []),
    ]:
        paie = builders.paie(db, staff[who], periode, base)
        for verb in verbs:
            arguments = {"id_moyen": builders.moyen(db)} if verb == "payer" else {}
            db.call(f"rh.paie_{verb}", id_paie=paie, **arguments)


def numbers(found):
    return {
        name: Decimal(str(value)) if name.startswith("total") else value
        for name, value in found.items()
    }  # fmt: skip


def test_a_month(db, ground):
    clocked, paid, services = report(db, "2026-08-01", "2026-08-31")
    assert numbers(clocked) == {
        "par_statut": {"PRESENT": 2, "RETARD": 1, "ABSENT": 1, "CONGE": 1},
        "total_pointes": 5,
        "total_heures_sup": Decimal("3.5"),
        "total_duree": Decimal("25.5"),
    }
    assert numbers(paid) == {
        "par_statut": {"CALCULEE": "70000.00", "VALIDEE": "95000.50", "PAYEE": "180000.00", "ANNULEE": "0.00"},
        "total_verse": 180000,
    }
    assert list(services) == ["Accueil", "Lingerie", None]
    assert numbers(services["Accueil"]["pointage"]) == {
        "par_statut": {"PRESENT": 1, "RETARD": 1, "ABSENT": 1, "CONGE": 0},
        "total_pointes": 3,
        "total_heures_sup": Decimal("1.5"),
        "total_duree": Decimal("15.5"),
    }
    assert numbers(services["Lingerie"]["paie"]) == {
        "par_statut": NONE_PAID | {"VALIDEE": "95000.50"},
        "total_verse": 0,
    }
    assert numbers(services[None]["paie"]) == {"par_statut": NONE_PAID | {"CALCULEE": "70000.00"}, "total_verse": 0}
    for part in ("pointage", "paie"):
        whole = numbers(clocked if part == "pointage" else paid)
        for name in whole.keys() - {"par_statut"}:
            assert sum(numbers(row[part])[name] for row in services.values()) == whole[name]


def test_without_bounds_and_without_anything(db, ground):
    clocked, paid, _ = report(db)
    assert (clocked["total_pointes"], numbers(paid)["total_verse"]) == (6, 275000)
    clocked, paid, services = report(db, "2025-01-01", "2025-12-31")
    assert numbers(clocked) == {
        "par_statut": NONE_CLOCKED, "total_pointes": 0, "total_heures_sup": 0, "total_duree": 0
    }  # fmt: skip
    assert numbers(paid) == {"par_statut": NONE_PAID, "total_verse": 0} and len(services) == 3


def test_without_staff(db):
    clocked, paid, services = report(db)
    assert (clocked["par_statut"], paid["par_statut"], services) == (NONE_CLOCKED, NONE_PAID, {})
