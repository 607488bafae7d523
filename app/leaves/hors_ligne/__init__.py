"""Tills that go on without a network: devices, what they need to sell, and the lots of operations that they send.

It may import: every room, and the calls of `repetition`, so that one path calls an operation by its method and path.
docs/hors-ligne.md is the protocol.
"""

from app.base.leaf import Leaf

LEAF = Leaf(routes={"hors_ligne": f"{__name__}.routes"}, pages=f"{__name__}.caisse")
