import os
import shutil
from contextlib import suppress

import pytest

from tests.browser.visits import Visit
from tests.npm import installed

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def executable(tmp_path_factory):
    path = os.environ.get("PUPPETEER_EXECUTABLE_PATH") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no Chromium found (one of {', '.join(BROWSERS)}, or PUPPETEER_EXECUTABLE_PATH)")
    with suppress(pytest.skip.Exception):  # tests/browser/test_axe.py says what is missing
        Visit.axe = (installed(tmp_path_factory.mktemp("npm"), "axe-core@4.14.1") / "axe-core/axe.min.js").read_text()
    return path
