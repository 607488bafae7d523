"""python -m outils generer | lint-sql | juges: write the generated files, check sql/, call the tools of others."""

import argparse
import sys

from app.base.failure import Failure
from app.base.french import speak_french
from app.base.settings import Settings
from app.commands.place import database
from outils import generated
from outils.judges import judge
from outils.lint import check_functions


def main() -> int:
    speak_french()
    parser = argparse.ArgumentParser(prog="python -m outils", description="Les outils de développement de Comptoir.")
    tools = parser.add_subparsers(dest="tool", required=True, metavar="outil")
    tools.add_parser("generer", help="écrire ce qui se génère de docs/")
    tools.add_parser("lint-sql", help="vérifier les fonctions SQL")
    tools.add_parser("juges", help="faire juger par d'autres ce que lint-sql a écrit, les workflows et le Dockerfile")
    tool = parser.parse_args().tool
    if tool == "juges":
        return judge()
    try:
        settings = Settings.from_environment()
        if tool == "lint-sql":
            return check_functions(settings)
        with database(settings) as url:
            generated.write(url)
    except Failure as error:
        print(f"outils : {error}", file=sys.stderr)
        return 1
    print("Les fichiers générés de docs/ sont écrits.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
