"""A streaming replica of an embedded server, for bench and tests."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from app.base.leaf import EmbeddedError
from app.leaves.embarque.postgres import Postgres
from app.leaves.embarque.server import START_SECONDS


class Standby(Postgres):
    """A replica of another server, made by pg_basebackup."""

    def __init__(self, directory: Path, primary: Postgres, settings: Mapping[str, str]) -> None:
        super().__init__(directory, settings)
        self._primary = primary

    def _program(self) -> Path:
        return self._primary._program()

    def _initialise(self) -> None:
        shutil.copy(self._primary.directory / "mot_de_passe", self._secret)
        self._hand_over(self._secret)
        source = self._primary.url("postgres")
        copy = [str(self.bin / "pg_basebackup"), "-d", source, "-D", str(self.data), "--write-recovery-conf"]
        child = self._run([*copy, "--checkpoint=fast", "--wal-method=stream"])
        if child.wait(START_SECONDS) != 0:
            raise EmbeddedError(self._log_tail())
