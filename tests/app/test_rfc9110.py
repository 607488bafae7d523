"""Conditional requests as RFC 9110, section 13, decides them. Links of RFC 8288: tests/core/test_curseur.py."""

import re
from typing import Any

import httpx
import pytest

from tests import builders
from tests.conftest import Db, Http

PAST, FUTURE = "Sat, 01 Jan 2000 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT"
# Conditions on the present tag T, by the status for a reader and for a writer. A line is a header.
CONDITIONS = {
    (200, 200): [
        "", "if-match: T", "if-match: *", 'if-match: "a", T', 'if-match: "a",,T',  # 13.1.1
        'if-match: "a"\nif-match: T', 'if-match: T\nif-match: "a"',  # 5.3: one list in two lines
        'if-none-match: "a"', 'if-none-match: "a", W/"b"',  # 13.1.2
        f"if-modified-since: {FUTURE}", f"if-unmodified-since: {PAST}", 'if-range: "a"',  # no date, no range
        'if-match: T\nif-none-match: "a"', f'if-none-match: "a"\nif-modified-since: {FUTURE}',  # 13.2.2
        f"if-match: T\nif-unmodified-since: {PAST}",
    ],
    (412, 412): [
        'if-match: "a"', 'if-match: "a", "b"', "if-match: W/T", "if-match: a", 'if-match: "a"\nif-none-match: T',
    ],
    (304, 412): [
        "if-none-match: T", "if-none-match: W/T", "if-none-match: *", 'if-none-match: "a", W/T',
        'if-none-match: T\nif-none-match: "a"', "if-match: T\nif-none-match: T",
    ],
}  # fmt: skip
CASES = [(condition, *statuses) for statuses, conditions in CONDITIONS.items() for condition in conditions]


def ask(http: Http, method: str, path: str, condition: str, tag: str, **options: Any) -> httpx.Response:
    """Send each header in a line of its own."""
    lines = [line.partition(": ") for line in re.sub(r"\bT\b", tag, condition).splitlines()]
    headers = [(name, value) for name, _, value in lines]
    headers += [("authorization", f"Bearer {http.token}")] if http.token else []
    return http.send(method, path, headers=headers, **options)


@pytest.mark.parametrize("condition, reading, writing", CASES)
def test_each_condition_is_answered_as_the_rfc_says(
    http: Http, db: Db, condition: str, reading: int, writing: int
) -> None:
    admin, path = http.as_admin(), f"/api/v1/client/clients/{builders.client(db)}"
    for reader, page in ((admin, path), (http, "/docs")):
        tag = reader.get(page).headers["etag"]
        for method in ("GET", "HEAD"):
            answer = ask(reader, method, page, condition, tag)
            assert answer.status_code == reading, (method, page)
            assert reading == 412 or answer.headers["etag"] == tag
            assert bool(answer.content) == (method == "GET" and reading != 304)
    tag = admin.get(path).headers["etag"]
    assert ask(admin, "PATCH", path, condition, tag, json={"ville": "Bouaké"}).status_code == writing
    assert (admin.get(path).json()["ville"] == "Bouaké") == (writing == 200)


def test_an_asset_with_a_date_answers_if_modified_since(http: Http) -> None:
    known = http.get(asset := "/docs/statique/swagger-ui.css").headers
    dates = {known["last-modified"]: 304, FUTURE: 304, PAST: 200, "hier": 200}
    cases = {f"if-modified-since: {date}": status for date, status in dates.items()}
    cases |= {"if-none-match: T": 304, f'if-none-match: "a"\nif-modified-since: {known["last-modified"]}': 200}
    for condition, status in cases.items():
        assert ask(http, "GET", asset, condition, known["etag"]).status_code == status, condition


def test_a_condition_leaves_a_refusal_as_it_is(http: Http, db: Db) -> None:
    admin, path = http.as_admin(), f"/api/v1/client/clients/{builders.client(db)}"
    for condition in ('if-match: "a"', "if-none-match: *"):  # 13.2.1
        calls = [(http, "GET", path), (admin, "GET", f"{path}999"), (admin, "PUT", path), (admin, "OPTIONS", path)]
        assert [ask(*call, condition, "T").status_code for call in calls] == [401, 404, 405, 405]
