"""`python -m outils lint-sql` on a server without plpgsql_check: a warning for a contributor, a failure in CI."""

from __future__ import annotations

import os

import psycopg
import pytest

from app.base.settings import Settings
from outils import lint


@pytest.mark.parametrize("ci, status", [(None, 0), ("true", 1)])
def test_a_server_without_plpgsql_check_warns_and_fails_in_ci(
    ci: str | None, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = os.environ["ESSAIS_POSTGRES"]
    with psycopg.connect(url) as connection:
        available = "select exists (select from pg_available_extensions where name = 'plpgsql_check')"
        if connection.execute(available).fetchone() == (True,):
            pytest.skip("this server has plpgsql_check")
    monkeypatch.setattr(lint.schema, "migrate", lambda *_, **__: None)
    monkeypatch.delenv("CI", raising=False)
    if ci is not None:
        monkeypatch.setenv("CI", ci)
    lines: list[str] = []
    assert lint.check_functions(Settings.from_environment({"DATABASE_URL": url}), lines.append) == status
    assert "ATTENTION : plpgsql_check manque" in "".join(lines)
