"""Authentication: tokens, passwords, throttles, the permissions of roles, and the store of counters and revoked tokens.

It offers: AccessTokens, Roles, Throttle, client_address and hash_password.
"""
