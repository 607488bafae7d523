"""Instructions of one settlement, which the load of the machine does not change: `postgres --single` under callgrind.

The yardstick is the limit of the data model: sql/limite.sql writes the same rows, keys, journal and events by hand.
"""

import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg

from app.base.settings import DEVELOPMENT_PASSWORD
from app.commands.accounts import first_administrator
from app.database import schema
from app.leaves.embarque.postgres import DATABASE, Postgres
from bench import outils
from bench.goal import Bench, Goal, say

HERE = Path(__file__).resolve().parent
SETTINGS = {"fsync": "off", "shared_buffers": "128MB"}
SINGLE = ("fsync=off", "full_page_writes=off", "shared_buffers=128MB", "random_page_cost=1.1", "jit=off")
INVOICES = 5000
FEW, MANY = 10, 60  # calls; the difference leaves out the start, and the first plans
RECORDED = 2_308_000  # instructions of a settlement; a commit that makes it cheaper lowers the figure
TOLERANCE = 1.02
CONTEXT = "core.contexte(1, 'ADMINISTRATEUR', '127.0.0.1', 'bench', p_disque_attendu => true)"
# Three settlements out of four pay a part of an open invoice, the fourth creates an invoice and pays a part of it.
PAY = "finances.paiement_creer(p_montant => 1, p_id_moyen => 1, p_id_facture => $1)"
BILL = "facturation.prestation_facturer(1, p_montant => 1, p_id_moyen => 1)"
CALLS = {
    name: f"select (r).id_facture from (select {call} as r where {CONTEXT} and $1::bigint > 0 offset 0) x"
    for name, call in {
        "payer": PAY,
        "facturer": BILL,
        "payer, limite": "limite.regler(1, 1, $1)",
        "facturer, limite": "limite.regler(1, 1, p_prix => 1000000)",
    }.items()
}


def instructions(bench: Bench) -> Iterator[Goal]:
    program = shutil.which("valgrind")
    if program is None:
        say("instructions : valgrind manque (apt install valgrind), elles ne sont pas comptées.")
        return
    directory = bench.directory / "instructions"
    directory.mkdir(mode=0o711)
    server = Postgres(directory / "postgres", SETTINGS)
    with server:
        _prepare(server.url())
    counts = {name: _count(program, server, directory / "copie", call) for name, call in CALLS.items()}
    for name, count in counts.items():
        say(f"instructions, {name} : {count}")
    ours = _weighted(counts["payer"], counts["facturer"])
    limit = _weighted(counts["payer, limite"], counts["facturer, limite"])
    text = (
        "Instructions de PostgreSQL pour les lignes d'un règlement écrites à la main, divisées par celles du règlement."
    )
    yield Goal("settlement-limit", limit / ours, 0.72, text)
    text = "Millions d'instructions de PostgreSQL par règlement : trois paiements pour une facture."
    yield Goal("settlement-instructions", ours / 1e6, RECORDED * TOLERANCE / 1e6, text, at_least=False, unit=" M")


def _weighted(pay: int, bill: int) -> float:
    return (3 * pay + bill) / 4


def _prepare(url: str) -> None:
    schema.migrate(url, say=lambda _: None)
    first_administrator(url, "admin", DEVELOPMENT_PASSWORD)
    with psycopg.connect(url, autocommit=True) as connection:
        outils.seed(connection, "facturation.prestation_facturer(1, 1, 1)", INVOICES)
        connection.execute((HERE / "sql" / "limite.sql").read_text())
        connection.execute("vacuum analyze")


def _count(program: str, server: Postgres, copy: Path, call: str) -> int:
    """Instructions of one call, in a copy of the stopped cluster."""
    shutil.rmtree(copy, ignore_errors=True)
    subprocess.run(["cp", "-a", str(server.data), str(copy)], check=True)
    few, many = (_run(program, server, copy, call, calls) for calls in (FEW, MANY))
    return (many - few) // (MANY - FEW)


def _run(program: str, server: Postgres, copy: Path, call: str, calls: int) -> int:
    chosen = random.Random(5)  # the same invoices in each run
    lines = [f"prepare x (bigint) as {call}", *(f"execute x({chosen.randint(1, INVOICES)})" for _ in range(calls))]
    settings = [word for setting in SINGLE for word in ("-c", setting)]
    command = [program, "--tool=callgrind", "--callgrind-out-file=/dev/null", str(server.bin / "postgres"), "--single"]
    owner = copy.stat() if os.geteuid() == 0 else None  # PostgreSQL does not run as root
    completed = subprocess.run(
        [*command, "-D", str(copy), *settings, DATABASE], input="\n".join(lines) + "\n", capture_output=True, text=True,
        check=False, cwd="/", user=owner and owner.st_uid, group=owner and owner.st_gid,
        extra_groups=[] if owner else None,
    )  # fmt: skip
    counted = re.search(r"Collected : (\d+)", completed.stderr)
    if counted is None or "ERROR" in completed.stderr:
        raise RuntimeError(completed.stderr[-2000:])
    return int(counted[1])
