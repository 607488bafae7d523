"""The installed browsers that can print. Each test of the renderer runs with every one."""

import os

import pytest

from app.documents.chromium import NAMES, find

SETTING = "PUPPETEER_EXECUTABLE_PATH"


def installed() -> list[str]:
    """Return the configured browser, or else the path of each installed browser, once."""
    names = [os.environ[SETTING]] if os.environ.get(SETTING) else NAMES
    return list(dict.fromkeys(path for name in names if (path := find(name))))


each = [pytest.param(path, id=path.rsplit("/", 1)[-1]) for path in installed()] or [
    pytest.param(None, marks=pytest.mark.skip("no Chromium here"))
]


def needed() -> None:
    """Skip a test on a machine without a browser."""
    if find(os.environ.get(SETTING)) is None:
        pytest.skip("no Chromium here")
