"""Why PostgreSQL refuses an address. libpq hands down no SQLSTATE of a connection that failed; asyncpg does."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import asyncpg
from psycopg.conninfo import conninfo_to_dict

WAY_OUT = "corrigez DATABASE_URL (ou DATABASE_OWNER_URL, si elle est donnée)"
REFUSED = (  # the account or its password; the database; the right to connect to it
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
)


def refusal(url: str) -> str | None:
    """What the server says no to; null when it may say yes a little later, or does not answer at all."""

    async def ask() -> None:
        connection = await asyncpg.connect(url, timeout=5)
        await connection.close()

    try:
        with ThreadPoolExecutor(1) as thread:  # who asks may have a loop of its own
            thread.submit(asyncio.run, ask()).result()
    except REFUSED as error:
        return told(error, url)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        pass
    return None


def told(error: asyncpg.PostgresError, url: str) -> str:
    """One of REFUSED as a French line: what is wrong, and the variable to look at."""
    parts = conninfo_to_dict(url)
    account, database = parts.get("user") or "du système", parts.get("dbname") or "du même nom"
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return f"PostgreSQL n'a pas de base « {database} » : créez-la, ou {WAY_OUT}."
    if isinstance(error, asyncpg.InsufficientPrivilegeError):
        return f"PostgreSQL refuse la base {database} au compte {account} ({error}) : {WAY_OUT}."
    return f"PostgreSQL refuse le compte {account} ou son mot de passe ({error}) : {WAY_OUT}."
