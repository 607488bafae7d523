"""Files in an S3 store.

It may import: `base`.
It offers: Storage, the client of a process.
"""
