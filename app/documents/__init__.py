"""Pages, PDF files, CSV and workbooks, made of data; nothing here knows a request.

It may import: `database`, `base`.
It offers: Document, what each of them returns; Report, what a report shows; `printing`, `exports`, Renderer.
"""
