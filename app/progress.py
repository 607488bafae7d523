"""A line that tells how far long work has come: redrawn on a terminal, one line at the end elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

WIDTH = 30
INTERVAL = 0.1  # seconds between two drawings


class Progress:
    def __init__(self, noun: str, total: int) -> None:
        self._noun, self._total, self._done = noun, total, 0
        self._live = sys.stderr.isatty()
        self._started = self._drawn = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def step(self) -> None:
        """One more is done."""
        self._done += 1
        if self._live and time.monotonic() - self._drawn >= INTERVAL:
            self._draw("\r", "")

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        self._draw("\r" if self._live else "", "\n")

    def _draw(self, start: str, end: str) -> None:
        self._drawn = time.monotonic()
        done = self._done * WIDTH // max(1, self._total)
        bar = f"[{'#' * done}{'.' * (WIDTH - done)}] " if self._live else ""
        seconds = self._drawn - self._started
        print(
            f"{start}{self._noun} : {bar}{self._done} / {self._total}, {seconds:.0f} s ",
            end=end,
            file=sys.stderr,
            flush=True,
        )
