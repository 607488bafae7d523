"""The leaves: what few businesses need. The program runs without the folder of any of them.

They may import: every room. `organisations` also imports `echange`, for the archive of an organisation, and `providers`, for
the sheets of statements.
They offer: LEAF, which app/base/leaf.py finds.
"""
