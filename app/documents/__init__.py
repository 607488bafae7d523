"""Pages, PDF files and workbooks.

It may import: database, base.
It offers: Renderer, templates, exports.
"""
