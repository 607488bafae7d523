"""Another hour than that of the machine, for `make test HEURE='2026-12-31 23:59:00' FUSEAU=Europe/Paris`.

Debian's libfaketime moves the clock of this process; `HOUR` hands it on to the servers and services that tests start.
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
ZONE = os.environ.get("ESSAIS_FUSEAU")  # of the organisation, in every database of the tests
