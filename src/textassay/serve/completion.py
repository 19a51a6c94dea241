"""Whether somebody who has passed all pages counts: the study's screening rules, asked at once.

The answer decides whether the slot is filled or given out again; the data stay in either case, and the report asks
the rules anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from textassay.answers.columns import email_hashes
from textassay.answers.people import case_of, person_of
from textassay.answers.records import Participant, StoredAnswer
from textassay.answers.store import Store
from textassay.design.plan import Slot
from textassay.screening.screen import judged
from textassay.study.study import Study


def is_valid(
    study: Study, slot: Slot, store: Store, participant: Participant, answers: Mapping[str, StoredAnswer]
) -> bool:
    """Whether no rule has anything against a participant who has just completed the study."""
    person = person_of(study, slot, replace(participant, status="completed"), answers)
    own = email_hashes(study, person.questionnaire)
    earlier = _earlier(study, own, store, participant) if own else frozenset()
    return judged(case_of(person, earlier), study).valid


def _earlier(study: Study, own: set[str], store: Store, participant: Participant) -> frozenset[str]:
    """Which of a participant's e-mail hashes were given by somebody who had begun before."""
    given = store.all_answers(page="questionnaire")
    before = (email_hashes(study, answer.payload) for number, answer in given if number < participant.id)
    return frozenset(own & set().union(*before))
