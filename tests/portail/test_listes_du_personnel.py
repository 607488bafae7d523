"""After one request of each kind from the portal, every list of the staff is still read, and sorted."""

import re

from app import routes
from tests.portail.demandes import KINDS, account

SORT = re.compile(r"^\s*\$filtre\$, '([^']+)'", re.MULTILINE)
REPORT = {"titre": "Fuite d'eau", "description": "Sous l'évier."}


def test_a_request_of_each_kind_leaves_no_list_of_the_staff_without_its_date(http, db):
    """A null in a column of the sort would keep a row at the top for ever, and end the pages of its cursor."""
    user = account(db)
    keys = {kind.staff: (kind.key, kind.request(http, db, user)) for kind in KINDS.values()}
    report = http.as_user(user).post("/signalements/portail", json=REPORT)
    keys["/signalements"] = ("id_signalement", report.json()["id_signalement"])
    read = set()
    for route in routes.load().routes:
        path = route.path.removeprefix("/api/v1")
        if route.method != "GET" or route.public or not route.plain or "/portail" in path or "{" in path:
            continue
        source = db.one("select prosrc from pg_proc where oid = %s::regproc", [route.function])
        if not (sort := SORT.search(source)):
            continue
        answer = http.as_admin().get(f"{path}?limit=1000")
        assert answer.status_code == 200, (path, answer.text)
        columns = {part.removeprefix("v.").removesuffix(" desc") for part in sort[1].split(", ")}
        assert [row for row in answer.json() if any(row[column] is None for column in columns & row.keys())] == [], path
        for key, value in (keys[path],) if path in keys else ():
            assert value in [row[key] for row in answer.json()]
            read.add(path)
            first = http.as_admin().get(f"{path}?limit=1")
            assert first.status_code == 200 and len(first.json()) == 1
    assert read == set(keys)
