"""What the store keeps, as the rest of the program sees it. All times are UTC and know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Status = Literal["active", "completed", "withdrawn", "excluded"]
"""`excluded`: by an answer in the questionnaire, while taking part. Screening afterwards only changes `valid`."""


@dataclass(frozen=True)
class Participant:
    """One person who opened the study."""

    id: int
    """Number in the store; never shown to anybody."""
    code: str
    """Name in the tables: random, so that it tells neither order nor link."""
    cohort: str
    slot: int
    """Number of the slot in the plan."""
    status: Status
    valid: bool
    """Whether screening found nothing; the slot of an invalid participant is given out again."""
    counted: bool
    """The first valid person to complete the slot; the plan's balance holds over these."""
    started_at: datetime
    last_seen_at: datetime
    completed_at: datetime | None = None
    external_id: str | None = None
    """Who the person is to whoever recruited: the id that a platform passed in the link, or the name invited."""
    platform_study: str | None = None
    """What the recruiting platform calls the study (Prolific) or the HIT (MTurk)."""
    platform_session: str | None = None
    """What the recruiting platform calls this person's taking part: submission (Prolific) or assignment (MTurk)."""
    platform_return: str | None = None
    """Where the recruiting platform wants to be told of the end, if it said so."""


@dataclass(frozen=True)
class Referral:
    """How somebody comes who is known before they begin: invited in person, or sent by a recruiting platform."""

    token: str | None = None
    """Token of the link that is theirs for good; a random one is drawn where there is none."""
    study: str | None = None
    session: str | None = None
    submit_to: str | None = None
    """See `platform_study`, `platform_session` and `platform_return` of a participant."""


@dataclass(frozen=True)
class Invitation:
    """A person who got a link of their own."""

    name: str
    """What the researcher calls the person; kept as `external_id` of the participant that the person becomes."""
    cohort: str
    status: Status | None = None
    """Of the participant; nothing before the person has begun."""


@dataclass(frozen=True)
class NewAnswer:
    """An answer as it comes from the browser."""

    answer_id: str
    """Made in the browser, one for each time the person presses the button; sending it again changes nothing."""
    page: str
    """Key of the page that was passed."""
    payload: Mapping[str, Any]
    """What was answered: plain JSON. That of the questionnaire is a mapping of fields to answers."""
    started_at: datetime | None
    """When the page was shown, by the browser's clock."""
    answered_at: datetime
    """When it was answered, by the browser's clock."""
    rt_ms: float | None = None
    """Milliseconds between the two, by the browser's monotonic clock."""
    client: Mapping[str, Any] = field(default_factory=dict)
    """What the browser says of itself: size of the window, kind of pointer …"""
    opened_at: datetime | None = None
    """When the page was opened, where the store has not been told so before; the first time that it knows stays."""


@dataclass(frozen=True)
class StoredAnswer:
    """An answer that is on disk."""

    answer_id: str
    page: str
    payload: Mapping[str, Any]
    started_at: datetime | None
    answered_at: datetime
    rt_ms: float | None
    client: Mapping[str, Any]
    revision: int
    """How often the answer had been changed: 0 for the first."""
    received_at: datetime
    """When the store took it, by the server's clock."""
    opened_at: datetime | None = None
    """When the page was first opened, by the server's clock; not known in stores of earlier releases."""
