"""Where alembic begins: it runs the steps on the connection that the store hands over."""

from __future__ import annotations

from alembic import context

from textassay.answers.schema import METADATA


def run() -> None:
    """Run the steps inside the transaction that the store has begun."""
    context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # alembic's name for this file; other imports only read it
    run()
