"""Runs a command of `comptoir`: in this process, because the import of the program takes a second, or in its own."""

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


def run_apart(environment: Mapping[str, str], *words: str, entered: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, where the command starts another program or its exit is the subject."""
    line = [sys.executable, "-m", "app", *words]
    return subprocess.run(line, env=environment, input=entered, capture_output=True, text=True)
