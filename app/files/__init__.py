"""Files in an S3 store, and the embedded store of development.

It may import: `base`.
It offers: Storage, the client of a process; SeaweedFS, the embedded server.
"""
