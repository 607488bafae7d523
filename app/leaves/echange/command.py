"""import: the folder of an export into a new database, or a sheet in the name of an account."""

from __future__ import annotations

import argparse

from app.base.failure import Failure
from app.base.settings import Settings
from app.leaves.echange import account_import
from app.leaves.echange.whole import reading


def run(settings: Settings, arguments: argparse.Namespace) -> int:
    if arguments.chemin.is_dir():
        return reading.run(settings, arguments)
    if not arguments.chemin.is_file():
        raise Failure(f"{arguments.chemin} n'existe pas : donnez une feuille, ou le dossier d'un export.")
    return account_import.bring_in(settings, arguments)
