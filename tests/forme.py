"""The short form of a proof, for every run of the suite, or the long one (PREUVE=longue, by `make proof`)."""

import os

LONGUE = os.environ.get("PREUVE") == "longue"
