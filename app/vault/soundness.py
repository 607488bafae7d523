"""Whether the data of a database that was filled from a copy are right: its money and its seals.

A copy that is faithful to a base with a wrong row has the wrong row too. The operator may accept the
differences of a check, by the name of the check, because a backup that cannot be restored is none.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import psycopg

from app.base.progress import Say

SEALS = "sceaux"
SHOWN = 20


def verify(connection: psycopg.Connection[Any], despite: Collection[str], say: Say) -> str | None:
    """Return why the data are refused, or None. Print and accept the differences of the checks named in `despite`."""
    differences = _differences(connection)
    for name, message in differences:
        if name in despite:
            say(f"Accepté malgré {name} : {message}")
    refused = [(name, message) for name, message in differences if name not in despite]
    if not refused:
        return None
    lines = [f"{name} : {message}" for name, message in refused[:SHOWN]]
    if len(refused) > SHOWN:
        lines.append(f"… et {len(refused) - SHOWN} autres.")
    options = " ".join(f"--malgre {name}" for name in dict.fromkeys(name for name, _ in refused))
    return "\n".join([*lines, f"La ligne de commande accepte ces écarts tels quels avec : {options}"])


def _differences(connection: psycopg.Connection[Any]) -> list[tuple[str, str]]:
    # The hourly jobs do not run on this database yet, and may have been late before the copy. They run here, then they
    # are rolled back, so that a late job is no error.
    with connection.transaction(force_rollback=True):
        connection.execute("select jobs._resumer()")
        differences = connection.execute("select controle, message from jobs._controler_par_nom()").fetchall()
    differences += connection.execute("select %s::text, message from audit.verifier()", [SEALS]).fetchall()
    return differences
