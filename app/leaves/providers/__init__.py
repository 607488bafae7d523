"""Providers: what banks and operators of mobile money write, read for the slice tresorerie.

It may import: every room, and the sheets of `echange`.
It offers: `statement.read`, for the adapters.
"""

from app.base.leaf import Leaf

LEAF = Leaf(routes={"releve": f"{__name__}.routes.receiving"})
