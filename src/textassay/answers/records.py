"""The records of the store, as the rest of the program sees them. All times are UTC, with their time zone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

Status = Literal["active", "completed", "withdrawn", "excluded"]
"""`excluded`: by an answer in the questionnaire during the study. Screening afterwards only changes `valid`."""


@dataclass(frozen=True)
class Participant:
    """A person who opened the study."""

    id: int
    """Number in the store; never shown."""
    code: str
    """Name in the tables: random, so that it reveals neither the order nor the link."""
    cohort: str
    slot: int
    """Number of the slot in the plan."""
    status: Status
    valid: bool
    """Whether the participant passed screening; the slot of an invalid participant is assigned again."""
    counted: bool
    """The first valid participant to complete the slot; the plan's balance holds over these."""
    started_at: datetime
    last_seen_at: datetime
    completed_at: datetime | None = None
    external_id: str | None = None
    """The id that a recruiting platform passed in the link, or the name in the invitation."""
    platform_study: str | None = None
    """The platform's id for the study (Prolific) or the HIT (MTurk)."""
    platform_session: str | None = None
    """The platform's id for this participation: submission (Prolific) or assignment (MTurk)."""
    platform_return: str | None = None
    """The address to which the platform wants the end to be reported, if it gave one."""
    simulated: bool = False
    """Whether a program answered in place of a person. Set by a rehearsal, never by a visitor."""
    released_at: datetime | None = None
    """When the researcher released the slot, if so; it holds until the participant is seen again."""
    version: int = field(default=0, compare=False)
    """How often something about the participant was written; who remembers an older version reads again."""

    @property
    def is_released(self) -> bool:
        """Whether the participant holds no slot, however short ago he or she was seen."""
        return self.released_at is not None and self.released_at >= self.last_seen_at


@dataclass(frozen=True)
class Referral:
    """How a participant was referred: invited by name, or sent by a recruiting platform."""

    token: str | None = None
    """Token of the participant's permanent link; a random one is made if there is none."""
    study: str | None = None
    session: str | None = None
    submit_to: str | None = None
    """See `platform_study`, `platform_session` and `platform_return` of a participant."""


@dataclass(frozen=True)
class Invitation:
    """A person who was given a personal link."""

    name: str
    """The researcher's name for the person; stored as `external_id` of the participant."""
    cohort: str
    status: Status | None = None
    """Of the participant; None before the person has started."""


AGE = "age_ms"
"""What the server adds to the client's information: how old an answer was when it was sent."""


@dataclass(frozen=True)
class NewAnswer:
    """An answer as the browser sends it."""

    answer_id: str
    """Made in the browser each time the participant submits; sending it again changes nothing."""
    page: str
    """Key of the page that was answered."""
    payload: Mapping[str, Any]
    """The answer as plain JSON. That of the questionnaire is a mapping of fields to answers."""
    started_at: datetime | None
    """When the page was shown, by the browser's clock."""
    answered_at: datetime
    """When it was answered, by the browser's clock."""
    rt_ms: float | None = None
    """Milliseconds between the two, by the browser's monotonic clock."""
    client: Mapping[str, Any] = field(default_factory=dict)
    """What the browser reports about itself: size of the window, kind of pointer …"""
    opened_at: datetime | None = None
    """When the page was opened, if the store does not know yet; the first time stays."""


@dataclass(frozen=True)
class Participation:
    """A participant, and how far he or she has come."""

    participant: Participant
    answered: frozenset[str]
    """Keys of the answered pages."""
    questionnaire: Mapping[str, Any] | None = None
    """The answers to the questionnaire, if they are there; they may exclude the participant."""


@dataclass(frozen=True)
class StoredAnswer:
    """A stored answer."""

    answer_id: str
    page: str
    payload: Mapping[str, Any]
    started_at: datetime | None
    answered_at: datetime
    rt_ms: float | None
    client: Mapping[str, Any]
    revision: int
    """How often the answer had been changed: 0 for the first. Below 0 if it came late, after a newer one; the highest
    counts."""
    received_at: datetime
    """When the store received it, by the server's clock."""
    opened_at: datetime | None = None
    """When the page was first opened, by the server's clock; unknown in stores of earlier releases."""

    @property
    def given_at(self) -> datetime:
        """When it was given, by the server's clock: when it was received, less the time for which a device kept it."""
        return self.received_at - timedelta(milliseconds=self.client.get(AGE, 0))

    @property
    def time_cells(self) -> dict[str, Any]:
        """Its times as cells of a table, by column."""
        return {"started_at": self.started_at, "answered_at": self.answered_at, "opened_at": self.opened_at}
