"""Runs wrk and pgbench and parses their results."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

SCRIPTS = Path(__file__).resolve().parent / "scripts"
SECONDS = int(os.environ.get("SECONDES", "10"))
CONNECTIONS = 16
INVOICES = int(os.environ.get("FACTURES", "20000"))
# The first parameters of each statement of the API: whether the caller waits for the disk, user, role, address,
# request, epoch of the token, API key, sign-in.
CALLER = (False, 1, "ADMINISTRATEUR", "127.0.0.1", "bench", None, None, None)


@dataclass(frozen=True)
class Rate:
    """Calls in a second, and the duration of a call in milliseconds. pgbench reports only the mean."""

    per_second: float
    p50_ms: float
    p99_ms: float
    calls: int


def seed(connection: psycopg.Connection[Any], calls: str, invoices: int) -> None:
    """Create a service, then make these calls once for each invoice."""
    connection.execute("select facturation.prestation_creer('Location de chaises', 1000000, p_id_activite => 1)")
    # In a single transaction, each number would search all earlier versions of the counter.
    connection.execute(f"""
        do $$ begin for v_lot in 1 .. {invoices // 100} loop
          perform {calls} from generate_series(1, 100);
          commit;
        end loop; end $$""")


def pgbench(program: Path, url: str, script: str, connections: int = CONNECTIONS, options: str = "") -> Rate:
    command = [str(program), "-n", "-M", "prepared", "-c", str(connections), "-j", str(min(2, connections))]
    command += ["-T", str(SECONDS), "-D", f"factures={INVOICES}", "-f", str(SCRIPTS / script), url]
    environment = {**os.environ, "PGOPTIONS": options}
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    average = float(_match(r"latency average = ([\d.]+)", output))
    calls = int(_match(r"transactions actually processed: (\d+)", output))
    return Rate(float(_match(r"tps = ([\d.]+)", output)), average, average, calls)


def wrk(
    program: str,
    url: str,
    script: str,
    token: str,
    seconds: int = SECONDS,
    connections: int = CONNECTIONS,
    **variables: str,
) -> Rate:
    """Run a script. Each connection sends its next request at once, unless the script waits. A refusal is an error."""
    command = [program, "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--latency", "--timeout", "10s"]
    command += ["-s", str(SCRIPTS / script), url]
    environment = {**os.environ, "JETON": token, "FACTURES": str(INVOICES), **variables}
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise RuntimeError(output)
    calls = int(_match(r"(\d+) requests in", output))
    per_second = float(_match(r"Requests/sec:\s+([\d.]+)", output))
    return Rate(per_second, _milliseconds(output, "50"), _milliseconds(output, "99"), calls)


def _match(pattern: str, output: str) -> str:
    match = re.search(pattern, output)
    if match is None:
        raise RuntimeError(output)
    return match[1]


def _milliseconds(output: str, percentile: str) -> float:
    match = re.search(rf"{percentile}%\s+([\d.]+)(us|ms|s)", output)
    if match is None:
        raise RuntimeError(output)
    return float(match[1]) * {"us": 0.001, "ms": 1, "s": 1000}[match[2]]
