"""Providers: what holds money for accounts outside the tills is asked for money, and asked what it received; and the
statements that banks and operators write.

It may import: every room, and the sheets of `echange`.

- **Adapter.** A module for each provider: `ask`, `look`, `notice`, `statement`, and no word of the business. `wave.py`
- **Exchange.** The database claims a demand or a notice, the adapter speaks outside any transaction, and the answer
  goes back with the claim. `exchange.py`
"""

from app.base.leaf import Leaf

LEAF = Leaf(
    routes={"providers": f"{__name__}.routes", "releve": f"{__name__}.routes.receiving"}, tasks=f"{__name__}.exchange"
)
