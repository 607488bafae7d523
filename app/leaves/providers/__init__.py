"""Providers of accounts outside the tills are asked for money, and what they received; statements of banks are read.

- **Adapter.** A module for each provider: `ask`, `look`, `notice`, `statement`, and no word of the business. `wave.py`
- **Exchange.** The worker or a request claims, speaks through an adapter, and finishes. `exchange.py`
"""

from app.base.leaf import Leaf

LEAF = Leaf(routes={"providers": f"{__name__}.routes"}, tasks=f"{__name__}.exchange")
