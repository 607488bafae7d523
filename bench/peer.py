"""A peer: PostGraphile 5 over the function of sql/bare.sql, with a signed token in each request and nothing else."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.leaves.embarque.server import free_port
from bench.goal import Bench
from bench.outils import CONNECTIONS, SCRIPTS
from bench.service import SECRET, answering, environment

PACKAGES = ("postgraphile@5.1.5", "jsonwebtoken@9.0.3", "node@24.21.0")  # a Node of its own: PostGraphile needs 22


@contextmanager
def postgraphile(bench: Bench) -> Iterator[str | None]:
    """Run PostGraphile on the server of the run, and give its address. Without npm there is none."""
    npm = shutil.which("npm")
    if npm is None:
        yield None
        return
    folder = bench.directory / "postgraphile"
    folder.mkdir(exist_ok=True)
    subprocess.run([npm, "install", "--no-audit", "--no-fund", "--silent", *PACKAGES], cwd=folder, check=True)
    shutil.copy(SCRIPTS / "postgraphile.mjs", folder)
    url = f"http://127.0.0.1:{free_port()}"
    settings = {"DATABASE_URL": bench.url, "PORT": url.rpartition(":")[2], "SECRET": SECRET}
    modes = {"NODE_ENV": "production", "GRAPHILE_ENV": "production", "CONNECTIONS": str(CONNECTIONS)}
    command: list[str | Path] = [folder / "node_modules/.bin/node", "postgraphile.mjs"]
    with (
        (bench.directory / "postgraphile.log").open("wb") as log,
        answering(url, command, 404, cwd=folder, stdout=log, stderr=log, env=environment(settings | modes)),
    ):
        yield url
