"""How Alembic runs our migrations: on the connection it is given, in the transaction that is open."""

from alembic import context

from assay.store.schema import metadata

if (config := getattr(context, "config", None)) is not None:  # None when this file is only looked at
    context.configure(connection=config.attributes["connection"], target_metadata=metadata)
    context.run_migrations()
