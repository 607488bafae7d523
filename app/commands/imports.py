"""import: a whole business from the folder of an export."""

from __future__ import annotations

import argparse

from app.base.settings import Settings
from app.commands.whole import manifest, reading
from app.commands.whole.manifest import ExportError


def run(settings: Settings, arguments: argparse.Namespace) -> int:
    """Import a folder."""
    if not arguments.chemin.is_dir():
        raise ExportError(
            f"{arguments.chemin} n'est pas un dossier d'export : donnez celui qui contient {manifest.NAME}."
        )
    return reading.run(settings, arguments)
