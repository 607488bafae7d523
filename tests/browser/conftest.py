from __future__ import annotations

import os
import shutil

import pytest

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture
def executable() -> str:
    named = os.environ.get("PUPPETEER_EXECUTABLE_PATH")
    found = named or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no Chromium here (one of {', '.join(BROWSERS)}, or PUPPETEER_EXECUTABLE_PATH)")
    return found
