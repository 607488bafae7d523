"""How many examples a property test tries: few in `make test`, many in `make proof`. What a random step may refuse."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, settings
from psycopg import Error

from tests.preuve import selon

if TYPE_CHECKING:
    from tests.conftest import Db

EXAMPLES = settings(max_examples=selon(20, 300), deadline=None, suppress_health_check=list(HealthCheck))
# A walk of a state machine takes 40 steps.
WALKS = settings(EXAMPLES, max_examples=selon(10, 100), stateful_step_count=40)


def accepted(db: Db, refusals: Collection[str], step: Callable[[], Any]) -> bool:
    """Whether the database accepts the step. A refusal must have one of these rules or SQLSTATEs."""
    try:
        with db.connection.transaction():
            step()
    except Error as error:
        assert {error.diag.constraint_name, error.sqlstate} & {*refusals}, error
        return False
    return True
