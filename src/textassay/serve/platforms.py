"""Recruiting platforms: the parameters of their links, and the way back to them at the end.

No other module asks which platform it is.
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
    """What the parameters of a link say about the visitor."""

    external_id: str | None = None
    """The platform's id of the person."""
    referral: Referral = field(default_factory=Referral)
    only_looks: bool = False
    """Whether the platform only previews the study to a person who has not accepted it."""


@dataclass(frozen=True)
class ReturnLink:
    """How a participant gets from the last page back to the recruiting platform."""

    platform: str = ""
    """Name of the platform, if there is one."""
    code: str = ""
    """Completion code to enter there."""
    url: str = ""
    """Target of the button."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Form fields that the button submits there; empty if it is only a link."""


@dataclass(frozen=True)
class Platform:
    """Any platform, or none: the link may contain an id, and a code may be shown at the end."""

    person: str = ""
    """Parameter of the link that holds the person's id; empty if there is none."""
    title: str = ""
    """Its name in texts."""
    study: str = ""
    session: str = ""
    submit_to: str = ""
    """Parameters for the study, for this session, and for the address to submit the end to; see `Referral`."""
    framed_by: tuple[str, ...] = ()
    """Sites that show the study in a frame."""
    forms_to: tuple[str, ...] = ()
    """Sites to which the last page submits a form."""

    def arrival(self, query: Mapping[str, str]) -> Arrival:
        """Read the parameters of a link."""
        found = {name: self._given(query, name) for name in self.parameters}
        referral = Referral(
            study=found.get(self.study), session=found.get(self.session), submit_to=found.get(self.submit_to)
        )
        return Arrival(found.get(self.person), referral)

    @property
    def parameters(self) -> tuple[str, ...]:
        """All parameters that are read."""
        return tuple(name for name in (self.person, self.study, self.session, self.submit_to) if name)

    def kept(self, query: Mapping[str, str]) -> dict[str, str]:
        """The parameters of a link that are read, unchanged."""
        return {name: value for name in self.parameters if (value := self._given(query, name))}

    def way_back(self, outcome: Outcome, code: str | None, participant: Participant | None) -> ReturnLink:  # noqa: ARG002
        """The way back; `participant` is None in a preview."""
        return ReturnLink(code=code or "")

    @staticmethod
    def _given(query: Mapping[str, str], name: str) -> str | None:
        given = query.get(name, "").strip()
        # An unfilled placeholder of the platform is not an id: otherwise all would be taken for one person.
        return None if "{" in given else given[:LONGEST_NAME] or None


@dataclass(frozen=True)
class Prolific(Platform):
    """Links carry three ids; participants return by a link with a completion code."""

    person: str = "PROLIFIC_PID"
    title: str = "Prolific"
    study: str = "STUDY_ID"
    session: str = "SESSION_ID"

    def way_back(self, outcome: Outcome, code: str | None, participant: Participant | None) -> ReturnLink:  # noqa: ARG002
        """See `Platform.way_back`."""
        url = f"https://app.prolific.com/submissions/complete?cc={quote(code, safe='')}" if code else ""
        return ReturnLink(self.title, code or "", url)


_NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"
_TURK = ("https://www.mturk.com", "https://workersandbox.mturk.com")
_TURK_WORKERS = ("https://worker.mturk.com", "https://workersandbox.mturk.com")


@dataclass(frozen=True)
class MTurk(Platform):
    """Shows the study in a frame and needs a form at the end; or only links to it and needs a code."""

    person: str = "workerId"
    title: str = "MTurk"
    study: str = "hitId"
    session: str = "assignmentId"
    submit_to: str = "turkSubmitTo"
    framed_by: tuple[str, ...] = _TURK_WORKERS
    # Browsers apply the policy to redirections of a form too, and MTurk redirects workers to their own site.
    forms_to: tuple[str, ...] = (*_TURK, "https://worker.mturk.com")

    def arrival(self, query: Mapping[str, str]) -> Arrival:
        """See `Platform.arrival`; only MTurk's own sites are accepted as target of the final form."""
        came = super().arrival(query)
        said = came.referral
        if said.session == _NOT_ACCEPTED:
            return Arrival(only_looks=True)
        told = (said.submit_to or "").rstrip("/")
        return Arrival(came.external_id, Referral(None, said.study, said.session, told if told in _TURK else None))

    def way_back(self, outcome: Outcome, code: str | None, participant: Participant | None) -> ReturnLink:
        """See `Platform.way_back`."""
        submit_to = participant.platform_return if participant else None
        assignment = participant.platform_session if participant else None
        # Before completion the form is submitted only if the study says so, as submitting asks for payment.
        if submit_to not in _TURK or assignment is None or (outcome != "completed" and code is None):
            return ReturnLink(self.title, code or "")
        fields = {"assignmentId": assignment, "outcome": outcome}
        return ReturnLink(
            self.title, "", f"{submit_to}/mturk/externalSubmit", {**fields, **({"code": code} if code else {})}
        )


_PLATFORMS = {"prolific": Prolific, "mturk": MTurk}


def platform_of(study: Study) -> Platform:
    """The platform that a study recruits with."""
    people = study.file.participants
    if people.platform is not None:
        return _PLATFORMS[people.platform]()
    return Platform(person=people.id_parameter or "")
