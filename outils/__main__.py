"""python -m outils generer | lint-sql: write the generated files, check the functions of sql/."""

from __future__ import annotations

import argparse
import sys

from app.base.failure import Failure
from app.base.french import speak_french
from app.base.settings import Settings
from app.commands.place import database
from outils import generated
from outils.lint import check_functions


def generate(settings: Settings) -> int:
    with database(settings) as url:
        generated.write(url)
    print("Les fichiers générés de docs/ sont écrits.")
    return 0


def lint_sql(settings: Settings) -> int:
    return check_functions(settings, say=print)


TOOLS = {
    "generer": (generate, "écrire ce qui se génère de docs/"),
    "lint-sql": (lint_sql, "vérifier les fonctions SQL"),
}


def main() -> int:
    speak_french()
    parser = argparse.ArgumentParser(prog="python -m outils", description="Les outils de développement de Comptoir.")
    tools = parser.add_subparsers(dest="tool", required=True, metavar="outil")
    for name, (_, text) in TOOLS.items():
        tools.add_parser(name, help=text)
    run, _ = TOOLS[parser.parse_args().tool]
    try:
        return run(Settings.from_environment())
    except Failure as error:
        print(f"outils : {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
