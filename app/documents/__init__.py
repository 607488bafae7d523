"""Pages, PDF files, CSV files and workbooks, made from data. This room knows no request.

It offers: Document, the result; Report, the layout of a report; `printing`, `exports`, Renderer.
"""
