"""A version of each participant, by which a server notices what other processes wrote; slots released on the board."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """One step on."""
    op.add_column("participants", sa.Column("version", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.add_column("participants", sa.Column("released_at", sa.DateTime(timezone=True)))
