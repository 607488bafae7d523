"""Who calls: tokens, passwords, throttles, and the key-value store that counts and revokes.

It may import: base, database.
It offers: AccessTokens, open_store, hash_password, client_address.
"""
