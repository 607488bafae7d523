"""One request: from the bytes that arrive to the bytes that leave.

It may import: the rooms below: documents, jobs, vault, files, auth, database, base.
It offers: Route, Request, Answer, Endpoint.
"""
