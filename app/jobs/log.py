"""The log of the worker: JSON lines on standard output."""

import logging
import sys
from datetime import UTC, datetime
from typing import Any

import msgspec
from procrastinate.exceptions import ConnectorException


class JsonLines(logging.Handler):
    """One JSON line for each event, without arguments of jobs: the arguments of a mail may hold a secret."""

    def emit(self, record: logging.LogRecord) -> None:
        line: dict[str, Any] = {"time": datetime.now(UTC), "level": record.levelname.lower()}
        action = getattr(record, "action", None)
        line |= {"action": action} if action else {"message": record.getMessage()}
        if cron := getattr(record, "cron", None):
            line |= {"job": getattr(record, "task", None), "cron": cron}
        if job := getattr(record, "job", None):
            line |= {"job": job["task_name"], "id": job["id"]}
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if error is not None:
            cause = error.__cause__ if isinstance(error, ConnectorException) else None
            line["error"] = str(cause or error).strip().partition("\n")[0]
        sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
        sys.stdout.buffer.flush()


def log_to_stdout() -> None:
    """Write the logs of procrastinate and of the service to standard output as JSON lines."""
    logging.raiseExceptions = False
    for name in ("procrastinate", "comptoir"):
        logger = logging.getLogger(name)
        logger.addHandler(JsonLines())
        logger.setLevel(logging.INFO)
        logger.propagate = False
