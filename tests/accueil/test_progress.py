"""Long work shows its progress: one redrawn line on a terminal, plain lines elsewhere."""

import io
import re
import sys

import pytest

from app.base import progress
from app.base.progress import Progress, during
from tests.server import eventually


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_long_step_prints_plain_lines_without_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(progress, "PLAIN_INTERVAL", 0.01)
    lines = []
    with during("Remplissage", lines.append):
        eventually(lambda: len(lines) > 1)
    count = len(lines)
    assert all(re.fullmatch(r"Remplissage : \d+ s", line) for line in lines)
    assert capsys.readouterr() == ("", "") and len(lines) == count


def test_a_short_step_prints_nothing(capsys):
    lines = []
    with during("Remplissage", lines.append):
        pass
    assert lines == [] and capsys.readouterr() == ("", "")


def test_a_terminal_shows_one_line_and_clears_it_even_after_a_failure(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    lines = []
    with pytest.raises(ZeroDivisionError), during("Remplissage", lines.append):
        eventually(lambda: re.search(r"\rRemplissage : \d+ s ", terminal.getvalue()))
        raise ZeroDivisionError
    assert lines == [] and "\n" not in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\033[K")


def test_counted_work_prints_a_line_at_its_end_without_a_terminal_and_a_bar_with_one(monkeypatch, capsys):
    for shown in (r"Jours : 2 / 2, \d+ s \n", r"(.|\n)*\rJours : \[#{30}\] 2 / 2(.|\n)*"):
        with Progress("Jours", 2) as bar:
            bar.step()
            bar.step()
        assert re.fullmatch(shown, capsys.readouterr().err)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
