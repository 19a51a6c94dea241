"""When each page was first opened, for time limits that a reload cannot stretch."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """One step on."""
    op.create_table(
        "openings",
        sa.Column("participant_id", sa.Integer, nullable=False),
        sa.Column("page", sa.Text, nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("participant_id", "page", name="pk_openings"),
        sa.ForeignKeyConstraint(["participant_id"], ["participants.id"], name="fk_openings_participant_id"),
    )
