"""The month's payroll: made or refreshed, again and again, without touching what is decided."""

from decimal import Decimal

import pytest

from tests import builders
from tests.conftest import refused


def run(db, periode="2026-08"):
    found = db.call("jobs.recalculer_paie", **({"periode": periode} if periode else {}))
    return found["creees"], found["actualisees"], found["refusees"]


def slips(db):
    return db.all("select * from rh.paie order by id_paie")


def test_makes_the_payslips_of_active_employees_once(db):
    here = builders.employe(db, "180000")
    later = builders.employe(db, date_embauche="2026-08-31")
    for fields in ({"statut": "INACTIF"}, {"statut": "SUSPENDU"}, {"date_embauche": "2026-09-01"}):
        builders.employe(db, **fields)
    assert run(db) == (2, 0, 0)
    made = slips(db)
    assert [(row["id_employe"], row["periode"], row["statut"]) for row in made] == [
        (here, "2026-08", "CALCULEE"),
        (later, "2026-08", "CALCULEE"),
    ]
    assert run(db) == (0, 0, 0)
    assert slips(db) == made
    assert run(db, "2026-09") == (3, 0, 0)


@pytest.mark.parametrize(
    "entree, sortie, periode, expected",
    [
        ("2026-08-17", None, "2026-08", "87726"),  # 15 days of 31 of 181,300.45
        ("2026-08-31", None, "2026-08", "5848"),
        ("2026-08-01", None, "2026-08", "181300.45"),  # a whole month is what was entered
        ("2026-01-05", "2026-08-10", "2026-08", "58484"),
        ("2026-01-05", "2026-08-31", "2026-08", "181300.45"),
        ("2026-01-05", "2026-09-01", "2026-08", "181300.45"),
        ("2026-08-10", "2026-08-10", "2026-08", "5848"),
        ("2028-02-29", None, "2028-02", "6252"),  # a leap day
        ("2026-01-05", "2028-02-28", "2028-02", "175049"),
        ("2026-01-05", "2027-02-28", "2027-02", "181300.45"),
    ],
)
def test_who_comes_or_leaves_within_the_month_is_paid_its_days(db, entree, sortie, periode, expected):
    if periode > "2026-11":
        db.execute(
            "create or replace function core.aujourdhui() returns date language sql stable return '2028-03-01'::date"
        )
    builders.employe(db, "181300.45", date_embauche=entree, date_sortie=sortie)
    assert run(db, periode) == (1, 0, 0)
    (made,) = slips(db)
    assert (made["salaire_base"], made["montant_a_payer"]) == (Decimal(expected), Decimal(expected))
    assert db.call("rh.paie_recalculer", id_paie=made["id_paie"])["salaire_base"] == Decimal(expected)
    assert run(db, periode) == (0, 0, 0)


def test_the_parts_of_a_month_are_the_month(db):
    """One leaves on the 10th, another takes the place on the 11th, at a salary that does not divide."""
    builders.employe(db, "181300", date_sortie="2026-08-10")
    builders.employe(db, "181300", date_embauche="2026-08-11")
    run(db)
    assert sum(row["salaire_base"] for row in slips(db)) == 181300


def test_who_left_before_the_month_has_no_payslip_and_who_left_in_it_has_one_though_inactive(db):
    builders.employe(db, date_sortie="2026-07-31")
    builders.employe(db, statut="INACTIF", date_sortie="2026-07-31")
    gone = builders.employe(db, "62000", statut="INACTIF", date_sortie="2026-08-15")
    assert run(db) == (1, 0, 0)
    assert [(row["id_employe"], row["salaire_base"]) for row in slips(db)] == [(gone, 30000)]


def test_a_departure_learned_later_changes_the_slip_that_is_not_decided(db):
    employe = builders.employe(db, "62000")
    assert run(db) == (1, 0, 0)
    modify = {"date_sortie": "2026-08-15", "statut": "INACTIF"}
    changed = db.call("rh.employe_modifier", id_employe=employe, champs=modify)
    assert (str(changed["date_sortie"]), changed["statut"]) == ("2026-08-15", "INACTIF")
    assert run(db) == (0, 1, 0)
    assert [row["salaire_base"] for row in slips(db)] == [30000]
    db.call("rh.employe_modifier", id_employe=employe, champs={"date_sortie": None, "statut": "ACTIF"})
    assert run(db) == (0, 1, 0)
    assert [row["salaire_base"] for row in slips(db)] == [62000]


def test_a_payslip_made_by_hand_takes_the_days_unless_it_is_given_its_base(db):
    employe = builders.employe(db, "62000", date_embauche="2026-08-17")
    made = db.call("rh.paie_creer", id_employe=employe, periode="2026-08")
    assert made["salaire_base"] == 30000
    printed = db.call("rh.paie_document", id_paie=made["id_paie"])
    assert printed["prorata"] == "15 jours sur 31"
    db.call("rh.paie_annuler", id_paie=made["id_paie"])
    again = db.call("rh.paie_creer", id_employe=employe, periode="2026-08", salaire_base="45000.50")
    assert again["salaire_base"] == Decimal("45000.50")
    assert db.call("rh.paie_document", id_paie=again["id_paie"])["prorata"] is None
    with refused("PAIE_EMPLOYE_INCONNU", status=422):
        db.call("rh.paie_creer", id_employe=0, periode="2026-08")


def test_nobody_leaves_before_the_first_day(db):
    with refused("SORTIE_AVANT_EMBAUCHE", status=400):
        builders.employe(db, date_embauche="2026-08-17", date_sortie="2026-08-16")


def test_by_default_it_is_the_month_before(db):
    builders.employe(db)
    found = db.call("jobs.recalculer_paie")
    before = db.one("select to_char(core.aujourdhui() - interval '1 month', 'YYYY-MM')")
    assert (found["periode"], [row["periode"] for row in slips(db)]) == (before, [before])


def test_a_month_to_come_is_refused(db):
    builders.employe(db)
    with refused("PERIODE_FUTURE", status=400):
        run(db, db.one("select to_char(core.aujourdhui() + interval '1 month', 'YYYY-MM')"))
    assert slips(db) == []


def test_a_changed_salary_is_taken_once(db):
    employe = builders.employe(db, "180000")
    run(db)
    (made,) = slips(db)
    db.call("rh.element_salaire_ajouter", id_paie=made["id_paie"], type="PRIME", libelle="X", montant="1000")
    db.execute("update rh.employe set salaire_base = 200000 where id_employe = %s", [employe])
    assert run(db) == (0, 1, 0)
    (row,) = slips(db)
    assert (str(row["salaire_base"]), str(row["montant_a_payer"])) == ("200000.00", "201000.00")
    assert run(db) == (0, 0, 0)


def test_a_base_given_by_hand_stays_and_so_does_the_slip_of_who_left(db):
    half = builders.employe(db, "180000")
    builders.paie(db, half, salaire_base="90000")
    gone = builders.employe(db, "180000")
    builders.paie(db, gone)
    db.execute("update rh.employe set statut = 'INACTIF', salaire_base = 1 where id_employe = %s", [gone])
    before = slips(db)
    assert run(db) == (0, 0, 0)
    assert slips(db) == before


@pytest.mark.parametrize("verbs", [["valider"], ["valider", "payer"], ["annuler"]])
def test_what_is_decided_is_never_touched(db, verbs):
    paie = builders.paie(db)
    for verb in verbs:
        arguments = {"id_moyen": builders.moyen(db)} if verb == "payer" else {}
        db.call(f"rh.paie_{verb}", id_paie=paie, **arguments)
    db.execute("update rh.employe set salaire_base = 999000")
    before = slips(db)
    assert run(db) == (0, 0, 0)
    assert slips(db) == before


def test_one_negative_net_does_not_stop_the_others(db):
    owing, other = builders.employe(db, "180000"), builders.employe(db, "180000")
    paie = builders.paie(db, owing)
    builders.paie(db, other)
    db.call("rh.element_salaire_ajouter", id_paie=paie, type="AVANCE", libelle="Avance", montant="150000")
    db.execute("update rh.employe set salaire_base = 100000")
    assert run(db) == (0, 1, 1)
    assert [str(row["montant_a_payer"]) for row in slips(db)] == ["30000.00", "100000.00"]


def test_over_http_the_month_comes_in_the_query_or_the_body(http, db):
    admin = http.as_admin()
    builders.employe(db)
    path = "/jobs/recalculer-paie"
    first = admin.post(f"{path}?periode=2026-08&inconnu=1")
    assert (first.status_code, first.json()) == (
        200,
        {"periode": "2026-08", "creees": 1, "actualisees": 0, "refusees": 0},
    )
    assert admin.post(path, json={"periode": "2026-07"}).json()["periode"] == "2026-07"
    assert admin.post(f"{path}?periode=2026-06", json={"periode": "2026-07"}).json()["periode"] == "2026-07"
    assert admin.post(path).json()["creees"] in (0, 1)
    for wrong in ({"params": {"periode": "2026-13"}}, {"json": {"periode": "2026-13"}}, {"json": {"inconnu": 1}}):
        answer = admin.post(path, **wrong)
        assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")


def test_the_query_counts_under_an_idempotency_key(http):
    admin = http.as_admin()
    headers = {"idempotency-key": "mois"}
    first = admin.post("/jobs/recalculer-paie?periode=2026-08", headers=headers)
    again = admin.post("/jobs/recalculer-paie?periode=2026-08", headers=headers)
    assert first.content == again.content and again.headers["idempotency-replayed"] == "true"
    other = admin.post("/jobs/recalculer-paie?periode=2026-07", headers=headers)
    assert (other.status_code, other.json()["code"]) == (422, "CLE_IDEMPOTENCE_REUTILISEE")


def test_a_post_with_a_body_reads_nothing_from_its_query(http, db):
    answer = http.as_admin().post("/rh/services?libelle=Accueil", json={})
    assert (answer.status_code, answer.json()["details"][0]["property"]) == (400, "libelle")


def test_the_document_shows_the_query(http):
    document = http.get("/docs-json").json()
    shown = document["paths"]["/api/v1/jobs/recalculer-paie"]["post"]["parameters"]
    assert [(p.get("name"), p.get("in"), p.get("required")) for p in shown[:1]] == [("periode", "query", False)]
