"""docs/acces.md is true: each route for each seeded role, and rows out of the scope of an account."""

import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from app import routes
from app.http.route import Route
from outils import generated
from tests import builders
from tests.conftest import Db, Http
from tests.house.rule import holds
from tests.preuve import selon
from tests.witness import Witness, body_schema, document, example_body, key, keys, required, undone, witness

__all__ = ["document", "keys", "witness"]

ACTIVITY, TILL, CLIENT = "activité", "caisse", "client"  # the terms of the column « Bornes »
HIDDEN = (403, 404, 409, 422)
DENIED = "n'a pas la permission|Une clé d'API"
AUTH = "/api/v1/auth/"


def sections() -> dict[tuple[str, str], dict[str, str]]:
    """The cells of docs/acces.md: (method, path) → column → cell."""
    cells_by_route: dict[tuple[str, str], dict[str, str]] = {}
    columns: list[str] = []
    for line in generated.ACCESS.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| Route"):
            columns = cells
        elif re.match(r"\| [A-Z]+ `", line):
            method, path = cells[0].replace("`", "").split()
            cells_by_route[method, f"/api/v1{path}"] = dict(zip(columns, cells, strict=True))
    return cells_by_route


CELLS = sections()
CLOSED = [route for route in routes.load().routes if not route.public]


def cell(route: Route, column: str) -> str:
    missing = [] if (route.method, route.path) in CELLS else [f"{route.method} {route.path}"]
    holds("Each route has its row in docs/acces.md.", missing, "python -m outils generer")
    return CELLS[route.method, route.path][column]


def call(http: Http, route: Route, path: str, body: Any = None) -> Any:
    return http.request(route.method, path, json=None if route.method == "GET" else body or {})


class Matrix:
    """Compares answers with the matrix. `closed` names the paths that no caller reaches, whatever the matrix marks.

    The short form tries each permission with each role, and each route with a role of either kind.
    """

    def __init__(self, db: Db, closed: Callable[[str], bool] = lambda _: False) -> None:
        self._db, self._closed = db, closed
        self._tried: set[object] = set()
        self.wrong: list[str] = []
        self.calls = 0

    def compare(self, role: str, caller: Http) -> None:
        for route in CLOSED:
            closed = self._closed(route.path)
            marked = cell(route, role.replace("RESPONSABLE_", "R_")) == "✓" and not closed
            new = {(role, route.permission, closed, marked), (route.method, route.path, marked)} - self._tried
            if selon(not new, False):
                continue
            self._tried |= new
            writes = marked and route.method != "GET"
            with undone(self._db) if writes else nullcontext():
                answer = call(caller, route, re.sub(r"{\w+}", "987654321", route.path))
            self.calls += 1
            denied = answer.status_code == 403 and re.search(DENIED, answer.json()["message"]) is not None
            if answer.status_code == 401 or denied == marked:
                self.wrong.append(f"{role} {route.method} {route.path} : {answer.status_code}, marqué {marked}")


def test_each_seeded_role_reaches_exactly_the_routes_marked_in_the_matrix(http: Http, db: Db) -> None:
    """A route answers 403 where the matrix has no mark, and never where it has one. Other refusals may follow."""
    seeded = [row["code"] for row in db.all("select code from auth.role order by id_role")]
    matrix = Matrix(db)
    for role in seeded:
        client = builders.client(db) if role in ("RESIDENT", "CLIENT") else None
        matrix.compare(role, http.as_user(builders.utilisateur(db, role=role, id_client=client)))
    assert not matrix.wrong, "\n".join(matrix.wrong)
    assert selon(matrix.calls > 1000, matrix.calls == len(seeded) * len(CLOSED) > 1500)


def test_a_key_reaches_exactly_the_routes_of_its_permissions(http: Http, db: Db) -> None:
    """A key with the permissions of a role reaches the routes of the role, and of /auth/* only /auth/me."""
    admin, matrix = http.as_admin(), Matrix(db, lambda path: path.startswith(AUTH) and path != f"{AUTH}me")
    for role in ("CAISSIER", "RH", "RESPONSABLE_PRESSING"):
        held = db.one("select auth.role_permissions(%s)", [role])
        made = admin.post("/auth/cles", json={"libelle": role, "permissions": held}).json()
        matrix.compare(role, replace(http, token=made["cle"]))
    assert not matrix.wrong, "\n".join(matrix.wrong)


# ---- rows out of scope


@pytest.fixture
def scoped_users(db: Db, keys: dict[str, str]) -> dict[str, int]:
    """Accounts with every permission. The scope of each is an activity, till or client without the test's rows."""
    elsewhere = builders.activite(db, "LOCATION_COMMERCIAL")
    return {
        ACTIVITY: builders.utilisateur(db, role="ADMINISTRATEUR", activite=elsewhere),
        TILL: builders.utilisateur(db, role="ADMINISTRATEUR", caisse=builders.caisse(db)),
        CLIENT: builders.utilisateur(db, role="ADMINISTRATEUR", id_client=builders.client(db)),
    }


def traces(db: Db) -> Any:
    """The number of journal entries and of queued jobs: every write adds to one of them."""
    return db.one(
        "select (select count(*) from audit.journal), (select count(*) from queue.procrastinate_jobs) as jobs"
    )


def give_report_an_activity(db: Db, keys: dict[str, str]) -> None:
    """The incident report of the test has no activity, so every account sees it. Give it one."""
    values = [builders.activite(db), keys["id_signalement"]]
    db.execute("update signalement.signalement set id_activite = %s where id_signalement = %s", values)


def own_till(db: Db, scoped_users: dict[str, int]) -> Any:
    till = "select id_caisse::text from finances.affectation_caisse where id_utilisateur = %s"
    return db.one(till, [scoped_users[TILL]])


def test_a_row_out_of_scope_is_not_found_and_no_write_happens(
    http: Http, witness: Witness, keys: dict[str, str], scoped_users: dict[str, int], db: Db
) -> None:
    """Each route with a key: 404 outside the scope in the matrix, otherwise the answer of an unlimited account."""
    give_report_an_activity(db, keys)
    free, bound = http.as_admin(), {scope: http.as_user(user) for scope, user in scoped_users.items()}
    wrong, hidden, before = [], 0, traces(db)
    for route in CLOSED:
        if "{" not in route.path:
            continue
        body = example_body(witness.document["paths"][route.path][route.method.lower()], keys)
        if "id_facture" in body:
            body.pop("id_echeance", None)  # the route accepts an invoice or an instalment, not both
        path = re.sub(r"{(\w+)}", lambda match: str(key(keys, route.path, match[1])), route.path)  # noqa: B023
        with undone(db):
            free_status = call(free, route, path, body).status_code
        scopes = cell(route, "Bornes").split(", ")
        for scope, user in bound.items():
            with undone(db):
                answer = call(user, route, path, body)
                written = traces(db) != before
            if scope == TILL and TILL not in scopes and ACTIVITY in scopes:
                continue  # the activity of the till holds some of the rows
            hidden += scope in scopes
            refused = answer.status_code in HIDDEN and not written
            as_expected = refused if scope in scopes else answer.status_code == free_status
            if not as_expected:
                wrong.append(
                    f"{route.method} {route.path}: app/routes/{route.slice}.py gives the bounds {scopes}; the account "
                    f"bound by {scope} got {answer.status_code}, an unlimited account {free_status}"
                    + (", and it wrote" if written else "")
                )
    assert not wrong, "\n".join(wrong)
    assert hidden > 130


def test_lists_hold_no_row_out_of_scope(
    http: Http, witness: Witness, scoped_users: dict[str, int], keys: dict[str, str], db: Db
) -> None:
    """A list that the matrix limits holds at most the own till or the own client of these accounts."""
    give_report_an_activity(db, keys)
    client = "select id_client::text from auth.utilisateur where id_utilisateur = %s"
    own = {"id_caisse": own_till(db, scoped_users), "id_client": db.one(client, [scoped_users[CLIENT]])}
    wrong, empty = [], 0
    for route in routes.load().routes:
        function = http.services.catalogue.functions.get(route.function or "")
        if route.method != "GET" or "{" in route.path or function is None:
            continue
        if "offset" not in {parameter.name for parameter in function.parameters}:
            continue
        for scope, user in scoped_users.items():
            if scope not in (route.bounds or ()) or "/portail/" in route.path:
                continue
            needed = required(witness.document["paths"][route.path]["get"], keys)
            answer = http.as_user(user).get(route.path, params=needed)
            empty += 1
            others = [row for row in answer.json() if not any(row.get(name) == value for name, value in own.items())]
            if answer.status_code != 200 or others:
                wrong.append(f"{scope} {route.path} : {answer.text[:300]}")
    assert not wrong, "\n".join(wrong)
    assert empty > 20


def test_a_body_with_an_id_out_of_scope_is_refused(
    http: Http, witness: Witness, keys: dict[str, str], scoped_users: dict[str, int], db: Db
) -> None:
    """Each identifier that a body may hold is tried, one at a time."""
    schemas = witness.document["components"]["schemas"]
    bound = {scope: http.as_user(user) for scope, user in scoped_users.items()}
    wrong, tried, before = [], 0, traces(db)
    for route in routes.load().routes:
        operation = witness.document["paths"][route.path][route.method.lower()]
        content = body_schema(operation)
        # A client names any room in a request: a room is no row of another client.
        if content is None or "{" in route.path or route.public or "/portail/" in route.path:
            continue
        body = example_body(operation, keys)
        fields = schemas[content["schema"]["$ref"].rpartition("/")[2]]["properties"]
        ids = [name for name in fields if name.startswith("id_") and name in keys]
        for name, scope in product(ids, {ACTIVITY, CLIENT} & set(route.bounds or ())):
            with undone(db):
                answer = call(bound[scope], route, route.path, {**body, name: keys[name]})
                written = traces(db) != before
            tried += 1
            if answer.status_code not in (400, *HIDDEN) or written:
                wrong.append(f"{scope} {route.path} {name} : {answer.status_code}, trace {written}")
    assert not wrong, "\n".join(wrong)
    assert tried > 30


def test_payments_and_expenses_of_a_cashier_go_to_the_own_till(
    http: Http, keys: dict[str, str], scoped_users: dict[str, int], db: Db
) -> None:
    user, own = http.as_user(scoped_users[TILL]), own_till(db, scoped_users)
    money = {"montant": "1000", "id_caisse": keys["id_caisse"]}
    spent = money | {"libelle": "x", "id_categorie_depense": keys["id_categorie_depense"]}
    for path, body in (("paiements", money | {"id_moyen": keys["id_moyen"]}), ("depenses", spent)):
        made = user.post(f"/finances/{path}", json=body)
        assert (made.status_code, made.json().get("id_caisse")) == (201, own), made.text
    assert own != keys["id_caisse"]
