"""Servers that replicate."""

import pytest

from tests.standby import Replicated


@pytest.fixture
def in_sync(servers: Replicated) -> Replicated:
    """The primary and its replicas, running and in sync."""
    servers.catch_up()
    return servers
