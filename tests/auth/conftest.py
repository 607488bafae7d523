"""A mailer that stores its messages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Http


class Box:
    """A mailer that stores its messages."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, Any]] = []

    async def send(self, *message: Any) -> None:
        self.sent.append(message)

    async def close(self) -> None:
        pass


@pytest.fixture
def box(http: Http, monkeypatch: pytest.MonkeyPatch) -> Box:
    mailer = Box()
    monkeypatch.setattr(http.services, "mailer", mailer)
    return mailer
