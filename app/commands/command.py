"""A command declares its example and its options in its own module, beside the function that it runs.

    @command("comptoir admin awa", lambda parser: parser.add_argument("login"))
    def admin(settings: Settings, arguments: argparse.Namespace) -> int:

`app/__main__.py`, or the leaf that has it, names it and says in a few words what it does.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from app.base.leaf import Options
from app.base.settings import Settings

EXIT_CODES = """codes de sortie :
  0  fait ; pour check, rien à redire
  1  refusé : la ligne d'erreur dit quoi faire ; pour check, un écart au moins
  2  ligne de commande mal écrite
  70 erreur imprévue ; --verbose en montre la trace"""

Actions: TypeAlias = "argparse._SubParsersAction[Any]"
Function: TypeAlias = Callable[[Settings, argparse.Namespace], int]


@dataclass(frozen=True)
class Command:
    run: Function
    example: str
    options: Options | None


def command(example: str, options: Options | None = None) -> Callable[[Function], Command]:
    return lambda run: Command(run, example, options)


def action(actions: Actions, name: str, text: str, **more: Any) -> argparse.ArgumentParser:
    """The parser of a command, or of an action of one."""
    parser: argparse.ArgumentParser = actions.add_parser(
        name, help=text, description=f"{text[0].upper()}{text[1:]}.", epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter, **more,
    )  # fmt: skip
    # Without a default, so that it does not undo a --verbose before the command.
    parser.add_argument(
        "--verbose", action="store_true", default=argparse.SUPPRESS, help="montrer la trace d'une erreur"
    )
    return parser


def actions_of(parser: argparse.ArgumentParser) -> Actions:
    """The actions of a command that has several."""
    return parser.add_subparsers(dest="action", required=True, metavar="action", parser_class=argparse.ArgumentParser)


def despite(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--malgre", action="append", default=[], metavar="CONTROLE",
        help="accepter les écarts que ce contrôle nomme ; se répète",
    )  # fmt: skip


def count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"« {text} » : donnez un nombre de 1 à 1000")
    return int(text)
