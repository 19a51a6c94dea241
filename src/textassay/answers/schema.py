"""The tables of the store. They are created by `migrations/`; a test compares the two."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)

REVISION = "0006"
"""The last of the steps in `migrations/`, which gives a database these tables."""
METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC; SQLite has no time zones, so they are removed and added here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """From the program to the database."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """From the database to the program."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


participants = Table(
    "participants",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("code", Text, nullable=False),
    Column("token_hash", Text, nullable=False),
    Column("cohort", Text, nullable=False),
    Column("slot", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("valid", Boolean, nullable=False),
    Column("started_at", UtcTime, nullable=False),
    Column("last_seen_at", UtcTime, nullable=False),
    Column("completed_at", UtcTime),
    Column("external_id", Text),
    Column("platform_study", Text),
    Column("platform_session", Text),
    Column("platform_return", Text),
    Column("simulated", Boolean, nullable=False, server_default=false()),
    # Raised by every write about the participant: a server that remembers an older one reads the participant again.
    Column("version", Integer, nullable=False, server_default=text("0")),
    # A participant who has not been seen since then holds no slot, however short that is ago.
    Column("released_at", UtcTime),
    # A participant in progress holds a slot until somebody looks again after that time; without one, holds none.
    Column("held_until", UtcTime),
    UniqueConstraint("code"),
    UniqueConstraint("token_hash"),
    Index(None, "cohort", "slot"),
    Index(None, "slot"),
    Index(
        None, "cohort", "held_until", sqlite_where=text("status = 'active'"), postgresql_where=text("status = 'active'")
    ),
)

answers = Table(
    "answers",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("participant_id", Integer, ForeignKey("participants.id"), nullable=False),
    Column("page", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("answer_id", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("started_at", UtcTime),
    Column("answered_at", UtcTime, nullable=False),
    Column("rt_ms", Float),
    Column("client", Text, nullable=False),
    Column("received_at", UtcTime, nullable=False),
    UniqueConstraint("answer_id"),
    UniqueConstraint("participant_id", "page", "revision"),
)

openings = Table(
    "openings",
    METADATA,
    Column("participant_id", Integer, ForeignKey("participants.id"), primary_key=True),
    Column("page", Text, primary_key=True),
    Column("opened_at", UtcTime, nullable=False),
)

secrets = Table(
    "secrets",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

settings = Table(
    "settings",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

invitations = Table(
    "invitations",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("cohort", Text, nullable=False),
    Column("token_hash", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    UniqueConstraint("token_hash"),
)

# How many participants have each slot, counted from `participants` by triggers of the database: nothing else writes
# here, except that slots that nobody has had are added; see `slots.py`.

slot_uses = Table(
    "slot_uses",
    METADATA,
    Column("cohort", Text, primary_key=True),
    Column("slot", Integer, primary_key=True),
    Column("simulated", Boolean, primary_key=True),
    Column("filled", Integer, nullable=False),  # valid participants who completed it
    Column("active", Integer, nullable=False),  # participants in progress who hold it
    Index(None, "cohort", "simulated", "filled", "active", "slot"),
    info={"counted": True},
)

cohort_uses = Table(
    "cohort_uses",
    METADATA,
    Column("cohort", Text, primary_key=True),
    Column("slots", Integer, nullable=False),  # of the plan
    Column("filled", Integer, nullable=False),  # of these, by real participants
    Column("active", Integer, nullable=False),  # real participants in progress who hold one
    info={"counted": True},
)

STORED_TABLES = tuple(table for table in METADATA.sorted_tables if not table.info.get("counted"))
"""The tables to copy, those that others refer to first; the rest is recounted from their rows."""
