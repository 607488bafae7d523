"""Backups: written, encrypted, stored, and restored.

It offers: Vault for backups in the store; `backup.dump` and `restoration.restore` for files.
"""
