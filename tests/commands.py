"""Runs a command of `comptoir` in this process: a process of its own would take a second to import the program."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from app.__main__ import main


def run(environment: Mapping[str, str], *words: str, entered: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command with these variables and without a terminal. Return what its process would print."""
    output, errors = io.StringIO(), io.StringIO()
    with (
        patch.dict(os.environ, environment, clear=True),
        patch.object(sys, "argv", ["comptoir", *words]),
        patch.object(sys, "stdin", io.StringIO(entered)),
        redirect_stdout(output),
        redirect_stderr(errors),
    ):
        try:
            code = main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    return subprocess.CompletedProcess([*words], code, output.getvalue(), errors.getvalue())
