"""The demonstration: six months of an invented business, written by the operations themselves.

It offers: `replay.replayed`, a day of the past in which operations run; the photos of the business.
"""

from app.base.leaf import Leaf

LEAF = Leaf(
    commands={"demo": (f"{__name__}.filling:demo", "mettre en place six mois d'une entreprise inventée")},
    before="watch",
)
