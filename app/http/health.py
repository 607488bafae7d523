"""Liveness, readiness, metrics, and the root of the API."""

import asyncio
import hmac
from ipaddress import ip_address
from typing import Any

import asyncpg
import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from app.base.refusal import Refusal, unauthorized
from app.http import metrics
from app.http.services import Services, Serving

CHECK_SECONDS = 3.0
PREFIX = "/api/v1"
NO_STORE = {"Cache-Control": "no-store"}


def routes(serving: Serving) -> list[BaseRoute]:
    services = serving.services

    async def root(request: Request) -> Response:
        request.scope["comptoir.route"] = PREFIX
        return _json({"nom": "Comptoir", "documentation": "/docs", "etat": "ok"})

    async def live(request: Request) -> Response:
        request.scope["comptoir.route"] = f"{PREFIX}/health/live"
        return _json({"status": "ok"})

    async def ready(request: Request) -> Response:
        request.scope["comptoir.route"] = request.url.path
        return await _readiness(services)

    async def scrape(request: Request) -> Response:
        request.scope["comptoir.route"] = "/metrics"
        settings = services.settings
        expected = f"Bearer {settings.metrics_token}" if settings.metrics_token else None
        authorization = request.headers.get("authorization", "")
        if expected is None and (settings.production or not ip_address(request.scope["comptoir.address"]).is_loopback):
            raise unauthorized(
                "Sans jeton, cette adresse ne répond qu'à la machine elle-même, et jamais en production."
            )
        if expected is not None and not hmac.compare_digest(authorization.encode(), expected.encode()):
            raise unauthorized()
        load = None if settings.test else serving.load()
        text = metrics.scrape(load, await _jobs(services) if serving.alone else metrics.NO_JOBS)
        return Response(text, media_type=metrics.CONTENT_TYPE, headers=NO_STORE)

    return [
        Route(PREFIX, root),
        Route(f"{PREFIX}/health/live", live),
        Route(f"{PREFIX}/health/ready", ready),
        Route(f"{PREFIX}/health", ready),
        Route("/metrics", scrape),
    ]


async def _readiness(services: Services) -> Response:
    """Check database and key-value store concurrently. 200 when both are up, else 503 with the failed check."""
    database, store = await asyncio.gather(_database(services), _store(services))
    details = {"database": database, "redis": store}
    down = {name: state for name, state in details.items() if state["status"] != "up"}
    up = {name: state for name, state in details.items() if state["status"] == "up"}
    result = {"status": "error" if down else "ok", "info": up, "error": down, "details": details}
    return _json(result, 503 if down else 200)


async def _database(services: Services) -> dict[str, Any]:
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            await services.database.value("select 1")
    except (Refusal, TimeoutError):
        return {"status": "down", "message": "PostgreSQL ne répond pas."}
    return {"status": "up"}


_JOBS = """
select jsonb_build_array((select jsonb_object_agg(p.statut, p.nombre) from jobs.file_profondeur() p),
                         (select coalesce(jsonb_agg(jsonb_build_array(b.tache, b.issue, b.nombre)), '[]')
                            from jobs.tache_bilan() b),
                         (select coalesce(jsonb_agg(jsonb_build_array(w.webhook, w.etat, w.en_attente, w.age,
                                                                      w.tentatives)), '[]')
                            from jobs.webhook_bilan() w))::text
"""


async def _jobs(services: Services) -> metrics.Jobs:
    """The queue, the jobs and the webhooks, from the database. Empty when it does not answer."""
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            depth, outcomes, webhooks = msgspec.json.decode(await services.database.value(_JOBS))
    except (Refusal, TimeoutError, asyncpg.PostgresError):
        return metrics.NO_JOBS
    return metrics.Jobs(depth, outcomes, webhooks)


async def _store(services: Services) -> dict[str, Any]:
    if services.store.mode == "in-memory":
        return {"status": "up", "mode": "in-memory"}
    if await services.store.ping():
        return {"status": "up"}
    return {"status": "down", "message": "Le magasin clé-valeur ne répond pas."}


def _json(content: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json", headers=NO_STORE)
