"""Files in an S3 store.

It offers: Storage, the client of a process.
"""
