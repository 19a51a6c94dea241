"""Whether a participant was simulated; until now only the answers and a file beside the database told.

Every answer of a simulated participant has `"simulated":true` in what it says of its client, so the flag of earlier
participants follows from their answers. A participant without any answer counts as simulated only where all answers of
the store are.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_participants = sa.table("participants", sa.column("id", sa.Integer), sa.column("simulated", sa.Boolean))
_answers = sa.table("answers", sa.column("participant_id", sa.Integer), sa.column("client", sa.Text))
_own = _answers.c.participant_id == _participants.c.id
_by_simulation = _answers.c.client.like('%"simulated":true%')


def upgrade() -> None:
    """One step on."""
    op.add_column("participants", sa.Column("simulated", sa.Boolean, nullable=False, server_default=sa.false()))
    mark = sa.update(_participants).values(simulated=sa.true())
    op.execute(mark.where(sa.exists().where(_own, _by_simulation)))
    op.execute(
        mark.where(
            ~sa.exists().where(_own),
            sa.exists(sa.select(_answers.c.client)),
            ~sa.exists(sa.select(_answers.c.client).where(~_by_simulation)),
        )
    )
