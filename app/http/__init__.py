"""The path of a request: from received bytes to the answer.

It offers: Route, the declaration of a route; Request, Operation, Answer and `write` for handlers; Services; Endpoint.
"""
