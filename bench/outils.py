"""wrk and pgbench: one run each, and what it gave."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent / "scripts"
SECONDS = int(os.environ.get("SECONDES", "10"))
CONNECTIONS = 16
INVOICES = 20_000


@dataclass(frozen=True)
class Rate:
    """Calls in a second, and how long one takes in milliseconds; pgbench tells only the mean."""

    per_second: float
    p50_ms: float
    p99_ms: float
    calls: int


def pgbench(program: Path, url: str, script: str) -> Rate:
    command = [str(program), "-n", "-M", "prepared", "-c", str(CONNECTIONS), "-j", "2", "-T", str(SECONDS)]
    command += ["-D", f"factures={INVOICES}", "-f", str(SCRIPTS / script), url]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    average = float(_found(r"latency average = ([\d.]+)", output))
    calls = int(_found(r"transactions actually processed: (\d+)", output))
    return Rate(float(_found(r"tps = ([\d.]+)", output)), average, average, calls)


def wrk(program: str, url: str, script: str, token: str, seconds: int = SECONDS, **told: str) -> Rate:
    """Every connection asks again as soon as it has its answer, unless the script waits. Any refusal is an error."""
    command = [program, "-t", "1", "-c", str(CONNECTIONS), "-d", f"{seconds}s", "--latency", "--timeout", "10s"]
    command += ["-s", str(SCRIPTS / script), url]
    environment = {**os.environ, "JETON": token, "FACTURES": str(INVOICES), **told}
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise RuntimeError(output)
    calls = int(_found(r"(\d+) requests in", output))
    per_second = float(_found(r"Requests/sec:\s+([\d.]+)", output))
    return Rate(per_second, _milliseconds(output, "50"), _milliseconds(output, "99"), calls)


def _found(pattern: str, output: str) -> str:
    found = re.search(pattern, output)
    if found is None:
        raise RuntimeError(output)
    return found[1]


def _milliseconds(output: str, percentile: str) -> float:
    found = re.search(rf"{percentile}%\s+([\d.]+)(us|ms|s)", output)
    if found is None:
        raise RuntimeError(output)
    return float(found[1]) * {"us": 0.001, "ms": 1, "s": 1000}[found[2]]
