"""The OpenAPI document, made from routes and catalogue, and the page that shows it.

It offers: `document.document`, `docs.routes`.
"""
