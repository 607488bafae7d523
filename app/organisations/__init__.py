"""Many organisations on many servers: the registry, and what is done to one organisation or to all.

It may import: `vault`, `files`, `database`, `base`.
It offers: Directory, the registry as a process follows it; Registry, which the commands of the operator write; making,
moving, removing and upgrading organisations.
"""
