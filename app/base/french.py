"""The help and the error messages of argparse, in French."""

import argparse

WORDS = {
    "usage: ": "usage : ",
    "positional arguments": "arguments ",
    "options": "options ",
    "show this help message and exit": "montrer cette aide",
    "%(prog)s: error: %(message)s\n": "%(prog)s : %(message)s ; voyez « %(prog)s --help »\n",
    "argument %(argument_name)s: %(message)s": "%(argument_name)s : %(message)s",
    "the following arguments are required: %s": "il manque : %s",
    "one of the arguments %s is required": "il faut l'un de : %s",
    "not allowed with argument %s": "ne va pas avec %s",
    "unrecognized arguments: %s": "en trop : %s",
    "invalid choice: %(value)r (choose from %(choices)s)": "%(value)s n'existe pas, il y a : %(choices)s",
    "invalid %(type)s value: %(value)r": "« %(value)s » n'est pas un nombre",
    "expected one argument": "attend une valeur",
    "ambiguous option: %(option)s could match %(matches)s": "%(option)s peut être %(matches)s",
    "ignored explicit argument %r": "ne prend pas de valeur (%s)",
}


def speak_french() -> None:
    """Replace the gettext functions of argparse. A gettext catalogue would need files in a system directory."""
    setattr(argparse, "_", lambda text: WORDS.get(text, text))  # noqa: B010
    setattr(argparse, "ngettext", lambda one, many, count: WORDS.get(one, one if count == 1 else many))  # noqa: B010
