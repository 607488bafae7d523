"""For `make test HEURE=…`: libfaketime answers EINVAL to the sleep of Python, which goes up to an instant."""

import select
import time


def _sleep(seconds: float) -> None:
    select.select([], [], [], seconds)


time.sleep = _sleep
