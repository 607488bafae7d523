"""Upgrades the databases of all organisations, several at once. Each upgrade is atomic and apart from the others."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import psycopg

from app.auth.encrypted import Secrets
from app.base.failure import Failure
from app.base.progress import Progress, Say
from app.base.settings import Settings
from app.database import schema
from app.database.release import HERE
from app.leaves.organisations.moving import copy
from app.leaves.organisations.organisation import Organisation
from app.leaves.organisations.registry import Registry
from app.vault import backup

UPGRADED = ("ACTIVE", "SUSPENDUE", "EN_RETARD")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of the upgrade of one organisation. `reason` is None when it has this release."""

    code: str
    seconds: float
    reason: str | None


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
                    reason = _first_line(error)
                failure = reason and f"Sa mise à jour a échoué : {reason}"
                registry.upgraded(organisation.code, HERE.version(), failure)
    except Failure as error:  # of the registry: the others may still succeed
        reason = _first_line(error)
    step()
    return Outcome(due.code, time.monotonic() - started, reason)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def renew_secrets(registry: Registry, secrets: Secrets) -> bool:
    """Encrypt the secrets of all organisations with the present key. Return whether each database answered."""
    answered = True
    for one in registry.organisations():
        if one.state in UPGRADED and one.version == HERE.version():
            lines: list[str] = []
            try:
                secrets.renew(registry.on_server(one.address, one.database), lines.append)
            except (Failure, psycopg.Error) as error:
                lines.append(_first_line(error))
                answered = False
            for line in lines:
                print(f"{one.code} : {line}")
    return answered


def rehearse(registry: Registry, settings: Settings, code: str, say: Say = print) -> float:
    """Upgrade and verify a copy of an organisation, then drop the copy. Return the seconds that the copy took."""
    organisation, started = registry.find(code), time.monotonic()
    name = f"{organisation.database}__repetition"
    source, target = (registry.on_server(organisation.address, base) for base in (organisation.database, name))
    with registry.connect(organisation.address) as admin, backup.explained_errors():
        schema.drop_database(admin, name)
        try:
            copy(admin, source, target, settings, say)
        finally:
            schema.drop_database(admin, name)
    return time.monotonic() - started
