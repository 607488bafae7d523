"""Long work tells how far it has come: one line redrawn on a terminal, plain lines elsewhere."""

from __future__ import annotations

import io
import re
import sys

import pytest

from app.base import progress
from app.base.progress import Progress, during
from tests.server import eventually


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_long_step_is_plain_lines_where_nothing_can_be_redrawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "PLAIN_INTERVAL", 0.01)
    said: list[str] = []
    with during("Remplissage", said.append):
        eventually(lambda: len(said) > 1)
    after = len(said)
    assert all(re.fullmatch(r"Remplissage : \d+ s", line) for line in said)
    assert capsys.readouterr() == ("", "") and len(said) == after


def test_a_short_step_leaves_no_trace(capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    with during("Remplissage", said.append):
        pass
    assert said == [] and capsys.readouterr() == ("", "")


def test_a_terminal_shows_one_line_and_clears_it_even_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    said: list[str] = []
    with pytest.raises(ZeroDivisionError), during("Remplissage", said.append):
        eventually(lambda: "Remplissage : 0 s" in terminal.getvalue())
        raise ZeroDivisionError
    assert said == [] and "\n" not in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\033[K")


def test_counted_work_is_one_line_at_its_end_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("Jours", 2) as bar:
        bar.step()
        bar.step()
    assert re.fullmatch(r"Jours : 2 / 2, \d+ s \n", capsys.readouterr().err)
