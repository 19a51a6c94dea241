"""How taking part ended, and what the participant is given for it."""

from __future__ import annotations

from collections.abc import Container

from textassay.answers.records import Participant
from textassay.serve.platforms import Platform, WayBack
from textassay.study.model import Outcome
from textassay.study.study import Study


def outcome_of(study: Study, participant: Participant, answered: Container[str]) -> Outcome | None:
    """How it ended; nothing while it goes on.

    Whoever has passed all pages has done the work. That holds when a screening rule leaves the person out afterwards,
    and when the person takes the answers back.

    Args:
        study: The study.
        participant: The participant.
        answered: Keys of the pages that the participant has passed.
    """
    if participant.status == "active":
        return None
    if participant.status == "completed" or participant.completed_at is not None:
        return "completed"
    if participant.status == "excluded":
        return "screened_out"
    return "no_consent" if lacks_consent(study, answered) else "withdrawn"


def lacks_consent(study: Study, answered: Container[str]) -> bool:
    """Whether the study asks for consent, and this person has not given it."""
    return "consent" in study.pages and "consent" not in answered


def way_back(study: Study, platform: Platform, outcome: Outcome, participant: Participant | None) -> WayBack:
    """How the participant gets back to whoever recruited, with the code for this end."""
    return platform.way_back(outcome, study.file.finish.code(outcome), participant)
