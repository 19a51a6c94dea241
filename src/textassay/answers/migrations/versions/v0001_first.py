"""The first layout: participants, answers, secrets."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# Written out, not taken from schema.py: that one moves on with later releases, this step must not.
_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """One step on."""
    op.create_table(
        "participants",
        sa.Column("id", sa.Integer),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("token_hash", sa.Text, nullable=False),
        sa.Column("cohort", sa.Text, nullable=False),
        sa.Column("slot", sa.Integer, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("valid", sa.Boolean, nullable=False),
        sa.Column("started_at", _TIME, nullable=False),
        sa.Column("last_seen_at", _TIME, nullable=False),
        sa.Column("completed_at", _TIME),
        sa.Column("external_id", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_participants"),
        sa.UniqueConstraint("code", name="uq_participants_code"),
        sa.UniqueConstraint("token_hash", name="uq_participants_token_hash"),
    )
    op.create_index("ix_participants_cohort_slot", "participants", ["cohort", "slot"])
    op.create_index("ix_participants_slot", "participants", ["slot"])
    op.create_table(
        "answers",
        sa.Column("id", sa.Integer),
        sa.Column("participant_id", sa.Integer, nullable=False),
        sa.Column("page", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("answer_id", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("started_at", _TIME),
        sa.Column("answered_at", _TIME, nullable=False),
        sa.Column("rt_ms", sa.Float),
        sa.Column("client", sa.Text, nullable=False),
        sa.Column("received_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_answers"),
        sa.ForeignKeyConstraint(["participant_id"], ["participants.id"], name="fk_answers_participant_id"),
        sa.UniqueConstraint("answer_id", name="uq_answers_answer_id"),
        sa.UniqueConstraint("participant_id", "page", "revision", name="uq_answers_participant_id_page_revision"),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.Text),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )
