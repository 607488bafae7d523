from tests.browser.conftest import executable

__all__ = ["executable"]
