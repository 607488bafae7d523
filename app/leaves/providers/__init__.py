"""Providers: what holds money for accounts outside the tills is asked for money, and asked what it received.

It may import: every room.

- **Adapter.** A module for each provider: `ask`, `look`, `notice`, `statement`, and no word of the business. `wave.py`
- **Exchange.** The database claims a demand or a notice, the adapter speaks outside any transaction, and the answer
  goes back with the claim. `exchange.py`
"""

from app.base.leaf import Leaf

LEAF = Leaf(routes={"providers": f"{__name__}.routes"}, tasks=f"{__name__}.exchange")
