"""Joins the rooms into one Starlette application: services, routes, middleware, lifespan."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib import import_module

import asyncpg
from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp

from app import routes
from app.auth.encrypted import Secrets
from app.auth.keys import Keys
from app.auth.kvstore import Store
from app.auth.roles import Roles
from app.auth.tokens import AccessTokens
from app.base.leaf import leaves
from app.base.settings import Settings, SettingsError
from app.database import catalogue
from app.database.catalogue import Catalogue, CatalogueError
from app.database.database import Database
from app.database.disk import Disk
from app.database.pool import ROLE, Places, Pool, Writers
from app.database.reach import REFUSED, explain
from app.database.replica import Replica
from app.database.replicas import Replicas
from app.documents.renderer import Renderer
from app.files.storage import Storage
from app.http import health
from app.http.compression import Compression
from app.http.endpoint import Endpoint
from app.http.middleware import RequestMiddleware
from app.http.router import Paths
from app.http.services import Services, Serving
from app.http.static import password_page
from app.jobs.mailer import Mailer
from app.jobs.webhooks import Sender
from app.live.sockets import PATH, Sockets
from app.openapi import docs, fixed
from app.openapi.document import document
from app.routes.check import check_routes
from app.vault.vault import Vault

ALLOWED_HEADERS = ["Authorization", "Content-Type", "X-Organisation", "X-Request-Id"]
EXPOSED_HEADERS = ["Content-Disposition", "X-Request-Id"]


def build_services(settings: Settings, operations: Catalogue, database: Database, store: Store) -> Services:
    secrets = Secrets.of(settings)
    return Services(
        settings=settings,
        catalogue=operations,
        secrets=secrets,
        database=database,
        roles=Roles(database),
        store=store,
        tokens=AccessTokens(settings.jwt_secret, settings.jwt_secret_precedent, settings.access_ttl),
        keys=Keys(database),
        mailer=Mailer(settings.mailer_api_key, settings.mailer_url, settings.mailer_from),
        sender=Sender(settings.webhook_networks, secrets, encrypted=settings.production),
        storage=Storage(settings),
        renderer=Renderer(settings.puppeteer_executable_path, settings.browser_sandbox),
        vault=Vault(settings, settings.owner_url),
    )


def read_catalogue(url: str) -> Catalogue:
    """Read the catalogue as comptoir_app, outside the server's event loop."""

    async def read() -> Catalogue:
        # Each query runs once, so preparing it gains nothing, and PgBouncer may not support prepared statements.
        try:
            connection = await asyncpg.connect(url, timeout=10, statement_cache_size=0, server_settings={"role": ROLE})
        except asyncpg.InsufficientPrivilegeError:
            raise CatalogueError(
                f"Ce compte de la base n'est pas membre de {ROLE} : que l'administrateur du serveur exécute "
                f"« grant {ROLE} to … », ou donnez un autre compte par DATABASE_URL."
            ) from None
        except REFUSED as error:
            raise CatalogueError(explain(error, url)) from None
        try:
            return await catalogue.read(connection)
        except (asyncpg.UndefinedFunctionError, asyncpg.UndefinedTableError):
            raise CatalogueError("Le code de la base est d'une autre version : lancez « comptoir migrate ».") from None
        finally:
            await connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, read()).result()


def build(serving: Serving) -> Starlette:
    """Build the ASGI application. Raises CatalogueError when a route and the catalogue disagree."""
    services, table = serving.services, routes.load()
    check_routes(table, services.catalogue)
    live = Sockets(serving)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await serving.start()
        live.start()
        # Routes and catalogue live as long as the process, and a request leaves no reference cycle. Freezing and higher
        # thresholds make collections smaller and rarer.
        gc.freeze()
        gc.set_threshold(10_000, 10, 10)
        yield
        await live.stop()
        await serving.close()

    services.paths = Paths((route.method, route.path, Endpoint(route, services)) for route in table.routes)
    pages = [*docs.routes(document(table, services.catalogue)), *password_page()]
    for module in [leaf.pages for leaf in leaves() if leaf.pages]:
        pages += import_module(module).pages(services.settings)
    all_routes = [serving.route(services.paths), *health.routes(serving), *pages, WebSocketRoute(PATH, live)]
    application = Starlette(routes=all_routes, lifespan=lifespan)
    application.router.redirect_slashes = False
    # Without the two error layers of Starlette: RequestMiddleware turns every exception into an answer.
    layers: ASGIApp = RequestMiddleware(application.router, services=services)
    if services.settings.compression:
        layers = Compression(layers, services.settings.compression)
    if services.settings.cors_origines:
        layers = CORSMiddleware(
            layers,
            allow_origins=services.settings.cors_origines,
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=[*ALLOWED_HEADERS, *(header["name"] for header in fixed.PARAMETERS.values())],
            expose_headers=[*EXPOSED_HEADERS, *fixed.HEADERS],
            max_age=600,
        )
    application.middleware_stack = layers
    application.state.settings = services.settings  # for app/http/protocol.py, which uvicorn makes
    return application


def log_to_stderr() -> None:
    """Write the service's log to standard error, with the e-mails of development. The request log is separate."""
    logger = logging.getLogger("comptoir")
    logger.setLevel(logging.INFO)
    logger.addHandler(logging.StreamHandler())


def factory() -> Starlette:
    """The factory that each uvicorn process calls. It reads the environment, then the catalogue of the database."""
    settings = Settings.from_environment()
    log_to_stderr()
    if settings.database_url is None:
        raise RuntimeError("DATABASE_URL manque : lancez « comptoir serve ».")
    operations, store = read_catalogue(settings.database_url), open_store(settings.kvstore_url)
    database = open_database(settings, operations, store, Disk(settings.database_url))
    return build(Serving(build_services(settings, operations, database, store)))


def open_database(
    settings: Settings, operations: Catalogue, store: Store, disk: Disk, places: Places | None = None
) -> Database:
    """The database with its replicas. `places` bounds its connections together with others."""
    size, lag = settings.pool_size, settings.replica_lag

    def pool(url: str) -> Pool:
        return Pool(url, size, settings.prepared_statements, places)

    primary = pool(settings.database_url or "")
    watched = [Replica(primary, pool(url), lag) for url in settings.database_replica_urls]
    replicas = Replicas(watched, store, lag) if watched else None
    return Database(primary, operations.sentences, replicas, Writers(size), disk)


def open_store(url: str | None) -> Store:
    """Return a store at this address, or a store in memory when it is None. It connects at the first call."""
    if url is None:
        return Store()
    from app.auth.redisstore import RedisStore  # a single process does not need the Redis client

    try:
        return RedisStore(url)
    except ValueError:
        raise SettingsError("KVSTORE_URL n'est pas une adresse : écrivez redis://hôte:6379/0.") from None
