"""Addresses of databases. Explains why PostgreSQL refuses one, with asyncpg: libpq gives no SQLSTATE for a failed
connection."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, urlsplit, urlunsplit

import asyncpg
from psycopg.conninfo import conninfo_to_dict

WAY_OUT = "corrigez DATABASE_URL (ou DATABASE_OWNER_URL, ANNUAIRE_URL, si elle est donnée)"
REFUSED = (  # account or password, database, privilege CONNECT
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
)


def refusal(url: str) -> str | None:
    """Explain why the server refuses the address. None when it accepts, may accept later, or does not answer."""

    async def ask() -> None:
        connection = await asyncpg.connect(url, timeout=5)
        await connection.close()

    try:
        with ThreadPoolExecutor(1) as thread:  # the caller's thread may already run an event loop
            thread.submit(asyncio.run, ask()).result()
    except REFUSED as error:
        return explain(error, url)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        pass
    return None


def explain(error: asyncpg.PostgresError, url: str) -> str:
    """Turn an error of REFUSED into a French line that names the cause and the variable to correct."""
    parts = conninfo_to_dict(url)
    account, database = parts.get("user") or "du système", parts.get("dbname") or "du même nom"
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return f"PostgreSQL n'a pas de base « {database} » : créez-la, ou {WAY_OUT}."
    if isinstance(error, asyncpg.InsufficientPrivilegeError):
        return f"PostgreSQL refuse la base {database} au compte {account} ({error}) : {WAY_OUT}."
    return f"PostgreSQL refuse le compte {account} ou son mot de passe ({error}) : {WAY_OUT}."


def elsewhere(url: str, database: str) -> str:
    """The address of another database of the same server."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{quote(database)}"))
