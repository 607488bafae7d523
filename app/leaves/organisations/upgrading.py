"""Upgrades the databases of all organisations, several at once. Each upgrade is atomic and apart from the others."""

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import psycopg

from app.auth.encrypted import Secrets
from app.base.failure import Failure, first_line
from app.base.progress import Progress
from app.base.settings import Settings
from app.commands.backups import end_on_sigterm
from app.database import schema
from app.database.release import HERE
from app.leaves.organisations.moving import copy
from app.leaves.organisations.organisation import Organisation
from app.leaves.organisations.registry import Registry
from app.vault import backup

UPGRADED = ("ACTIVE", "SUSPENDUE", "EN_RETARD")


class Outcome(NamedTuple):
    """The end of the upgrade of one organisation. `reason` is None when it has this release."""

    code: str
    seconds: float
    reason: str | None


def migrate(settings: Settings, arguments: argparse.Namespace) -> int:
    """Upgrade the databases of all organisations, or a copy of one."""
    registry = Registry(settings)
    if arguments.repetition:
        end_on_sigterm()  # so that no copy stays
        seconds = rehearse(registry, arguments.repetition)
        print(f"La mise à jour d'une copie de {arguments.repetition} réussit, en {seconds:.1f} s, copie comprise.")
        return 0
    registry.ensure()
    outcomes = upgrade_all(registry, arguments.ensemble)
    renewed = renew_secrets(registry, settings)
    late = [outcome for outcome in outcomes if outcome.reason is not None]
    for outcome in late:
        print(f"{outcome.code} : {outcome.reason}")
    longest = max((outcome.seconds for outcome in outcomes), default=0.0)
    print(f"À jour : {len(outcomes) - len(late)} sur {len(outcomes)} ; la plus longue a pris {longest:.1f} s.")
    if late:
        print("Celles-ci gardent leur version et sont EN_RETARD : corrigez, puis relancez cette commande.")
    return 1 if late or not renewed else 0


def upgrade_all(registry: Registry, at_once: int) -> list[Outcome]:
    """Upgrade every organisation of another release and return what became of each.

    An organisation whose upgrade fails keeps its release and its state becomes EN_RETARD. The next call tries again.
    """
    due = [one for one in registry.organisations() if _is_due(one)]
    with ThreadPoolExecutor(at_once, "mise-a-jour") as threads, Progress("Organisations", len(due)) as progress:
        return list(threads.map(partial(_upgrade, registry, progress.step), due))


def _is_due(organisation: Organisation) -> bool:
    return organisation.state in UPGRADED and organisation.version != HERE.version()


def _upgrade(registry: Registry, step: Callable[[], None], due: Organisation) -> Outcome:
    started, reason = time.monotonic(), None
    try:
        with registry.alone(due.code, wait=True):
            organisation = registry.find(due.code)
            if _is_due(organisation):  # another command may have upgraded or moved it meanwhile
                try:
                    schema.migrate(registry.on_server(organisation.address, organisation.database), lambda _: None)
                except (Failure, psycopg.Error) as error:
                    reason = first_line(error)
                failure = reason and f"Sa mise à jour a échoué : {reason}"
                registry.upgraded(organisation.code, HERE.version(), failure)
    except Failure as error:  # of the registry: the others may still succeed
        reason = first_line(error)
    step()
    return Outcome(due.code, time.monotonic() - started, reason)


def renew_secrets(registry: Registry, settings: Settings) -> bool:
    """Encrypt the secrets of all organisations with the present key. Return whether each database answered."""
    answered = True
    for one in registry.organisations():
        if one.state in UPGRADED and one.version == HERE.version():
            say = partial(print, one.code, ":")
            try:
                Secrets.renew_all(settings, registry.on_server(one.address, one.database), say)
            except (Failure, psycopg.Error) as error:
                say(first_line(error))
                answered = False
    return answered


def rehearse(registry: Registry, code: str) -> float:
    """Upgrade and verify a copy of an organisation, then drop the copy. Return the seconds that the copy took."""
    organisation, started = registry.find(code), time.monotonic()
    name = f"{organisation.database}__repetition"
    source, target = (registry.on_server(organisation.address, base) for base in (organisation.database, name))
    with registry.connect(organisation.address) as admin, backup.explained_errors():
        schema.drop_database(admin, name)
        try:
            copy(admin, source, target, registry.settings, print)
        finally:
            schema.drop_database(admin, name)
    return time.monotonic() - started
