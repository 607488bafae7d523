"""The whole business in a folder of plain files, and back: `comptoir export` and `comptoir import`.

manifest.py describes and verifies the folder, tables.py copies tables, documents.py prints, objects.py copies uploads;
writing.py and reading.py put them together. docs/decisions/0063 says which rows are left behind, and why.
"""
