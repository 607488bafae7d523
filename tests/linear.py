"""Decides whether the recorded history of one object is linearizable.

A history is linearizable if every answered call can take effect at one instant between its begin and its end, so that
a single client that sends the calls one by one could get the same answers. PyPI, npm and Debian have no checker for it.
The search of Wing and Gong remembers the configurations that it has met (Lowe), as Porcupine does: the calls take
effect in the order of their ends, and earlier only where that order explains no answer. Linearizability is local, so
each object is decided alone, and a call on two objects stands in both histories.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Any, TypeVar

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Call:
    """A call as one object sees it. `shown` is the value in its answer, if the answer shows one.

    Without an end there is no answer: the call takes effect at any instant after its begin, or never.
    """

    name: str
    begin: float
    end: float = inf
    delta: int = 0
    refused: bool = False
    shown: Any = None


class Undecided(Exception):
    """The search met more configurations than it may."""


def unexplained(
    calls: Iterable[Call], step: Callable[[S, Call], S | None], start: S, budget: int = 500_000
) -> Call | None:
    """Return None if the history is linearizable, else the call up to which at most an order exists.

    `step` returns the state after a call, or None where the object cannot give this answer in this state.
    """
    history = sorted(calls, key=lambda call: (call.end, call.begin))
    returns = [call for call in history if call.end < inf]
    # The calls that have begun when a call ends, the first to end first.
    begun = [[c for c in history if c.begin <= ended.end <= c.end] for ended in returns]
    stack: list[tuple[int, frozenset[Call], S]] = [(0, frozenset(), start)]
    seen: set[tuple[int, frozenset[Call], S]] = set()
    furthest = 0
    while stack:
        position, done, state = stack.pop()
        while True:
            while position < len(returns) and returns[position] in done:
                done -= {returns[position]}
                position += 1
            if position == len(returns):
                return None
            left = [call for call in begun[position] if call not in done]
            # An answer that is right now and changes nothing needs no other instant.
            now = [call for call in left if call.end < inf and step(state, call) == state]
            if not now:
                break
            done |= set(now)
        furthest = max(furthest, position)
        if (position, done, state) in seen:
            continue
        seen.add((position, done, state))
        if len(seen) > budget:
            raise Undecided(f"{len(seen)} configurations, {position} of {len(returns)} answers explained")
        tried = set()
        successors = []
        for call in left:
            if call.end == inf:  # of equal calls without an answer, the first to begin may replace each other
                if (call.name, call.delta) in tried:
                    continue
                tried.add((call.name, call.delta))
            after = step(state, call)
            if after is not None and after != state:
                successors.append((position, done | {call}, after))
        stack += reversed(successors)
    return returns[furthest]


# ---- the objects


def amount(limit: int) -> Callable[[int, Call], int | None]:
    """An amount between 0 and a limit: a stock, what an invoice has received, or whether a thing is cancelled."""

    def step(state: int, call: Call) -> int | None:
        after = state + call.delta
        fits = 0 <= after <= limit
        if call.refused:
            return state if not fits and call.shown in (None, state) else None
        return after if fits and call.shown in (None, after) else None

    return step


CLOSED, OPEN = 0, -1  # OPEN: the answer that would have shown the number of the period was lost
TillState = tuple[int, int, int]  # number of the open period, balance, balance at the last count


def till(state: TillState, call: Call) -> TillState | None:
    """A till opens and closes in turn. Money moves while it is open. A count shows what came since the count before."""
    period, balance, counted = state
    if call.refused:
        return state if (period == CLOSED) == (call.name != "open") else None
    match call.name:
        case "open":
            return (call.shown or OPEN, balance, counted) if period == CLOSED else None
        case "close":
            known = call.shown in (None, period) or period == OPEN
            return (CLOSED, balance, counted) if period != CLOSED and known else None
        case "move":
            return (period, balance + call.delta, counted) if period != CLOSED else None
        case "count":
            return (period, balance, balance) if call.shown in (None, balance - counted) else None
        case "period":
            return state if call.shown == period or (period == OPEN and call.shown != CLOSED) else None
    return state if call.shown == balance else None
