"""PostgreSQL: connections, the catalogue of operations, the SQL text of a call, and the upgrade of a database.

It offers: Database, which runs statements; Catalogue; `words`; `schema` for migrations.
"""
