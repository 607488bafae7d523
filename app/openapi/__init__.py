"""The OpenAPI document, made from routes and catalogue, and the page that shows it.

It may import: `http` and the rooms below it.
It offers: `document.document`, `docs.routes`.
"""
