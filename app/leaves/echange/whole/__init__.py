"""The whole business in a folder of plain files, and back: writing.py and reading.py put the others together."""
