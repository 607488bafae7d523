"""Backups: written, encrypted, kept, read again and put back.

It may import: files, database, base.
It offers: Vault, backup.dump, restoration.restore.
"""
