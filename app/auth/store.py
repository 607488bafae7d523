"""Which key-value store a process uses."""

from __future__ import annotations

from app.auth.kvstore import MemoryStore, Store
from app.base.settings import SettingsError


def open_store(url: str | None) -> Store:
    """The store at this address, or this process without one. Connects at the first call."""
    if url is None:
        return MemoryStore()
    from app.auth.redisstore import RedisStore  # a process alone does without the client

    try:
        return RedisStore(url)
    except ValueError:
        raise SettingsError("KVSTORE_URL n'est pas une adresse : écrivez redis://hôte:6379/0.") from None
