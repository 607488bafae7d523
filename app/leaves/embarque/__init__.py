"""The servers of development, from Python wheels: PostgreSQL and an object store in the project's own folder.

It offers: `servers`, which the core reaches through app/base/leaf.py; Server, Postgres and SeaweedFS.
"""

from app.base.leaf import Leaf

LEAF = Leaf(servers=f"{__name__}.servers")
