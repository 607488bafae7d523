"""Backups: written, encrypted, stored, and restored.

It may import: `files`, `database`, `base`.
It offers: Vault for backups in the store; `backup.dump` and `restoration.restore` for files.
"""
