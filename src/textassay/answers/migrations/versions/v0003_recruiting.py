"""Recruiting: whether it is paused, who was invited in person, and what a platform passed along with its id."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """One step on."""
    op.create_table(
        "settings",
        sa.Column("name", sa.Text),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_settings"),
    )
    op.create_table(
        "invitations",
        sa.Column("name", sa.Text),
        sa.Column("cohort", sa.Text, nullable=False),
        sa.Column("token_hash", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_invitations"),
        sa.UniqueConstraint("token_hash", name="uq_invitations_token_hash"),
    )
    for name in ("platform_study", "platform_session", "platform_return"):
        op.add_column("participants", sa.Column(name, sa.Text))
