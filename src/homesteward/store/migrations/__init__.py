"""How an older database becomes a newer one. Alembic is imported only from here, and this only when a schema is not current."""
