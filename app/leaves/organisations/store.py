"""The keys of one organisation in the key-value store that the process shares."""

from __future__ import annotations

from app.auth.kvstore import Hit, Store


class Part:
    """The keys of one organisation in the store of a process. Each key starts with its id."""

    def __init__(self, store: Store, organisation: str) -> None:
        self._store = store
        self._prefix = f"{organisation}:"

    @property
    def mode(self) -> str:
        return self._store.mode

    async def deny(self, jti: str, seconds: int) -> None:
        await self._store.deny(self._prefix + jti, seconds)

    async def denied(self, jti: str) -> bool:
        return await self._store.denied(self._prefix + jti)

    async def hit(self, key: str, limit: int, seconds: int) -> Hit:
        return await self._store.hit(self._prefix + key, limit, seconds)

    async def attempt(self, key: str) -> Hit:
        return await self._store.attempt(self._prefix + key)

    async def tried(self, key: str) -> Hit:
        return await self._store.tried(self._prefix + key)

    async def forgive(self, key: str) -> None:
        await self._store.forgive(self._prefix + key)

    async def note_write(self, user: str, seconds: float) -> None:
        await self._store.note_write(self._prefix + user, seconds)

    async def note_every_user(self, seconds: float) -> None:
        await self._store.note_every_user(seconds)  # of every organisation, which is right for them too, and rare

    async def may_have_written(self, user: str, seconds: float) -> bool:
        return await self._store.may_have_written(self._prefix + user, seconds)

    async def ping(self) -> bool:
        return await self._store.ping()

    async def close(self) -> None:
        """The store belongs to the process."""
