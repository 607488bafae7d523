"""The checker of tests/linear.py refuses a lost update, a stale read and money spent twice, and accepts their twins."""

from dataclasses import replace
from math import inf

import pytest

from tests.linear import Call, amount, unexplained
from tests.preuves.faults.test_linearisable import MODELS

pytestmark = [
    pytest.mark.bref,
    pytest.mark.promesse("Vérificateur : il refuse toute histoire qu'aucun ordre n'explique"),
]


def read(begin: float, end: float, shown: int) -> Call:
    return Call("read", begin, end, shown=shown)


def move(begin: float, end: float, delta: int, shown: int | None = None, refused: bool = False) -> Call:
    return Call("move", begin, end, delta, refused, shown)


TILL = MODELS["caisse"]
OPENED = Call("open", 0, 1, shown=7)
CLOSING = Call("close", 2, 5, shown=7)
LOST, PAID, UNDONE = move(2, inf, 5), move(1, 4, 4000, 4000), move(1, 4, 1)
ANOMALIES = {
    "lost update": (
        amount(99), 10, [move(1, 4, 5), move(2, 3, 7), read(5, 6, 15)], [move(1, 4, 5), move(2, 3, 7), read(5, 6, 22)],
    ),
    "two writes that saw one state": (
        amount(99), 10, [move(1, 4, 5, 15), move(2, 3, 7, 17)], [move(1, 4, 5, 22), move(2, 3, 7, 17)],
    ),
    "stale read": (amount(99), 10, [move(1, 2, 5), read(3, 4, 10)], [move(1, 3, 5), read(2, 4, 10)]),
    "reads that go back": (
        amount(99), 10, [move(1, 9, 5), read(2, 3, 15), read(4, 5, 10)],
        [move(1, 9, 5), read(2, 3, 10), read(4, 5, 15)],
    ),
    "double spend": (*MODELS["facture"], [PAID, move(2, 3, 4000, 8000)], [PAID, move(2, 3, 4000, 4000, True)]),
    "double cancellation": (*MODELS["paiement"], [UNDONE, move(2, 3, 1)], [UNDONE, move(2, 3, 1, refused=True)]),
    "stock below zero": (amount(99), 3, [move(1, 3, -2), move(2, 4, -2)], [move(1, 3, -2), move(2, 4, -1)]),
    "refusal without a reason": (amount(10), 5, [move(1, 2, 5, refused=True)], [move(1, 2, 6, 5, refused=True)]),
    "payment after the closing": (*TILL, [OPENED, CLOSING, move(6, 7, 5)], [OPENED, CLOSING, move(4, 7, 5)]),
    "payment outside the count": (
        *TILL, [OPENED, move(2, 3, 5), Call("count", 4, 5, shown=0)],
        [OPENED, move(2, 5, 5), Call("count", 4, 5, shown=0)],
    ),
    "two openings": (*TILL, [OPENED, Call("open", 2, 3, shown=8)], [OPENED, Call("open", 2, 3, refused=True)]),
    "closing of another period": (*TILL, [OPENED, replace(CLOSING, shown=8)], [OPENED, CLOSING]),
    "effect before the begin": (amount(99), 10, [LOST, read(0, 1, 15)], [LOST, read(0, 3, 15), read(4, 5, 15)]),
    "lost call that takes effect twice": (
        amount(99), 10, [LOST, read(3, 4, 10), read(5, 6, 20)], [LOST, read(3, 4, 10), read(5, 6, 15)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ANOMALIES)
def test_an_anomaly_is_refused_and_its_linearizable_twin_accepted(name: str) -> None:
    step, start, anomaly, twin = ANOMALIES[name]
    assert unexplained(anomaly, step, start) is not None
    assert unexplained(twin, step, start) is None
