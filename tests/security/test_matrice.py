"""docs/acces.md is true: every route as every seeded role, and things as somebody who is bound elsewhere."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app import routes
from app.commands import generated
from app.http.route import Route
from tests import builders
from tests.conftest import Db, Http
from tests.witness import Witness, body_schema, document, key, known, undone, witness

__all__ = ["document", "known", "witness"]

ACTIVITY, TILL, CLIENT = "activité", "caisse", "client"  # the words of « Bornes »
HIDDEN = (403, 404, 409, 422)
DENIED = "n'a pas la permission"


def sections() -> dict[tuple[str, str], dict[str, str]]:
    """The cells of docs/acces.md: (method, path) → column → cell."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    columns: list[str] = []
    for line in generated.ACCESS.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| Route"):
            columns = cells
        elif re.match(r"\| [A-Z]+ `", line):
            method, path = cells[0].replace("`", "").split()
            found[method, f"/api/v1{path}"] = dict(zip(columns, cells, strict=True))
    return found


CELLS = sections()


def call(http: Http, route: Route, path: str, body: Any = None) -> Any:
    return http.request(route.method, path, json=None if route.method == "GET" else body or {})


def test_every_route_as_every_seeded_role(http: Http, db: Db) -> None:
    """403 where the matrix has no mark, and never where it has one. What is behind the door may refuse otherwise."""
    seeded = [row["code"] for row in db.all("select code from auth.role order by id_role")]
    wrong = []
    calls = 0
    for role in seeded:
        client = builders.client(db) if role in ("RESIDENT", "CLIENT") else None
        user = http.as_user(builders.utilisateur(db, role=role, id_client=client))
        for route in routes.load().routes:
            if route.public:
                continue
            marked = CELLS[route.method, route.path][role.replace("RESPONSABLE_", "R_")] == "✓"
            with undone(db):
                answer = call(user, route, re.sub(r"{\w+}", "987654321", route.path))
            calls += 1
            refused = answer.status_code == 403 and DENIED in answer.json()["message"]
            if answer.status_code == 401 or refused == marked:
                wrong.append(f"{role} {route.method} {route.path} : {answer.status_code}, marqué {marked}")
    assert not wrong, "\n".join(wrong)
    assert calls == len(seeded) * len([route for route in routes.load().routes if not route.public]) > 1500


# ---- another's things


@pytest.fixture
def bound(db: Db, known: dict[str, str]) -> dict[str, int]:
    """Accounts that may do everything, each bound to something that is not where the known things are."""
    elsewhere = builders.activite(db, "LOCATION_COMMERCIAL")
    return {
        ACTIVITY: builders.utilisateur(db, role="ADMINISTRATEUR", activite=elsewhere),
        TILL: builders.utilisateur(db, role="ADMINISTRATEUR", caisse=builders.caisse(db)),
        CLIENT: builders.utilisateur(db, role="ADMINISTRATEUR", id_client=builders.client(db)),
    }


def traces(db: Db) -> Any:
    """What every writing leaves: the journal and the queue."""
    return db.one(
        "select (select count(*) from audit.journal), (select count(*) from queue.procrastinate_jobs) as jobs"
    )


def of_the_laundry(db: Db, known: dict[str, str]) -> None:
    """The known incident is of no activity, hence everybody's: it gets one."""
    given = [builders.activite(db), known["id_signalement"]]
    db.execute("update signalement.signalement set id_activite = %s where id_signalement = %s", given)


def keyed(http: Http) -> list[Route]:
    return [route for route in routes.load().routes if "{" in route.path and not route.public]


def test_another_s_things_do_not_exist(
    http: Http, witness: Witness, known: dict[str, str], bound: dict[str, int], db: Db
) -> None:
    """Every route that names a thing: 404 beyond the bounds that the matrix tells, with no trace; else as anybody."""
    of_the_laundry(db, known)
    free = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR"))
    wrong, hidden = [], 0
    for route in keyed(http):
        operation = witness.document["paths"][route.path][route.method.lower()]
        example = (body_schema(operation) or {}).get("example", {})
        body = {name: known[name] if name in known and name.startswith("id_") else example[name] for name in example}
        if "id_facture" in body:
            body.pop("id_echeance", None)  # money goes to an invoice or to an instalment, not to both
        path = re.sub(r"{(\w+)}", lambda found: str(key(known, route.path, found[1])), route.path)  # noqa: B023
        with undone(db):
            anybody = call(free, route, path, body).status_code
        told = CELLS[route.method, route.path]["Bornes"].split(", ")
        for bound_by, user in bound.items():
            before = traces(db)
            with undone(db):
                answer = call(http.as_user(user), route, path, body)
                left = traces(db) != before
            if bound_by == TILL and TILL not in told and ACTIVITY in told:
                continue  # a till goes with its activity, where some of the known things are
            hidden += bound_by in told
            right = answer.status_code in HIDDEN and not left if bound_by in told else answer.status_code == anybody
            if not right:
                wrong.append(
                    f"{bound_by} {route.method} {route.path} : {answer.status_code} {told}, {anybody}, trace {left}"
                )
    assert not wrong, "\n".join(wrong)
    assert hidden > 130


def test_lists_hold_nothing_of_another(http: Http, bound: dict[str, int], known: dict[str, str], db: Db) -> None:
    """A list that the matrix bounds holds, for who is bound where nothing is, the own till or client at most."""
    of_the_laundry(db, known)
    own = {
        "id_caisse": db.one(
            "select id_caisse::text from finances.affectation_caisse where id_utilisateur = %s", [bound[TILL]]
        ),
        "id_client": db.one("select id_client::text from auth.utilisateur where id_utilisateur = %s", [bound[CLIENT]]),
    }
    wrong, empty = [], 0
    for route in routes.load().routes:
        function = http.services.catalogue.functions.get(route.function or "")
        if route.method != "GET" or "{" in route.path or function is None:
            continue
        if "offset" not in {parameter.name for parameter in function.parameters}:
            continue
        for bound_by, user in bound.items():
            if bound_by not in (route.bounds or ()) or "/portail/" in route.path:
                continue
            answer = http.as_user(user).get(route.path)
            empty += 1
            others = [row for row in answer.json() if not any(row.get(name) == value for name, value in own.items())]
            if answer.status_code != 200 or others:
                wrong.append(f"{bound_by} {route.path} : {answer.text[:300]}")
    assert not wrong, "\n".join(wrong)
    assert empty > 20


def test_a_body_that_names_another_s_things_is_refused(
    http: Http, witness: Witness, known: dict[str, str], bound: dict[str, int], db: Db
) -> None:
    """What is made of, for, or upon another's thing: each identifier that a body may hold, one at a time."""
    schemas = witness.document["components"]["schemas"]
    wrong, refused = [], 0
    for route in routes.load().routes:
        operation = witness.document["paths"][route.path][route.method.lower()]
        content = body_schema(operation)
        if content is None or "{" in route.path or route.public:
            continue
        example = content["example"]
        body = {name: known[name] if name in known and name.startswith("id_") else example[name] for name in example}
        fields = schemas[content["schema"]["$ref"].rpartition("/")[2]]["properties"]
        for name in fields:
            if not name.startswith("id_") or name not in known:
                continue
            for bound_by in {ACTIVITY, CLIENT} & set(route.bounds or ()):
                before = traces(db)
                with undone(db):
                    answer = call(http.as_user(bound[bound_by]), route, route.path, {**body, name: known[name]})
                    left = traces(db) != before
                refused += 1
                if answer.status_code not in (400, *HIDDEN) or left:
                    wrong.append(f"{bound_by} {route.path} {name} : {answer.status_code}, trace {left}")
    assert not wrong, "\n".join(wrong)
    assert refused > 30


def test_money_of_a_bound_account_moves_in_its_own_till(
    http: Http, known: dict[str, str], bound: dict[str, int], db: Db
) -> None:
    user = http.as_user(bound[TILL])
    own = db.one("select id_caisse::text from finances.affectation_caisse where id_utilisateur = %s", [bound[TILL]])
    money = {"montant": "1000", "id_caisse": known["id_caisse"]}
    paid = user.post("/finances/paiements", json={**money, "id_moyen": known["id_moyen"]})
    spent = user.post(
        "/finances/depenses", json={**money, "libelle": "x", "id_categorie_depense": known["id_categorie_depense"]}
    )
    assert (paid.status_code, spent.status_code) == (201, 201), paid.text + spent.text
    assert own != known["id_caisse"] and paid.json()["id_caisse"] == spent.json()["id_caisse"] == own
