import os
import shutil

import pytest

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture
def executable():
    path = os.environ.get("PUPPETEER_EXECUTABLE_PATH") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no Chromium found (one of {', '.join(BROWSERS)}, or PUPPETEER_EXECUTABLE_PATH)")
    return path
