"""One PostgreSQL session for a test and for the application that the test calls.

The test uses psycopg. The application uses its own pool and asyncpg, as in production: its pool connects to a socket of
this process, and this process passes each statement on to the session of the test. So the test and the application see
each other's writes, and one rollback undoes both.

A statement of the application runs in a savepoint, with the settings that the pool requests (its role). A transaction
that the application begins is a savepoint around the transactions of its statements.
"""

import asyncio
import os
import socket
from pathlib import Path

import psycopg
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.rows import DictRow, dict_row

SOCKET = ".s.PGSQL.5432"
PATIENCE = 100.0  # seconds for an answer; shorter than the time limit of a test
CONNECTING = {"user", "database", "client_encoding"}  # fields of the startup message; all other fields are settings
REPORTED = ("server_version", "client_encoding", "integer_datetimes", "TimeZone")
SYNC = b"S\0\0\0\4"
# Settings of one transaction of the application, which would last until the end of the test.
OF_A_TRANSACTION = ("moment", "fonds", "ticket", "caisse_reprise")
TRANSACTION = {
    b"begin": "savepoint transaction",
    b"commit": "; ".join(["release transaction", *(f"set local comptoir.{name} to ''" for name in OF_A_TRANSACTION)]),
    b"rollback": "rollback to transaction; release transaction",
}
WITHIN = {b"savepoint operation", b"rollback to savepoint operation"}  # in a transaction of the application
READY = b"Z\0\0\0\5I"  # asyncpg must see each statement as a transaction of its own


class Session:
    """The session of a worker. It outlives each test, so plans and prepared statements stay cached."""

    def __init__(self, server: str, directory: Path) -> None:
        self.url = f"postgresql://essai@/essai?host={directory}"  # for the application
        self._server = server
        self._path = directory / SOCKET
        self._connection: psycopg.Connection[DictRow] | None = None
        self._socket: socket.socket | None = None
        self._links: set[asyncio.StreamWriter] = set()
        self._within = False  # a transaction of the application, which runs deferred triggers itself

    def connection(self) -> psycopg.Connection[DictRow]:
        """Return the connection of the test; connect again if an earlier test closed or lost it."""
        if self._connection is None or self._connection.closed:
            self.close()
            # No TLS or GSS: the application writes unencrypted messages to the same socket. psycopg must not prepare
            # statements: its rollback would deallocate the prepared statements of the application as well.
            self._connection = psycopg.connect(
                self._server, row_factory=dict_row, prepare_threshold=None, sslmode="disable", gssencmode="disable"
            )
            self._socket = socket.socket(fileno=os.dup(self._connection.fileno()))
            self._socket.settimeout(PATIENCE)
        return self._connection

    def close(self) -> None:
        for link in self._links:
            link.transport.abort()  # the prepared statements of this connection no longer exist
        if self._socket is not None:
            self._socket.close()
        if self._connection is not None:
            self._connection.close()

    async def listen(self) -> asyncio.Server:
        return await asyncio.start_unix_server(self._serve, self._path)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection of the application until it closes."""
        self._links.add(writer)
        try:
            settings = await self._greet(reader, writer)
            messages = b""
            while True:
                head = await reader.readexactly(5)
                message = head + await reader.readexactly(int.from_bytes(head[1:]) - 4)
                if message[:1] == b"X":  # Terminate
                    break
                if message[:1] == b"H":  # Flush: asyncpg prepares a statement; it sends Sync only after an error
                    writer.write(self._run(settings, messages + SYNC))
                    messages = b""
                elif message[:1] == b"Q" and message[5:-1] in WITHIN:
                    self.connection().pgconn.exec_(message[5:-1])
                    writer.write(_message("C", b"SAVEPOINT\0") + READY)
                elif message[:1] == b"Q" and (command := message[5:-1].split(b" ")[0]) in TRANSACTION:
                    writer.write(self._bound(command) + READY)
                elif message[:1] in b"SQ":  # Sync or simple Query
                    answers = b"" if message == SYNC and not messages else self._run(settings, messages + message)
                    writer.write(answers + READY)
                    messages = b""
                else:
                    messages += message
        except asyncio.IncompleteReadError:
            pass  # closed without a Terminate
        finally:
            self._links.discard(writer)
            writer.close()

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> dict[str, str]:
        """Answer the startup message without the server; return the settings that the message requests."""
        length = int.from_bytes(await reader.readexactly(4))
        words = (await reader.readexactly(length - 4))[4:].decode().split("\0")
        connection = self.connection()
        writer.write(_message("R", (0).to_bytes(4)))
        for name in REPORTED:
            writer.write(_message("S", f"{name}\0{connection.info.parameter_status(name)}\0".encode()))
        writer.write(_message("K", connection.info.backend_pid.to_bytes(4) + bytes(4)) + READY)
        fields = zip(words[::2], words[1::2], strict=False)
        return {name: value for name, value in fields if name and name not in CONNECTING}

    def _bound(self, command: bytes) -> bytes:
        """Begin or end a transaction of the application."""
        server = self.connection().pgconn
        if server.transaction_status == TransactionStatus.IDLE:
            server.exec_(b"begin")
        self._within = command == b"begin"
        result = server.exec_(TRANSACTION[command].encode())
        assert result.status == ExecStatus.COMMAND_OK, result.error_message.decode()
        return _message("C", command.upper() + b"\0")

    def _run(self, settings: dict[str, str], messages: bytes) -> bytes:
        """Send messages that end with a Sync, inside a savepoint. Return the answers before ReadyForQuery."""
        server = self.connection().pgconn
        if server.transaction_status == TransactionStatus.IDLE:
            server.exec_(b"begin")
        opened = ["savepoint application", *(f"set local {name} to '{value}'" for name, value in settings.items())]
        server.exec_("; ".join(opened).encode())
        answers, failed = self._exchange(messages)
        if not failed and not self._within:  # triggers and checks that PostgreSQL defers to the commit
            result = server.exec_(b"set constraints all immediate; set constraints all deferred")
            assert result.status == ExecStatus.COMMAND_OK, result.error_message.decode()
        closed = [f"reset {name}" for name in settings]
        server.exec_("; ".join(["rollback to application"] * failed + ["release application", *closed]).encode())
        return answers

    def _exchange(self, messages: bytes) -> tuple[bytes, bool]:
        assert self._socket is not None
        self._socket.sendall(messages)
        answers, start = bytearray(), 0
        while True:
            end = start + 1 + int.from_bytes(answers[start + 1 : start + 5])
            if len(answers) < max(start + 5, end):
                answers += self._socket.recv(1 << 16) or b""
            elif answers[start : start + 1] == b"Z":
                return bytes(answers[:start]), answers[end - 1 : end] == b"E"
            else:
                start = end


def _message(kind: str, content: bytes) -> bytes:
    return kind.encode() + (len(content) + 4).to_bytes(4) + content
