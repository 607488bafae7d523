"""For `make test HEURE=…`: libfaketime refuses the sleep of Python (EINVAL), which counts to an instant; this one waits."""

import select
import time


def _sleep(seconds: float) -> None:
    select.select([], [], [], seconds)


time.sleep = _sleep
