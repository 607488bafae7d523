"""Backups: written, encrypted, kept, read again and put back.

It may import: `files`, `database`, `base`.
It offers: Vault, the list of backups; `backup.dump` and `restoration.restore` for a file.
"""
