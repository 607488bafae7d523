"""An HTTP mail service on the loopback interface."""

import json
import time
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.receiver import serving


class Api(ThreadingHTTPServer):
    """An HTTP server that stores each request and answers with `status` and `text`; status 0 means no answer."""

    daemon_threads = True

    def __init__(self, text: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.text = text
        self.status = 201
        self.requests: list[dict[str, Any]] = []
        self.url = f"http://127.0.0.1:{self.server_port}/v3/smtp/email"


class Handler(BaseHTTPRequestHandler):
    server: Api

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.requests.append({"path": self.path, "headers": self.headers, "json": json.loads(body)})
        if self.server.status == 0:
            time.sleep(30)
            return
        self.send_response(self.server.status)
        self.send_header("location", self.server.url)
        self.end_headers()
        self.wfile.write(b'{"message": "' + self.server.text.encode() + b'"}')

    def log_message(self, *_: object) -> None:
        pass


def mailing(api: Api) -> dict[str, str]:
    """The settings of a worker that sends letters by this mail service."""
    return {"MAILER_API_KEY": "cle", "MAILER_URL": api.url, "NO_PROXY": "127.0.0.1"}


def answering(text: str = "") -> AbstractContextManager[Api]:
    return serving(Api(text))
