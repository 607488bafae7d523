import pytest


@pytest.fixture
def admin(http):
    return http.as_admin()
