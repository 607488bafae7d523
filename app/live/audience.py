"""The open sockets of this process, by user and by Socket.IO id."""

from __future__ import annotations

from collections.abc import Iterable

from app.http import metrics
from app.live.link import Link

SOCKETS_OF_A_USER = 10


class Audience:
    def __init__(self) -> None:
        self._links: dict[str, dict[str, Link]] = {}

    def add(self, user: str, link: Link) -> None:
        """Add a socket of this user. Beyond the limit the oldest socket is closed."""
        own = self._links.setdefault(user, {})
        for oldest in list(own.values())[: max(0, len(own) + 1 - SOCKETS_OF_A_USER)]:
            oldest.end("Trop de connexions ouvertes : la plus ancienne se ferme.")
        own[link.sid] = link
        metrics.sockets.inc()

    def remove(self, link: Link) -> None:
        own = self._links.get(link.claims.sub, {}) if link.claims else {}
        if own.pop(link.sid, None) is not None:
            metrics.sockets.dec()
        if link.claims and not own:
            self._links.pop(link.claims.sub, None)

    def users(self) -> list[str]:
        return list(self._links)

    def links(self, users: Iterable[str] | None = None) -> list[Link]:
        """The sockets of these users, or of all users."""
        chosen = self._links if users is None else users
        return [link for user in chosen for link in self._links.get(user, {}).values()]
