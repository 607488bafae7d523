"""For `make test HEURE=…`, in each Python process: what libfaketime does not do, or does too well."""

import datetime
import os
import select
import time
from typing import SupportsIndex


def _sleep(seconds: float | SupportsIndex) -> None:
    select.select([], [], [], float(seconds))


def _hour_of_the_store(remove_tzinfo: bool = True) -> datetime.datetime:
    ahead = datetime.timedelta(seconds=float(os.environ["FAKETIME"]))
    return (datetime.datetime.now(datetime.UTC) - ahead).replace(tzinfo=None if remove_tzinfo else datetime.UTC)


if "FAKETIME" in os.environ:
    time.sleep = _sleep  # libfaketime answers EINVAL to Python's, which goes up to an instant
    try:
        from botocore import compat
    except ImportError:  # a Python without the project's packages
        pass
    else:
        compat.get_current_datetime = (
            _hour_of_the_store  # SeaweedFS asks the kernel itself, and checks when it was signed
        )
