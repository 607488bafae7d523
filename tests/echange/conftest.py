from __future__ import annotations

import pytest

from tests.conftest import Http


@pytest.fixture
def admin(http: Http) -> Http:
    return http.as_admin()
