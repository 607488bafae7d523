"""Expensive answers: a user has one running and some waiting, one more is refused; a disconnect cancels the work."""

import asyncio
from typing import Any

import pytest

from app.base.refusal import Refusal
from app.http.turns import DOCUMENTS, LONG, RUNNING, Turns

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(20)]


class Caller:
    """The ASGI `receive` of a request whose caller stays connected until `leave`."""

    def __init__(self) -> None:
        self._disconnected = asyncio.Event()
        self._body_sent = False

    def leave(self) -> None:
        self._disconnected.set()

    async def receive(self) -> dict[str, Any]:
        if not self._body_sent:
            self._body_sent = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._disconnected.wait()
        return {"type": "http.disconnect"}


class Work:
    """A computation that ends when the test sets `end`, and records its start and its cancellation."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.end = asyncio.Event()
        self.cancelled = False

    async def run(self) -> str:
        self.began.set()
        try:
            await self.end.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return "answer"


@pytest.fixture
async def turns() -> Turns:
    return Turns()


def ask(turns: Turns, user: str, work: Work, *, long: bool = True, caller: Caller | None = None) -> asyncio.Task[str]:
    return asyncio.create_task(turns.take(user, (caller or Caller()).receive, work.run(), long=long))


async def run_until_idle() -> None:
    """Let every task run until it waits."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_user_has_one_answer_computed_at_a_time_and_a_fourth_refused(turns: Turns) -> None:
    works = [Work() for _ in range(LONG + 1)]
    tasks = [ask(turns, "1", work) for work in works]
    await run_until_idle()
    assert [work.began.is_set() for work in works] == [True, False, False, False]
    with pytest.raises(Refusal) as refused:
        await tasks[3]
    assert (refused.value.status, refused.value.code) == (429, "DOCUMENTS_EN_COURS")
    assert int(refused.value.headers["Retry-After"]) > 0
    for number in range(3):
        works[number].end.set()
        assert await tasks[number] == "answer"
    again = Work()
    again.end.set()
    assert await ask(turns, "1", again) == "answer"


async def test_short_answers_do_not_wait_for_the_limited_long_answers(turns: Turns) -> None:
    long = [Work() for _ in range(RUNNING + 1)]
    tasks = [ask(turns, str(user), work) for user, work in enumerate(long)]
    await run_until_idle()
    assert [work.began.is_set() for work in long] == [True] * RUNNING + [False]
    short = Work()
    short.end.set()
    assert await ask(turns, "ticket", short, long=False) == "answer"
    for work in long:
        work.end.set()
    assert await asyncio.gather(*tasks) == ["answer"] * len(long)


async def test_sixteen_waiting_documents_of_a_user_delay_no_other_user(turns: Turns) -> None:
    works = [Work() for _ in range(DOCUMENTS + 1)]
    tasks = [ask(turns, "1", work, long=False) for work in works]
    other, export = Work(), Work()
    waiting = [ask(turns, "2", other, long=False), ask(turns, "1", export)]
    await run_until_idle()
    assert [work.began.is_set() for work in works] == [True] + [False] * 17
    assert other.began.is_set() and export.began.is_set()
    with pytest.raises(Refusal) as refused:
        await tasks[17]
    assert refused.value.status == 429
    for work in (*works, other, export):
        work.end.set()
    assert await asyncio.gather(*tasks[:17], *waiting) == ["answer"] * 19


async def test_a_disconnected_caller_stops_the_work_and_frees_the_turn(turns: Turns) -> None:
    first, second, third = Work(), Work(), Work()
    caller, waiting = Caller(), Caller()
    leaving = ask(turns, "1", first, caller=caller)
    leaving_the_line = ask(turns, "1", second, caller=waiting)
    staying = ask(turns, "1", third)
    await run_until_idle()
    waiting.leave()
    with pytest.raises(Refusal, match="interrompue"):
        await leaving_the_line
    assert not second.began.is_set()
    caller.leave()
    with pytest.raises(Refusal, match="interrompue"):
        await leaving
    assert first.cancelled
    third.end.set()
    assert await staying == "answer"


async def test_work_that_fails_frees_the_turn(turns: Turns) -> None:
    async def fails() -> str:
        raise ValueError("non")

    with pytest.raises(ValueError, match="non"):
        await turns.take("1", Caller().receive, fails(), long=True)
    work = Work()
    work.end.set()
    assert await ask(turns, "1", work) == "answer"
