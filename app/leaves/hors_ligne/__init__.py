"""Tills that go on without a network: devices, what they need to sell, and the lots of operations that they send.

docs/hors-ligne.md is the protocol.
"""

from app.base.leaf import Leaf

LEAF = Leaf(routes={"hors_ligne": f"{__name__}.routes"}, pages=f"{__name__}.caisse")
