"""The API of Comptoir. pyproject.toml ([tool.importlinter]) lists the rooms in the order in which they may import."""
