"""The choice of the key-value store of a process."""

from __future__ import annotations

from app.auth.kvstore import MemoryStore, Store
from app.base.settings import SettingsError


def open_store(url: str | None) -> Store:
    """Return a store at this address, or a store in memory when it is None. It connects at the first call."""
    if url is None:
        return MemoryStore()
    from app.auth.redisstore import RedisStore  # a single process does not need the Redis client

    try:
        return RedisStore(url)
    except ValueError:
        raise SettingsError("KVSTORE_URL n'est pas une adresse : écrivez redis://hôte:6379/0.") from None
