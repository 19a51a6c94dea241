"""Brings a database to the layout of this release."""

from __future__ import annotations

import threading

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from textassay.answers.engine import Engines, reason
from textassay.errors import StoreError

_SCRIPTS = "textassay.answers:migrations"
_ONE_AT_A_TIME = threading.Lock()
"""Alembic keeps the connection it works on in a module, so two threads must not open stores at the same moment."""


def migrate(engines: Engines) -> None:
    """Make the tables of a new database, or bring those of an old one up to date; all steps or none.

    Raises:
        StoreError: it was made by a newer release, or is not a database of ours.
    """
    try:
        with _ONE_AT_A_TIME, engines.writer.begin() as connection:
            config = _config(connection)
            scripts = ScriptDirectory.from_config(config)
            now = set(MigrationContext.configure(connection).get_current_heads())
            _refuse_newer(now, scripts, engines.name)
            if now != set(scripts.get_heads()):
                command.upgrade(config, "head")
    except SQLAlchemyError as error:
        raise StoreError(f"{engines.name}: cannot be opened ({reason(error)}); is this the right database?") from error


def _config(connection: Connection) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", _SCRIPTS)
    config.set_main_option("path_separator", "os")
    return config


def _refuse_newer(now: set[str], scripts: ScriptDirectory, name: str) -> None:
    unknown = now - {script.revision for script in scripts.walk_revisions()}
    if unknown:
        layout = ", ".join(sorted(unknown))
        message = f"{name}: made by a newer release (layout {layout}); install that release of textassay or a later one"
        raise StoreError(message)
