"""Daily sums of expenses: reports answer the same before, during and after a run of the summing job."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db
from tests.server import eventually

RAW = """
    select d.jour, d.id_activite, d.id_caisse, sum(d.montant) as montant
      from finances.depense d where d.date_annulation is null group by 1, 2, 3 order by 1, 2, 3"""
SUMMED = """
    select m.jour, m.id_activite, m.id_caisse, sum(m.depenses) as montant
      from finances.mouvement_jour_vue m group by 1, 2, 3 having sum(m.depenses) <> 0 order by 1, 2, 3"""


def exact(db: Db) -> None:
    assert db.all(SUMMED) == db.all(RAW)
    assert db.all("select * from jobs._controler() c where c like '%%résumé%%'", []) == []


def spend(db: Db, day: str, amount: str = "100", **fields: Any) -> Any:
    kind = db.one("select id_categorie_depense from finances.categorie_depense order by 1 limit 1")
    kind = kind or db.call("finances.categorie_depense_creer", libelle="Essai")["id_categorie_depense"]
    made = db.call("finances.depense_creer", montant=amount, libelle="x", id_categorie_depense=kind, date=day, **fields)
    return made["id_depense"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_sums_of_expenses_stay_exact_over_random_writes_and_job_runs(db: Db, seed: int) -> None:
    dice = random.Random(seed)
    tills = [builders.caisse(db), builders.caisse(db, activite_code="RESTAURATION")]
    standing: list[int] = []
    changed = deleted = 0
    for _ in range(80):
        draw = dice.random()
        day = f"2026-07-{dice.randint(1, 5):02}"
        if draw < 0.4 or not standing:
            fields = {"id_caisse": dice.choice(tills)} if dice.random() < 0.4 else {"id_activite": dice.choice([1, 2])}
            standing.append(spend(db, day, f"{dice.randint(1, 900)}.{dice.randint(0, 99):02}", **fields))
        elif draw < 0.7:
            champs = dice.choice([{"montant": f"{dice.randint(1, 99)}.05"}, {"date": day}, {"libelle": "y"}])
            db.call("finances.depense_modifier", id_depense=dice.choice(standing), champs=champs)
            free = db.all("select id_depense from finances.depense_vue where id_caisse is null")
            if free and dice.random() < 0.5:
                key = dice.choice(free)["id_depense"]
                db.call("finances.depense_modifier", id_depense=key, champs={"id_activite": dice.choice([1, 2, 3])})
            changed += 1
        elif draw < 0.82:
            key = standing.pop(dice.randrange(len(standing)))
            db.execute("select finances.depense_supprimer(%s)", [key])
            deleted += 1
        else:
            db.one("select finances._depenses_resumer(%s)", [dice.choice([3, 1000])])
        exact(db)
    assert changed > 5 and deleted > 2
    db.one("select jobs.resumer_depenses()")
    exact(db)
    assert db.one("select jobs.resumer_depenses()") == 0
    # A cashier reads only the sums of the cashier's till.
    db.acting(builders.utilisateur(db, role="CAISSIER", caisse=tills[0]))
    own = db.one(
        "select coalesce(sum(montant), 0) from finances.depense where id_caisse = %s and date_annulation is null",
        [tills[0]],
    )
    assert db.one("select coalesce(sum(depenses), 0) from finances.mouvement_jour_vue") == own


def test_the_integrity_check_reports_a_wrong_sum_of_expenses(db: Db) -> None:
    spend(db, "2026-08-01", id_activite=2)
    db.one("select jobs.resumer_depenses()")
    db.execute("update finances.resume_depense set montant = montant + 1")
    (line,) = db.all("select c from jobs._controler() c where c like '%%résumé%%'", [])
    assert line["c"].startswith("Le 2026-08-01, activité 2")


def test_the_role_of_the_worker_can_sum_the_expenses(db: Db) -> None:
    spend(db, "2026-08-01")
    db.execute("set local role comptoir_travail")
    assert db.one("select jobs.resumer_depenses()") > 0


def test_an_expense_changed_during_the_job_is_summed_once(database_url: str) -> None:
    waits = "select wait_event_type = 'Lock' as waits from pg_stat_activity where pid = %s"
    with (
        psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as writer,
        psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as job,
        ThreadPoolExecutor(1) as thread,
    ):
        key = spend(Db(writer), "2026-08-01", "7")
        with job.transaction():
            job.execute("select finances._depenses_resumer(10)")
            call = 'select finances.depense_modifier(%s, \'{"montant": "9"}\')'
            changing = thread.submit(lambda: writer.execute(call, [key]))
            eventually(lambda: Db(job).one(waits, [writer.info.backend_pid]))
        changing.result()
        exact(Db(job))
        assert Db(job).one("select sum(montant)::integer from finances.resume_depense") == 9
