"""The demonstration: six months of an invented business, written by the operations themselves.

It may import: every room.
It offers: `replay.replayed`, a day of the past in which operations run; the photos of the business.
"""

import argparse

from app.base.command import Command, count
from app.base.leaf import Leaf


def _options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--taille", type=count, default=20, metavar="N", help="clients par jour (20)")
    sub.add_argument("--mois", type=count, default=6, metavar="N", help="mois racontés, jusqu'à hier (6)")
    sub.add_argument("--remplacer", action="store_true", help="prendre la place d'une base qui a des données")


LEAF = Leaf(
    commands={
        "demo": Command(
            "command:fill", "mettre en place six mois d'une entreprise inventée",
            "comptoir demo --taille 40 --mois 3", _options, __name__,
        ),
    },
    before="watch",
)  # fmt: skip
