"""Charts of reports: the series declared by a route, as SVG for a page and as a sheet of a workbook."""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree

import pygal
from markupsafe import Markup
from pygal.style import Style

from app.database.words import label
from app.documents.document import Chart
from app.documents.tables import Table, own_values
from app.documents.texts import axis, plain_amount, typographic

# pygal adds an import hook for map plugins, which are not installed. Python 3.12 no longer supports its protocol.
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "pygal"]

WIDTH, PLOT = 900, 800  # pixels of a chart, and of its axis
LETTER, GAP = 6, 14  # pixels of a label's letter, and between two labels
MARKS = 5  # intervals of an axis, about
FRAME, BAND, BAR = 52, 25, 15  # pixels around the bars, and at least for each label and for each bar
# These colours also differ when printed in grey.
COLOURS = ("#1f4e79", "#e0a030", "#8a94a3", "#5b9bd5")
FONT = "'Source Sans 3', sans-serif"


@dataclass(slots=True)
class Series:
    """The data of a chart: under each name, one value for each label."""

    title: str
    lines: bool
    labels: list[str] = field(default_factory=list)
    values: dict[str, list[Decimal]] = field(default_factory=dict)


def series(charts: tuple[Chart, ...], tables: list[Table]) -> list[Series]:
    """The series of a report. A series with only zero values is left out."""
    drawn = [_series(chart, tables) for chart in charts]
    return [data for data in drawn if any(value for values in data.values.values() for value in values)]


def _series(chart: Chart, tables: list[Table]) -> Series:
    points: dict[str, dict[str, Decimal]] = {}
    names: list[str] = []
    for part in chart.tables:
        for column in chart.values:
            name = label(part if len(chart.tables) > 1 else column)
            names.append(name)
            for row in _rows(part, chart, column, tables):
                value = row.get(column)
                if isinstance(value, int | Decimal) and row.get("code") != "TOTAL":
                    line = points.setdefault(_point(row.get(chart.label)), {})
                    line[name] = line.get(name, Decimal(0)) + value
    order = sorted(points) if chart.lines else list(points)
    values = {name: [points[at].get(name, Decimal(0)) for at in order] for name in names}
    return Series(chart.title, chart.lines, order, values)


def _rows(part: str, chart: Chart, column: str, tables: list[Table]) -> list[dict[str, Any]]:
    """The rows of a list, or the values of a part of an object: `finances` for finances.solde_mois."""
    for table in tables:
        if table.title == part or (not part and len(tables) == 1):
            return table.rows
    rows: list[dict[str, Any]] = []
    for place, value in own_values(tables).items():
        group, _, name = place.rpartition(".")
        if group == part and name not in chart.without:
            rows.append({chart.label: label(name), column: value})
    return rows


def _point(value: Any) -> str:
    if isinstance(value, date):
        return value.strftime("%Y-%m-%d")
    return "Sans libellé" if value is None else str(value)


def graduations(values: Sequence[Decimal]) -> list[float]:
    """The marks of an axis: round numbers from below the least value, or 0, to above the greatest."""
    low, high = min([*values, Decimal(0)]), max([*values, Decimal(0)])
    rough = (high - low) / MARKS
    unit = Decimal(10) ** rough.adjusted()
    step = next(unit * factor for factor in map(Decimal, ("1", "2", "2.5", "5", "10")) if unit * factor >= rough)
    return [float(step * rank) for rank in range(math.floor(low / step), math.ceil(high / step) + 1)]


def to_svg(data: Series) -> Markup:
    """Draw a chart as SVG, without the scripts and tooltips that pygal adds."""
    style = Style(
        background="transparent",
        plot_background="transparent",
        foreground="#1c2430",
        foreground_strong="#1c2430",
        foreground_subtle="#d5dbe3",
        colors=COLOURS,
        opacity="1",
        font_family=FONT,
        label_font_size=13,
        major_label_font_size=13,
        legend_font_size=13,
        guide_stroke_dasharray="2,2",
        major_guide_stroke_dasharray="2,2",
    )
    lines = data.lines and len(data.labels) > 1
    upwards = 1 if lines else -1  # pygal draws horizontal bars from the bottom
    labels = [typographic(text) for text in axis(data.labels)]
    make = pygal.Line if lines else pygal.HorizontalBar
    chart = make(
        style=style,
        js=(),
        width=WIDTH,
        height=300 if lines else FRAME + len(labels) * max(BAR * len(data.values), BAND),
        explicit_size=True,
        margin=4,
        margin_right=40,  # the last label is centred on the end of the axis
        show_legend=len(data.values) > 1,
        legend_at_bottom=True,
        legend_at_bottom_columns=len(data.values),
        legend_box_size=11,
        value_formatter=plain_amount,
        show_dots=len(data.labels) <= 40,
        stroke_style={"width": 2.2},
        rounded_bars=0,
        truncate_label=40,
        include_x_axis=True,
        no_data_text="",
    )
    chart.y_labels = graduations([value for values in data.values.values() for value in values])
    if lines:
        longest = max((len(text) for text in labels), default=0) * LETTER + GAP
        chart.x_labels_major = labels[:: -(-len(labels) // max(PLOT // longest, 1))]
        chart.show_minor_x_labels = False
    chart.x_labels = labels[::upwards]
    for name, values in data.values.items():
        chart.add(typographic(name), [float(value) for value in values[::upwards]])
    root = chart.render_tree()
    for parent in list(root.iter()):
        for node in list(parent):
            # Titles and descriptions are tooltips. A node without a tag name is a comment.
            if node.tag in ("script", "title", "desc") or not isinstance(node.tag, str):
                parent.remove(node)
    return Markup(ElementTree.tostring(root, encoding="unicode"))  # noqa: S704 - ElementTree escapes its texts
