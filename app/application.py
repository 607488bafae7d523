"""Builds the Starlette application: services, routes, middleware, lifespan."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

import asyncpg
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import BaseRoute, WebSocketRoute

from app import routes as route_tables
from app.auth.kvstore import Store, open_store
from app.auth.tokens import AccessTokens, Claims, InvalidToken
from app.base.settings import Settings
from app.database import catalogue as catalogue_module
from app.database.catalogue import Catalogue, CatalogueError
from app.database.database import Database
from app.database.pool import ROLE, Pool
from app.database.reach import REFUSED, told
from app.database.replica import Replica
from app.database.writers import Writers
from app.documents.renderer import Renderer
from app.files.storage import Storage
from app.http import health, password_page
from app.http.endpoint import Endpoint, Operation
from app.http.middleware import RequestMiddleware
from app.http.requestlog import RequestLog
from app.http.route import RouteTable
from app.http.router import Paths
from app.http.turns import Turns
from app.jobs.mailer import Mailer
from app.live.notifications import PATH, Notifications
from app.openapi import docs, document
from app.vault.vault import Vault

if TYPE_CHECKING:
    from starlette.types import ASGIApp

ROLE_CACHE_SECONDS = 60
MOVED_USERS = 4096  # users whose token names a former role, remembered at once; the oldest is forgotten first
EXPOSED_HEADERS = [
    "X-Request-Id",
    "X-Total-Count",
    "X-Total-Capped",
    "Link",
    "Retry-After",
    "Idempotency-Replayed",
    "Content-Disposition",
]


@dataclass(slots=True)
class Services:
    """What a request may need, made once for each process."""

    settings: Settings
    catalogue: Catalogue
    database: Database
    store: Store
    tokens: AccessTokens
    mailer: Mailer
    storage: Storage
    renderer: Renderer
    vault: Vault
    table: RouteTable
    log: RequestLog = field(default_factory=RequestLog)
    turns: Turns = field(default_factory=Turns)
    present: dict[str, str] = field(default_factory=dict)  # role by user, where the token was found to name another
    _permissions: dict[str, tuple[float, frozenset[str]]] = field(default_factory=dict)
    _reading: dict[str, asyncio.Task[frozenset[str]]] = field(default_factory=dict)
    _operations: dict[str, Operation] = field(default_factory=dict)
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    def operation(self, name: str) -> Operation:
        """An operation that a handler calls by itself."""
        found = self._operations.get(name)
        if found is None:
            found = self._operations[name] = Operation(self.catalogue.functions[name], self.catalogue)
        return found

    def later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do it once the answer is on its way, so that how long it takes tells nothing."""
        task = asyncio.create_task(work)
        self._tasks.add(task)  # a task that nobody holds may be collected before it ends
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logging.getLogger("comptoir").error("Travail remis à plus tard : échec", exc_info=error)

    async def settle(self) -> None:
        """Wait for all that was put off, and for what that puts off in its turn."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def close(self) -> None:
        """Finish what was put off, then let go of everything."""
        async with AsyncExitStack() as stack:  # one that fails to close keeps no other from it
            stack.callback(self.log.write)
            for service in (self.renderer, self.storage, self.mailer, self.store, self.database):
                stack.push_async_callback(service.close)
            await self.settle()

    def claims(self, authorization: str | None) -> Claims | None:
        """The claims of an Authorization header, or null."""
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            return self.tokens.verify(token.strip())
        except InvalidToken:
            return None

    def role(self, claims: Claims) -> str:
        """The user's role as this process last learned it. The database checks it again in every statement."""
        return self.present.get(claims.sub, claims.role)

    def moved(self, user: str, role: str) -> None:
        """The database has just said that the user has this role now."""
        self.present.pop(user, None)
        if len(self.present) >= MOVED_USERS:
            del self.present[next(iter(self.present))]
        self.present[user] = role

    async def allows(self, role: str, permission: str | None) -> bool:
        """Whether the role holds the permission, or one of « A|B »; its codes are kept for 60 seconds."""
        return permission is None or not (await self.permissions(role)).isdisjoint(permission.split("|"))

    async def permissions(self, role: str) -> frozenset[str]:
        known = self._permissions.get(role)
        if known is not None and known[0] >= monotonic():
            return known[1]
        reading = self._reading.get(role)
        if reading is None:  # of all requests that find them too old one asks, for all
            reading = self._reading[role] = asyncio.create_task(self._read_permissions(role))
            reading.add_done_callback(lambda _: self._reading.pop(role, None))
        return await asyncio.shield(reading)

    async def _read_permissions(self, role: str) -> frozenset[str]:
        moment = monotonic()
        codes = frozenset(await self.database.value("select auth.role_permissions($1::text)", [role]) or ())
        self._permissions[role] = (moment + ROLE_CACHE_SECONDS, codes)
        return codes


def build_services(settings: Settings, found: Catalogue, database: Database) -> Services:
    table = route_tables.load()
    check_routes(table, found)
    return Services(
        settings=settings,
        catalogue=found,
        database=database,
        store=open_store(settings.kvstore_url),
        tokens=AccessTokens(settings.jwt_secret, settings.jwt_secret_precedent, settings.access_ttl),
        mailer=Mailer(settings.mailer_api_key, settings.mailer_url, settings.mailer_from),
        storage=Storage(settings),
        renderer=Renderer(settings.puppeteer_executable_path, settings.browser_sandbox),
        vault=Vault(settings, settings.owner_url),
        table=table,
    )


def read_catalogue(url: str) -> Catalogue:
    """The catalogue as comptoir_app sees it, read outside the server's event loop."""

    async def read() -> Catalogue:
        # Each query is asked once: preparing gains nothing, and PgBouncer may not know of it.
        try:
            connection = await asyncpg.connect(url, timeout=10, statement_cache_size=0, server_settings={"role": ROLE})
        except asyncpg.InsufficientPrivilegeError:
            raise CatalogueError(
                f"Ce compte de la base n'est pas membre de {ROLE} : que l'administrateur du serveur exécute "
                f"« grant {ROLE} to … », ou donnez un autre compte par DATABASE_URL."
            ) from None
        except REFUSED as error:
            raise CatalogueError(told(error, url)) from None
        try:
            return await catalogue_module.read(connection)
        except (asyncpg.UndefinedFunctionError, asyncpg.UndefinedTableError):
            raise CatalogueError("Le code de la base est d'une autre version : lancez « comptoir migrate ».") from None
        finally:
            await connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, read()).result()


def check_routes(table: RouteTable, found: Catalogue) -> None:
    """Every route has its function and every public operation its route, or the start stops here."""
    if problems := route_problems(table, found):
        raise CatalogueError("\n".join(problems))


def route_problems(table: RouteTable, found: Catalogue) -> list[str]:
    problems = []
    named = set(table.plumbing)
    seen: set[tuple[str, str]] = set()
    for route in table.routes:
        label = f"{route.method} {route.path}"
        if (route.method, route.path) in seen:
            problems.append(f"{label} est décrite deux fois.")
        seen.add((route.method, route.path))
        for asked in route.permission.split("|") if route.permission else ():
            if asked not in found.permissions:
                problems.append(f"{label} demande la permission inconnue {asked}.")
        if route.function is None:
            continue
        named |= {route.function, route.document or route.function}
        function = found.functions.get(route.function)
        if function is None:
            problems.append(f"{label} appelle {route.function}, qui n'est pas une opération publique.")
            continue
        if route.method == "GET" and function.volatility != "s":
            problems.append(f"{label} : {route.function} doit être STABLE.")
        if route.document is not None and route.document not in found.functions:
            problems.append(f"{label} imprime {route.document}, qui n'est pas une opération publique.")
        parameters = {parameter.name for parameter in function.parameters}
        for key in path_keys(route.path):
            if key not in parameters:
                problems.append(f"{label} : {route.function} n'a pas de paramètre p_{key}.")
        if route.champs and route.champs not in found.types:
            problems.append(f"{label} : le type {route.champs} n'existe pas.")
    for name in sorted(found.functions.keys() - named):
        problems.append(f"L'opération publique {name} n'a pas de route.")
    for name in sorted(table.plumbing - found.functions.keys()):
        problems.append(f"L'opération {name}, nommée dans les routes, n'existe pas.")
    return problems


def path_keys(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


class Application(Starlette):
    """Without Starlette's own two layers around the middleware: RequestMiddleware answers whatever is raised."""

    def build_middleware_stack(self) -> ASGIApp:
        application: ASGIApp = self.router
        for layer, arguments, options in reversed(self.user_middleware):
            application = layer(application, *arguments, **options)
        return application


def build(found: Services) -> Application:
    """The ASGI application over these services."""
    live = Notifications(found)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        live.start()
        # Routes and catalogue stay for good, and a request leaves no cycle: collections look at less, and less often.
        gc.freeze()
        gc.set_threshold(10_000, 10, 10)
        yield
        await live.stop()
        await found.close()

    middleware = [Middleware(RequestMiddleware, services=found)]
    if found.settings.cors_origines:
        middleware.insert(
            0,
            Middleware(
                CORSMiddleware,
                allow_origins=list(found.settings.cors_origines),
                allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
                allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "X-Request-Id"],
                expose_headers=EXPOSED_HEADERS,
                max_age=600,
            ),
        )
    table = Paths((route.method, route.path, Endpoint(route, found)) for route in found.table.routes)
    openapi = document(found.table, found.catalogue)
    pages = [*docs.routes(openapi), *password_page.routes()]
    routes: list[BaseRoute] = [table, *health.routes(found), *pages, WebSocketRoute(PATH, live)]
    application = Application(routes=routes, middleware=middleware, lifespan=lifespan)
    application.router.redirect_slashes = False
    application.state.settings = found.settings  # for app/http/protocol.py, which uvicorn makes
    return application


def _log_to_stderr() -> None:
    """What the service says of itself, the e-mails of development included; requests have lines of their own."""
    logger = logging.getLogger("comptoir")
    logger.setLevel(logging.INFO)
    logger.addHandler(logging.StreamHandler())


def factory() -> Application:
    """What each uvicorn process calls: settings from the environment, catalogue from the database."""
    settings = Settings.from_environment()
    _log_to_stderr()
    if settings.database_url is None:
        raise RuntimeError("DATABASE_URL manque : lancez « comptoir serve ».")
    found = read_catalogue(settings.database_url)
    size, prepared = settings.pool_size, settings.prepared_statements
    primary = Pool(settings.database_url, size, prepared)
    replica = None
    if settings.database_replica_url is not None:
        replica = Replica(primary, Pool(settings.database_replica_url, size, prepared), settings.replica_lag)
    return build(build_services(settings, found, Database(primary, found.sentences, replica, Writers(size))))
