"""The seals and the roots of their tree, signed, outside the database.

It may import: `vault`, `files`, `auth`, `database`, `base`.
It offers: `signing.seal`, which seals the books and signs their root; `publishing`, which takes roots out.
"""
