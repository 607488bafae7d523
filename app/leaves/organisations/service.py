"""serve and worker with a registry of organisations."""

from __future__ import annotations

import argparse
import asyncio

from app import routes
from app.base.settings import Settings
from app.commands import application
from app.commands.place import own_objects
from app.commands.service import prepare_worker, ready_to_serve, run_server
from app.leaves.organisations import rounds
from app.leaves.organisations.organisation import catalogue_url
from app.routes.check import check_routes


def serve(settings: Settings, _: argparse.Namespace) -> int:
    """Serve the organisations of the registry that have this release. It migrates none."""
    with ready_to_serve(settings):
        check_routes(routes.load(), application.read_catalogue(catalogue_url(settings)))
        return run_server(settings, "app.leaves.organisations.application:factory")


def work(settings: Settings, _: argparse.Namespace) -> int:
    """Run the jobs of all organisations until a signal stops it."""
    prepare_worker(settings)
    with own_objects(settings):
        asyncio.run(rounds.work(settings, settings.registry_url or ""))
    return 0
