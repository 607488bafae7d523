"""Tests that are coroutines run in the event loop of asyncio; a file of such tests is marked `anyio`."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
