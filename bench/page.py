"""The page of plots: each goal with its bound, and the result of each round."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import pygal

import app.documents.charts  # noqa: F401 - takes the import hook of pygal out again


def write(file: Path, goals: Sequence[Any]) -> None:
    parts = [_bars(goal) for goal in goals if len(goal.rounds) > 1]
    rows = "".join(f"<li>{escape(str(goal))}</li>" for goal in goals)
    file.write_text(f"<!doctype html><meta charset=utf-8><title>Mesures</title><ul>{rows}</ul>{''.join(parts)}")


def _bars(goal: Any) -> str:
    chart = pygal.Bar(
        js=(), height=260, show_legend=False, title=str(goal), range=(0, max(goal.bound, goal.value) * 1.3)
    )
    chart.x_labels = [str(round_.get("path", number)) for number, round_ in enumerate(goal.rounds, 1)]
    chart.add(goal.name, [round(round_["ratio"], 2) for round_ in goal.rounds])
    return str(chart.render(is_unicode=True, disable_xml_declaration=True))
