"""Recruiting platforms: what their links say of a person, and how the person comes back to them at the end.

Nothing outside this module asks which platform it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from textassay.answers.records import Participant, Referral
from textassay.answers.recruiting import LONGEST_NAME
from textassay.study.model import Outcome
from textassay.study.study import Study


@dataclass(frozen=True)
class Arrival:
    """What a link says of the person who follows it."""

    external_id: str | None = None
    """What the platform calls the person."""
    referral: Referral = field(default_factory=Referral)
    only_looks: bool = False
    """The platform shows the study to somebody who has not accepted it yet."""


@dataclass(frozen=True)
class WayBack:
    """How a participant gets from the last page back to whoever recruited."""

    platform: str = ""
    """Name of the platform, if there is one."""
    code: str = ""
    """What the participant enters there."""
    url: str = ""
    """Where a press leads."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """What the press hands in there; nothing where it only follows a link."""


@dataclass(frozen=True)
class Platform:
    """Any platform, or none: an id may come in a parameter of the link, a code may be shown at the end."""

    person: str = ""
    """Parameter of the link that holds the person's id; empty: none does."""
    title: str = ""
    """Its name in prose."""
    study: str = ""
    session: str = ""
    submit_to: str = ""
    """Parameters for the study, for this taking part, and for where its end is to be told; see `Referral`."""
    framed_by: tuple[str, ...] = ()
    """Sites that show the study in a frame of theirs."""
    forms_to: tuple[str, ...] = ()
    """Sites to which the last page hands a form in."""

    def arrival(self, query: Mapping[str, str]) -> Arrival:
        """What the parameters of a link say."""
        found = {name: self._given(query, name) for name in self.parameters}
        referral = Referral(
            study=found.get(self.study), session=found.get(self.session), submit_to=found.get(self.submit_to)
        )
        return Arrival(found.get(self.person), referral)

    @property
    def parameters(self) -> tuple[str, ...]:
        """All parameters that matter."""
        return tuple(name for name in (self.person, self.study, self.session, self.submit_to) if name)

    def kept(self, query: Mapping[str, str]) -> dict[str, str]:
        """The parameters of a link that matter, as they are."""
        return {name: value for name in self.parameters if (value := self._given(query, name))}

    def way_back(self, outcome: Outcome, code: str | None, participant: Participant | None) -> WayBack:  # noqa: ARG002
        """How to get back; the participant is not known where the last page is only previewed."""
        return WayBack(code=code or "")

    @staticmethod
    def _given(query: Mapping[str, str], name: str) -> str | None:
        given = query.get(name, "").strip()
        # A placeholder that the platform has not filled in is nobody's id: else everybody would be one person.
        return None if "{" in given else given[:LONGEST_NAME] or None


@dataclass(frozen=True)
class Prolific(Platform):
    """Sends people with three ids; gets them back by a link with a code."""

    person: str = "PROLIFIC_PID"
    title: str = "Prolific"
    study: str = "STUDY_ID"
    session: str = "SESSION_ID"

    def way_back(self, outcome: Outcome, code: str | None, participant: Participant | None) -> WayBack:  # noqa: ARG002
        """See `Platform.way_back`."""
        url = f"https://app.prolific.com/submissions/complete?cc={quote(code, safe='')}" if code else ""
        return WayBack(self.title, code or "", url)


_NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"
_TURK = ("https://www.mturk.com", "https://workersandbox.mturk.com")
_TURK_WORKERS = ("https://worker.mturk.com", "https://workersandbox.mturk.com")


@dataclass(frozen=True)
class MTurk(Platform):
    """Shows the study in a frame and wants a form at the end; or only links to it and wants a code."""

    person: str = "workerId"
    title: str = "MTurk"
    study: str = "hitId"
    session: str = "assignmentId"
    submit_to: str = "turkSubmitTo"
    framed_by: tuple[str, ...] = _TURK_WORKERS
    # Browsers hold a form to where its reply sends them too, and MTurk sends workers on to their own site.
    forms_to: tuple[str, ...] = (*_TURK, "https://worker.mturk.com")

    def arrival(self, query: Mapping[str, str]) -> Arrival:
        """See `Platform.arrival`; only MTurk's own sites are told anything at the end, whatever a link says."""
        came = super().arrival(query)
        said = came.referral
        if said.session == _NOT_ACCEPTED:
            return Arrival(only_looks=True)
        told = (said.submit_to or "").rstrip("/")
        return Arrival(came.external_id, Referral(None, said.study, said.session, told if told in _TURK else None))

    def way_back(self, outcome: Outcome, code: str | None, participant: Participant | None) -> WayBack:
        """See `Platform.way_back`."""
        submit_to = participant.platform_return if participant else None
        assignment = participant.platform_session if participant else None
        # Who is sent away before the end hands in only if the study says so: a form handed in asks for pay.
        if submit_to not in _TURK or assignment is None or (outcome != "completed" and code is None):
            return WayBack(self.title, code or "")
        fields = {"assignmentId": assignment, "outcome": outcome}
        return WayBack(
            self.title, "", f"{submit_to}/mturk/externalSubmit", {**fields, **({"code": code} if code else {})}
        )


_PLATFORMS = {"prolific": Prolific, "mturk": MTurk}


def platform_of(study: Study) -> Platform:
    """The platform that a study recruits with."""
    people = study.file.participants
    if people.platform is not None:
        return _PLATFORMS[people.platform]()
    return Platform(person=people.id_parameter or "")
