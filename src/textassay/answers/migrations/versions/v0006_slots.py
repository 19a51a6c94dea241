"""How many participants hold and fill each slot, counted by triggers, so that joining need not count all of them.

And whether links that name a cohort may have been given out.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """One step on."""
    _count_slots()
    _keep_old_links()


def _count_slots() -> None:
    op.add_column("participants", sa.Column("held_until", sa.DateTime(timezone=True)))
    op.execute("UPDATE participants SET held_until = last_seen_at WHERE status = 'active'")
    op.create_index(
        "ix_participants_cohort_held_until",
        "participants",
        ["cohort", "held_until"],
        sqlite_where=sa.text("status = 'active'"),
        postgresql_where=sa.text("status = 'active'"),
    )
    op.create_table(
        "slot_uses",
        sa.Column("cohort", sa.Text, nullable=False),
        sa.Column("slot", sa.Integer, nullable=False),
        sa.Column("simulated", sa.Boolean, nullable=False),
        sa.Column("filled", sa.Integer, nullable=False),
        sa.Column("active", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("cohort", "slot", "simulated", name="pk_slot_uses"),
    )
    op.create_index(
        "ix_slot_uses_cohort_simulated_filled_active_slot",
        "slot_uses",
        ["cohort", "simulated", "filled", "active", "slot"],
    )
    op.create_table(
        "cohort_uses",
        sa.Column("cohort", sa.Text, nullable=False),
        sa.Column("slots", sa.Integer, nullable=False),
        sa.Column("filled", sa.Integer, nullable=False),
        sa.Column("active", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("cohort", name="pk_cohort_uses"),
    )
    op.execute(_COUNT_ALL)
    connection = op.get_bind()
    for statement in _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL:
        connection.exec_driver_sql(statement)


def _fills(row: str) -> str:
    return f"CASE WHEN {row}.status = 'completed' AND {row}.valid THEN 1 ELSE 0 END"


def _holds(row: str) -> str:
    return f"CASE WHEN {row}.status = 'active' AND {row}.held_until IS NOT NULL THEN 1 ELSE 0 END"


def _change(row: str, sign: str) -> str:
    """Add what a row of participants counts for to its slot, or subtract it."""
    return f"""
        UPDATE slot_uses SET filled = filled {sign} {_fills(row)}, active = active {sign} {_holds(row)}
        WHERE cohort = {row}.cohort AND slot = {row}.slot AND simulated = {row}.simulated;"""  # noqa: S608 -- constants


_COUNT_ALL = f"""
    INSERT INTO slot_uses (cohort, slot, simulated, filled, active)
    SELECT cohort, slot, simulated, sum({_fills("participants")}), sum({_holds("participants")})
    FROM participants GROUP BY cohort, slot, simulated"""  # noqa: S608 -- constants
_REMOVE_OLD = _change("OLD", "-")
_ADD_NEW = f"""
        INSERT INTO slot_uses (cohort, slot, simulated, filled, active)
        SELECT NEW.cohort, NEW.slot, NEW.simulated, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM slot_uses
        WHERE cohort = NEW.cohort AND slot = NEW.slot AND simulated = NEW.simulated);{_change("NEW", "+")}"""  # noqa: S608 -- constants
_ADD_UP = """
        UPDATE cohort_uses SET active = active + NEW.active - OLD.active, filled = filled
            + CASE WHEN NEW.filled > 0 THEN 1 ELSE 0 END - CASE WHEN OLD.filled > 0 THEN 1 ELSE 0 END
        WHERE cohort = NEW.cohort;"""
_RETURNS = """
        NEW.held_until IS NULL AND NEW.status = 'active'
        AND (NEW.released_at IS NULL OR NEW.released_at < NEW.last_seen_at)"""
"""A participant in progress who holds no slot, since inactive for too long or released, has been seen again."""

_SQLITE = (
    f"CREATE TRIGGER participant_joins AFTER INSERT ON participants BEGIN {_ADD_NEW} END",
    f"CREATE TRIGGER participant_goes AFTER DELETE ON participants BEGIN {_REMOVE_OLD} END",
    f"""CREATE TRIGGER participant_changes AFTER UPDATE OF status, valid, simulated, held_until ON participants
        BEGIN {_REMOVE_OLD} {_ADD_NEW} END""",
    f"""CREATE TRIGGER participant_returns AFTER UPDATE OF last_seen_at ON participants WHEN {_RETURNS}
        BEGIN UPDATE participants SET held_until = NEW.last_seen_at WHERE id = NEW.id; END""",  # noqa: S608 -- constants
    f"""CREATE TRIGGER slot_changes AFTER UPDATE OF filled, active ON slot_uses WHEN NOT NEW.simulated
        BEGIN {_ADD_UP} END""",
)


def _function(name: str, body: str) -> str:
    return f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"


_POSTGRESQL = (
    _function("participant_joins", f"{_ADD_NEW} RETURN NULL;"),
    _function("participant_goes", f"{_REMOVE_OLD} RETURN NULL;"),
    _function("participant_changes", f"{_REMOVE_OLD} {_ADD_NEW} RETURN NULL;"),
    _function("participant_returns", "NEW.held_until := NEW.last_seen_at; RETURN NEW;"),
    _function("slot_changes", f"{_ADD_UP} RETURN NULL;"),
    """CREATE TRIGGER participant_joins AFTER INSERT ON participants
        FOR EACH ROW EXECUTE FUNCTION participant_joins()""",
    """CREATE TRIGGER participant_goes AFTER DELETE ON participants
        FOR EACH ROW EXECUTE FUNCTION participant_goes()""",
    # Not "UPDATE OF held_until", which would not see what the next trigger changes.
    """CREATE TRIGGER participant_changes AFTER UPDATE ON participants FOR EACH ROW
        WHEN (OLD.status <> NEW.status OR OLD.valid <> NEW.valid OR OLD.simulated <> NEW.simulated
        OR (OLD.held_until IS NULL) <> (NEW.held_until IS NULL)) EXECUTE FUNCTION participant_changes()""",
    f"""CREATE TRIGGER participant_returns BEFORE UPDATE OF last_seen_at ON participants FOR EACH ROW
        WHEN ({_RETURNS}) EXECUTE FUNCTION participant_returns()""",
    """CREATE TRIGGER slot_changes AFTER UPDATE ON slot_uses FOR EACH ROW WHEN (NOT NEW.simulated)
        EXECUTE FUNCTION slot_changes()""",
)


def _keep_old_links() -> None:
    """A cohort's link once named the cohort, and may have been sent out where participants have started."""
    op.execute(
        "INSERT INTO settings (name, value) SELECT 'old-cohort-links', 'true'"
        " WHERE EXISTS (SELECT 1 FROM participants WHERE cohort <> '')"
    )
