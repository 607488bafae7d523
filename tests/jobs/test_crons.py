"""croniter judges the schedules: over a year, with and without summer time, they come at the same instants."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from croniter import croniter

from app.jobs.tasks import CATCH_UP_CRON, JOBS
from tests.conftest import Db
from tests.preuve import selon

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
SPRING, AUTUMN = (datetime(2028, month, day, 1, tzinfo=UTC) for month, day in ((3, 26), (10, 29)))  # in Paris
YEAR = (datetime(2028, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC))
CRONS = sorted({job.cron for job in JOBS} | {CATCH_UP_CRON})
OTHERS = ["0 0 29 2 *", "59 23 31 12 *", "0 0 31 * *", "30 6 * * 0", "0 0 */2 * *", "0 0 1 */3 *", "*/7 */5 */9 */4 *"]
# jobs._heure_manquee finds a job due when its last hour is later than the one that was seen.
DUE = """with a as (select t, jobs._instant_du(%s, t, z) as due
           from (values (%s)) v (z), unnest(%s::timestamptz[]) t),
  b as (select t, due, max(due) over (order by t rows between unbounded preceding and 1 preceding) as seen from a)
  select t from b where due > seen order by t"""


def of_croniter(cron: str, zone: str, start: datetime, end: datetime) -> list[datetime]:
    clock, moments = croniter(cron, (start - MINUTE).astimezone(ZoneInfo(zone))), []
    while (moment := clock.get_next(datetime).astimezone(UTC)) < end:
        moments.append(moment)
    return moments


def of_sql(db: Db, cron: str, zone: str, start: datetime, expected: list[datetime]) -> list[datetime]:
    """When the job is due, of these moments, the minutes before them and each minute near a change of the clock."""
    moments = {start - MINUTE, *expected, *(moment - MINUTE for moment in expected)}
    changes = [change + number * MINUTE for change in (SPRING, AUTUMN) for number in range(-120, 120)]
    moments |= {moment for moment in changes if start <= moment <= max(expected)}
    return [row["t"].astimezone(UTC) for row in db.all(DUE, [cron, zone, sorted(moments)])]


@pytest.mark.parametrize("zone", ["Africa/Abidjan", "Europe/Paris"])
@pytest.mark.parametrize("cron", CRONS + OTHERS)
def test_a_schedule_comes_at_the_instants_of_croniter(db: Db, cron: str, zone: str) -> None:
    minute, hour, *_ = cron.split()
    windows = [YEAR]
    if hour == "*" and selon(True, minute == "*"):  # too many instants: the days when the clock changes
        windows = [(change - 24 * HOUR, change + 24 * HOUR) for change in (SPRING, AUTUMN)]
    for start, end in windows:
        theirs = of_croniter(cron, zone, start, end)
        ours = of_sql(db, cron, zone, start, theirs)
        twice, early = [], []
        if zone == "Europe/Paris":
            # Of the hour that comes twice a job of a fixed hour takes the first: croniter's second time is left out.
            twice = [moment for moment in theirs if AUTUMN <= moment < AUTUMN + HOUR and "*" not in hour]
            # The hour that does not exist is made up for at its end, and the next one has then been seen.
            early = [SPRING] if hour == "*" and minute.isdigit() and start < SPRING < end else []
        late = [moment + int(minute) * MINUTE for moment in early]
        assert ours and ours == sorted({*theirs, *early} - {*twice, *late})


def test_the_two_expressions_that_differ_are_in_no_schedule() -> None:
    """Of a day and a weekday cron takes either, jobs._heure_due both; 7 is cron's second name for Sunday, here none."""
    for day, _, weekday in (cron.split()[2:] for cron in CRONS):
        assert "*" in (day, weekday) and weekday != "7"
