"""Daily sums of expenses: reports answer the same before, during and after a run of the summing job."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests import builders
from tests.conftest import Db
from tests.finances.test_resume import exact
from tests.preuve import selon
from tests.together import connect, until_it_waits

RAW = """
    select d.jour, d.id_activite, d.id_caisse, sum(d.montant) as montant
      from finances.depense d where d.date_annulation is null group by 1, 2, 3 order by 1, 2, 3"""
SUMMED = """
    select m.jour, m.id_activite, m.id_caisse, sum(m.depenses) as montant
      from finances.mouvement_jour_vue m group by 1, 2, 3 having sum(m.depenses) <> 0 order by 1, 2, 3"""


def change(db: Db, expense: int, **champs: Any) -> None:
    db.call("finances.depense_modifier", id_depense=expense, champs=champs)


@pytest.mark.parametrize("seed", selon([1], [1, 2, 3]))
def test_the_sums_of_expenses_stay_exact_over_random_writes_and_job_runs(db: Db, seed: int) -> None:
    dice = random.Random(seed)
    tills = [builders.caisse(db), builders.caisse(db, activite_code="RESTAURATION")]
    standing: list[int] = []
    changed = deleted = 0
    for _ in range(80):
        draw = dice.random()
        day = f"2026-07-{dice.randint(1, 5):02}"
        if draw < 0.4 or not standing:
            place = {"id_caisse": dice.choice(tills)} if dice.random() < 0.4 else {"id_activite": dice.choice([1, 2])}
            amount = f"{dice.randint(1, 900)}.{dice.randint(0, 99):02}"
            standing.append(builders.depense(db, amount, date=day, **place)["id_depense"])
        elif draw < 0.7:
            champs = dice.choice([{"montant": f"{dice.randint(1, 99)}.05"}, {"date": day}, {"libelle": "y"}])
            change(db, dice.choice(standing), **champs)
            free = db.all("select id_depense from finances.depense_vue where id_caisse is null")
            if free and dice.random() < 0.5:
                change(db, dice.choice(free)["id_depense"], id_activite=dice.choice([1, 2, 3]))
            changed += 1
        elif draw < 0.82:
            db.execute("select finances.depense_supprimer(%s)", [standing.pop(dice.randrange(len(standing)))])
            deleted += 1
        else:
            db.one("select finances._depenses_resumer(%s)", [dice.choice([3, 1000])])
        exact(db, SUMMED, RAW)
    assert changed > 5 and deleted > 2
    db.one("select jobs.resumer_depenses()")
    exact(db, SUMMED, RAW)
    assert db.one("select jobs.resumer_depenses()") == 0
    # A cashier reads only the sums of the cashier's till.
    db.acting(builders.utilisateur(db, role="CAISSIER", caisse=tills[0]))
    standing_sum = "select coalesce(sum(montant), 0) from finances.depense where id_caisse = %s"
    own = db.one(f"{standing_sum} and date_annulation is null", [tills[0]])
    assert db.one("select coalesce(sum(depenses), 0) from finances.mouvement_jour_vue") == own


def test_an_expense_changed_during_the_job_is_summed_once(database_url: str) -> None:
    with connect(database_url) as writer, connect(database_url) as job, ThreadPoolExecutor(1) as thread:
        expense = builders.depense(Db(writer), "7", date="2026-08-01")["id_depense"]
        with job.transaction():
            job.execute("select finances._depenses_resumer(10)")
            changing = thread.submit(change, Db(writer), expense, montant="9")
            until_it_waits(Db(job), writer)
        changing.result()
        exact(Db(job), SUMMED, RAW)
        assert Db(job).one("select sum(montant)::integer from finances.resume_depense") == 9
