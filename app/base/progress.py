"""Progress of long work: one line redrawn on a terminal, plain lines elsewhere."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

WIDTH = 30
INTERVAL = 0.1  # seconds between two drawings
PLAIN_INTERVAL = 30.0  # seconds between two plain lines

Say = Callable[[str], None]


class Progress(AbstractContextManager["Progress"]):
    def __init__(self, noun: str, total: int) -> None:
        self._noun, self._total, self._done = noun, total, 0
        self._live = sys.stderr.isatty()
        self._started = self._drawn = time.monotonic()

    def step(self) -> None:
        self._done += 1
        if self._live and time.monotonic() - self._drawn >= INTERVAL:
            self._draw("\r", "")

    def __exit__(self, *_: object) -> None:
        self._draw("\r" if self._live else "", "\n")

    def _draw(self, start: str, end: str) -> None:
        self._drawn = time.monotonic()
        filled = self._done * WIDTH // max(1, self._total)
        bar = f"[{'#' * filled}{'.' * (WIDTH - filled)}] " if self._live else ""
        seconds = self._drawn - self._started
        text = f"{start}{self._noun} : {bar}{self._done} / {self._total}, {seconds:.0f} s "
        print(text, end=end, file=sys.stderr, flush=True)


@contextmanager
def during(step: str, say: Say) -> Iterator[None]:
    """Show a step of unknown length and its seconds while it runs. A short step prints no line."""
    live = sys.stderr.isatty()
    started = time.monotonic()
    over = threading.Event()

    def show() -> None:
        while not over.wait(INTERVAL if live else PLAIN_INTERVAL):
            line = f"{step} : {time.monotonic() - started:.0f} s"
            if live:
                print(f"\r{line} ", end="", file=sys.stderr, flush=True)
            else:
                say(line)
        if live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
