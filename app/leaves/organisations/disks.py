"""The disks of several servers. All databases of a server have one WAL, so one watch serves them."""

from __future__ import annotations

from app.database.disk import Disk


class Disks:
    def __init__(self) -> None:
        self._disks: dict[str, Disk] = {}

    def of_server(self, address: str, url: str) -> Disk:
        """The disk of a server, watched from now on through the database at `url`: an earlier one may be dropped."""
        disk = self._disks.setdefault(address, _DiskOfServer(url))
        disk.url = url
        return disk


class _DiskOfServer(Disk):
    async def close(self) -> None:
        """Databases that are in use share the watch, so it stays open."""
