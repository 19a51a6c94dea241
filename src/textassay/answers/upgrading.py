"""Upgrading the tables of a database, step by step, with Alembic and the scripts in `migrations/`."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from textassay.errors import StoreError


def upgrade(connection: Connection, name: str, upto: str) -> None:
    """Take all steps that the database lacks.

    Args:
        connection: In a transaction, so that all steps are taken or none.
        name: Of the database, for messages.
        upto: The last step, or `head`.

    Raises:
        StoreError: it was made by a newer release.
    """
    config = _config(connection)
    refuse_newer(set(MigrationContext.configure(connection).get_current_heads()), name)
    command.upgrade(config, upto)


def refuse_newer(current: AbstractSet[str], name: str) -> None:
    """Refuse a database with steps that this release does not know.

    Raises:
        StoreError: it has some.
    """
    unknown = current - {script.revision for script in scripts().walk_revisions()}
    if unknown:
        revisions = ", ".join(sorted(unknown))
        raise StoreError(
            f"{name}: made by a newer release (schema {revisions}); install that release of textassay or a later one"
        )


def scripts() -> ScriptDirectory:
    """The steps."""
    return ScriptDirectory.from_config(_config())


def _config(connection: Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "textassay.answers:migrations")
    config.set_main_option("path_separator", "os")
    return config
