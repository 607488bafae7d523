"""PostgreSQL: the pool, the catalogue of operations, the SQL text of a call, migrations and upgrades.

It may import: base.
It offers: Database, Catalogue, schema.migrate, Postgres.
"""
