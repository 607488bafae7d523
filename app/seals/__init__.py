"""The seals and the roots of their tree, signed, outside the database.

It offers: `signing.seal`, which seals the books and signs their root; `publishing`, which takes roots out.
"""
