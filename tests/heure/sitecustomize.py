"""Corrects libfaketime in each Python process of `make test HEURE=…`."""

import datetime
import os
import select
import time
from typing import SupportsIndex


def _sleep(seconds: float | SupportsIndex) -> None:
    select.select([], [], [], float(seconds))


def _time_of_the_store(remove_tzinfo: bool = True) -> datetime.datetime:
    ahead = datetime.timedelta(seconds=float(os.environ["FAKETIME"]))
    return (datetime.datetime.now(datetime.UTC) - ahead).replace(tzinfo=None if remove_tzinfo else datetime.UTC)


if "FAKETIME" in os.environ:
    time.sleep = _sleep  # with libfaketime, Python's sleep until an absolute time fails with EINVAL
    try:
        from botocore import compat
    except ImportError:  # a Python without the project's packages
        pass
    else:
        compat.get_current_datetime = (
            _time_of_the_store  # SeaweedFS bypasses libfaketime, and refuses a signature of another time
        )
