"""A command of `comptoir`, and the options that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from app.base.settings import Settings

Run: TypeAlias = Callable[[Settings, argparse.Namespace], int]
Options: TypeAlias = Callable[[argparse.ArgumentParser], None]

EXIT_CODES = """codes de sortie :
  0  fait ; pour check, rien à redire
  1  refusé : la ligne d'erreur dit quoi faire ; pour check, un écart au moins
  2  ligne de commande mal écrite
  70 erreur imprévue ; --verbose en montre la trace"""


class Command(NamedTuple):
    """`run` names a function below `package`. Its module is imported only when it runs, so --help stays fast."""

    run: str
    text: str
    example: str
    options: Options | None = None
    package: str = "app.commands"


def action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str, example: str = ""
) -> argparse.ArgumentParser:
    """The parser of a command, or of an action of one."""
    made = actions.add_parser(
        name, help=text, description=f"{text[0].upper()}{text[1:]}.", epilog=f"{example}{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    # Without a default, so that it does not undo a --verbose before the command.
    made.add_argument("--verbose", action="store_true", default=argparse.SUPPRESS, help="montrer la trace d'une erreur")
    return made


def count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"« {text} » : donnez un nombre de 1 à 1000")
    return int(text)


def despite(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--malgre", action="append", default=[], metavar="CONTROLE",
        help="accepter les écarts que ce contrôle nomme ; se répète",
    )  # fmt: skip
