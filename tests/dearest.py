"""The dearest GET of each role on a demonstration: processor time of the service and of PostgreSQL together.

The clock would count what else the machine does. Of several tries the least counts. `not_parallel` comes before the
start of the service, so that the session of a request has its whole cost.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx
import psutil
from psycopg import sql

from app import routes
from app.http.route import Route
from tests import builders
from tests.conftest import Db
from tests.server import Service
from tests.witness import required

BOUND = 0.5  # seconds of processor for a GET that takes no turn
TRIES = 3
EXACT = 20  # calls for one figure of the table: the operating system counts in hundredths of a second
CANDIDATES = 3  # requests of a role that are measured exactly
ACCOUNTS = """
select distinct on (r.code) r.code, u.login from auth.utilisateur u join auth.role r using (id_role)
 where u.actif order by r.code, u.id_client is null, u.id_utilisateur
"""
PASSWORDS = """
insert into auth.secret (id_utilisateur, mot_de_passe) select id_utilisateur, %s from auth.utilisateur
    on conflict (id_utilisateur) do update set mot_de_passe = excluded.mot_de_passe
"""
KEYS = """
select n.nspname, c.relname, a.attname
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid and c.relkind in ('r', 'p') and not c.relispartition
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
 where k.contype = 'p' and a.attname like 'id\\_%'
"""
BUSIEST_CLIENT = """
select id_client from facturation.facture
 where id_client not in (select id_client from auth.utilisateur where id_client > 0)
 group by 1 order by count(*) desc limit 1
"""
BUSIEST = (  # the rows with the longest history
    ("facturation.facture", "id_client"),
    ("finances.paiement", "id_caisse"),
    ("finances.paiement", "id_utilisateur"),
    ("finances.paiement", "id_activite"),
)
CODES = {
    "cas": "CLIENTS", "cle": "DEVISE_DECIMALES", "code": "PRESSING", "compte": "571", "entite": "client",
    "echange.entite": "clients",
}  # fmt: skip
SESSIONS = "select pid from pg_stat_activity where datname = current_database() and application_name like 'comptoir%'"


@dataclass(frozen=True)
class Cost:
    seconds: float
    address: str
    status: int

    def __str__(self) -> str:
        address = re.sub(r"/\d+", "/{id}", self.address.removeprefix("/api/v1").partition("?")[0])
        file = ", en XLSX" if "format=xlsx" in self.address else ""
        return f"`GET {address}`{file} | {self.seconds * 1000:.0f} ms"


class Walk:
    """Requests to a service on a demonstration, and their costs."""

    def __init__(self, service: Service, db: Db) -> None:
        db.execute(PASSWORDS, [builders.PASSWORD_HASH])
        self._service = service
        self._db = db
        self._process = psutil.Process(service.process.pid)
        self._printing = False
        self._keys = keys(db)
        self._days = db.one("select min(jour)::text as du, max(jour)::text as au from finances.paiement")
        self._keys["periode"] = self._days["du"][:7]

    def accounts(self) -> dict[str, str]:
        """An account of each role that the demonstration has accounts of."""
        return {row["code"]: row["login"] for row in self._db.all(ACCOUNTS)}

    def add_accounts(self) -> None:
        """Make an account of each other role; the account of a client belongs to the busiest client without one."""
        for row in self._db.all("select code from auth.role"):
            if row["code"] not in self.accounts():
                client = self._db.one(BUSIEST_CLIENT) if row["code"] == "CLIENT" else None
                builders.utilisateur(self._db, role=row["code"], id_client=client)

    def signed_in(self, login: str, number: int) -> httpx.Client:
        """A client of this account. Each has an address of its own, because of the throttle."""
        body = {"login": login, "mot_de_passe": builders.PASSWORD}
        answer = self._service.client.post("/auth/login", json=body, headers={"x-forwarded-for": f"192.0.2.{number}"})
        assert answer.status_code == 200, answer.text
        return self._service.new_client(authorization=f"Bearer {answer.json()['accessToken']}")

    def costs(self, client: httpx.Client) -> Iterator[Cost]:
        """The cost of each GET that this client may call and that takes no turn."""
        for route, operation in self._routes(client):
            if not takes_turns(route):
                address = self._address(route, operation)
                cost = self.cost(client, address)
                for _ in range(TRIES - 1):
                    if cost.seconds > BOUND:
                        cost = min(cost, self.cost(client, address), key=lambda each: each.seconds)
                if cost.status not in (401, 403):
                    yield cost

    def costs_in_turn(self, client: httpx.Client) -> Iterator[Cost]:
        """The cost of each GET that takes turns, and of each file of a list or a report."""
        self._printing = True
        for route, operation in self._routes(client):
            file = "xlsx" in str(parameter(operation, "format"))
            if file or takes_turns(route):
                cost = self.cost(client, self._address(route, operation, file=file))
                if cost.status == 200:
                    yield cost
        self._printing = False

    def papers(self, client: httpx.Client) -> Iterator[tuple[Route, httpx.Response]]:
        """Each report as a PDF and each document, as a PDF or a page, that this client may read."""
        for route, operation in self._routes(client):
            if "pdf" in route.formats or (route.template and route.media != "image/png"):
                options = {"format": "pdf"} if "pdf" in route.formats else {}
                address = httpx.URL(f"{self._service.url}{self._address(route, operation)}").copy_merge_params(options)
                answer = client.get(address, timeout=120)
                if answer.status_code == 200:
                    yield route, answer

    def exact(self, client: httpx.Client, costs: list[Cost]) -> Cost:
        """The dearest of these requests, by the mean of many calls."""
        candidates = sorted(costs, key=lambda cost: cost.seconds, reverse=True)[:CANDIDATES]
        return max((self.cost(client, cost.address, EXACT) for cost in candidates), key=lambda cost: cost.seconds)

    def cost(self, client: httpx.Client, address: str, calls: int = 1) -> Cost:
        before = self._spent()
        for _ in range(calls):
            answer = client.get(f"{self._service.url}{address}", timeout=120)
        return Cost((self._spent() - before) / calls, address, answer.status_code)

    def _spent(self) -> float:
        """Processor seconds of the service, of its sessions, and of the browser if it prints."""
        processes = [self._process, *(psutil.Process(row["pid"]) for row in self._db.all(SESSIONS))]
        if self._printing:
            processes += self._process.children(recursive=True)
        return sum(times.user + times.system for times in (process.cpu_times() for process in processes))

    def _routes(self, client: httpx.Client) -> list[tuple[Route, Any]]:
        paths = client.get(f"{self._service.url}/docs-json").json()["paths"]
        return [(route, paths[route.path]["get"]) for route in routes.load().routes if route.method == "GET"]

    def _address(self, route: Route, operation: Any, *, file: bool = False) -> str:
        """The widest call: all days, a thousand rows or a whole file, the row with the longest history."""

        def value(match: re.Match[str]) -> str:
            name = "id_client" if match[1] == "id" else match[1]
            return self._keys.get(f"{route.slice}.{name}", self._keys.get(name, "1"))

        query = required(operation, self._keys)
        query |= {name: day for name, day in self._days.items() if "'date'" in str(parameter(operation, name))}
        if file:
            query["format"] = "xlsx"
        elif parameter(operation, "limit"):
            query["limit"] = "1000"
        return re.sub(r"{(\w+)}", value, route.path) + (f"?{urlencode(query)}" if query else "")


def not_parallel(db: Db) -> None:
    """Keep each query of the later sessions of this database in one process."""
    name = sql.Identifier(db.one("select current_database()"))
    db.execute(sql.SQL("alter database {} set max_parallel_workers_per_gather = 0").format(name).as_string())


def takes_turns(route: Route) -> bool:
    return route.costly or (route.template is not None and route.document is None)


def parameter(operation: Any, name: str) -> Any:
    """The query parameter of this name, or None."""
    return next((each for each in operation.get("parameters", ()) if each.get("name") == name), None)


def keys(db: Db) -> dict[str, str]:
    """The last row of each table, under the name of its key and under its schema and this name; or the busiest row."""
    values = dict(CODES)
    for row in db.all(KEYS):
        space, table, column = row.values()
        names = sql.Identifier(column), sql.Identifier(space, table)
        query = sql.SQL("select {0}::text from {1} order by {0} desc limit 1").format(*names)
        if last := db.one(query.as_string()):
            values[f"{space}.{column}"] = values[column] = last
    for table, column in BUSIEST:
        rows = f"select {column}::text from {table} where {column} > 0 group by 1 order by count(*) desc limit 1"
        busiest = db.one(rows)
        values |= {name: busiest for name in values if name.rpartition(".")[2] == column}
    return values
