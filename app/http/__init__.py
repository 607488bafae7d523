"""One request, from the bytes that arrive to the bytes that leave.

It may import: `documents`, `jobs`, `vault`, `files`, `auth`, `database`, `base`.
It offers: Route, the record of a route; Request, Operation, Answer and `write` for handlers; Services; Endpoint.
"""
