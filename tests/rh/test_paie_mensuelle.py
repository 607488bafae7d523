"""The month's payroll: made or refreshed, again and again, without touching what is decided."""

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
