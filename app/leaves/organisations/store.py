"""The keys of one organisation in the key-value store that the process shares."""

from __future__ import annotations

from typing import Any, cast

from app.auth.kvstore import Store

SHARED = ("mode", "ping", "note_every_user")  # a note for every organisation is right for this one too, and rare


def part_of(store: Store, organisation: str) -> Store:
    """The part of a store whose keys start with the id of this organisation."""
    return cast(Store, _Part(store, f"{organisation}:"))


class _Part:
    def __init__(self, store: Store, prefix: str) -> None:
        self._store, self._prefix = store, prefix

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._store, name)
        return member if name in SHARED else lambda key, *rest: member(self._prefix + key, *rest)

    async def close(self) -> None:
        """The store belongs to the process."""
