"""Lists of calls that are one transaction, rehearsed or done."""

from app.base.leaf import Leaf

LEAF = Leaf(routes={"repetition": f"{__name__}.routes"})
