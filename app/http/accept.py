"""Reads Accept (RFC 9110, section 12.5.1): refusals as application/problem+json, an answer as a page."""

from __future__ import annotations

import re
from collections.abc import Iterable

from app.base.refusal import PROBLEM

JSON = "application/json"
HTML = "text/html"
_ELEMENT = re.compile(r'(?:[^,"]|"(?:\\.|[^"\\])*")+')
_PARAMETER = re.compile(r';\s*([^\s;="]+)\s*=\s*("(?:\\.|[^"\\])*"|[^\s;]*)')
_WEIGHT = re.compile(r"0(\.\d{0,3})?|1(\.0{0,3})?")


def wants_problem(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether problem+json is named with at least the weight of JSON, or is acceptable where JSON is not."""
    ranges = _ranges(", ".join(value.decode("latin-1") for name, value in headers if name == b"accept"))
    problem, json = _weight(ranges, PROBLEM), _weight(ranges, JSON)
    return problem > json or (problem == json > 0 and PROBLEM in ranges)


def wants_page(accept: str | None) -> bool:
    """Whether HTML is preferred to JSON, as a browser does."""
    ranges = _ranges(accept or "")
    return _weight(ranges, HTML) > _weight(ranges, JSON)


def _ranges(accept: str) -> dict[str, float]:
    """The weight of each media range. An element with a malformed weight is ignored."""
    ranges: dict[str, float] = {}
    for element in _ELEMENT.findall(accept):
        media, _, _ = element.partition(";")
        parameters = {name.lower(): value for name, value in _PARAMETER.findall(element)}
        if _WEIGHT.fullmatch(weight := parameters.get("q", "1")):
            ranges[media.strip().lower()] = float(weight)
    return ranges


def _weight(ranges: dict[str, float], media: str) -> float:
    """The weight of a media type, by the most specific range that includes it."""
    kind = media.partition("/")[0]
    specific = (ranges[name] for name in (media, f"{kind}/*", "*/*") if name in ranges)
    return next(specific, 0.0)
