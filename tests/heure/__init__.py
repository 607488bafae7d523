"""Runs the tests with another clock: `make test HEURE='2028-12-31 23:59:00' FUSEAU=Europe/Paris`.

Debian's libfaketime shifts the clock of this process. `HOUR` passes its settings on to servers that tests start.
"""

import os

HOUR = (
    {
        name: os.environ[name]
        for name in ("LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC", "PYTHONPATH")
        if name in os.environ
    }
    if "FAKETIME" in os.environ
    else {}
)
ZONE = os.environ.get("ESSAIS_FUSEAU")  # time zone of the organisation in every database of the tests
