"""The monthly payroll job: it creates or updates payslips, can run again, and never changes a validated payslip."""

from decimal import Decimal

import pytest

from tests import builders
from tests.conftest import ok, refusal, refused


def run(db, periode="2026-08"):
    result = db.call("jobs.recalculer_paie", periode=periode)
    return result["creees"], result["actualisees"], result["refusees"]


def slips(db):
    return db.all("select * from rh.paie order by id_paie")


def test_the_job_creates_one_payslip_for_each_active_employee(db):
    active = builders.employe(db, "180000")
    later = builders.employe(db, date_embauche="2026-08-31")
    for fields in ({"statut": "INACTIF"}, {"statut": "SUSPENDU"}, {"date_embauche": "2026-09-01"}):
        builders.employe(db, **fields)
    assert run(db) == (2, 0, 0)
    rows = slips(db)
    made = [(row["id_employe"], row["periode"], row["statut"]) for row in rows]
    assert made == [(key, "2026-08", "CALCULEE") for key in (active, later)]
    assert run(db) == (0, 0, 0)
    assert slips(db) == rows
    assert run(db, "2026-09") == (3, 0, 0)


@pytest.mark.parametrize("entree, sortie, periode, expected", [
    ("2026-08-17", None, "2026-08", "87726"),  # 15 days of 31 of 181,300.45
    ("2026-08-01", None, "2026-08", "181300.45"),  # a whole month is the entered salary
    ("2026-01-05", "2026-08-10", "2026-08", "58484"),
    ("2026-01-05", "2026-08-31", "2026-08", "181300.45"),
    ("2026-08-10", "2026-08-10", "2026-08", "5848"),
    ("2028-02-29", None, "2028-02", "6252"),  # a leap day
])  # fmt: skip
def test_an_employee_hired_or_leaving_within_the_month_is_paid_by_day(db, entree, sortie, periode, expected):
    if periode > "2026-11":
        today = "create or replace function core.aujourdhui() returns date language sql stable"
        db.execute(f"{today} return '2028-03-01'::date")
    builders.employe(db, "181300.45", date_embauche=entree, date_sortie=sortie)
    assert run(db, periode) == (1, 0, 0)
    (slip,) = slips(db)
    assert (slip["salaire_base"], slip["montant_a_payer"]) == (Decimal(expected), Decimal(expected))
    assert db.call("rh.paie_recalculer", id_paie=slip["id_paie"])["salaire_base"] == Decimal(expected)
    assert run(db, periode) == (0, 0, 0)


def test_two_parts_of_a_month_add_up_to_the_whole_salary(db):
    """One employee leaves on the 10th and another begins on the 11th, at a salary that does not divide evenly."""
    builders.employe(db, "181300", date_sortie="2026-08-10")
    builders.employe(db, "181300", date_embauche="2026-08-11")
    run(db)
    assert sum(row["salaire_base"] for row in slips(db)) == 181300


def test_only_an_employee_who_left_within_the_month_has_a_payslip(db):
    builders.employe(db, date_sortie="2026-07-31")
    builders.employe(db, statut="INACTIF", date_sortie="2026-07-31")
    former = builders.employe(db, "62000", statut="INACTIF", date_sortie="2026-08-15")
    with refused("SORTIE_AVANT_EMBAUCHE", status=400):
        builders.employe(db, date_embauche="2026-08-17", date_sortie="2026-08-16")
    assert run(db) == (1, 0, 0)
    assert [(row["id_employe"], row["salaire_base"]) for row in slips(db)] == [(former, 30000)]


def test_a_departure_entered_later_updates_the_calculated_payslip(db):
    employe = builders.employe(db, "62000")
    assert run(db) == (1, 0, 0)
    champs = {"date_sortie": "2026-08-15", "statut": "INACTIF"}
    changed = db.call("rh.employe_modifier", id_employe=employe, champs=champs)
    assert (str(changed["date_sortie"]), changed["statut"]) == ("2026-08-15", "INACTIF")
    assert run(db) == (0, 1, 0)
    assert [row["salaire_base"] for row in slips(db)] == [30000]
    db.call("rh.employe_modifier", id_employe=employe, champs={"date_sortie": None, "statut": "ACTIF"})
    assert run(db) == (0, 1, 0)
    assert [row["salaire_base"] for row in slips(db)] == [62000]


def test_a_payslip_created_by_a_user_counts_the_days_unless_a_base_is_given(db):
    employe = builders.employe(db, "62000", date_embauche="2026-08-17")
    slip = db.call("rh.paie_creer", id_employe=employe, periode="2026-08")
    assert slip["salaire_base"] == 30000
    assert db.call("rh.paie_document", id_paie=slip["id_paie"])["prorata"] == "15/31 jours"
    db.call("rh.paie_annuler", id_paie=slip["id_paie"])
    again = db.call("rh.paie_creer", id_employe=employe, periode="2026-08", salaire_base="45000.50")
    assert again["salaire_base"] == Decimal("45000.50")
    assert db.call("rh.paie_document", id_paie=again["id_paie"])["prorata"] is None
    with refused("PAIE_EMPLOYE_INCONNU", status=422):
        db.call("rh.paie_creer", id_employe=0, periode="2026-08")


def test_the_job_runs_for_the_previous_month_by_default_and_never_for_a_future_month(db):
    builders.employe(db)
    months = "select to_char(core.aujourdhui() + interval '1 month' * %s, 'YYYY-MM')"
    with refused("PERIODE_FUTURE", status=400):
        run(db, db.one(months, [1]))
    assert slips(db) == []
    result, before = db.call("jobs.recalculer_paie"), db.one(months, [-1])
    assert (result["periode"], [row["periode"] for row in slips(db)]) == (before, [before])


def add(db, slip, kind, amount):
    db.call("rh.element_salaire_ajouter", id_paie=slip, type=kind, libelle="Essai", montant=amount)


def test_the_job_takes_a_changed_salary_once(db):
    builders.employe(db, "180000")
    run(db)
    (slip,) = slips(db)
    add(db, slip["id_paie"], "PRIME", "1000")
    db.execute("update rh.employe set salaire_base = 200000")
    assert run(db) == (0, 1, 0)
    (row,) = slips(db)
    assert (str(row["salaire_base"]), str(row["montant_a_payer"])) == ("200000.00", "201000.00")
    assert run(db) == (0, 0, 0)


def test_the_job_keeps_an_entered_base_and_the_payslip_of_a_former_employee(db):
    builders.paie(db, builders.employe(db, "180000"), salaire_base="90000")
    former = builders.employe(db, "180000")
    builders.paie(db, former)
    db.execute("update rh.employe set statut = 'INACTIF', salaire_base = 1 where id_employe = %s", [former])
    before = slips(db)
    assert run(db) == (0, 0, 0)
    assert slips(db) == before


@pytest.mark.parametrize("verbs", [["valider"], ["valider", "payer"], ["annuler"]])
def test_the_job_never_changes_a_validated_paid_or_cancelled_payslip(db, verbs):
    paie = builders.paie(db)
    for verb in verbs:
        arguments = {"id_moyen": builders.moyen(db)} if verb == "payer" else {}
        db.call(f"rh.paie_{verb}", id_paie=paie, **arguments)
    db.execute("update rh.employe set salaire_base = 999000")
    before = slips(db)
    assert run(db) == (0, 0, 0)
    assert slips(db) == before


def test_a_negative_net_is_counted_as_refused_and_the_job_continues(db):
    owing, _ = builders.paie(db), builders.paie(db)
    add(db, owing, "AVANCE", "150000")
    db.execute("update rh.employe set salaire_base = 100000")
    assert run(db) == (0, 1, 1)
    assert [str(row["montant_a_payer"]) for row in slips(db)] == ["30000.00", "100000.00"]


def test_the_route_takes_the_month_from_the_query_or_the_body(http, db):
    admin = http.as_admin()
    builders.employe(db)
    path = "/jobs/recalculer-paie"
    first = ok(admin.post(f"{path}?periode=2026-08&inconnu=1"))
    assert first == {"periode": "2026-08", "creees": 1, "actualisees": 0, "refusees": 0}
    assert admin.post(path, json={"periode": "2026-07"}).json()["periode"] == "2026-07"
    assert admin.post(f"{path}?periode=2026-06", json={"periode": "2026-07"}).json()["periode"] == "2026-07"
    assert admin.post(path).json()["creees"] in (0, 1)
    for wrong in ({"params": {"periode": "2026-13"}}, {"json": {"periode": "2026-13"}}, {"json": {"inconnu": 1}}):
        assert refusal(admin.post(path, **wrong)) == (400, "VALIDATION_ERROR")

    parameter = http.get("/docs-json").json()["paths"]["/api/v1/jobs/recalculer-paie"]["post"]["parameters"][0]
    assert (parameter["name"], parameter["in"], parameter["required"]) == ("periode", "query", False)


def test_the_query_is_part_of_the_request_under_an_idempotency_key_and_no_route_with_a_body_reads_it(http):
    admin = http.as_admin()

    def post(month):
        return admin.post(f"/jobs/recalculer-paie?periode={month}", headers={"idempotency-key": "mois"})

    first, again, other = (post(month) for month in ("2026-08", "2026-08", "2026-07"))
    assert first.content == again.content and again.headers["idempotency-replayed"] == "true"
    assert (other.status_code, other.json()["code"]) == (422, "CLE_IDEMPOTENCE_REUTILISEE")
    answer = admin.post("/rh/services?libelle=Accueil", json={})
    assert (answer.status_code, answer.json()["details"][0]["property"]) == (400, "libelle")
