"""The page of plots: the history of the settlement, each goal with its bound, and the result of each round."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import pygal
from pygal.style import CleanStyle

import app.documents.charts  # noqa: F401 - takes the import hook of pygal out again
from bench.goal import Goal
from bench.history import GOALS

SHOWN = 8  # bars of a goal
HEAD = """<!doctype html><html lang=fr><meta charset=utf-8><title>Mesures</title>
<style>body { font: 16px/1.4 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }
td { padding: .2em .8em .2em 0; vertical-align: top } .missed { color: #b00 } svg { max-width: 100% }</style>
<h1>Mesures</h1>"""
HISTORY = """<h2>Le règlement au fil des changements</h2>
<p>La fonction nue verrouille ou fait la facture, insère le paiement et son application, prend un numéro sans trou
et met les sommes à jour, rien d'autre. settlement-bare et settlement-http : part de ses règlements par seconde
qu'obtiennent les fonctions de Comptoir et le service entier par HTTP, à 16 connexions. settlement-scaling :
règlements à 16 connexions divisés par ceux à une. journal-cost : règlements sans les déclencheurs du journal divisés
par les mêmes avec.</p>"""


def write(file: Path, goals: Sequence[Goal], runs: Sequence[dict[str, Any]]) -> None:
    rows = "".join(
        f"<tr class={'met' if goal.met else 'missed'}><td>{escape(str(goal))}<td>{escape(goal.text)}" for goal in goals
    )
    bars = "".join(_bars(goal) for goal in goals if len(goal.rounds) > 1)
    file.write_text(f"{HEAD}<table>{rows}</table>{HISTORY}{_lines(runs)}<h2>Les tours</h2>{bars}")


def _lines(runs: Sequence[dict[str, Any]]) -> str:
    """Two charts, because the shares are below one and the other values above."""
    commits = "".join(f"<li>{escape(run['commit'])} ({escape(run['date'])})" for run in runs)
    return "".join(_chart(runs, names) for names in (GOALS[:2], GOALS[2:])) + f"<ol>{commits}</ol>"


def _chart(runs: Sequence[dict[str, Any]], names: Sequence[str]) -> str:
    top = max(run.get(name, 0) for run in runs for name in names) * 1.2
    chart = pygal.Line(js=(), height=300, style=CleanStyle, legend_at_bottom=True, range=(0, top))
    chart.x_labels = [str(number) for number, _ in enumerate(runs, 1)]
    for name in names:
        chart.add(name, [run.get(name) for run in runs])
    return str(chart.render(is_unicode=True, disable_xml_declaration=True))


def _bars(goal: Goal) -> str:
    """The rounds of a goal, or its slowest paths."""
    paths, rounds = "path" in goal.rounds[0], goal.rounds[-SHOWN:]
    length = max(goal.bound or 0, *(round_["value"] for round_ in rounds)) * 1.2
    kind = pygal.HorizontalBar if paths else pygal.Bar
    chart = kind(
        js=(), height=280, style=CleanStyle, show_legend=False, title=str(goal), range=(0, length), truncate_label=-1
    )
    chart.x_labels = [
        round_["path"].removeprefix("/api/v1/") if paths else str(number) for number, round_ in enumerate(rounds, 1)
    ]
    chart.add(goal.name, [round(round_["value"], 2) for round_ in rounds])
    return str(chart.render(is_unicode=True, disable_xml_declaration=True))
